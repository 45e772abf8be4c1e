import { columns } from '../../platform/database/columns.js';
import { systemStatement } from '../../platform/database/statement.js';

/**
 * Row `d` may be attempted now. `shop_now()` is the database's clock: those of the processes may differ as
 * they like (docs/behaviour.md §7.8).
 */
const IS_DUE = `d.status = 'pending' and d.next_attempt_at <= shop_now()
    and (d.lease_until is null or d.lease_until <= shop_now())`;
/** Endpoint `e` is not paused, nor its store suspended or moved. */
const IS_OPEN = `e.paused_at is null
    and not exists (select from stores t where t.id = e.store_id
      and (t.suspended_at is not null or t.moved_to is not null or t.read_only_since is not null))`;
const WAITED = (due: string) => `(extract(epoch from shop_now() - ${due}) * 1000)::float8 as "waitedMs!"`;

/**
 * A recursive CTE of the stores with such deliveries. Each store takes one step along an index of them. The
 * last row is null.
 */
const storesWith = (name: string, condition: string) => `${name} as (
    (select store_id from webhook_deliveries where ${condition} order by store_id limit 1)
    union all
    select (select d.store_id from webhook_deliveries d
      where ${condition} and d.store_id > s.store_id order by d.store_id limit 1)
    from ${name} s where s.store_id is not null
  )`;

/**
 * Stores that may have something due: those with deliveries that no attempt has failed yet, by an index of
 * these alone, and those noted in webhook_due_stores. Stores whose retries wait for a later time are not
 * visited (docs/decisions/0012-due-stores.md).
 */
export const DUE_STORES = systemStatement(
  'due_stores',
  `with recursive ${storesWith('fresh', `status = 'pending' and failed_attempts = 0`)}
  select s.store_id as "storeId!", e.pace, ${WAITED('oldest.next_attempt_at')}
  from (
    select store_id from fresh union select store_id from webhook_due_stores where due_at <= shop_now()
  ) s
  join webhook_endpoints e on e.store_id = s.store_id and ${IS_OPEN}
  cross join lateral (
    select d.next_attempt_at from webhook_deliveries d where d.store_id = s.store_id and ${IS_DUE}
    order by d.next_attempt_at limit 1) oldest`,
);

/**
 * Notes that the stores of `source` have something to attempt at `due_at`. In the order of the stores, so
 * that no two wait for each other.
 */
const note = (source: string) => `
  insert into webhook_due_stores as n (store_id, due_at)
  select s.store_id, s.due_at from (${source}) s order by s.store_id
  on conflict (store_id) do update set due_at = excluded.due_at where n.due_at > excluded.due_at`;

/**
 * Visits every store with pending deliveries, and adds missing notes: of deliveries from older versions or
 * written by hand.
 */
export const ADD_MISSING_DUE_NOTES = systemStatement(
  'note_forgotten_stores',
  `with recursive ${storesWith('pending', `status = 'pending'`)}
  ${note(`select s.store_id, first.next_attempt_at as due_at from pending s
    cross join lateral (
      select d.next_attempt_at from webhook_deliveries d
      where d.store_id = s.store_id and d.status = 'pending' order by d.next_attempt_at limit 1
    ) first
    where not exists (
      select from webhook_due_stores n
      where n.store_id = s.store_id and n.due_at <= first.next_attempt_at)`)}`,
);

/** Settles a delivery as failed without a further attempt. @param at SQL */
export const givenUp = (at: string) =>
  `status = 'failed', next_attempt_at = null, lease_until = null, lease_token = null, finished_at = ${at}`;

export const ENDPOINT_PACES = systemStatement(
  'endpoint_paces',
  'select store_id as "storeId", pace from webhook_endpoints where store_id = any($storeIds::uuid[])',
);

export const PAUSED_COUNT = systemStatement(
  'count_paused',
  'select count(*)::int as "count!" from webhook_endpoints where paused_at is not null',
);

/**
 * Fails what has nowhere to go: deliveries written by changes that saw an endpoint and were committed after
 * it was removed. A later endpoint is not theirs, and without one nothing else would ever settle them. Those
 * of a store that is moved here may arrive before its endpoint.
 */
export const FAIL_ORPHANS = systemStatement(
  'fail_orphaned_deliveries',
  `with recursive ${storesWith('pending', `status = 'pending'`)}
  update webhook_deliveries d set ${givenUp('shop_now()')}
  from pending s where d.store_id = s.store_id and d.status = 'pending'
    and not exists (select from webhook_endpoints e where e.store_id = s.store_id)
    and not exists (select from stores t where t.id = s.store_id and t.read_only_since is not null)`,
);

/**
 * Stores that are noted as due but have nothing due. Locked, so that an attempt recorded concurrently is
 * noted after NOTE_NEXT.
 */
export const LOCK_STALE_DUE_NOTES = systemStatement(
  'noted_in_vain',
  `select n.store_id as "storeId" from webhook_due_stores n where n.due_at <= shop_now()
    and not exists (select from webhook_deliveries d where d.store_id = n.store_id and ${IS_DUE})
  limit $take for update of n skip locked`,
);

/**
 * Notes when these stores have something to attempt next: when a retry comes due, or a lease ends. It is a
 * separate statement, so that it sees everything recorded before the lock. Whatever it does not see is noted
 * by a transaction that waits for the lock.
 */
export const NOTE_NEXT = systemStatement(
  'note_next',
  `with next as materialized (
    select s.store_id, least(
      (select d.next_attempt_at from webhook_deliveries d
       where d.store_id = s.store_id and d.status = 'pending'
         and d.next_attempt_at > shop_now() order by d.next_attempt_at limit 1),
      (select min(greatest(d.next_attempt_at, d.lease_until)) from webhook_deliveries d
       where d.store_id = s.store_id and d.status = 'pending' and d.next_attempt_at <= shop_now())) as due_at
    from unnest($storeIds::uuid[]) as s (store_id)
  ), gone as (
    delete from webhook_due_stores n using next where n.store_id = next.store_id and next.due_at is null
  )
  update webhook_due_stores n set due_at = next.due_at from next
  where n.store_id = next.store_id and next.due_at is not null`,
);

/**
 * Reads what came due in the last `$withinMs` milliseconds. Its cost does not grow with the deliveries that
 * wait for a later time.
 */
export const NEWLY_DUE_STORES = systemStatement(
  'newly_due_stores',
  `select e.store_id as "storeId", e.pace, ${WAITED('due.oldest')} from (
    select d.store_id, min(d.next_attempt_at) as oldest from webhook_deliveries d
    where ${IS_DUE} and d.next_attempt_at > shop_now() - $withinMs::float8 * interval '1 millisecond'
    group by d.store_id
  ) due join webhook_endpoints e on e.store_id = due.store_id and ${IS_OPEN}`,
);

/** The secret before the last rotation of endpoint `e`, while it signs too. */
export const PREVIOUS_SECRET = `case when e.previous_until > shop_now() then e.sealed_previous_secret end`;

/**
 * A silent endpoint is tried with one delivery at a time, by all processes together; two that ask at the same
 * instant may both get one. Deliveries under way have the oldest due times, so they are found at once.
 */
export const CLAIM = systemStatement(
  'claim_deliveries',
  `with picked as (
    select d.store_id, d.id, w.url, w.sealed_secret, w.sealed_previous_secret, w.pace from (
      select e.store_id, e.url, e.sealed_secret, ${PREVIOUS_SECRET} as sealed_previous_secret, e.pace,
        wanted.free
      from unnest($storeIds::uuid[], $free::integer[]) as wanted (store_id, free)
      join webhook_endpoints e on e.store_id = wanted.store_id and ${IS_OPEN}
      where e.pace <> 'silent' or not exists (select from webhook_deliveries d
        where d.store_id = e.store_id and d.status = 'pending' and d.lease_until > shop_now())
    ) w cross join lateral (
      select d.store_id, d.id from webhook_deliveries d where d.store_id = w.store_id and ${IS_DUE}
      order by d.next_attempt_at, d.id limit case w.pace when 'silent' then 1 else w.free end
      for update skip locked
    ) d
  )
  update webhook_deliveries d set lease_until = shop_now() + $leaseMs::float8 * interval '1 millisecond',
    lease_token = $leaseToken
  from picked p join order_events e on e.store_id = p.store_id and e.id = p.id
  where d.store_id = p.store_id and d.id = p.id
  returning d.store_id as "storeId", ${columns(['id', 'failedAttempts', 'traceparent', 'requestId'], 'd')},
    d.lease_token as "leaseToken!", ${columns(['event', 'body'], 'e')},
    ${columns(['url', 'sealedSecret', 'sealedPreviousSecret', 'pace'], 'p')}, ${WAITED('d.next_attempt_at')}`,
);

/**
 * Times of day are counted back from the database's present time. If a store has several attempts, the last
 * to end sets its pace.
 */
export const RECORD = systemStatement(
  'record_attempts',
  `with result as (
    select r.*, shop_now() - r.begun_ago * interval '1 millisecond' as begun_at,
      shop_now() - r.ended_ago * interval '1 millisecond' as ended_at
    from unnest($storeIds::uuid[], $deliveryIds::uuid[], $leaseTokens::uuid[], $statuses::text[],
      $begunAgo::float8[], $endedAgo::float8[], $retryIn::float8[], $ids::uuid[], $durations::integer[],
      $statusCodes::integer[], $errors::text[], $responses::text[], $paces::text[],
      $requestIds::text[])
      as r (store_id, delivery_id, lease_token, status, begun_ago, ended_ago, retry_in,
        attempt_id, duration_ms, status_code, error, response, pace, request_id)
  ), settled as (
    update webhook_deliveries d set status = r.status,
      failed_attempts = d.failed_attempts + case r.status when 'delivered' then 0 else 1 end,
      next_attempt_at = r.ended_at + r.retry_in * interval '1 millisecond',
      finished_at = case when r.status <> 'pending' then r.ended_at end,
      lease_until = null, lease_token = null
    from result r where d.store_id = r.store_id and d.id = r.delivery_id and d.lease_token = r.lease_token
  ), paced as (
    update webhook_endpoints e set pace = r.pace from (
      select distinct on (store_id) store_id, pace from result where pace is not null
      order by store_id, ended_at desc
    ) r where e.store_id = r.store_id and e.pace <> r.pace
  ), noted as (${note(`select store_id, min(ended_at + make_interval(secs => retry_in / 1000)) as due_at
    from result where status = 'pending' group by store_id`)})
  insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code, error, response,
    request_id)
  select r.store_id, r.delivery_id, r.attempt_id, r.begun_at, r.duration_ms, r.status_code, r.error,
    r.response, r.request_id
  from result r
  where exists (select from webhook_deliveries d where d.store_id = r.store_id and d.id = r.delivery_id)
  on conflict do nothing`,
);

/**
 * Notes that another worker may take the deliveries at once, because the note may have been moved to the end
 * of the lease. As in RECORD, notes are locked before deliveries, so that the two never wait for each other:
 * PostgreSQL runs the main statement first, then what it does not read from.
 */
export const RELEASE = systemStatement(
  'release_deliveries',
  `with wanted as (
    select d.store_id, d.id, d.lease_token, d.next_attempt_at
    from unnest($storeIds::uuid[], $ids::uuid[], $leaseTokens::uuid[]) as r (store_id, id, lease_token)
    join webhook_deliveries d on d.store_id = r.store_id and d.id = r.id and d.lease_token = r.lease_token
  ), released as (
    update webhook_deliveries d set lease_until = null, lease_token = null
    from wanted w where d.store_id = w.store_id and d.id = w.id and d.lease_token = w.lease_token
  ) ${note('select store_id, min(next_attempt_at) as due_at from wanted group by store_id')}`,
);

/**
 * The sort order keeps the count within the index of pending rows. Above 100,000 it uses the planner's
 * estimate of that index.
 */
export const PENDING_COUNT = systemStatement(
  'count_pending',
  `select greatest(n, case when n = 100000 then reltuples end)::float8 as "count!"
  from (select count(*) as n from (
    select 1 from webhook_deliveries where status = 'pending' order by store_id limit 100000
  ) counted) c left join pg_class on oid = to_regclass('webhook_deliveries_due')`,
);
