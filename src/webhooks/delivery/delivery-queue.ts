import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { SystemDatabase } from '../../platform/database/system.js';
import {
  CLAIM,
  DUE_STORES,
  FAIL_ORPHANS,
  NEWLY_DUE_STORES,
  NOTE_FORGOTTEN,
  NOTE_NEXT,
  NOTED_IN_VAIN,
  PENDING_COUNT,
  RECORD,
  RELEASE,
} from './delivery-queue.statements.js';
import type { Pace } from './delivery-slots.js';

/** A delivery that this process may attempt now. Nobody else attempts it before the lease ends. */
export interface ClaimedDelivery {
  storeId: string;
  id: string;
  event: string;
  body: Buffer;
  failedAttempts: number;
  /** The `traceparent` of the change that wrote the delivery; null if that was not traced. */
  traceparent: string | null;
  leaseToken: string;
  url: string;
  sealedSecret: string;
  /** The endpoint's pace, as the database has it. */
  pace: Pace;
  /** How many milliseconds it had been due when it was claimed. */
  waitedMs: number;
}

/** Every this many sweeps, starting with the first, all stores with pending deliveries are visited. */
const LOOKS_PER_FULL_SCAN = 720;
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
  pace: Pace | null;
}

export interface DueStore {
  storeId: string;
  pace: Pace;
  /** How many milliseconds its oldest due delivery has waited. */
  waitedMs: number;
}

/**
 * Uses the delivery table as a queue: deliveries are claimed under a lease and settled with its token
 * (docs/behaviour.md §7).
 */
@Injectable()
export class DeliveryQueue {
  private looks = 0;

  constructor(private readonly database: SystemDatabase) {}

  /**
   * Stores that have something to attempt now; with `withinMs`, only those where it came due within that many
   * milliseconds.
   */
  async dueStores(withinMs?: number): Promise<DueStore[]> {
    if (withinMs !== undefined)
      return this.database.query<DueStore & Record<string, unknown>>(
        NEWLY_DUE_STORES,
        [withinMs],
        'newly_due_stores',
      );
    if (this.looks++ % LOOKS_PER_FULL_SCAN === 0) {
      await this.database.query(FAIL_ORPHANS);
      await this.database.query(NOTE_FORGOTTEN);
    }
    const due = await this.database.query<DueStore & Record<string, unknown>>(DUE_STORES, [], 'due_stores');
    while ((await this.noteNext()) === NOTES_PER_BATCH);
    return due;
  }

  /** Postpones the notes of stores that have nothing due until they will. @returns how many */
  private noteNext(): Promise<number> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ storeId: string }>({
        name: 'noted_in_vain',
        text: NOTED_IN_VAIN,
        values: [NOTES_PER_BATCH],
      });
      if (rows.length > 0)
        await client.query({
          name: 'note_next',
          text: NOTE_NEXT,
          values: [rows.map(({ storeId }) => storeId)],
        });
      return rows.length;
    });
  }

  /** The paces of these stores' endpoints; stores without an endpoint are left out. */
  paces(storeIds: string[]): Promise<{ storeId: string; pace: Pace }[]> {
    return this.database.query(
      'select store_id as "storeId", pace from webhook_endpoints where store_id = any($1::uuid[])',
      [storeIds],
      'endpoint_paces',
    );
  }

  /**
   * Claims the oldest due deliveries of each store, at most `free` per store. Other workers skip them for
   * `leaseMs`.
   */
  claim(wanted: { storeId: string; free: number }[], leaseMs: number): Promise<ClaimedDelivery[]> {
    return this.database.query<ClaimedDelivery & Record<string, unknown>>(
      CLAIM,
      [wanted.map(({ storeId }) => storeId), wanted.map(({ free }) => free), leaseMs, newId()],
      'claim_deliveries',
    );
  }

  /**
   * Writes attempts and settles their deliveries. If the lease was lost, only the attempt is kept, since
   * another worker decides.
   * @param elapsed the present reading of `Clock.elapsed`
   */
  async record(attempts: AttemptRecord[], elapsed: number): Promise<void> {
    const column = <Value>(read: (attempt: AttemptRecord) => Value) => attempts.map(read);
    await this.database.query(
      RECORD,
      [
        column(({ delivery }) => delivery.storeId),
        column(({ delivery }) => delivery.id),
        column(({ delivery }) => delivery.leaseToken),
        column(({ status }) => status),
        column(({ begunAt }) => elapsed - begunAt),
        column(({ endedAt }) => elapsed - endedAt),
        column(({ retryInMs }) => retryInMs),
        column(({ id }) => id),
        column(({ durationMs }) => Math.round(durationMs)),
        column(({ statusCode }) => statusCode),
        column(({ error }) => error),
        column(({ response }) => response),
        column(({ pace }) => pace),
      ],
      'record_attempts',
    );
  }

  /**
   * Releases deliveries that were claimed but not attempted, so that another worker can take them at once.
   */
  async release(deliveries: ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.database.query(RELEASE, [
      deliveries.map((d) => d.storeId),
      deliveries.map((d) => d.id),
      deliveries.map((d) => d.leaseToken),
    ]);
  }

  async pausedCount(): Promise<number> {
    const text = 'select count(*)::int as count from webhook_endpoints where paused_at is not null';
    const [row] = await this.database.query<{ count: number }>(text, [], 'count_paused');
    return row.count;
  }

  /**
   * Exact up to 100,000. Above that it is the planner's estimate, because counting millions would cost too
   * much.
   */
  async pendingCount(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(PENDING_COUNT, [], 'count_pending');
    return row.count;
  }
}
