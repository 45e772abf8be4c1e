import { statement } from '../../platform/database/statement.js';
import { ORDER_STATUSES } from '../order-status.js';

/**
 * Orders that are read as they are: those between the window's ends and the whole days that stand for it. $2 to $3 (not included)
 * and $5 to $6; $4 and $7 are 1 where they are in the window and on no whole day, -1 where they are on one and not in the window.
 */
const EDGES = [
  { sign: '$4::integer', within: 'o.created_at >= $2 and o.created_at < $3' },
  { sign: '$7::integer', within: 'o.created_at >= $5 and o.created_at < $6' },
];

const onEdges = (select: (sign: string) => string, and = '') =>
  EDGES.map(({ sign, within }) => `${select(sign)} where o.store_id = $1 and ${within}${and}`).join(' union all ');

/** The status counts of `order_days`, and what of an order makes each. */
const COUNTS = ORDER_STATUSES.map((status) => ({ status, column: status.toLowerCase() }));
const listed = (each: (count: (typeof COUNTS)[number]) => string) => COUNTS.map(each).join(', ');

/** Orders by status over all time: a sum of days, however many orders there are. */
export const COUNT_ORDERS = statement(
  'count_orders',
  `select ${listed(({ status, column }) => `coalesce(sum(d.${column}), 0)::text as "${status}"`)} from order_days d where d.store_id = $1`,
  { slow: true },
);

/** One row a day that has orders. $8 and $9 the first and the last whole day. */
export const ORDERS_BY_DAY = statement(
  'analytics_orders',
  `select e.day::text, ${listed(({ status, column }) => `sum(e.${column})::bigint as "${status}"`)}, sum(e.revenue)::text as revenue
   from (
     select d.day, ${listed(({ column }) => `d.${column}`)}, d.revenue
     from order_days d where d.store_id = $1 and d.day between $8::date and $9::date
     union all ${onEdges(
       (sign) => `
       select sales_day(o.created_at), ${listed(({ status, column }) => `(o.status = '${status}')::int * ${sign} as ${column}`)}, earned(o.status, o.total_price) * ${sign} from orders o`,
     )}
   ) e group by e.day`,
  { slow: true },
);

/**
 * The ten that earned most, with the title they have now; one that is deleted, with the title it was last sold under. $10 and $11
 * the spans that the whole days consist of (src/stores/sales-spans.ts); what is in no span yet is an entry of its day. Arrays are
 * taken apart in the select list: in the from clause each would be written to a table in memory first, at twice the price.
 */
export const TOP_PRODUCTS = statement(
  'analytics_products',
  `select t.product_id as "productId", t.quantity, t.revenue::text, coalesce(p.title, (
     select d.title from product_days d where d.store_id = $1 and d.product_id = t.product_id
       and d.day between sales_day($2) and sales_day($5) order by d.day desc, d.id desc limit 1)) as title
   from (
     select s.product_id, sum(s.quantity)::bigint as quantity, sum(s.revenue) as revenue from (
       select unnest(d.product_ids) as product_id, unnest(d.quantities) as quantity, unnest(d.revenues) as revenue from product_spans d
       where d.store_id = $1 and (d.days, d.first_day) in (select * from unnest($10::smallint[], $11::date[]))
       union all
       select d.product_id, d.quantity, d.revenue
       from product_days d where d.store_id = $1 and not d.packed and d.day between $8::date and $9::date
       union all ${onEdges(
         (sign) => `select i.product_id, i.quantity * ${sign}, i.price::numeric * i.quantity * ${sign}
          from orders o join order_items i on i.store_id = o.store_id and i.order_id = o.id`,
         ' and earns(o.status)',
       )}
     ) s group by s.product_id having sum(s.quantity) > 0
     order by sum(s.revenue) desc, s.product_id collate "C" limit 10
   ) t left join products p on p.store_id = $1 and p.product_id = t.product_id
   order by t.revenue desc, t.product_id collate "C"`,
  { slow: true },
);

/** $2 and $3 the first and the last day. A shopper's first visit of the window is the one whose predecessor lies before it. */
export const VISITS_BY_DAY = statement(
  'analytics_visits',
  `select v.day::text, count(*)::int as visitors,
     (count(*) filter (where v.previous_day is null or v.previous_day < $2::date))::int as firsts
   from visits v where v.store_id = $1 and v.day between $2::date and $3::date group by v.day`,
  { slow: true },
);

/** $2 the shopper, $3 the day. A visit between two that are known (clocks differ around midnight) becomes the later one's predecessor. */
export const RECORD_VISIT = statement(
  'record_visit',
  `with recorded as (
     insert into visits (store_id, customer_id, day, previous_day)
     values ($1, $2, $3, (select max(v.day) from visits v where v.store_id = $1 and v.customer_id = $2 and v.day < $3::date))
     on conflict (store_id, customer_id, day) do nothing returning day
   ) update visits v set previous_day = r.day from recorded r
   where v.store_id = $1 and v.customer_id = $2
     and v.day = (select min(later.day) from visits later where later.store_id = $1 and later.customer_id = $2 and later.day > r.day)`,
);
