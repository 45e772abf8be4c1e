import { as, statement } from '../../platform/database/statement.js';
import type { StoredPricing } from '../orders/placing/stored-pricing.js';

/**
 * The orders created in the window, with what their totals are made of (docs/behaviour.md §6.17). What an
 * order without the form's adjustments by field does not explain is one adjustment. `is_old` are those whose
 * lines do not have their shares.
 */
const ORDERS = `o as materialized (
    select o.id, o.created_at, o.payment_method, o.messenger_user_id, o.pricing, earns(o.status) as earns,
      o.total_price::numeric as total, p.tip, p.bonus, l.quantity, l.is_old, r.refunded,
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
        coalesce(sum(i.price::numeric * i.quantity), 0) as goods,
        coalesce(bool_or(i.discount is null), false) as is_old
      from order_items i where i.store_id = $store and i.order_id = o.id) l
    cross join lateral (select coalesce(sum(r.amount), 0) as refunded
      from order_refunds r where r.store_id = $store and r.order_id = o.id) r
    where o.store_id = $store and o.created_at >= $from and o.created_at < $to)`;

const SUMS = `count(*)::text as "orders!", coalesce(sum(o.refunded), 0)::text as "refunded!",
    ${['quantity', 'total', 'discount', 'bonus', 'tip']
      .map((name) => `coalesce(sum(o.${name}) filter (where o.earns), 0)::text as "${name}!"`)
      .join(', ')}`;

/** The sums of all orders of the window. */
export const REPORT_TOTAL = statement('sales_report_total', `with ${ORDERS} select ${SUMS} from o`, {
  slow: true,
});

const byOrder = (name: 'promocode' | 'payment_method' | 'customer', key: string, label = key, joined = '') =>
  statement(
    `sales_report_${name}`,
    `with ${ORDERS} select ${key} as key, max(${label}) as label, ${SUMS} from o ${joined} group by 1`,
    { slow: true },
  );

/** `$starts` are the first moments of the days, weeks or months; the key is the position of one, from 1. */
export const BY_TIME = statement(
  'sales_report_time',
  `with ${ORDERS}
   select width_bucket(o.created_at, $starts::timestamptz[])::text as key, null as label, ${SUMS}
   from o group by 1`,
  { slow: true },
);

export const BY_ORDER = {
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
  const sum = (value: string) => `coalesce(sum(${value}) filter (where o.earns), 0)::text`;
  return statement(
    `sales_report_${name}`,
    `with ${ORDERS}
     select ${key} as key, max(${label}) as label, count(distinct o.id)::text as "orders!",
       '0' as "refunded!",
       ${sum('i.quantity')} as "quantity!",
       ${sum('i.price::numeric * i.quantity - i.discount - i.bonus')} as "total!",
       ${sum('i.discount')} as "discount!", ${sum('i.bonus')} as "bonus!", '0' as "tip!"
     from o join ${LINES(name)} on i.store_id = $store and i.order_id = o.id
     where not o.is_old group by 1
     union all
     select null, null, count(*)::text, coalesce(sum(o.refunded), 0)::text, '0', ${sum('o.total - l.paid')},
       ${sum('o.discount - l.discount')}, ${sum('o.bonus - l.bonus')}, ${sum('o.tip')}
     from o cross join lateral (
       select coalesce(sum(i.price::numeric * i.quantity - i.discount - i.bonus), 0) as paid,
         coalesce(sum(i.discount), 0) as discount, coalesce(sum(i.bonus), 0) as bonus
       from order_items i where i.store_id = $store and i.order_id = o.id) l
     where not o.is_old and (o.refunded > 0 or o.earns and (o.total, o.discount, o.bonus)
       <> (l.paid, l.discount, l.bonus))
     having count(*) > 0`,
    { slow: true },
  );
};

/** A page of the orders of the window whose lines do not have their shares. */
const oldOrders = (name: LineGroup) => {
  const [key, label] = LINE_KEYS[name];
  return statement(
    `sales_report_old_${name}`,
    `select o.id, earns(o.status) as "earns!", o.pricing, o.total_price as total,
       coalesce(o.tip_amount, 0) as "tip!",
       (select coalesce(sum(r.amount), 0)::text from order_refunds r
         where r.store_id = $store and r.order_id = o.id) as "refunded!",
       (select coalesce(json_agg(json_build_object('key', ${key}, 'label', ${label}, 'quantity', i.quantity,
           'priceMinor', i.price::text) order by i.position), '[]')
         from ${LINES(name)} where i.store_id = $store and i.order_id = o.id) as "lines!"
     from orders o
     where o.store_id = $store and o.created_at >= $from and o.created_at < $to and o.id > $afterId
       and exists (select from order_items i
         where i.store_id = $store and i.order_id = o.id and i.discount is null)
     order by o.id limit $take`,
    { slow: true, row: as<{ pricing: StoredPricing | null; lines: OldLine[] }>() },
  );
};

interface OldLine {
  key: string;
  label: string | null;
  quantity: number;
  priceMinor: string;
}

const ofLines = (name: LineGroup) => ({ rows: byLine(name), old: oldOrders(name) });

export const BY_LINE = {
  product: ofLines('product'),
  variant: ofLines('variant'),
  category: ofLines('category'),
  brand: ofLines('brand'),
};
