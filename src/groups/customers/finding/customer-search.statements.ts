import { columns } from '../../../platform/database/columns.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { MAX_MINOR } from '../../../platform/money.js';
import { MAX_TOTAL } from '../../../platform/schema/pages/page.js';
import { HAS_DIGITS } from './phone-digits.js';
import { CUSTOMER_SORTS, type CustomerSort, FoundCustomer } from './customer-search.dto.js';

/** The value by which a list is sorted, before the id. Each has its index of customer_sales. */
const KEYS: Record<CustomerSort, { column: string; type: 'timestamptz' | 'bigint'; isRising?: true }> = {
  newest: { column: 'created_at', type: 'timestamptz' },
  oldest: { column: 'created_at', type: 'timestamptz', isRising: true },
  most_spent: { column: 'total_spent', type: 'bigint' },
  recently_ordered: { column: 'last_order_at', type: 'timestamptz' },
};

const behind = (sort: CustomerSort) => {
  const { column, type, isRising } = KEYS[sort];
  return `(s.${column}, s.customer_id) ${isRising ? '>' : '<'} ($afterAt::${type}, $afterId::bigint)`;
};
const order = (sort: CustomerSort, row: string) => {
  const direction = KEYS[sort].isRising ? '' : ' desc';
  return `${row}.${KEYS[sort].column}${direction}, ${row}.customer_id${direction}`;
};

/** SQL of whether customer `c` has one of these products in an order that is not cancelled. */
const bought = (products: string) => `(${products}::text[] is null or exists (
    select from orders o join order_items i on i.store_id = $store and i.order_id = o.id
    where o.store_id = $store and o.messenger_user_id = c.id and o.status <> 'CANCELLED'
      and i.product_id = any(${products})))`;

/** The conditions of all searches, of the customer `c` with the figures `s`. Null means no condition. */
const FILTER = `s.order_count between $minOrders::bigint and $maxOrders::bigint
  and s.total_spent >= $minSpent::bigint
  and s.last_order_at between $lastOrderFrom::timestamptz and $lastOrderTo::timestamptz
  and s.created_at >= $createdFrom::timestamptz and c.updated_at >= $updatedFrom::timestamptz
  and ($isBanned?::boolean is null or c.is_banned = $isBanned?)
  and ($isBotBlocked?::boolean is null or c.is_bot_blocked = $isBotBlocked?)
  and ($text?::text is null or c.search_text like all (customer_patterns($text?))
    or c.external_id = $externalId? or exists (
    select from order_phones p where p.store_id = $store and p.customer_id = c.id and ${HAS_DIGITS}))
  and ${bought('$products?')} and ${bought('$inCategories?')}`;

/** SQL of the customers `c` with the figures `s` of the rows `x`, which are read one by one. */
const withFigures = (rows: string) => `(${rows}) x cross join lateral (
    select * from customer_sales f where f.store_id = $store and f.customer_id = x.id offset 0
  ) s cross join lateral (select * from customers k where k.store_id = $store and k.id = x.id offset 0) c`;

/** The customers that have bought one of these products. */
const buyers = (products: string) => `select distinct o.messenger_user_id as id
  from order_items i join orders o on o.store_id = $store and o.id = i.order_id and o.status <> 'CANCELLED'
  where i.store_id = $store and i.product_id = any(${products}::text[])`;

/** The customers with a text, of whom so many are looked for by their names. */
const named = (most: number) => `select f.id from find_customers($store::uuid, $text?, 0, ${most}) as f (id)
    union select r.id from customers r where r.store_id = $store and r.external_id = $externalId?
    union select p.customer_id from order_phones p where p.store_id = $store and ${HAS_DIGITS}`;

/** SQL of the customers of each source. The one that `$by` names is read, by its own index. */
const SOURCES = {
  text: named(2_147_483_647),
  product: buyers('$products?'),
  category: buyers('$inCategories?'),
  banned: `select b.id from customers b where b.store_id = $store and b.is_banned`,
  blocked: `select b.id from customers b where b.store_id = $store and b.is_bot_blocked`,
  ordered: `select b.customer_id from customer_sales b where b.store_id = $store
    and b.last_order_at between $lastOrderFrom::timestamptz and $lastOrderTo::timestamptz`,
  spent: `select b.customer_id from customer_sales b where b.store_id = $store
    and b.total_spent >= $minSpent::bigint`,
  counted: `select b.customer_id from customer_sales b where b.store_id = $store
    and b.order_count between $minOrders::bigint and $maxOrders::bigint`,
  created: `select b.customer_id from customer_sales b where b.store_id = $store
    and b.created_at >= $createdFrom::timestamptz`,
  all: `select b.customer_id from customer_sales b where b.store_id = $store`,
};
export type Source = keyof typeof SOURCES;

const FOUND = Object.entries(SOURCES)
  .map(([name, rows]) => `select n.id from (${rows}) n (id) where $by::text = '${name}'`)
  .join(' union all ');

/** SQL of the fields that a page shows, of the rows `p`. `at` is the value by which it is sorted. */
const page = (sort: CustomerSort, rows: string) => `
  select ${columns(FoundCustomer, 'p', ['name', 'phone', 'orderCount', 'totalSpent', 'lastOrderAt'])},
    nullif(concat_ws(' ', p.first_name, p.last_name), '') as name, p.order_count as "orderCount!",
    least(p.total_spent, ${MAX_MINOR}) as "totalSpent!",
    nullif(p.last_order_at, '-infinity') as "lastOrderAt", (
      select n.phone from order_phones n where n.store_id = $store and n.customer_id = p.id
      order by n.order_id desc, n.nth limit 1) as phone,
    to_json(p.${KEYS[sort].column}) #>> '{}' as "at!"
  from (${rows}) p order by ${order(sort, 'p')}`;

const COLUMNS = `c.*, s.customer_id, s.order_count, s.total_spent, s.last_order_at`;

/** One statement per sort. */
const each = <Name extends keyof Statements>(
  name: (sort: CustomerSort) => Name,
  text: (sort: CustomerSort) => string,
) =>
  Object.fromEntries(
    CUSTOMER_SORTS.map((sort) => [sort, statement(name(sort), page(sort, text(sort)), { slow: true })]),
  ) as Record<CustomerSort, Statement<Statements[Name]>>;

/** Those of the next `$window` customers that match. */
export const FIND_NEAR = each(
  (sort) => `find_customers_near_${sort}`,
  (sort) => `select ${COLUMNS} from (
      select s.* from customer_sales s where s.store_id = $store and ${behind(sort)}
      order by ${order(sort, 's')} limit $window
    ) s cross join lateral (
      select * from customers k where k.store_id = $store and k.id = s.customer_id offset 0
    ) c where ${FILTER} order by ${order(sort, 's')} limit $take`,
);

/** Those of one source, found by its index and then sorted. */
export const FIND_OF = each(
  (sort) => `find_customers_of_${sort}`,
  (sort) => `select ${COLUMNS} from ${withFigures(FOUND)}
    where ${FILTER} and ${behind(sort)} order by ${order(sort, 's')} limit $take`,
);

/** At most one more than the highest exact total. */
export const COUNT_FOUND = statement(
  'count_found_customers',
  `select count(*)::integer as "total!" from (
     select from ${withFigures(FOUND)} where ${FILTER} limit ${MAX_TOTAL + 1}
   ) found`,
  { slow: true },
);

/** The same for a text alone: a name that most customers have is looked for no further than it counts. */
export const COUNT_NAMED = statement(
  'count_named_customers',
  `select count(*)::integer as "total!" from (select from (${named(MAX_TOTAL + 1)}) n
     limit ${MAX_TOTAL + 1}) found`,
  { slow: true },
);

export const COUNT_ALL = statement(
  'count_all_customers',
  `select coalesce(sum(n.total), 0)::integer as "total!" from contact_counts n where n.store_id = $store`,
);

/** The external ids of the products in these categories. */
export const PRODUCTS_IN = statement(
  'products_in_categories',
  `select p.product_id as "productId" from products p
   where p.store_id = $store and p.category_id = any($categoryIds::uuid[])`,
  { slow: true },
);
