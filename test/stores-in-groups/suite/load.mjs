import { paced } from '../../support/waiting/paced.mjs';
import { Writer } from '../../faults/suite/writer.mjs';

const WRITERS = 4;
const READERS = 3;
/** Between two calls of one caller, in milliseconds. */
const PAUSE_MS = 10;

/** Callers of all stores, each at the host of its store, and a reader of each store's feed. */
export class Load extends Writer {
  right = 0;
  again = { read: 0, write: 0 };
  wrong = [];
  #feeds;

  constructor(stores, url) {
    super(stores, () => url);
    this.#feeds = new Map(stores.map((store) => [store, { cursor: undefined, events: [] }]));
  }

  /** Every call is counted: answered, told to come again (503 with Retry-After), or wrong. */
  async call(operation, input, store, more = {}) {
    const kind = /^(get|list)_/.test(operation) ? 'read' : 'write';
    const answer = await super.call(operation, input, store, { ...more, Host: store.host }).catch((error) => {
      this.wrong.push(`${operation}: no answer: ${error.message}`);
      throw error;
    });
    if (answer.status === 200) this.right++;
    else if (answer.status === 503) this.again[kind]++;
    else this.wrong.push(`${operation} of ${store.id}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async #read() {
    const { id, store } = this.orders[Math.floor(Math.random() * this.orders.length)];
    const [operation, input] =
      Math.random() < 0.5 ? ['get_order', { orderId: id }] : ['list_orders', { take: 20 }];
    await this.call(operation, input, store).catch(() => undefined);
  }

  /** Reads on in the feed of a store. @returns whether there was something new */
  async #follow(store) {
    const feed = this.#feeds.get(store);
    const answer = await this.call('list_events', { cursor: feed.cursor, take: 100 }, store).catch(
      () => null,
    );
    if (answer?.status !== 200) return false;
    const { items, nextCursor } = answer.json.data;
    feed.cursor = nextCursor ?? feed.cursor;
    feed.events.push(...items);
    return items.length > 0;
  }

  /** Calls until the work is done. */
  async until(work) {
    let isOver = false;
    const drive = async (step) => {
      for (; !isOver; await paced(PAUSE_MS)) await step();
    };
    let turn = 0;
    const driving = [
      ...Array.from({ length: WRITERS }, () => drive(() => this.change())),
      ...Array.from({ length: READERS }, () => drive(() => this.#read())),
      drive(() => this.#follow(this.stores[turn++ % this.stores.length])),
    ];
    await work().finally(() => (isOver = true));
    await Promise.all(driving);
  }

  /** Reads the feeds to their ends. @returns what is in none of them, and what is there twice */
  async settle(timeoutMs = 30_000) {
    const deadline = Date.now() + timeoutMs;
    const changed = this.acknowledged.map((change) =>
      keyOf(change.storeId, change.orderId, change.updatedAt),
    );
    let lost;
    do {
      for (const store of this.stores) while (await this.#follow(store));
      const seen = new Set(this.#seen());
      lost = changed.filter((key) => !seen.has(key)).length;
    } while (lost > 0 && Date.now() < deadline);
    const ids = [...this.#feeds.values()].flatMap(({ events }) => events.map(({ id }) => id));
    const seen = this.#seen();
    const doubled = ids.length - new Set(ids).size + seen.length - new Set(seen).size;
    return { acknowledged: changed.length, lost, events: ids.length, doubled };
  }

  #seen() {
    return [...this.#feeds].flatMap(([store, { events }]) =>
      events.map(({ data }) => keyOf(store.id, data.id, data.updatedAt)),
    );
  }
}

const keyOf = (...parts) => parts.join(' ');
