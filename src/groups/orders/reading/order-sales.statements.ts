import { columns } from '../../../platform/database/columns.js';
import { as, statement } from '../../../platform/database/statement.js';
import { withinBytes } from '../../../platform/schema/pages/page.js';
import type { StoredPricing } from '../placing/stored-pricing.js';

interface SoldLine {
  productId: string;
  variantId: string | null;
  title: string;
  quantity: number;
  /** Text, because it may be more than a number holds. */
  priceMinor: string;
}

interface Refund {
  at: string;
  amount: number | null;
  reason: string | null;
  by: string;
}

/** What the order `o` is made of. Cashback is in major units. */
const SALE = `${columns(['id', 'status', 'paymentMethod', 'currency', 'createdAt'], 'o')},
     o.total_price as total, coalesce(o.tip_amount, 0) as "tip!", o.pricing,
     (select coalesce(json_agg(json_build_object('productId', i.product_id, 'variantId', i.catalog_variant_id,
         'title', i.title, 'quantity', i.quantity, 'priceMinor', i.price::text) order by i.position), '[]')
       from order_items i where i.store_id = $store and i.order_id = o.id) as "lines!",
     (select coalesce(json_agg(json_build_object('amount', r.amount, 'reason', r.reason, 'by', r.refunded_by,
         'at', to_char(r.refunded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         order by r.refunded_at, r.id), '[]')
       from order_refunds r where r.store_id = $store and r.order_id = o.id) as "refunds!",
     (select greatest(coalesce(sum(b.delta), 0), 0)::text from bonus_entries b
       where b.store_id = $store and b.order_id = o.id and b.kind like 'cashback%') as "cashback!"`;

const row = as<{ pricing: StoredPricing | null; lines: SoldLine[]; refunds: Refund[] }>();

export const GET_SALE = statement(
  'get_sale',
  `select ${SALE} from orders o where o.store_id = $store and o.id = $orderId`,
  { row },
);

/** About what a line, and a refund, take as JSON besides their texts. */
const LINE_BYTES = 200;
const bytesOf = (table: string, text: string) =>
  `(select coalesce(sum(octet_length(${text}) + ${LINE_BYTES}), 0) from ${table} x
      where x.store_id = $store and x.order_id = o.id)`;

export const LIST_SALES = statement(
  'list_sales',
  `select ${SALE}, o."rowsRead!" from ${withinBytes(
    `select o.*, 1000 + coalesce(pg_column_size(o.pricing), 0) + ${bytesOf('order_items', 'x.title')}
         + ${bytesOf('order_refunds', "coalesce(x.reason, '')")} as bytes
       from orders o where o.store_id = $store and o.created_at >= $from::timestamptz
         and o.created_at < $to::timestamptz
         and (o.created_at, o.id) > ($afterTime::timestamptz, $afterId::bigint)
       order by o.created_at, o.id limit $take`,
    'r.bytes',
    'r.created_at, r.id',
  )} o order by o.created_at, o.id`,
  { row, slow: true },
);
