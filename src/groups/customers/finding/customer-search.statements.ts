import { columns } from '../../../platform/database/columns.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { MAX_MINOR } from '../../../platform/money.js';
import { behind, inOrder, pageRows, type Searched, totalOf, type Walk } from '../../../search/sql.js';
import { CUSTOMER_SORTS, type CustomerSort, FoundCustomer } from './customer-search.dto.js';

/** SQL of a customer `c` with what they bought, `s`. */
const COLUMNS = `c.id, c.username, c.first_name, c.last_name, c.is_bot_blocked, c.is_banned, c.bonus_balance,
  c.bonus_owed, c.referrer_id, c.created_at, c.updated_at, c.last_seen_at, c.external_id, s.customer_id,
  s.created_at as since, s.order_count, s.total_spent, s.last_order_at`;
const RECORD = `(select ${COLUMNS}, c.store_id from customers c
  join customer_sales s on s.store_id = c.store_id and s.customer_id = c.id) r`;

/** Along an index of customer_sales. */
function walk(column: string, type: 'timestamptz' | 'bigint', isRising = false): Walk {
  const by = { column: column === 'created_at' ? 'since' : column, type };
  return {
    rows: (most) => `select ${COLUMNS} from (
      select s.* from customer_sales s
      where s.store_id = $store and ${behind({ by, isRising }, 'bigint', `s.${column}`, 's.customer_id')}
      order by ${inOrder({ by, isRising }, `s.${column}`, 's.customer_id')} limit ${most}
    ) s cross join lateral (
      select * from customers k where k.store_id = $store and k.id = s.customer_id offset 0
    ) c`,
    by,
    id: 'customer_id',
    isRising,
  };
}

const WALKS: Record<CustomerSort, Walk> = {
  newest: walk('created_at', 'timestamptz'),
  oldest: walk('created_at', 'timestamptz', true),
  most_spent: walk('total_spent', 'bigint'),
  recently_ordered: walk('last_order_at', 'timestamptz'),
};

/** SQL of whether customer `r` has one of these products in an order that is not cancelled. */
const bought = (products: string) => `(${products}::text[] is null or exists (
    select from orders o join order_items i on i.store_id = $store and i.order_id = o.id
    where o.store_id = $store and o.messenger_user_id = r.id and o.status <> 'CANCELLED'
      and i.product_id = any(${products})))`;

/** SQL of the customers that have bought one of these products. */
const buyers = (products: string) => `select distinct o.messenger_user_id
  from order_items i join orders o on o.store_id = $store and o.id = i.order_id and o.status <> 'CANCELLED'
  where i.store_id = $store and i.product_id = any(${products}::text[])`;

/** SQL of the customers with such figures. */
const figures = (condition: string) =>
  `select s.customer_id from customer_sales s where s.store_id = $store and ${condition}`;

const CUSTOMERS: Searched<CustomerSort> = {
  kind: 'customer',
  idType: 'bigint',
  record: (id) => `${RECORD} where r.store_id = $store and r.id = ${id}`,
  walks: WALKS,
  filter: `r.order_count between $minOrders::bigint and $maxOrders::bigint
    and r.total_spent >= $minSpent::bigint
    and r.last_order_at between $lastOrderFrom::timestamptz and $lastOrderTo::timestamptz
    and r.since >= $createdFrom::timestamptz and r.updated_at >= $updatedFrom::timestamptz
    and ($isBanned?::boolean is null or r.is_banned = $isBanned?)
    and ($isBotBlocked?::boolean is null or r.is_bot_blocked = $isBotBlocked?)
    and ${bought('$products?')} and ${bought('$inCategories?')}`,
  sources: {
    product: buyers('$products?'),
    category: buyers('$inCategories?'),
    banned: 'select b.id from customers b where b.store_id = $store and b.is_banned',
    blocked: 'select b.id from customers b where b.store_id = $store and b.is_bot_blocked',
    ordered: figures('s.last_order_at between $lastOrderFrom::timestamptz and $lastOrderTo::timestamptz'),
    spent: figures('s.total_spent >= $minSpent::bigint'),
    counted: figures('s.order_count between $minOrders::bigint and $maxOrders::bigint'),
    created: figures('s.created_at >= $createdFrom::timestamptz'),
    all: figures('true'),
  },
};

/** SQL of the fields that a page shows, of the rows `p`. `at` is the value by which it is sorted. */
const page = (sort: CustomerSort, rows: string) => `
  select ${columns(FoundCustomer, 'p', ['name', 'phone', 'orderCount', 'totalSpent', 'lastOrderAt'])},
    nullif(concat_ws(' ', p.first_name, p.last_name), '') as name, p.order_count as "orderCount!",
    least(p.total_spent, ${MAX_MINOR}) as "totalSpent!",
    nullif(p.last_order_at, '-infinity') as "lastOrderAt", (
      select n.phone from order_phones n where n.store_id = $store and n.customer_id = p.id
      order by n.order_id desc, n.nth limit 1) as phone,
    to_json(p.${WALKS[sort].by!.column}) #>> '{}' as "at!", p.total
  from (${rows}) p order by ${inOrder(WALKS[sort], `p.${WALKS[sort].by!.column}`, 'p.id')}`;

/** One statement per sort. */
export const FIND = Object.fromEntries(
  CUSTOMER_SORTS.map((sort) => [
    sort,
    statement(`find_customers_${sort}`, page(sort, pageRows(CUSTOMERS, sort)), { slow: true }),
  ]),
) as Record<CustomerSort, Statement<Statements[`find_customers_${CustomerSort}`]>>;

export const COUNT = statement('count_found_customers', totalOf(CUSTOMERS), { slow: true });

/** Those with a text, by id. */
export const NAMED_CUSTOMERS: Searched<'by_id'> = {
  ...CUSTOMERS,
  walks: {
    by_id: {
      rows: (most) => `select r.* from customers r where r.store_id = $store and r.id > $afterId::bigint
        order by r.id limit ${most}`,
      by: null,
      isRising: true,
    },
  },
  filter: 'true',
  sources: {},
};

/** The external ids of the products in these categories. */
export const PRODUCTS_IN = statement(
  'products_in_categories',
  `select p.product_id as "productId" from products p
   where p.store_id = $store and p.category_id = any($categoryIds::uuid[])`,
  { slow: true },
);
