import { Agent, request as httpRequest } from 'node:http';
import { paced } from '../../support/waiting/paced.mjs';

/** In turn, and between the last and the first a shipment: each differs from the one before. */
const STATUSES = ['PROCESSING', 'DELIVERED', 'PENDING'];

/**
 * Changes orders over HTTP and remembers the changes that were acknowledged; of the others nothing may be
 * concluded.
 */
export class Writer {
  acknowledged = [];
  unanswered = 0;
  /** Why the last unanswered call was so. */
  lastFailure = '';
  refusals = [];
  // An idle connection is closed before the server does so (after 5 s), whose end a call could else run into.
  #agent = new Agent({ keepAlive: true, timeout: 3_000 });
  #turn = 0;

  /** @param url tells where to send the next call: instances come and go */
  constructor(stores, url) {
    this.stores = stores;
    this.url = url;
    this.orders = stores.flatMap((store) =>
      store.orders.map((id) => ({ id, store, changes: 0, isUnsure: false })),
    );
  }

  /** Changes the next order in turn (or the one given), mostly its status, each fourth time its tracking. */
  async change(order = this.orders[this.#turn++ % this.orders.length]) {
    const n = order.changes++;
    // After a call that failed nobody knows the order's status, and what it has already would be no change; a
    // shipment always is.
    const status = order.isUnsure ? undefined : STATUSES[n % 4];
    order.isUnsure = true;
    const operation = status ? 'set_order_status' : 'ship_order';
    const input = status ? { status } : { trackingNumber: `track ${n}` };
    const started = performance.now();
    const sentAt = Date.now();
    const answer = await this.call(operation, { orderId: order.id, ...input }, order.store).catch(
      (error) => void (this.lastFailure = error.message),
    );
    if (!answer) return void this.unanswered++;
    if (answer.status !== 200) return void this.refusals.push(answer);
    order.isUnsure = false;
    const { updatedAt } = answer.json.data.order;
    const change = {
      orderId: order.id,
      storeId: order.store.id,
      updatedAt,
      sentAt,
      milliseconds: performance.now() - started,
    };
    this.acknowledged.push(change);
    return change;
  }

  /** One call of an operation, with more headers if wanted. @throws when no whole answer came */
  call(operation, input, store, more = {}) {
    const body = JSON.stringify(input);
    const headers = {
      ...more,
      Authorization: `Bearer ${store.token}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.url()}/v1/${operation}`,
        { method: 'POST', headers, agent: this.#agent },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('close', () => reject(new Error('the answer was cut short')));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            try {
              resolve({ status: response.statusCode, text, json: JSON.parse(text) });
            } catch {
              reject(new Error(`${response.statusCode} without JSON: ${text.slice(0, 80)}`));
            }
          });
        },
      );
      request.on('error', reject);
      request.setTimeout(30_000, () => request.destroy(new Error('no answer')));
      request.end(body);
    });
  }

  /** So many changes, over so many connections. */
  async make(changes, connections = 32) {
    let left = changes;
    const drive = async () => {
      while (left-- > 0) await this.change();
    };
    await Promise.all(Array.from({ length: connections }, drive));
  }

  /** Changes at a steady rate for a time; late ones are caught up with, over at most 64 connections. */
  async steadily(perSecond, seconds) {
    const started = performance.now();
    const underWay = new Set();
    for (let sent = 0; sent < perSecond * seconds; sent++) {
      const wait = started + (sent / perSecond) * 1000 - performance.now();
      if (wait > 1) await paced(wait);
      while (underWay.size >= 64) await Promise.race(underWay);
      const change = this.change().finally(() => underWay.delete(change));
      underWay.add(change);
    }
    await Promise.all(underWay);
  }

  /** Changes without pause until the work is done; a refused connection is tried again a moment later. */
  async during(work, connections = 8) {
    let isOver = false;
    const drive = async () => {
      while (!isOver) if (!(await this.change())) await paced(20);
    };
    const driving = Array.from({ length: connections }, drive);
    const result = await work.finally(() => (isOver = true));
    await Promise.all(driving);
    return result;
  }

  close() {
    this.#agent.destroy();
  }
}
