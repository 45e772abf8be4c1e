import { statement } from '../../platform/database/statement.js';
import { ORDER_STATUSES } from '../order-status.js';

/**
 * The two periods whose orders are read one by one, because the window and the whole days differ there: at
 * its start and at its end. They do not include their ends. The sign is 1 if the orders are in the window but
 * not in the whole days, and -1 if they are in the whole days but not in the window.
 */
const EDGES = [
  { sign: '$startSign::integer', within: 'o.created_at >= $startFrom and o.created_at < $startTo' },
  { sign: '$endSign::integer', within: 'o.created_at >= $endFrom and o.created_at < $endTo' },
];

const onEdges = (select: (sign: string) => string, and = '') =>
  EDGES.map(({ sign, within }) => `${select(sign)} where o.store_id = $store and ${within}${and}`).join(
    ' union all ',
  );

/** Each status with its column in `order_days`. */
const COUNTS = ORDER_STATUSES.map((status) => ({ status, column: status.toLowerCase() }));
const listed = (each: (count: (typeof COUNTS)[number]) => string) => COUNTS.map(each).join(', ');

/**
 * Counts orders by status over all time. It adds up days, so its cost does not depend on the number of
 * orders.
 */
export const COUNT_ORDERS = statement(
  'count_orders',
  `select ${listed(({ status, column }) => `coalesce(sum(d.${column}), 0)::text as "${status}!"`)}
   from order_days d where d.store_id = $store`,
  { slow: true },
);

/** Counts the orders that were placed in a window by their status now. */
export const COUNT_PLACED = statement(
  'count_placed_orders',
  `select ${listed(({ status }) => `count(*) filter (where o.status = '${status}')::text as "${status}!"`)}
   from orders o where o.store_id = $store and o.created_at >= $from::timestamptz
     and o.created_at < $to::timestamptz`,
  { slow: true },
);

/** Returns one row for each day that has orders. The first and the last day are whole days. */
export const ORDERS_BY_DAY = statement(
  'analytics_orders',
  `select e.day::text as "day!",
     ${listed(({ status, column }) => `sum(e.${column})::bigint as "${status}!"`)},
     sum(e.revenue)::text as "revenue!"
   from (
     select d.day, ${listed(({ column }) => `d.${column}`)}, d.revenue
     from order_days d where d.store_id = $store and d.day between $firstDay::date and $lastDay::date
     union all ${onEdges(
       (sign) => `
       select sales_day(o.created_at),
         ${listed(({ status, column }) => `(o.status = '${status}')::int * ${sign} as ${column}`)},
         earned(o.status, o.total_price) * ${sign} from orders o`,
     )}
   ) e group by e.day`,
  { slow: true },
);

/**
 * The ten products with the highest revenue, with their present titles. A deleted product has the title under
 * which it was last sold.
 */
export const TOP_PRODUCTS = statement(
  'analytics_products',
  `select t.product_id as "productId!", t.quantity as "quantity!", t.revenue::text as "revenue!",
     coalesce(p.title, (
       select d.title from product_days d where d.store_id = $store and d.product_id = t.product_id
       and d.day between sales_day($startFrom) and sales_day($endFrom)
     order by d.day desc, d.id desc limit 1)) as "title!"
   from (
     select s.product_id, sum(s.quantity)::bigint as quantity, sum(s.revenue) as revenue from (
       select d.product_id, d.quantity, d.revenue
       from product_days d where d.store_id = $store and d.day between $firstDay::date and $lastDay::date
       union all ${onEdges(
         (sign) => `select i.product_id, i.quantity * ${sign}, i.price::numeric * i.quantity * ${sign}
          from orders o join order_items i on i.store_id = o.store_id and i.order_id = o.id`,
         ' and earns(o.status)',
       )}
     ) s group by s.product_id having sum(s.quantity) > 0
     order by sum(s.revenue) desc, s.product_id collate "C" limit 10
   ) t left join products p on p.store_id = $store and p.product_id = t.product_id
   order by t.revenue desc, t.product_id collate "C"`,
  { slow: true },
);

/**
 * A visit is the shopper's first in the window if the shopper's previous visit was before the window or if
 * there was none.
 */
export const VISITS_BY_DAY = statement(
  'analytics_visits',
  `select v.day::text as "day!", count(*)::int as "visitors!",
     (count(*) filter (where v.previous_day is null or v.previous_day < $firstDay::date))::int as "firsts!"
   from visits v
   where v.store_id = $store and v.calendar = $calendar and v.day between $firstDay::date and $lastDay::date
   group by v.day`,
  { slow: true },
);

/**
 * A visit may be recorded after a later one, because clocks differ around midnight. It then becomes the
 * predecessor of the later visit.
 */
export const RECORD_VISIT = statement(
  'record_visit',
  `with days as (
     select c.calendar, ($now::timestamptz at time zone c.zone)::date as day
     from stores s cross join lateral (values ('utc', 'UTC'), ('store', s.time_zone)) c (calendar, zone)
     where s.id = $store
   ), recorded as (
     insert into visits (store_id, calendar, customer_id, day, previous_day)
     select $store, d.calendar, $customerId::bigint, d.day, (
       select max(v.day) from visits v where v.store_id = $store and v.calendar = d.calendar
         and v.customer_id = $customerId and v.day < d.day)
     from days d on conflict (store_id, customer_id, calendar, day) do nothing returning calendar, day
   ) update visits v set previous_day = r.day from recorded r
   where v.store_id = $store and v.calendar = r.calendar and v.customer_id = $customerId and v.day = (
     select min(later.day) from visits later where later.store_id = $store
       and later.calendar = r.calendar and later.customer_id = $customerId and later.day > r.day)`,
);
