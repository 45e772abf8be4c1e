import { figuresOf } from '../deliveries.statements.js';

/** The next store after $1 that has deliveries, with its unpacked days from $2 to $3 that have some. */
export const UNPACKED_DAYS = `
  select s.store_id as "storeId", array(
    select o.day::date::text from generate_series($2::timestamp, $3::timestamp, interval '1 day') o (day)
    where not exists (select from delivery_days k where k.store_id = s.store_id and k.day = o.day::date)
      and exists (select from webhook_deliveries d where d.store_id = s.store_id and d.id >= order_event_id_at(o.day at time zone 'UTC')
        and d.id < order_event_id_at((o.day + interval '1 day') at time zone 'UTC')) order by o.day
  ) as days from (select store_id from webhook_deliveries where store_id > $1 order by store_id limit 1) s`;

/**
 * Whatever removes the row of a day waits for this lock. Packing skips the day while the lock is held, and
 * packs it later.
 */
export const MAY_PACK = `select pg_try_advisory_xact_lock(hashtextextended('delivery_days' || $1::uuid, 0)) as mine`;

/**
 * Packs day $2 of store $1, unless it has pending deliveries. A separate statement after MAY_PACK, so that it
 * sees every earlier change.
 */
export const PACK_DAY = `
  insert into delivery_days (store_id, day, delivered, failed, attempts, p95_ms)
  select $1, $2::date, delivered, failed, attempts, p95 from ${figuresOf('$1', '$2::date')} where pending = 0
  on conflict do nothing`;
