import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import type { RowOf } from '../../platform/database/statement.js';
import { runOn, SystemDatabase } from '../../platform/database/system.js';
import {
  CLAIM,
  DUE_STORES,
  ENDPOINT_PACES,
  FAIL_ORPHANS,
  NEWLY_DUE_STORES,
  ADD_MISSING_DUE_NOTES,
  NOTE_NEXT,
  LOCK_STALE_DUE_NOTES,
  PAUSED_COUNT,
  PENDING_COUNT,
  RECORD,
  RELEASE,
} from './delivery-queue.statements.js';
import type { EndpointSpeed } from './delivery-slots.js';

/** A delivery that this process may attempt now. Nobody else attempts it before the lease ends. */
export type ClaimedDelivery = RowOf<typeof CLAIM>;

/** Every this many sweeps, starting with the first, all stores with pending deliveries are visited. */
const SWEEPS_PER_FULL_SCAN = 720;
const NOTES_PER_BATCH = 1_000;

/**
 * The outcome of one attempt. `begunAt` and `endedAt` are readings of `Clock.elapsed`; the database provides
 * the time of day.
 */
export interface AttemptRecord {
  /** Created with the attempt, so that writing it twice has no further effect. */
  id: string;
  delivery: ClaimedDelivery;
  begunAt: number;
  endedAt: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string | null;
  status: 'pending' | 'delivered' | 'failed';
  /** Milliseconds from the end of the attempt to the next one; null if there is none. */
  retryInMs: number | null;
  /** The endpoint's pace if it has changed, otherwise null. */
  pace: EndpointSpeed | null;
}

export type DueStore = RowOf<typeof DUE_STORES>;

/**
 * Uses the delivery table as a queue: deliveries are claimed under a lease and settled with its token
 * (docs/behaviour.md §7).
 */
@Injectable()
export class DeliveryQueue {
  private sweeps = 0;

  constructor(private readonly database: SystemDatabase) {}

  /**
   * Stores that have something to attempt now; with `withinMs`, only those where it came due within that many
   * milliseconds.
   */
  async dueStores(withinMs?: number): Promise<DueStore[]> {
    if (withinMs !== undefined) return this.database.query(NEWLY_DUE_STORES, { withinMs });
    if (this.sweeps++ % SWEEPS_PER_FULL_SCAN === 0) {
      await this.database.query(FAIL_ORPHANS);
      await this.database.query(ADD_MISSING_DUE_NOTES);
    }
    const due = await this.database.query(DUE_STORES);
    while ((await this.noteNext()) === NOTES_PER_BATCH);
    return due;
  }

  /** Postpones the notes of stores that have nothing due until they will. @returns how many */
  private noteNext(): Promise<number> {
    return this.database.transaction(async (client) => {
      const rows = await runOn(client, LOCK_STALE_DUE_NOTES, { take: NOTES_PER_BATCH });
      if (rows.length > 0) await runOn(client, NOTE_NEXT, { storeIds: rows.map(({ storeId }) => storeId) });
      return rows.length;
    });
  }

  /** The paces of these stores' endpoints; stores without an endpoint are left out. */
  paces(storeIds: string[]): Promise<RowOf<typeof ENDPOINT_PACES>[]> {
    return this.database.query(ENDPOINT_PACES, { storeIds });
  }

  /**
   * Claims the oldest due deliveries of each store, at most `free` per store. Other workers skip them for
   * `leaseMs`.
   */
  claim(wanted: { storeId: string; free: number }[], leaseMs: number): Promise<ClaimedDelivery[]> {
    return this.database.query(CLAIM, {
      storeIds: wanted.map(({ storeId }) => storeId),
      free: wanted.map(({ free }) => free),
      leaseMs,
      leaseToken: newId(),
    });
  }

  /**
   * Writes attempts and settles their deliveries. If the lease was lost, only the attempt is kept, since
   * another worker decides.
   * @param elapsed the present reading of `Clock.elapsed`
   */
  async record(attempts: AttemptRecord[], elapsed: number): Promise<void> {
    const column = <Value>(read: (attempt: AttemptRecord) => Value) => attempts.map(read);
    await this.database.query(RECORD, {
      storeIds: column(({ delivery }) => delivery.storeId),
      deliveryIds: column(({ delivery }) => delivery.id),
      leaseTokens: column(({ delivery }) => delivery.leaseToken),
      statuses: column(({ status }) => status),
      begunAgo: column(({ begunAt }) => elapsed - begunAt),
      endedAgo: column(({ endedAt }) => elapsed - endedAt),
      retryIn: column(({ retryInMs }) => retryInMs),
      ids: column(({ id }) => id),
      durations: column(({ durationMs }) => Math.round(durationMs)),
      statusCodes: column(({ statusCode }) => statusCode),
      errors: column(({ error }) => error),
      responses: column(({ response }) => response),
      paces: column(({ pace }) => pace),
      requestIds: column(({ delivery }) => delivery.requestId),
    });
  }

  /**
   * Releases deliveries that were claimed but not attempted, so that another worker can take them at once.
   */
  async release(deliveries: ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.database.query(RELEASE, {
      storeIds: deliveries.map((d) => d.storeId),
      ids: deliveries.map((d) => d.id),
      leaseTokens: deliveries.map((d) => d.leaseToken),
    });
  }

  async pausedCount(): Promise<number> {
    const [{ count }] = await this.database.query(PAUSED_COUNT);
    return count;
  }

  /**
   * Exact up to 100,000. Above that it is the planner's estimate, because counting millions would cost too
   * much.
   */
  async pendingCount(): Promise<number> {
    const [{ count }] = await this.database.query(PENDING_COUNT);
    return count;
  }
}
