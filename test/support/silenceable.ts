import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the database that can be made to fall silent without being closed. */
export async function silenceable(url: string): Promise<{ url: string; fallSilent(): void; close(): Promise<void> }> {
  const target = new URL(url);
  const sockets: Socket[] = [];
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(near, far);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    fallSilent: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
