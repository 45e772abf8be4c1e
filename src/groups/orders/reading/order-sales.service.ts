import { Injectable } from '@nestjs/common';
import { type RowOf, as, statement } from '../../../platform/database/statement.js';
import { notFound } from '../../../platform/errors.js';
import { sumShown, toMinorRoundedDown } from '../../../platform/money.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, rowsRead, withinBytes } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { OrderStatus } from '../../order-status.js';
import type { Composition } from '../order/composition.js';
import { partsOf, type StoredPricing } from '../order/stored-pricing.js';
import type { ListSalesInput, OrderPricingRecord, SaleRecord } from './order-sales.dto.js';
import { columns } from '../../../platform/database/columns.js';

interface StoredLine {
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

const row = as<{ pricing: StoredPricing | null; lines: StoredLine[]; refunds: Refund[] }>();

const GET_SALE = statement(
  'get_sale',
  `select ${SALE} from orders o where o.store_id = $store and o.id = $orderId`,
  { row },
);

/** About what a line, and a refund, take as JSON besides their texts. */
const LINE_BYTES = 200;
const bytesOf = (table: string, text: string) =>
  `(select coalesce(sum(octet_length(${text}) + ${LINE_BYTES}), 0) from ${table} x
      where x.store_id = $store and x.order_id = o.id)`;

const LIST_SALES = statement(
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

const ORDER = 'sales';
const isOrderId = (id: string) => /^[1-9]\d{0,15}$/.test(id);

/** Tells what orders are made of (docs/behaviour.md §6.17). */
@Injectable()
export class OrderSales {
  /** @throws OperationError not_found */
  async get(ctx: StoreContext, orderId: number): Promise<OrderPricingRecord> {
    const [row] = await ctx.session.read(GET_SALE, { orderId });
    if (!row) throw notFound('Order', orderId);
    return saleOf(row);
  }

  async list(ctx: StoreContext, input: ListSalesInput): Promise<Page<SaleRecord>> {
    const { take = DEFAULT_TAKE, cursor, from, to } = input;
    const after = cursor === undefined ? null : decodePosition(cursor, ORDER, isDateTime, isOrderId);
    const rows = await ctx.session.read(LIST_SALES, {
      from: from ?? '-infinity',
      to: to ?? 'infinity',
      afterTime: after?.at ?? '-infinity',
      afterId: after?.id ?? '0',
      take: take + 1,
    });
    const items = rows.slice(0, take).map(saleOf);
    const cursorOf = ({ createdAt, orderId }: SaleRecord) =>
      encodePosition(ORDER, { at: createdAt.toISOString(), id: String(orderId) });
    const hasMore = rowsRead(rows) > items.length;
    return { items, nextCursor: hasMore ? cursorOf(items.at(-1)!) : null, cursorOf };
  }
}

function saleOf(row: RowOf<typeof GET_SALE>): SaleRecord {
  const { id, currency, status, createdAt, paymentMethod, refunds } = row;
  const sums = { total: BigInt(row.total), tip: BigInt(row.tip) };
  const parts = partsOf(row.pricing, row.lines, sums);
  const { promocode } = parts;
  return {
    orderId: Number(id),
    currency,
    lines: linesShown(row.lines, parts),
    adjustments: adjustmentsShown(parts),
    promocode: promocode && { code: promocode.code, amount: Number(promocode.amount) },
    bonus: Number(parts.bonus),
    tip: Number(sums.tip),
    total: Number(sums.total),
    refunds,
    refunded: sumShown(refunds.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n)),
    cashback: Number(toMinorRoundedDown(row.cashback, currency)),
    ...{ status: status as OrderStatus, createdAt, paymentMethod },
  };
}

interface SoldLine {
  productId: string;
  variantId: string | null;
  title: string;
  quantity: number;
  priceMinor: string | number | bigint;
}

/** The lines of an order as get_order_pricing and a quote return them. */
export const linesShown = (lines: SoldLine[], parts: Pick<Composition, 'lines'>) =>
  lines.map(({ productId, variantId, title, quantity, priceMinor }, i) => ({
    ...{ productId, variantId, title, quantity, price: Number(priceMinor) },
    ...sharesOf(parts.lines[i]),
  }));

/** Its adjustments. A decrease that took nothing is left out. */
export const adjustmentsShown = ({ adjustments }: Pick<Composition, 'adjustments'>) =>
  adjustments
    .filter(({ amount }) => amount !== 0n)
    .map(({ fieldId, label, amount, ...shares }) => ({
      ...{ fieldId, label, amount: Number(amount) },
      ...sharesOf(shares),
    }));

const sharesOf = ({ discount, bonus, paid }: Composition['lines'][number]) => ({
  discount: Number(discount),
  bonus: Number(bonus),
  paid: Number(paid),
});
