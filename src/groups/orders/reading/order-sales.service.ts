import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import { notFound } from '../../../platform/errors.js';
import { sumShown, toMinorRoundedDown } from '../../../platform/money.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, rowsRead } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { OrderStatus } from '../../order-status.js';
import type { Composition } from '../placing/composition.js';
import { partsOf } from '../placing/stored-pricing.js';
import type { ListSalesInput, OrderPricingRecord, SaleRecord } from './order-sales.dto.js';
import { GET_SALE, LIST_SALES } from './order-sales.statements.js';

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
