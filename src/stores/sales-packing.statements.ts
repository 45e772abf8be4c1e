import { systemStatement } from '../platform/database/statement.js';

/** The past days that have entries in no span yet, except those of stores that are moved. */
export const UNPACKED_DAYS = systemStatement(
  'list_unpacked_sales_days',
  `select distinct store_id as "storeId", day::text as "day!"
   from product_days p where not packed and day < $today::date
     and not exists (select from stores s where s.id = p.store_id and s.read_only_since is not null)
   order by store_id, day limit $take`,
);

/**
 * Adds a day's new entries to the spans that contain the day, which have these lengths. The statement that
 * adds an entry also marks it as packed, so each entry is added exactly once, even if entries are inserted or
 * merged at the same time.
 */
export const PACK_DAY = systemStatement(
  'pack_sales_day',
  `with fresh as (
    update product_days set packed = true where store_id = $storeId and day = $day::date and not packed
    returning product_id, quantity, revenue
  ), spans as (
    select days, $day::date - ($day::date - date '1970-01-01') % days as first_day
    from unnest($lengths::integer[]) days
  ), summed as (
    select days, first_day, product_id, sum(quantity)::bigint as quantity, sum(revenue) as revenue from (
      select s.days, s.first_day, f.* from spans s, fresh f
      union all
      select s.days, s.first_day, p.* from spans s
      join product_spans kept
        on kept.store_id = $storeId and kept.days = s.days and kept.first_day = s.first_day,
      unnest(kept.product_ids, kept.quantities, kept.revenues) p
    ) parts group by days, first_day, product_id having sum(quantity) <> 0 or sum(revenue) <> 0
  )
  insert into product_spans (store_id, days, first_day, product_ids, quantities, revenues)
  select $storeId, s.days, s.first_day,
    coalesce(array_agg(product_id) filter (where product_id is not null), '{}'),
    coalesce(array_agg(quantity) filter (where product_id is not null), '{}'),
    coalesce(array_agg(revenue) filter (where product_id is not null), '{}')
  from spans s left join summed using (days, first_day) group by s.days, s.first_day
  on conflict (store_id, days, first_day) do update
  set product_ids = excluded.product_ids, quantities = excluded.quantities, revenues = excluded.revenues`,
);

/**
 * Takes the lock for packing if it is free. PACK_DAY replaces the spans that it has read, so only one may run
 * at a time.
 */
export const MAY_PACK = systemStatement(
  'may_pack_sales',
  `select pg_try_advisory_xact_lock(hashtextextended('product_spans', 0)) as "mine!"`,
);
