import { createServer } from 'node:net';

/**
 * Servers on both loopback addresses that nothing may reach; they count connections, which is stricter than
 * counting requests.
 */
export class Canary {
  connections = 0;
  port = 0;
  #servers = [];
  #sockets = new Set();

  /** @param isSilent takes connections and never answers: a tar pit */
  static async start({ isSilent = false } = {}) {
    const canary = new Canary();
    for (const host of ['127.0.0.1', '::1']) await canary.#listen(host, isSilent);
    return canary;
  }

  async #listen(host, isSilent) {
    const server = createServer((socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      if (isSilent) socket.resume();
      else socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'));
    });
    const isUp = await new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen({ port: this.port, host, backlog: 4096 }, () => resolve(true));
    });
    // A machine without IPv6 has only the first.
    if (!isUp) return;
    this.port = server.address().port;
    this.#servers.push(server);
  }

  get open() {
    return this.#sockets.size;
  }

  async stop() {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
