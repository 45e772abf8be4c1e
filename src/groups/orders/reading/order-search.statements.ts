import { columns } from '../../../platform/database/columns.js';
import { type Statement, statement } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { type Sort, SORTS } from '../../../platform/schema/pages/sort-cursor.js';
import { behind, inOrder, pageRows, type Searched, totalOf, type Walk } from '../../../search/sql.js';
import { isAgreement } from '../../payment-providers/payment-provider.statements.js';
import { REFUNDED, refundedOf } from './payment/order-payment.statements.js';
import { FoundOrder } from './order-search.dto.js';

/** How many lines of an order are shown, and how many characters of a title. */
const SHOWN_LINES = 3;
const SHOWN_TITLE = 40;

/** SQL of whether a time of an order is between its bounds, by the time. */
const BETWEEN = {
  created_at: 'r.created_at between $createdFrom::timestamptz and $createdTo::timestamptz',
  updated_at: 'r.updated_at between $updatedFrom::timestamptz and $updatedTo::timestamptz',
};

/** Along the indexes orders_by_creation and orders_by_update. */
function walk(column: keyof typeof BETWEEN, isRising: boolean): Walk {
  const by = { column, type: 'timestamptz' } as const;
  return {
    rows: (most) => `select r.* from orders r where r.store_id = $store and ${BETWEEN[column]}
      and ${behind({ by, isRising }, 'bigint', `r.${column}`, 'r.id')}
      order by ${inOrder({ by, isRising }, `r.${column}`, 'r.id')} limit ${most}`,
    by,
    isRising,
  };
}

const WALKS: Record<Sort, Walk> = {
  newest: walk('created_at', false),
  oldest: walk('created_at', true),
  recently_updated: walk('updated_at', false),
  least_recently_updated: walk('updated_at', true),
};

const IN_BOUNDS = `r.status = any($statuses::text[]) and ${BETWEEN.created_at} and ${BETWEEN.updated_at}`;
const IS_OWED_BACK = 'owed_back(r.status, r.paid, r.returned) > 0';
/** SQL of the orders within the bounds, by whichever index fits them. */
const BOUNDED = `select r.id from orders r where r.store_id = $store and ${IN_BOUNDS}`;

const ORDERS: Searched<Sort> = {
  kind: 'order',
  idType: 'bigint',
  record: (id) => `orders r where r.store_id = $store and r.id = ${id}`,
  walks: WALKS,
  filter: `${IN_BOUNDS}
    and ($customerId?::bigint is null or r.messenger_user_id = $customerId?)
    and ($products?::text[] is null or exists (select from order_items g
      where g.store_id = $store and g.order_id = r.id and g.product_id = any($products?)))
    and case $payment?::text when 'paid' then r.status not in ('PENDING', 'CANCELLED')
      when 'not_paid' then r.status = 'PENDING' when 'owed_back' then ${IS_OWED_BACK}
      when 'by_agreement' then exists (select from payment_providers v where v.store_id = $store
        and v.provider_name = r.payment_method and ${isAgreement('v')}) else true end
    and ($delivery?::text is null or exists (
      select from json_array_elements(
        case json_typeof(r.checkout_data) when 'array' then r.checkout_data end) answer
      where json_typeof(answer.value) = 'object' and btrim(answer.value->>'value') = $delivery?))`,
  sources: {
    customer: `select r.id from orders r
      where r.store_id = $store and r.messenger_user_id = $customerId?::bigint`,
    product: `select distinct i.order_id from order_items i
      where i.store_id = $store and i.product_id = any($products?::text[])`,
    bounds: BOUNDED,
    all: BOUNDED,
    owedBack: `select r.id from orders r where r.store_id = $store and ${IS_OWED_BACK}`,
    number: 'select $number?::bigint',
  },
};

const COMPUTED = ['customerId', 'customerName', 'username', 'itemCount', 'items', ...REFUNDED] as const;

/** SQL of the fields that a page shows of the orders `p`. */
const page = (rows: string, { by, isRising }: Walk) => `
  select ${columns(FoundOrder, 'p', COMPUTED)}, ${refundedOf('p')},
    p.messenger_user_id::text as "customerId!", nullif(concat_ws(' ', c.first_name, c.last_name), '')
    as "customerName", c.username,
    l."itemCount", l.items as "items!", p.total
  from (${rows}) p
  left join customers c on c.store_id = $store and c.id = p.messenger_user_id
  cross join lateral (
    select coalesce(sum(i.quantity), 0)::integer as "itemCount!", concat(
      string_agg(concat(case when i.quantity > 1 then i.quantity || 'x ' end,
        case when length(i.title) > ${SHOWN_TITLE} then substr(i.title, 1, ${SHOWN_TITLE - 1}) || '…'
        else i.title end,
        ' (' || i.variant_value || ')'), ', ' order by i.nth) filter (where i.nth <= ${SHOWN_LINES}),
      case when count(*) > ${SHOWN_LINES} then ' +' || count(*) - ${SHOWN_LINES} || ' more' end) as items
    from (select n.*, row_number() over (order by n.position) as nth from order_items n
      where n.store_id = $store and n.order_id = p.id) i
  ) l order by ${inOrder({ by, isRising }, `p.${by!.column}`, 'p.id')}`;

/** One statement per sort. */
export const FIND = Object.fromEntries(
  SORTS.map((sort) => [
    sort,
    statement(`find_orders_${sort}`, page(pageRows(ORDERS, sort), WALKS[sort]), { slow: true }),
  ]),
) as Record<Sort, Statement<Statements[`find_orders_${Sort}`]>>;

/** So many orders are few: their documents are read sooner than those of a frequent word. */
const FEW = 3_000;
const areFew = (condition: string) => `(select count(*) from (
    select from orders r where r.store_id = $store and ${condition} limit ${FEW}) x) < ${FEW}`;

/** Whether one of the bounds alone leaves few orders. */
export const LEAVES_FEW = statement(
  'bounds_leave_few_orders',
  `select ${areFew('r.status = any($statuses::text[])')} or ${areFew(BETWEEN.created_at)}
     or ${areFew(BETWEEN.updated_at)} as "isSo!"`,
);

export const COUNT = statement('count_found_orders', totalOf(ORDERS), { slow: true });

export const IS_CUSTOMER = statement(
  'is_customer',
  `select from customers c where c.store_id = $store and c.id = $customerId`,
);
