import { verify } from '../../src/webhooks/delivery/signature.js';
import type { AttemptRecord } from '../../src/webhooks/delivery/delivery-queue.js';
import type { MemoryQueue, Observer, Row } from './memory-queue.js';
import type { EndpointSpeed } from '../../src/webhooks/delivery/delivery-slots.js';

/** What a receiver got, and when the request was over. */
export interface Post {
  id: string;
  storeId: string;
  at: number;
  endsAt: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** One committed change, as whoever made it knows it. */
export interface Change {
  id: string;
  storeId: string;
  orderId: number;
  version: number;
  body: Buffer;
  committedAt: number;
  /** Whether a process that lives heard its doorbell. */
  isHeard: boolean;
}

export interface Rules {
  timeoutMs: number;
  retryDelaysSeconds: number[];
  /** No process and no database misbehaves: nothing may repeat, and retries come in time. */
  isFaultless: boolean;
}

/**
 * A lease outlives the request by this (dispatcher.ts), so an endpoint's attempts of before it was known to
 * hang are over after both.
 */
const LEASE_MARGIN_MS = 5_000;
/** What the database's clock is cut to. */
const ROUNDING_MS = 1;

/**
 * The promises of deliveries, held against each thing as it happens: I1 nothing is lost: a committed change
 * stays due until an endpoint has accepted it or all its attempts have failed. I2 nothing is made up: every
 * POST is of a committed change. I3 repeats only by faults: no request begins outside its lease or beside
 * another of the same delivery; without a fault there are as many POSTs as attempts that count. I4 identity:
 * the bytes are the change's, the header's id is the body's, the signature is of a secret in force. I5 the
 * newest wins: a receiver that goes by the version of an order ends with the newest one it was sent. I6
 * schedule: no attempt before its time, none beyond the last, and the next is as far away as the schedule
 * says. I7 isolation: endpoints that answer wait for none that do not, and one that hangs has one request at
 * a time. I8 what is on record holds no secret, and not more attempts than were made. I9 nothing remains:
 * when all is quiet no process holds a slot, a timer or a call.
 */
export class Invariants implements Observer {
  readonly broken: string[] = [];
  readonly posts = new Map<string, Post[]>();
  readonly accepted = new Set<string>();
  private readonly changes = new Map<string, Change>();
  private readonly silentSince = new Map<string, number>();
  private readonly underWay = new Map<string, Set<Post>>();
  private readonly newestSent = new Map<string, number>();
  /** Deliveries whose endpoint was taken away before they were delivered. */
  readonly withdrawn = new Set<string>();
  memory!: MemoryQueue;

  constructor(
    private readonly rules: Rules,
    private readonly now: () => number,
  ) {}

  break(text: string): void {
    if (this.broken.length < 5) this.broken.push(`at ${this.now()} ms, ${text}`);
  }

  committed(change: Change): void {
    this.changes.set(change.id, change);
  }

  /** A request begins. @param secrets those in force now or a moment ago */
  begun(post: Post, secrets: string[]): void {
    const { id, storeId, headers, body } = post;
    const row = this.memory.rows.get(id);
    const change = this.changes.get(id);
    if (!row || !change) return this.break(`I2: a POST of ${id}, which was never committed`);
    this.checkLease(post, row);
    if (!body.equals(change.body) || JSON.parse(body.toString()).id !== id)
      this.break(`I4: the bytes of ${id} are not the change's`);
    const signature = headers['X-Shop-Signature'];
    if (!secrets.some((secret) => verify(secret, body, signature)))
      this.break(`I4: the signature of ${id} does not verify`);
    if (row.status === 'pending' && this.memory.now() < row.nextAttemptAt!)
      this.break(`I6: ${id} was sent before its time`);
    const beside = this.underWay.get(storeId) ?? new Set();
    const since = this.silentSince.get(storeId);
    const settledSince = this.now() - this.rules.timeoutMs - 2 * LEASE_MARGIN_MS;
    if (since !== undefined && since < settledSince && beside.size > 0) {
      this.break(`I7: ${beside.size + 1} requests at once to the endpoint of ${storeId}, which hangs`);
    }
    this.underWay.set(storeId, beside.add(post));
    this.posts.set(id, [...(this.posts.get(id) ?? []), post]);
  }

  ended(post: Post, isAccepted: boolean): void {
    this.underWay.get(post.storeId)!.delete(post);
    if (!isAccepted) return;
    this.accepted.add(post.id);
    const { storeId, orderId, version } = this.changes.get(post.id)!;
    const key = `${storeId} ${orderId}`;
    this.newestSent.set(key, Math.max(version, this.newestSent.get(key) ?? 0));
  }

  settled(row: Row, attempt: AttemptRecord): void {
    const { id, status, failedAttempts } = row;
    const post = this.posts.get(id)?.at(-1);
    if (!post) return this.break(`I1: ${id} was settled without a POST`);
    if (status === 'delivered' && !this.accepted.has(id))
      this.break(`I1: ${id} counts as delivered and nobody accepted it`);
    const { retryDelaysSeconds, isFaultless } = this.rules;
    if (status === 'failed' && failedAttempts !== retryDelaysSeconds.length + 1)
      this.break(`I6: ${id} failed after ${failedAttempts}`);
    if (status === 'pending') {
      const late = row.nextAttemptAt! - post.endsAt - retryDelaysSeconds[failedAttempts - 1] * 1000;
      if (late < -ROUNDING_MS) this.break(`I6: the retry of ${id} is ${-late} ms early`);
      if (isFaultless && late > 20) this.break(`I6: the retry of ${id} is ${late} ms late`);
    }
    if (/whsec_/.test(JSON.stringify([attempt.error, attempt.response])))
      this.break(`I8: an attempt of ${id} holds a secret`);
    if (
      this.memory.attempts.has(id) &&
      this.memory.attempts.get(id)!.size >= this.posts.get(id)!.length + 1
    ) {
      this.break(`I8: ${id} has more attempts on record than were made`);
    }
  }

  paced(storeId: string, pace: EndpointSpeed): void {
    if (pace !== 'silent') this.silentSince.delete(storeId);
    else if (!this.silentSince.has(storeId)) this.silentSince.set(storeId, this.now());
  }

  /** The endpoint is another one: what was known of it does not hold. */
  replaced(storeId: string): void {
    this.silentSince.delete(storeId);
  }

  /** When everything has had its time. */
  final(): void {
    for (const change of this.changes.values()) this.checkLot(change);
  }

  private checkLease({ id, at }: Post, row: Row): void {
    const { timeoutMs } = this.rules;
    // Its endpoint was taken away after it was claimed: this request was on its way.
    if (this.withdrawn.has(id)) return;
    if (row.status !== 'pending') this.break(`I3: a POST of ${id}, which is ${row.status}`);
    else if (row.leaseUntil === null || row.leaseUntil - this.memory.now() < timeoutMs) {
      this.break(`I3: a POST of ${id} begins without a lease that outlasts it`);
    }
    const before = this.posts.get(id)?.at(-1);
    if (before && before.endsAt > at) this.break(`I3: two requests of ${id} at once`);
  }

  private checkLot({ id, storeId, orderId, version }: Change): void {
    const row = this.memory.rows.get(id);
    if (!row) return this.break(`I1: ${id} is gone`);
    if (row.status === 'pending')
      return this.break(`I1: ${id} of ${storeId} is still pending, after ${row.failedAttempts} failures`);
    const posts = this.posts.get(id)?.length ?? 0;
    const counted = row.failedAttempts + (row.status === 'delivered' ? 1 : 0);
    const onRecord = this.memory.attempts.get(id)?.size ?? 0;
    if (onRecord > posts) this.break(`I8: ${id} has ${onRecord} attempts on record, and ${posts} were made`);
    if (row.status === 'delivered' && (this.newestSent.get(`${storeId} ${orderId}`) ?? 0) < version) {
      this.break(
        `I5: version ${version} of order ${orderId} was delivered and the receiver has an older one`,
      );
    }
    if (this.withdrawn.has(id)) return;
    if (posts < counted) this.break(`I1: ${id} has ${counted} attempts counted, and ${posts} were made`);
    if (this.rules.isFaultless && posts !== counted)
      this.break(`I3: ${posts} POSTs of ${id}, ${counted} counted`);
    if (this.rules.isFaultless && onRecord !== posts)
      this.break(`I8: ${posts} POSTs of ${id}, ${onRecord} on record`);
  }
}
