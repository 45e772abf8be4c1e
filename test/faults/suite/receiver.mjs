import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { answersAfter } from '../../support/waiting/paced.mjs';
import { percentile } from './figures.mjs';

/** What an endpoint does with a POST. Each is given the response and what was received. */
export const behaviour = {
  accept: (response) => void response.writeHead(204).end(),
  acceptAfter: (milliseconds) => answersAfter(milliseconds),
  refuse: (status) => (response) => void response.writeHead(status).end('no'),
  hang: () => undefined,
};

/**
 * The endpoints of all stores of a fault, `/<store id>` each, over real HTTP. Records every POST that came in
 * whole.
 */
export class Receiver {
  posts = [];
  /** How many came; for runs too long to keep every POST. */
  count = 0;
  keepsPosts = true;
  /** Newest data of each order, as a receiver that lets the newest updatedAt win would hold it. */
  newest = new Map();
  #behaviours = new Map();
  #secrets = new Map();
  #server = createServer((request, response) => this.#take(request, response));

  static async start() {
    const receiver = new Receiver();
    // A hanging endpoint must be able to hang for as long as it likes.
    receiver.#server.requestTimeout = 0;
    await new Promise((resolve) => receiver.#server.listen(0, '127.0.0.1', 4096, resolve));
    receiver.url = `http://127.0.0.1:${receiver.#server.address().port}`;
    return receiver;
  }

  behave(store, answer) {
    this.#behaviours.set(store.id, answer);
  }

  expectSecret(store) {
    this.#secrets.set(store.id, store.secret);
  }

  #take(request, response) {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const post = this.#read(request, Buffer.concat(chunks));
      this.count++;
      if (this.keepsPosts) this.posts.push(post);
      response.on('finish', () => (post.accepted = response.statusCode < 300));
      (this.#behaviours.get(post.storeId) ?? behaviour.accept)(response, post);
    });
  }

  #read({ url, headers }, body) {
    const at = Date.now();
    const storeId = url.slice(1);
    const json = JSON.parse(body.toString());
    const { id: orderId, updatedAt } = json.data;
    const signature = createHmac('sha256', this.#secrets.get(storeId)).update(body).digest('hex');
    if (!(this.newest.get(orderId)?.updatedAt >= updatedAt)) this.newest.set(orderId, json.data);
    return {
      at,
      storeId,
      orderId,
      updatedAt,
      body,
      id: headers['x-shop-delivery'],
      digest: createHash('sha256').update(body).digest('hex'),
      isSigned: headers['x-shop-signature'] === signature,
      isIdentified: headers['x-shop-delivery'] === json.id && headers['x-shop-event'] === json.event,
      accepted: false,
    };
  }

  of(store) {
    return this.posts.filter(({ storeId }) => storeId === store.id);
  }

  /** Milliseconds from each change to its first POST, of the stores given. */
  latencies(stores, since = 0) {
    const wanted = new Set(stores.map(({ id }) => id));
    const first = new Map();
    for (const { storeId, id, at, updatedAt } of this.posts) {
      const changed = Date.parse(updatedAt);
      if (wanted.has(storeId) && changed >= since && !first.has(id)) first.set(id, at - changed);
    }
    return [...first.values()];
  }

  p95(stores, since) {
    return percentile(this.latencies(stores, since), 0.95);
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
