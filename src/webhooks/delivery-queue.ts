import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { SystemDatabase } from '../platform/database/system-database.js';

/** A delivery this process may attempt now: nobody else will before the lease ends. */
export interface ClaimedDelivery {
  storeId: string;
  id: string;
  event: string;
  body: Buffer;
  failedAttempts: number;
  leaseToken: string;
  url: string;
  sealedSecret: string;
  createdAt: Date;
}

/** What became of one attempt. */
export interface AttemptRecord {
  delivery: ClaimedDelivery;
  at: Date;
  finishedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string | null;
  status: 'pending' | 'delivered' | 'failed';
  nextAttemptAt: Date | null;
}

const DUE_STORES = `
  with recursive stores as (
    (select store_id from webhook_deliveries where status = 'pending' order by store_id limit 1)
    union all
    select (select d.store_id from webhook_deliveries d where d.status = 'pending' and d.store_id > s.store_id order by d.store_id limit 1)
    from stores s where s.store_id is not null
  )
  select s.store_id as "storeId" from stores s join webhook_endpoints e on e.store_id = s.store_id and e.paused_at is null
  where exists (select from webhook_deliveries d where d.store_id = s.store_id and d.status = 'pending'
    and d.next_attempt_at <= $1 and (d.lease_until is null or d.lease_until <= $1))`;

const CLAIM = `
  with picked as (
    select d.store_id, d.id, w.url, w.sealed_secret from (
      select e.store_id, e.url, e.sealed_secret, wanted.free from unnest($1::uuid[], $2::integer[]) as wanted (store_id, free)
      join webhook_endpoints e on e.store_id = wanted.store_id and e.paused_at is null
    ) w cross join lateral (
      select d.store_id, d.id from webhook_deliveries d
      where d.store_id = w.store_id and d.status = 'pending' and d.next_attempt_at <= $3
        and (d.lease_until is null or d.lease_until <= $3)
      order by d.next_attempt_at, d.id limit w.free for update skip locked
    ) d
  )
  update webhook_deliveries d set lease_until = $4, lease_token = $5 from picked p
  where d.store_id = p.store_id and d.id = p.id
  returning d.store_id as "storeId", d.id, d.event, d.body, d.failed_attempts as "failedAttempts", d.lease_token as "leaseToken",
    p.url, p.sealed_secret as "sealedSecret", d.created_at as "createdAt"`;

const RECORD = `
  with result as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::integer[], $6::timestamptz[], $7::timestamptz[],
      $8::uuid[], $9::timestamptz[], $10::integer[], $11::integer[], $12::text[], $13::text[])
      as r (store_id, delivery_id, lease_token, status, failed_attempts, next_attempt_at, finished_at,
        attempt_id, at, duration_ms, status_code, error, response)
  ), settled as (
    update webhook_deliveries d set status = r.status, failed_attempts = r.failed_attempts, next_attempt_at = r.next_attempt_at,
      finished_at = r.finished_at, lease_until = null, lease_token = null
    from result r where d.store_id = r.store_id and d.id = r.delivery_id and d.lease_token = r.lease_token
  )
  insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code, error, response)
  select r.store_id, r.delivery_id, r.attempt_id, r.at, r.duration_ms, r.status_code, r.error, r.response from result r
  where exists (select from webhook_deliveries d where d.store_id = r.store_id and d.id = r.delivery_id)`;

/** The order keeps the count within the index of pending rows, whose size the planner remembers from the last ANALYZE. */
const PENDING_COUNT = `
  select greatest(n, case when n = 100000 then reltuples end)::float8 as count
  from (select count(*) as n from (
    select 1 from webhook_deliveries where status = 'pending' order by store_id limit 100000
  ) counted) c left join pg_class on oid = to_regclass('webhook_deliveries_due')`;

/** The delivery table as a queue: claim under a lease, settle under the lease's token (docs/behaviour.md §7). */
@Injectable()
export class DeliveryQueue {
  constructor(@Inject(SystemDatabase) private readonly database: SystemDatabase) {}

  /** Stores that have something to attempt now. It costs two look-ups per store with anything pending, however much that is. */
  async dueStores(now: Date): Promise<string[]> {
    const rows = await this.database.query<{ storeId: string }>(DUE_STORES, [now], 'due_stores');
    return rows.map(({ storeId }) => storeId);
  }

  /** Takes the oldest due deliveries of each store, at most `free` of it. Others skip what is taken until `leaseUntil`. */
  claim(wanted: { storeId: string; free: number }[], now: Date, leaseUntil: Date): Promise<ClaimedDelivery[]> {
    return this.database.query<ClaimedDelivery & Record<string, unknown>>(
      CLAIM,
      [wanted.map(({ storeId }) => storeId), wanted.map(({ free }) => free), now, leaseUntil, uuidv7()],
      'claim_deliveries',
    );
  }

  /** Writes attempts and settles their deliveries. Where the lease was lost meanwhile only the attempt is kept: another worker decides. */
  async record(attempts: AttemptRecord[]): Promise<void> {
    const column = <Value>(read: (attempt: AttemptRecord) => Value) => attempts.map(read);
    await this.database.query(
      RECORD,
      [
        column(({ delivery }) => delivery.storeId),
        column(({ delivery }) => delivery.id),
        column(({ delivery }) => delivery.leaseToken),
        column(({ status }) => status),
        column(({ delivery, status }) => delivery.failedAttempts + (status === 'delivered' ? 0 : 1)),
        column(({ nextAttemptAt }) => nextAttemptAt),
        column(({ status, finishedAt }) => (status === 'pending' ? null : finishedAt)),
        column(() => uuidv7()),
        column(({ at }) => at),
        column(({ durationMs }) => Math.round(durationMs)),
        column(({ statusCode }) => statusCode),
        column(({ error }) => error),
        column(({ response }) => response),
      ],
      'record_attempts',
    );
  }

  /** Gives back what was claimed and not attempted, for another worker to take at once. */
  async release(deliveries: ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.database.query(
      `update webhook_deliveries d set lease_until = null, lease_token = null
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (store_id, id, lease_token)
       where d.store_id = r.store_id and d.id = r.id and d.lease_token = r.lease_token`,
      [deliveries.map((d) => d.storeId), deliveries.map((d) => d.id), deliveries.map((d) => d.leaseToken)],
    );
  }

  /** Deletes finished deliveries created before the time, a batch at once. @returns how many */
  async purge(before: Date, batch: number): Promise<number> {
    const rows = await this.database.query(
      `delete from webhook_deliveries where (store_id, id) in (
         select store_id, id from webhook_deliveries where created_at < $1 and status <> 'pending' limit $2 for update skip locked
       ) returning 1`,
      [before, batch],
    );
    return rows.length;
  }

  /** Exact up to 100,000; beyond that what the planner knows, since counting millions would cost more than it tells. */
  async pendingCount(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(PENDING_COUNT, [], 'count_pending');
    return row.count;
  }
}
