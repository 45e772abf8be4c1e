import { statement } from '../../platform/database/statement.js';

/**
 * The orders created in the window, with what their totals are made of (docs/behaviour.md §6.17). What an
 * order without the form's adjustments by field does not explain is one adjustment.
 */
const ORDERS = `o as materialized (
    select o.id, o.created_at, o.payment_method, o.messenger_user_id, o.pricing, earns(o.status) as earns,
      o.total_price::numeric as total, p.tip, p.bonus, l.quantity, r.refunded,
      p.promocode + case when o.pricing->'adjustments' is null
        then greatest(l.goods + p.tip - p.promocode - p.bonus - o.total_price, 0)
        else (select coalesce(-sum((a->>'amount')::numeric), 0)
          from json_array_elements(o.pricing->'adjustments') a where a->>'amount' like '-%') end as discount
    from orders o
    cross join lateral (select coalesce(o.tip_amount, 0)::numeric as tip,
      coalesce((o.pricing->>'bonus')::numeric, 0) as bonus,
      coalesce((o.pricing->'promocode'->>'discount')::numeric, 0) as promocode) p
    cross join lateral (
      select coalesce(sum(i.quantity), 0) as quantity,
        coalesce(sum(i.price::numeric * i.quantity), 0) as goods
      from order_items i where i.store_id = $store and i.order_id = o.id) l
    cross join lateral (select coalesce(sum(r.amount), 0) as refunded
      from order_refunds r where r.store_id = $store and r.order_id = o.id) r
    where o.store_id = $store and o.created_at >= $from and o.created_at < $to)`;

const NAMES = ['orders', 'refunded', 'quantity', 'total', 'discount', 'bonus', 'tip'] as const;

const earned = (value: string) => `coalesce(sum(${value}) filter (where o.earns), 0)`;
const SUMS = `count(*) as orders, coalesce(sum(o.refunded), 0) as refunded,
    ${NAMES.slice(2)
      .map((name) => `${earned(`o.${name}`)} as ${name}`)
      .join(', ')}`;
const asText = (value: (name: string) => string) =>
  NAMES.map((name) => `${value(name)}::text as "${name}!"`).join(', ');

type OrderGroup = 'promocode' | 'payment_method' | 'customer';

/** The sums of all orders of the window. */
export const REPORT_TOTAL = statement(
  'sales_report_total',
  `with ${ORDERS}, t as (select ${SUMS} from o) select ${asText((name) => name)} from t`,
  { slow: true },
);

/**
 * The first rows of a report, the highest revenue first and what belongs to no key last; then `all`, what all
 * rows are together and how many they are; and `total`, what the orders of the window are. Nobody reads,
 * sorts or adds up more rows than are shown. With `$keys` only the rows of these are among the first, and the
 * one that belongs to no key.
 */
const ranked = (name: OrderGroup | LineGroup, groups: string) =>
  statement(
    `sales_report_${name}`,
    `with ${ORDERS}, g as materialized (${groups}), t as (select ${SUMS} from o)
     (select 'row' as "part!", key, label, ${asText((sum) => sum)}, '0' as "count!"
      from g where (key = any($keys?::text[])) is not false
      order by key is null, g.total desc, key collate "C" limit $take)
     union all
     select 'all', null, null, ${asText((sum) => `coalesce(sum(${sum}), 0)`)}, count(*)::text from g
     union all
     select 'total', null, null, ${asText((sum) => sum)}, '0' from t`,
    { slow: true },
  );

const byOrder = (name: OrderGroup, key: string, label = key, joined = '') =>
  ranked(name, `select ${key} as key, max(${label}) as label, ${SUMS} from o ${joined} group by 1`);

/** `$starts` are the first moments of the days, weeks or months; the key is the position of one, from 1. */
export const BY_TIME = statement(
  'sales_report_time',
  `with ${ORDERS}, g as (
     select width_bucket(o.created_at, $starts::timestamptz[]) as key, ${SUMS} from o group by 1
   )
   select key as "key!", ${asText((name) => name)} from g order by key`,
  { slow: true },
);

const BY_ORDER = {
  promocode: byOrder('promocode', `o.pricing->'promocode'->>'code'`),
  payment_method: byOrder('payment_method', 'o.payment_method'),
  customer: byOrder(
    'customer',
    'o.messenger_user_id::text',
    `coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), '@' || c.username)`,
    'left join customers c on c.store_id = $store and c.id = o.messenger_user_id',
  ),
};

/** The key and label of a line `i`, of the product `p` that has its external id now. */
const LINE_KEYS = {
  product: ['i.product_id', 'coalesce(p.title, i.title)', ''],
  variant: [
    `coalesce(i.catalog_variant_id::text,
       concat_ws(':', i.product_id, i.variant_option_title, i.variant_value))`,
    `coalesce(p.title, i.title) || coalesce(' (' || coalesce(v.variant_value, i.variant_value) || ')', '')`,
    'left join variants v on v.store_id = $store and v.id = i.catalog_variant_id',
  ],
  category: [
    `coalesce(nullif(case when i.category_keys is null then coalesce(p.category_id::text, p.category)
       else i.category_keys->>0 end, ''), 'none')`,
    `coalesce(k.name, i.category_keys->>2, i.category_keys->>0, p.category)`,
    `left join categories k on k.store_id = $store
       and k.id::text = coalesce(i.category_keys->>0, p.category_id::text)`,
  ],
  brand: [
    `coalesce(p.brand_id::text, nullif(p.brand, ''), 'none')`,
    'coalesce(b.name, p.brand)',
    'left join brands b on b.store_id = $store and b.id = p.brand_id',
  ],
} as const;

type LineGroup = keyof typeof LINE_KEYS;

const LINES = (name: LineGroup) => `order_items i
    left join products p on p.store_id = $store and p.product_id = i.product_id ${LINE_KEYS[name][2]}`;

/** What belongs to no line, increases of the form and tips, and refunds, is the row whose key is null. */
const byLine = (name: LineGroup) => {
  const [key, label] = LINE_KEYS[name];
  return ranked(
    name,
    `select ${key} as key, max(${label}) as label, count(distinct o.id) as orders, 0::numeric as refunded,
       ${earned('i.quantity')} as quantity,
       ${earned('i.price::numeric * i.quantity - i.discount - i.bonus')} as total,
       ${earned('i.discount')} as discount, ${earned('i.bonus')} as bonus, 0::numeric as tip
     from o join ${LINES(name)} on i.store_id = $store and i.order_id = o.id group by 1
     union all
     select null, null, count(*), coalesce(sum(o.refunded), 0), 0, ${earned('o.total - l.paid')},
       ${earned('o.discount - l.discount')}, ${earned('o.bonus - l.bonus')}, ${earned('o.tip')}
     from o cross join lateral (
       select coalesce(sum(i.price::numeric * i.quantity - i.discount - i.bonus), 0) as paid,
         coalesce(sum(i.discount), 0) as discount, coalesce(sum(i.bonus), 0) as bonus
       from order_items i where i.store_id = $store and i.order_id = o.id) l
     where o.refunded > 0 or o.earns and (o.total, o.discount, o.bonus) <> (l.paid, l.discount, l.bonus)
     having count(*) > 0`,
  );
};

/** The statement of each group of rows but those by time. */
export const BY_GROUP = {
  ...BY_ORDER,
  product: byLine('product'),
  variant: byLine('variant'),
  category: byLine('category'),
  brand: byLine('brand'),
};
