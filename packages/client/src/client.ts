import { GROUPS, READS } from './generated/operations.js';
import type { operations } from './generated/schema.js';
import { feed, type FeedOptions, heldMs } from './feed.js';
import { Gate } from './gate.js';
import { type CallOptions, checkedOptions, checkedToken, type ClientOptions, headersOf } from './options.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { NoAnswer, Refusal } from './refusal.js';
import { wait } from './wait.js';

export type { FeedOptions } from './feed.js';
export type { CallOptions, ClientOptions } from './options.js';
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
 * The operations that return pages. The feeds are not among them, because their pages have no end; see
 * `eventPages`.
 */
export type ListOperation = Exclude<
  { [Name in Operation]: Data<Name> extends Page<unknown> ? Name : never }[Operation],
  'list_events' | 'list_changes'
>;

/** A page of a feed, and the cursor from which to continue. */
export interface FeedPage<Name extends 'list_events' | 'list_changes'> {
  items: Data<Name> extends { items: infer Items } ? Items : never;
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

export interface ChangeOptions extends FeedOptions {
  /** The kinds of records to tell of. The default is all. */
  kinds?: Input<'list_changes'>['kinds'] | undefined;
}

const FIRST_WAIT_MS = 250;

/** What every attempt of a call sends. */
interface Sent {
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

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

/**
 * Creates a client for the store of the token.
 * @throws TypeError for an option that cannot be used
 */
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
  readonly #reads: Gate;
  readonly #writes: Gate;

  constructor(options: ClientOptions) {
    this.#options = checkedOptions(options);
    this.#reads = new Gate(this.#options.maxWaitMs);
    this.#writes = new Gate(this.#options.maxWaitMs);
  }

  /**
   * Calls an operation. Calls are sent in their order, as the rate limit allows, and repeated after a
   * temporary failure. Changes are sent with an Idempotency-Key, so that they are made only once.
   * @throws Refusal if the service refused the call, NoAnswer if the service did not answer, TypeError for an
   * option that cannot be sent
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
   * `follow` is false: the service is asked to answer when there is something new. Store the `nextCursor` of
   * a page after its events have been handled, and pass it as `cursor` after a restart.
   */
  eventPages(options: FeedOptions = {}): AsyncGenerator<FeedPage<'list_events'>, void> {
    const { signal } = options;
    return feed((place) => this.send('list_events', place, { signal }), options);
  }

  /**
   * Which products, brands, categories, promocodes and customers were created, updated and deleted, oldest
   * change first, in pages like those of `eventPages`.
   */
  changePages({ kinds, ...options }: ChangeOptions = {}): AsyncGenerator<FeedPage<'list_changes'>, void> {
    const { signal } = options;
    return feed((place) => this.send('list_changes', { kinds, ...place }, { signal }), options);
  }

  /** @internal Calls an operation by a name that the types do not have to know. */
  async send<Result>(operation: string, input: object, options: CallOptions = {}): Promise<Result> {
    const { signal } = options;
    const body = JSON.stringify(input);
    const isRead = READS.has(operation);
    const idempotencyKey = isRead ? undefined : (options.idempotencyKey ?? globalThis.crypto.randomUUID());
    const headers = headersOf({ ...options, idempotencyKey });
    const sent = { headers, body, timeoutMs: this.#options.timeoutMs + heldMs(input), signal };
    const gate = isRead ? this.#reads : this.#writes;
    const turn = gate.turn();
    for (let failures = 0; ;) {
      await gate.enter(turn, signal);
      let answered: Headers | null = null;
      let outcome: Outcome;
      try {
        outcome = await this.#attempt(operation, sent, (given) => (answered = given));
      } finally {
        gate.leave(turn, answered);
      }
      if ('data' in outcome) return outcome.data as Result;
      const { failure, passes } = outcome;
      if (Refusal.is(failure, 'rate_limited')) {
        if (!gate.mayWait(turn, 1_000 * (failure.retryAfter ?? 1))) throw failure;
      } else if (!passes || failures++ >= this.#options.retries) {
        throw failure;
      } else {
        await wait(FIRST_WAIT_MS * 2 ** (failures - 1) * (0.5 + Math.random()), signal);
      }
    }
  }

  async #attempt(
    operation: string,
    { headers: more, body, timeoutMs, signal }: Sent,
    answered: (headers: Headers) => void,
  ): Promise<Outcome> {
    const { baseUrl, token, fetch } = this.#options;
    const headers = {
      Authorization: `Bearer ${checkedToken(typeof token === 'string' ? token : await token())}`,
      'Content-Type': 'application/json',
      ...more,
    };
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      // Some runtimes have no 'error', and a redirect must not take the token to another address.
      const request = { method: 'POST', headers, body, signal: either, redirect: 'manual' } as const;
      const response = await fetch(`${baseUrl}/v1/${operation}`, request);
      const outcome = outcomeOf(operation, response, await response.text());
      answered(response.headers);
      return outcome;
    } catch (error) {
      signal?.throwIfAborted();
      const message = timeout.aborted
        ? `${operation}: no answer within ${timeoutMs} ms`
        : `${operation}: the service cannot be reached`;
      return { failure: new NoAnswer(operation, message, error), passes: true };
    }
  }
}
