import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Silenceable {
  url: string;
  /** What is connected is not answered any more; with `hang` nor is what connects later. */
  fallSilent(options?: { hang: boolean }): void;
  close(): Promise<void>;
}

/** A way to the database that can be made to fall silent without being closed. */
export async function silenceable(url: string): Promise<Silenceable> {
  const target = new URL(url);
  const sockets: Socket[] = [];
  let hangs = false;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    if (!hangs) near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    fallSilent: ({ hang } = { hang: false }) => {
      hangs = hang;
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
