import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { columns } from '../../platform/database/columns.js';
import { SystemDatabase } from '../../platform/database/system.js';
import type { Pace } from './delivery-slots.js';

/** A delivery this process may attempt now: nobody else will before the lease ends. */
export interface ClaimedDelivery {
  storeId: string;
  id: string;
  event: string;
  body: Buffer;
  failedAttempts: number;
  /** Of the change that wrote it; null when that was in no trace. */
  traceparent: string | null;
  leaseToken: string;
  url: string;
  sealedSecret: string;
  /** Of its endpoint, as the database has it. */
  pace: Pace;
  /** Milliseconds it was due when it was claimed. */
  waitedMs: number;
}

/** Every so many looks for everything due, the first among them, all stores with anything pending are visited. */
const LOOKS_A_RECKONING = 720;
const NOTES_AT_ONCE = 1_000;

/** What became of one attempt. `begunAt` and `endedAt` are readings of `Clock.elapsed`; times of day are the database's to give. */
export interface AttemptRecord {
  /** Made with the attempt, so that writing it once more writes nothing more. */
  id: string;
  delivery: ClaimedDelivery;
  begunAt: number;
  endedAt: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string | null;
  status: 'pending' | 'delivered' | 'failed';
  /** Milliseconds from the end of the attempt to the next one; null when there is none. */
  retryInMs: number | null;
  /** The endpoint's pace where it has changed, else null. */
  pace: Pace | null;
}

export interface DueStore {
  storeId: string;
  pace: Pace;
  /** Milliseconds that its oldest due delivery has waited. */
  waitedMs: number;
}

/** Row `d` may be attempted now. `shop_now()` is the database's clock: those of the processes may differ as they like (docs/behaviour.md §7.8). */
const IS_DUE = `d.status = 'pending' and d.next_attempt_at <= shop_now() and (d.lease_until is null or d.lease_until <= shop_now())`;
const WAITED = (due: string) => `(extract(epoch from shop_now() - ${due}) * 1000)::float8 as "waitedMs"`;

/** A recursive CTE of the stores with such deliveries, each found by one step along an index of them. Its last row is null. */
const storesWith = (name: string, condition: string) => `${name} as (
    (select store_id from webhook_deliveries where ${condition} order by store_id limit 1)
    union all
    select (select d.store_id from webhook_deliveries d where ${condition} and d.store_id > s.store_id order by d.store_id limit 1)
    from ${name} s where s.store_id is not null
  )`;

/**
 * Stores that may have something due: those with deliveries that no attempt has failed yet, by an index of these alone, and those noted
 * in webhook_due_stores. Stores whose retries wait for a later time are not visited (docs/decisions/0012-due-stores.md).
 */
const DUE_STORES = `
  with recursive ${storesWith('fresh', `status = 'pending' and failed_attempts = 0`)}
  select s.store_id as "storeId", e.pace, ${WAITED('oldest.next_attempt_at')}
  from (select store_id from fresh union select store_id from webhook_due_stores where due_at <= shop_now()) s
  join webhook_endpoints e on e.store_id = s.store_id and e.paused_at is null
  cross join lateral (select d.next_attempt_at from webhook_deliveries d where d.store_id = s.store_id and ${IS_DUE}
    order by d.next_attempt_at limit 1) oldest`;

/** Notes that the stores of `source` have something to attempt at `due_at`. In the order of the stores, so that no two wait for each other. */
const note = (source: string) => `
  insert into webhook_due_stores as n (store_id, due_at) select s.store_id, s.due_at from (${source}) s order by s.store_id
  on conflict (store_id) do update set due_at = excluded.due_at where n.due_at > excluded.due_at`;

/** Visits every store that has anything pending, and notes what is not noted: of a version before, or written by hand. */
const NOTE_FORGOTTEN = `
  with recursive ${storesWith('pending', `status = 'pending'`)}
  ${note(`select s.store_id, first.next_attempt_at as due_at from pending s
    cross join lateral (select d.next_attempt_at from webhook_deliveries d where d.store_id = s.store_id and d.status = 'pending'
      order by d.next_attempt_at limit 1) first
    where not exists (select from webhook_due_stores n where n.store_id = s.store_id and n.due_at <= first.next_attempt_at)`)}`;

/** Stores noted as due that have nothing due. Locked, so that an attempt which is recorded meanwhile is noted after what follows. */
const NOTED_IN_VAIN = `
  select n.store_id as "storeId" from webhook_due_stores n where n.due_at <= shop_now()
    and not exists (select from webhook_deliveries d where d.store_id = n.store_id and ${IS_DUE})
  limit $1 for update of n skip locked`;

/**
 * When these stores have something to attempt next: when a retry comes due, or a lease ends. A statement of its own: what it does not
 * see is recorded by somebody who waits for the lock, or whom the lock was not taken from.
 */
const NOTE_NEXT = `
  with next as materialized (
    select s.store_id, least(
      (select d.next_attempt_at from webhook_deliveries d where d.store_id = s.store_id and d.status = 'pending'
         and d.next_attempt_at > shop_now() order by d.next_attempt_at limit 1),
      (select min(greatest(d.next_attempt_at, d.lease_until)) from webhook_deliveries d where d.store_id = s.store_id
         and d.status = 'pending' and d.next_attempt_at <= shop_now())) as due_at
    from unnest($1::uuid[]) as s (store_id)
  ), gone as (
    delete from webhook_due_stores n using next where n.store_id = next.store_id and next.due_at is null
  )
  update webhook_due_stores n set due_at = next.due_at from next where n.store_id = next.store_id and next.due_at is not null`;

/** Reads what came due in the last $1 milliseconds: its cost does not grow with what waits for a later time. */
const NEWLY_DUE_STORES = `
  select e.store_id as "storeId", e.pace, ${WAITED('due.oldest')} from (
    select d.store_id, min(d.next_attempt_at) as oldest from webhook_deliveries d
    where ${IS_DUE} and d.next_attempt_at > shop_now() - $1::float8 * interval '1 millisecond' group by d.store_id
  ) due join webhook_endpoints e on e.store_id = due.store_id and e.paused_at is null`;

/**
 * A silent endpoint is tried with one delivery at a time, whoever tries it; two processes that ask in the same instant may both get
 * one. What is under way has the oldest due times, so it is found at once.
 */
const CLAIM = `
  with picked as (
    select d.store_id, d.id, w.url, w.sealed_secret, w.pace from (
      select e.store_id, e.url, e.sealed_secret, e.pace, wanted.free from unnest($1::uuid[], $2::integer[]) as wanted (store_id, free)
      join webhook_endpoints e on e.store_id = wanted.store_id and e.paused_at is null
      where e.pace <> 'silent' or not exists (select from webhook_deliveries d
        where d.store_id = e.store_id and d.status = 'pending' and d.lease_until > shop_now())
    ) w cross join lateral (
      select d.store_id, d.id from webhook_deliveries d where d.store_id = w.store_id and ${IS_DUE}
      order by d.next_attempt_at, d.id limit case w.pace when 'silent' then 1 else w.free end for update skip locked
    ) d
  )
  update webhook_deliveries d set lease_until = shop_now() + $3::float8 * interval '1 millisecond', lease_token = $4 from picked p
    join order_events e on e.store_id = p.store_id and e.id = p.id
  where d.store_id = p.store_id and d.id = p.id
  returning d.store_id as "storeId", ${columns(['id', 'failedAttempts', 'traceparent', 'leaseToken'], 'd')}, ${columns(['event', 'body'], 'e')},
    ${columns(['url', 'sealedSecret', 'pace'], 'p')}, ${WAITED('d.next_attempt_at')}`;

/** Times of day are counted back from the database's now. Several attempts of one store: the last to end sets its pace. */
const RECORD = `
  with result as (
    select r.*, shop_now() - r.begun_ago * interval '1 millisecond' as begun_at, shop_now() - r.ended_ago * interval '1 millisecond' as ended_at
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::float8[], $6::float8[], $7::float8[],
      $8::uuid[], $9::integer[], $10::integer[], $11::text[], $12::text[], $13::text[])
      as r (store_id, delivery_id, lease_token, status, begun_ago, ended_ago, retry_in,
        attempt_id, duration_ms, status_code, error, response, pace)
  ), settled as (
    update webhook_deliveries d set status = r.status, failed_attempts = d.failed_attempts + case r.status when 'delivered' then 0 else 1 end,
      next_attempt_at = r.ended_at + r.retry_in * interval '1 millisecond',
      finished_at = case when r.status <> 'pending' then r.ended_at end, lease_until = null, lease_token = null
    from result r where d.store_id = r.store_id and d.id = r.delivery_id and d.lease_token = r.lease_token
  ), paced as (
    update webhook_endpoints e set pace = r.pace from (
      select distinct on (store_id) store_id, pace from result where pace is not null order by store_id, ended_at desc
    ) r where e.store_id = r.store_id and e.pace <> r.pace
  ), noted as (${note(`select store_id, min(ended_at + make_interval(secs => retry_in / 1000)) as due_at from result
    where status = 'pending' group by store_id`)})
  insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code, error, response)
  select r.store_id, r.delivery_id, r.attempt_id, r.begun_at, r.duration_ms, r.status_code, r.error, r.response from result r
  where exists (select from webhook_deliveries d where d.store_id = r.store_id and d.id = r.delivery_id)
  on conflict do nothing`;

/** What may be taken by another worker at once is noted: while it was leased, the note may have been moved to the end of its lease. */
const RELEASE = `
  with released as (
    update webhook_deliveries d set lease_until = null, lease_token = null
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (store_id, id, lease_token)
    where d.store_id = r.store_id and d.id = r.id and d.lease_token = r.lease_token returning d.store_id, d.next_attempt_at
  ) ${note('select store_id, min(next_attempt_at) as due_at from released group by store_id')}`;

/** The order keeps the count within the index of pending rows, whose size the planner remembers from the last ANALYZE. */
const PENDING_COUNT = `
  select greatest(n, case when n = 100000 then reltuples end)::float8 as count
  from (select count(*) as n from (
    select 1 from webhook_deliveries where status = 'pending' order by store_id limit 100000
  ) counted) c left join pg_class on oid = to_regclass('webhook_deliveries_due')`;

/** The delivery table as a queue: claim under a lease, settle under the lease's token (docs/behaviour.md §7). */
@Injectable()
export class DeliveryQueue {
  private looks = 0;

  constructor(private readonly database: SystemDatabase) {}

  /** Stores that have something to attempt now; with `withinMs` only those where it came due within so many milliseconds. */
  async dueStores(withinMs?: number): Promise<DueStore[]> {
    if (withinMs !== undefined)
      return this.database.query<DueStore & Record<string, unknown>>(NEWLY_DUE_STORES, [withinMs], 'newly_due_stores');
    if (this.looks++ % LOOKS_A_RECKONING === 0) await this.database.query(NOTE_FORGOTTEN);
    const due = await this.database.query<DueStore & Record<string, unknown>>(DUE_STORES, [], 'due_stores');
    while ((await this.noteNext()) === NOTES_AT_ONCE);
    return due;
  }

  /** Moves the notes of stores that have nothing due to when they will. @returns how many */
  private noteNext(): Promise<number> {
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<{ storeId: string }>({
        name: 'noted_in_vain',
        text: NOTED_IN_VAIN,
        values: [NOTES_AT_ONCE],
      });
      if (rows.length > 0)
        await client.query({ name: 'note_next', text: NOTE_NEXT, values: [rows.map(({ storeId }) => storeId)] });
      return rows.length;
    });
  }

  /** What is known of these stores' endpoints; a store without one is left out. */
  paces(storeIds: string[]): Promise<{ storeId: string; pace: Pace }[]> {
    return this.database.query(
      'select store_id as "storeId", pace from webhook_endpoints where store_id = any($1::uuid[])',
      [storeIds],
      'endpoint_paces',
    );
  }

  /** Takes the oldest due deliveries of each store, at most `free` of it. Others skip what is taken for `leaseMs`. */
  claim(wanted: { storeId: string; free: number }[], leaseMs: number): Promise<ClaimedDelivery[]> {
    return this.database.query<ClaimedDelivery & Record<string, unknown>>(
      CLAIM,
      [wanted.map(({ storeId }) => storeId), wanted.map(({ free }) => free), leaseMs, newId()],
      'claim_deliveries',
    );
  }

  /**
   * Writes attempts and settles their deliveries. Where the lease was lost meanwhile only the attempt is kept: another worker decides.
   * @param elapsed the reading of `Clock.elapsed` of this moment
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

  /** Gives back what was claimed and not attempted, for another worker to take at once. */
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

  /** Exact up to 100,000; beyond that what the planner knows, since counting millions would cost more than it is worth. */
  async pendingCount(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(PENDING_COUNT, [], 'count_pending');
    return row.count;
  }
}
