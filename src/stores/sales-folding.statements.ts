import { systemStatement } from '../platform/database/statement.js';

/** The past days that have new entries, and the present one with many, except those of stores that move. */
const unfolded = (table: string) => `select store_id as "storeId", day::text as "day!"
   from ${table} e where not folded
     and not exists (select from stores s where s.id = e.store_id and s.read_only_since is not null)
   group by store_id, day having day < $today::date or count(*) >= $many
   order by store_id, day limit $take`;

/** Takes the lock for folding a store if it is free. */
export const MAY_FOLD = systemStatement(
  'may_fold_sales',
  `select pg_try_advisory_xact_lock(hashtextextended('sales_days' || $storeId::uuid, 0)) as "isMine!"`,
);

/**
 * The tables of sales by day, each with the days to fold, and the statement that makes the entries of one
 * fewer. The entries that it takes are those that it adds up, so none is lost or counted twice, even if more
 * are added meanwhile.
 */
export const FOLDED = [
  {
    days: systemStatement('list_unfolded_order_days', unfolded('order_days')),
    fold: systemStatement(
      'fold_order_days',
      `with taken as (delete from order_days where store_id = $storeId and day = $day::date returning *)
       insert into order_days
         (store_id, day, pending, processing, shipped, delivered, cancelled, revenue, folded)
       select $storeId, $day::date, sum(pending), sum(processing), sum(shipped), sum(delivered),
         sum(cancelled), sum(revenue), true
       from taken having count(*) > 0`,
    ),
  },
  {
    days: systemStatement('list_unfolded_product_days', unfolded('product_days')),
    fold: systemStatement(
      'fold_product_days',
      `with taken as (delete from product_days where store_id = $storeId and day = $day::date returning *)
       insert into product_days (store_id, day, product_id, title, quantity, revenue, folded)
       select $storeId, $day::date, product_id, title, sum(quantity), sum(revenue), true
       from taken group by product_id, title having sum(quantity) <> 0 or sum(revenue) <> 0`,
    ),
  },
];
