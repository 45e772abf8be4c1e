import { systemStatement } from '../../../platform/database/statement.js';
import { figuresOf } from '../deliveries.statements.js';

/**
 * The next store after `$after` that has deliveries, with its unpacked days of the span that have some;
 * none of a store that is moved.
 */
export const UNPACKED_DAYS = systemStatement(
  'list_unpacked_delivery_days',
  `select s.store_id as "storeId", array(
    select o.day::date::text
    from generate_series($firstDay::date::timestamp, $lastDay::date::timestamp, interval '1 day') o (day)
    where not exists (select from delivery_days k where k.store_id = s.store_id and k.day = o.day::date)
      and exists (select from webhook_deliveries d where d.store_id = s.store_id
        and d.id >= order_event_id_at(o.day at time zone 'UTC')
        and d.id < order_event_id_at((o.day + interval '1 day') at time zone 'UTC'))
      and not exists (select from stores t where t.id = s.store_id and t.read_only_since is not null)
    order by o.day
  ) as "days!"
  from (select store_id from webhook_deliveries where store_id > $after order by store_id limit 1) s`,
);

/**
 * Whatever removes the row of a day waits for this lock. Packing skips the day while the lock is held, and
 * packs it later.
 */
export const MAY_PACK = systemStatement(
  'may_pack_deliveries',
  `select pg_try_advisory_xact_lock(hashtextextended('delivery_days' || $storeId::uuid, 0)) as "mine!"`,
);

/**
 * Packs a day of a store, unless it has pending deliveries. A separate statement after MAY_PACK, so that it
 * sees every earlier change.
 */
export const PACK_DAY = systemStatement(
  'pack_deliveries',
  `insert into delivery_days (store_id, day, delivered, failed, attempts, p95_ms)
  select $storeId, $day::date, delivered, failed, attempts, p95
  from ${figuresOf('$storeId', '$day::date')} where pending = 0
  on conflict do nothing`,
);
