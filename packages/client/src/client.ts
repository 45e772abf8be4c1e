import { GROUPS, READS } from './generated/operations.js';
import type { operations } from './generated/schema.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { NoAnswer, Refusal } from './refusal.js';

export { type ErrorCode, NoAnswer, Refusal } from './refusal.js';
export { InvalidWebhook, verifyWebhook, type WebhookEvent } from './webhooks.js';
export type { components } from './generated/schema.js';

type Groups = typeof GROUPS;

/** The name of an operation, such as `get_order`. */
export type Operation = { [Group in keyof Groups]: Groups[Group][keyof Groups[Group]] }[keyof Groups] &
  keyof operations;

/** The input of an operation. */
export type Input<Name extends Operation> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/** The result of an operation: `data` of the envelope. */
export type Data<Name extends Operation> = operations[Name] extends {
  responses: { 200: { content: { 'application/json': { data: infer Result } } } };
}
  ? Result
  : never;

/**
 * The operations that return pages. `list_events` is not one of them, because its pages have no end; see
 * `eventPages`.
 */
export type ListOperation = Exclude<
  { [Name in Operation]: Data<Name> extends Page<unknown> ? Name : never }[Operation],
  'list_events'
>;

/** A page of events, and the cursor from which to continue. */
export interface EventPage {
  items: Data<'list_events'>['items'];
  nextCursor: string;
}

export interface Page<Item> {
  items: Item[];
  /** The cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

/** One record of a list operation. */
export type Item<Name extends ListOperation> = Data<Name> extends { items: (infer One)[] } ? One : never;

/** The arguments of a call. The input is optional if none of its fields is required. */
type Arguments<Name extends Operation> =
  object extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions]
    : [input: Input<Name>, options?: CallOptions];

export interface ClientOptions {
  /** The address of the service, such as `https://shop.example`. */
  baseUrl: string;
  /** A token (`shop_live_…`), or a function that returns one and is called before each attempt. */
  token: string | (() => string | Promise<string>);
  /** How many times a call is repeated after a temporary failure. The default is 4. */
  retries?: number | undefined;
  /** The longest time to wait for one answer, in milliseconds. The default is 30,000. */
  timeoutMs?: number | undefined;
  /**
   * The longest time for which a call is repeated because of the rate limit, in milliseconds; then the
   * refusal is thrown. The default is 120,000.
   */
  maxWaitMs?: number | undefined;
  /** The `fetch` to use. The default is that of the runtime. */
  fetch?: typeof fetch | undefined;
}

export interface CallOptions {
  /**
   * The Idempotency-Key of a change. The default is a random key, which is the same for all attempts of this
   * call. With a key of your own you can also repeat the call safely after a crash.
   */
  idempotencyKey?: string | undefined;
  /**
   * The last known `updatedAt`. The change is refused with `precondition_failed` if the record has changed
   * since then.
   */
  ifMatch?: string | undefined;
  /** The id of the request. It is returned with a refusal, and is in the service's logs and audit log. */
  requestId?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface EventOptions {
  /**
   * The `nextCursor` of the last page that was handled. By default the first page begins with the oldest
   * stored event.
   */
  cursor?: string | undefined;
  /** The number of events on a page, at most 100. */
  take?: number | undefined;
  /** Whether to wait for new events, which is the default, or to end after the newest one. */
  follow?: boolean | undefined;
  /** How long to wait if there are no new events, in milliseconds. The default is 5,000. */
  pollMs?: number | undefined;
  /** Ends the iteration. */
  signal?: AbortSignal | undefined;
}

const FIRST_WAIT_MS = 250;

type GroupMethods = {
  [Group in keyof Groups]: {
    [Method in keyof Groups[Group]]: Groups[Group][Method] extends Operation
      ? (...args: Arguments<Groups[Group][Method]>) => Promise<Data<Groups[Group][Method]>>
      : never;
  };
};

/**
 * A client with a method for every operation: `client.orders.find({ … })` equals `client.call('find_orders',
 * { … })`.
 */
export type Client = GroupMethods & Calls;

/** Creates a client for the store of the token. */
export function createClient(options: ClientOptions): Client {
  const calls = new Calls(options);
  for (const [group, methods] of Object.entries(GROUPS)) {
    if (group in calls) throw new Error(`the group ${group} has the name of a method of the client`);
    const bound = Object.entries(methods).map(([method, operation]) => [
      method,
      (input?: object, callOptions?: CallOptions) => calls.send(operation, input ?? {}, callOptions),
    ]);
    Object.defineProperty(calls, group, { value: Object.fromEntries(bound), enumerable: true });
  }
  return calls as Client;
}

class Calls {
  readonly #options: Required<ClientOptions>;

  constructor({
    retries = 4,
    timeoutMs = 30_000,
    maxWaitMs = 120_000,
    fetch = globalThis.fetch,
    ...required
  }: ClientOptions) {
    this.#options = { retries, timeoutMs, maxWaitMs, fetch, ...required };
  }

  /**
   * Calls an operation. Waits for the rate limit, and repeats a call after a temporary failure. Changes are
   * sent with an Idempotency-Key, so that they are made only once.
   * @throws Refusal if the service refused the call, NoAnswer if the service did not answer
   */
  call<Name extends Operation>(operation: Name, ...[input, options]: Arguments<Name>): Promise<Data<Name>> {
    return this.send(operation, input ?? {}, options) as Promise<Data<Name>>;
  }

  /** The pages of a list, from `input.cursor`, or from the beginning without one, to the end. */
  async *pages<Name extends ListOperation>(
    operation: Name,
    ...[input, options]: Arguments<Name>
  ): AsyncGenerator<Data<Name>, void> {
    let cursor: string | null = null;
    do {
      const page: Page<unknown> = await this.send(
        operation,
        cursor === null ? (input ?? {}) : { ...(input as object), cursor },
        options,
      );
      yield page as Data<Name>;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The records of a list, page after page. */
  async *items<Name extends ListOperation>(
    operation: Name,
    ...args: Arguments<Name>
  ): AsyncGenerator<Item<Name>, void> {
    for await (const page of this.pages(operation, ...args)) yield* (page as Page<Item<Name>>).items;
  }

  /**
   * The events of the store, oldest first, each once, in pages that are not empty. There is no end unless
   * `follow` is false. Store the `nextCursor` of a page after its events have been handled, and pass it as
   * `cursor` after a restart.
   */
  async *eventPages({
    cursor,
    take,
    follow = true,
    pollMs = 5_000,
    signal,
  }: EventOptions = {}): AsyncGenerator<EventPage, void> {
    let from = cursor;
    while (!signal?.aborted) {
      const page = await this.send<EventPage>('list_events', { cursor: from, take }, { signal }).catch(
        (error: unknown) => {
          if (signal?.aborted) return null;
          throw error;
        },
      );
      if (page === null) return;
      from = page.nextCursor;
      if (page.items.length > 0) yield page;
      else if (!follow) return;
      else await wait(pollMs, signal).catch(() => undefined);
    }
  }

  /** @internal Calls an operation by a name that the types do not have to know. */
  async send<Result>(operation: string, input: object, options: CallOptions = {}): Promise<Result> {
    const body = JSON.stringify(input);
    const key = READS.has(operation) ? undefined : (options.idempotencyKey ?? globalThis.crypto.randomUUID());
    const giveUpAt = Date.now() + this.#options.maxWaitMs;
    for (let failures = 0; ;) {
      options.signal?.throwIfAborted();
      const outcome = await this.#attempt(operation, body, key, options);
      if ('data' in outcome) return outcome.data as Result;
      const { failure } = outcome;
      let pause = FIRST_WAIT_MS * 2 ** failures * (0.5 + Math.random());
      if (Refusal.is(failure, 'rate_limited')) {
        pause = 1_000 * (failure.retryAfter ?? 1);
        if (Date.now() + pause > giveUpAt) throw failure;
      } else if (!outcome.passes || failures++ >= this.#options.retries) {
        throw failure;
      }
      await wait(pause, options.signal);
    }
  }

  async #attempt(
    operation: string,
    body: string,
    key: string | undefined,
    options: CallOptions,
  ): Promise<Outcome> {
    const { baseUrl, token, timeoutMs, fetch } = this.#options;
    const headers = {
      Authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(options.ifMatch !== undefined && { 'If-Match': options.ifMatch }),
      ...(options.requestId !== undefined && { 'X-Request-Id': options.requestId }),
    };
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const url = `${baseUrl.replace(/\/+$/, '')}/v1/${operation}`;
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      return outcomeOf(operation, response, await response.text());
    } catch (error) {
      options.signal?.throwIfAborted();
      const message = timeout.aborted
        ? `${operation}: no answer within ${timeoutMs} ms`
        : `${operation}: the service cannot be reached`;
      return { failure: new NoAnswer(operation, message, error), passes: true };
    }
  }
}

/** Waits. @throws the reason of the signal if it is aborted */
function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
