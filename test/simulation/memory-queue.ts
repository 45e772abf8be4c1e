import type { AttemptRecord, ClaimedDelivery, DueStore } from '../../src/webhooks/delivery/delivery-queue.js';
import type { EndpointSpeed } from '../../src/webhooks/delivery/delivery-slots.js';

export interface Row {
  storeId: string;
  id: string;
  event: string;
  body: Buffer;
  status: 'pending' | 'delivered' | 'failed';
  failedAttempts: number;
  nextAttemptAt: number | null;
  leaseUntil: number | null;
  leaseToken: string | null;
  createdAt: number;
}

export interface Endpoint {
  url: string;
  sealedSecret: string;
  pace: EndpointSpeed;
  isPaused: boolean;
}

/** Who watches what is written. */
export interface Observer {
  /** An attempt has decided the delivery's lot, under its lease. */
  settled(row: Row, attempt: AttemptRecord): void;
  paced(storeId: string, pace: EndpointSpeed): void;
}

/**
 * The delivery tables in memory, with the semantics of the statements of DeliveryQueue:
 * queue-conformance.spec.ts runs the same operations against both and compares. Times are milliseconds of the
 * database's clock.
 */
export class MemoryQueue {
  readonly rows = new Map<string, Row>();
  readonly endpoints = new Map<string, Endpoint>();
  /** Ids of the attempts on record, by delivery. */
  readonly attempts = new Map<
    string,
    Map<string, { at: number; statusCode: number | null; error: string | null }>
  >();
  private readonly pending = new Map<string, Set<Row>>();
  private tokens = 0;

  constructor(
    readonly now: () => number,
    private readonly observer?: Observer,
  ) {}

  insert(row: Row): void {
    this.rows.set(row.id, row);
    this.pendingOf(row.storeId).add(row);
  }

  dueStores(withinMs?: number): DueStore[] {
    const now = this.now();
    const stores: DueStore[] = [];
    for (const [storeId, rows] of this.pending) {
      const endpoint = this.endpoints.get(storeId);
      if (!endpoint || endpoint.isPaused) continue;
      let oldest = Infinity;
      for (const row of rows) {
        if (isDue(row, now) && (withinMs === undefined || row.nextAttemptAt! > now - withinMs)) {
          oldest = Math.min(oldest, row.nextAttemptAt!);
        }
      }
      if (oldest < Infinity) stores.push({ storeId, pace: endpoint.pace, waitedMs: now - oldest });
    }
    return stores;
  }

  paces(storeIds: string[]): { storeId: string; pace: EndpointSpeed }[] {
    return storeIds.flatMap((storeId) => {
      const endpoint = this.endpoints.get(storeId);
      return endpoint ? [{ storeId, pace: endpoint.pace }] : [];
    });
  }

  claim(wanted: { storeId: string; free: number }[], leaseMs: number): ClaimedDelivery[] {
    const now = this.now();
    const leaseToken = `lease ${this.tokens++}`;
    return wanted.flatMap(({ storeId, free }) => {
      const endpoint = this.endpoints.get(storeId);
      if (!endpoint || endpoint.isPaused) return [];
      const rows = [...this.pendingOf(storeId)];
      const isSilent = endpoint.pace === 'silent';
      if (isSilent && rows.some(({ leaseUntil }) => leaseUntil !== null && leaseUntil > now)) return [];
      const due = rows.filter((row) => isDue(row, now)).sort(byDueTime);
      return due.slice(0, isSilent ? 1 : free).map((row) => {
        row.leaseUntil = now + leaseMs;
        row.leaseToken = leaseToken;
        const { id, event, body, failedAttempts } = row;
        const { url, sealedSecret, pace } = endpoint;
        const waitedMs = now - row.nextAttemptAt!;
        return {
          storeId,
          id,
          traceparent: null,
          requestId: null,
          event,
          body,
          failedAttempts,
          leaseToken,
          url,
          sealedSecret,
          sealedPreviousSecret: null,
          pace,
          waitedMs,
        };
      });
    });
  }

  record(attempts: AttemptRecord[], elapsed: number): void {
    const now = this.now();
    const ended = ({ endedAt }: AttemptRecord) => now - (elapsed - endedAt);
    for (const attempt of attempts) {
      const row = this.rows.get(attempt.delivery.id);
      if (!row) continue;
      if (row.leaseToken === attempt.delivery.leaseToken) {
        this.settle(row, attempt, ended(attempt));
        this.observer?.settled(row, attempt);
      }
      const { begunAt, statusCode, error } = attempt;
      const known = this.attempts.get(row.id) ?? new Map();
      if (!known.has(attempt.id))
        known.set(attempt.id, {
          at: now - (elapsed - begunAt),
          statusCode,
          error,
        });
      this.attempts.set(row.id, known);
    }
    for (const { delivery, pace } of [...attempts].sort((a, b) => ended(a) - ended(b))) {
      const endpoint = this.endpoints.get(delivery.storeId);
      if (!pace || !endpoint) continue;
      endpoint.pace = pace;
      this.observer?.paced(delivery.storeId, pace);
    }
  }

  release(deliveries: ClaimedDelivery[]): void {
    for (const { id, leaseToken } of deliveries) {
      const row = this.rows.get(id);
      if (row?.leaseToken === leaseToken) Object.assign(row, { leaseUntil: null, leaseToken: null });
    }
  }

  /** A store's webhook is taken away: what is not delivered yet has nowhere to go. */
  removeEndpoint(storeId: string): void {
    for (const row of this.pendingOf(storeId)) {
      Object.assign(row, {
        status: 'failed',
        nextAttemptAt: null,
        leaseUntil: null,
        leaseToken: null,
      });
    }
    this.pendingOf(storeId).clear();
    this.endpoints.delete(storeId);
  }

  get pendingCount(): number {
    return [...this.pending.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private settle(row: Row, { status, retryInMs }: AttemptRecord, endedAt: number): void {
    row.status = status;
    if (status !== 'delivered') row.failedAttempts++;
    row.nextAttemptAt = retryInMs === null ? null : endedAt + retryInMs;
    Object.assign(row, { leaseUntil: null, leaseToken: null });
    if (status !== 'pending') this.pendingOf(row.storeId).delete(row);
  }

  private pendingOf(storeId: string): Set<Row> {
    if (!this.pending.has(storeId)) this.pending.set(storeId, new Set());
    return this.pending.get(storeId)!;
  }
}

const isDue = ({ nextAttemptAt, leaseUntil }: Row, now: number) =>
  nextAttemptAt! <= now && (leaseUntil === null || leaseUntil <= now);
const byDueTime = (a: Row, b: Row) => a.nextAttemptAt! - b.nextAttemptAt! || (a.id < b.id ? -1 : 1);
