import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface Silenceable {
  url: string;
  /** Existing connections get no further answers; with `hang`, neither do later ones. */
  fallSilent(options?: { hang: boolean }): void;
  /** Ends all connections, and every later one at once, as a server that is gone does. */
  cut(): void;
  /** How many connections came since and were ended. */
  readonly refused: number;
  /** The server is back. */
  mend(): void;
  close(): Promise<void>;
}

/** A proxy to the database that can stop answering without closing its connections. */
export async function silenceable(url: string): Promise<Silenceable> {
  const target = new URL(url);
  const sockets: Socket[] = [];
  let hangs = false;
  let isCut = false;
  let refused = 0;
  const server: Server = createServer((near) => {
    if (isCut) {
      refused++;
      return void near.destroy();
    }
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
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    get refused() {
      return refused;
    },
    mend: () => void (isCut = false),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
