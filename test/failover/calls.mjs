import { randomUUID } from 'node:crypto';
import { paced } from '../support/waiting/paced.mjs';

const WRITERS = 6;
const READERS = 4;
/** Between two calls of one caller, in milliseconds. */
const PAUSE_MS = 15;

/** Callers of both processes: what each call came to, and when. */
export class Calls {
  right = 0;
  failed = [];
  #ended = [];
  #keyed = [];

  constructor(stage, services) {
    Object.assign(this, { stage, services });
    let turn = 0;
    // What fails at one process is asked of the other next, as behind a balancer.
    stage.writer.url = () => services[turn++ % services.length].url;
  }

  /** Calls until the work is done. */
  async during(work) {
    let isOver = false;
    const drive = async (call) => {
      for (; !isOver; await paced(PAUSE_MS)) await call();
    };
    const driving = [
      ...Array.from({ length: WRITERS }, () => drive(() => this.#change())),
      ...Array.from({ length: READERS }, () => drive(() => this.#read())),
      drive(() => this.#note()),
    ];
    await work().finally(() => (isOver = true));
    await Promise.all(driving);
  }

  #change() {
    const { writer } = this.stage;
    const { refusals } = writer;
    return this.#timed('write', async () => {
      const before = refusals.length;
      const change = await writer.change();
      // Another caller's refusal may come between: any text of this moment will do.
      return change ? null : (refusals.slice(before)[0]?.text ?? `no answer: ${writer.lastFailure}`);
    });
  }

  #read() {
    const { writer } = this.stage;
    const { id, store } = writer.orders[Math.floor(Math.random() * writer.orders.length)];
    const [operation, input] =
      Math.random() < 0.5 ? ['get_order', { orderId: id }] : ['list_orders', { take: 20 }];
    return this.#timed('read', async () => {
      const answer = await writer
        .call(operation, input, store)
        .catch((error) => ({ text: `no answer: ${error.message}` }));
      return answer.status === 200 ? null : answer.text;
    });
  }

  /** A note with an Idempotency-Key, sent again until it is answered. */
  async #note() {
    const { writer } = this.stage;
    const { id: orderId, store } = writer.orders[Math.floor(Math.random() * writer.orders.length)];
    const note = randomUUID();
    for (let tries = 0; tries < 100; tries++) {
      const headers = { 'Idempotency-Key': note };
      const answer = await writer.call('add_order_note', { orderId, note }, store, headers).catch(() => null);
      if (answer?.status === 200) return void this.#keyed.push(note);
      await paced(100);
    }
  }

  async #timed(kind, call) {
    const started = performance.now();
    const failure = await call();
    const at = performance.now();
    this.#ended.push({ kind, at, ms: at - started, isRight: failure === null });
    if (failure === null) this.right++;
    else this.failed.push({ kind, started, at, text: failure });
  }

  /**
   * @returns when a write and a read first succeeded after `moment`, in ms, and which calls sent `bound` ms
   * later still failed
   */
  since(moment, bound) {
    const first = (kind) => {
      const found = this.#ended.find((call) => call.kind === kind && call.isRight && call.at > moment);
      return found ? Math.round(found.at - moment) : Infinity;
    };
    return {
      firstMs: { write: first('write'), read: first('read') },
      late: this.failed.filter(({ started }) => started > moment + bound),
      slowest: Math.round(Math.max(...this.#ended.map(({ ms }) => ms))),
    };
  }

  /** Each note that was acknowledged is there, once. */
  async keyedProblems(lab) {
    const rows = await lab.query(
      `select text, count(*)::int from order_notes where text = any($1) group by 1`,
      [this.#keyed],
    );
    const problems = [];
    if (this.#keyed.length === 0) problems.push('no note was acknowledged');
    if (rows.length < this.#keyed.length)
      problems.push(`${this.#keyed.length - rows.length} acknowledged notes are lost`);
    const doubled = rows.filter(({ count }) => count > 1).length;
    if (doubled > 0) problems.push(`${doubled} notes with an Idempotency-Key are there twice`);
    return problems;
  }
}
