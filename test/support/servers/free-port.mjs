import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A free port. It is below the range from which the system assigns ports to connections and servers, because
 * one of those could be taken before our server listens.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}
