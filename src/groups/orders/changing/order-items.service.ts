import { Injectable } from '@nestjs/common';
import { MAX_MINOR, toMajor } from '../../../platform/money.js';
import { invalidInput, notFound } from '../../../platform/errors.js';
import type { RowOf } from '../../../platform/database/statement.js';
import { RawJson } from '../../../platform/schema/present.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { documentsChange } from '../../../search/documents.js';
import { Doorbell } from '../../../webhooks/doorbell/doorbell.js';
import { outboxParameters } from '../../../webhooks/events/outbox.js';
import { discountMinor } from '../../promocodes/discount.js';
import { type Catalog, lockCatalog, requireStock, sell } from '../placing/cart.service.js';
import { LOCK_BALANCE } from '../../customers/customer.statements.js';
import { compose, goodsOf } from '../order/composition.js';
import { linesOf, type PricedLine } from '../order/order-lines.js';
import { OrderRewards } from '../placing/order-rewards.service.js';
import {
  DELETE_LINES,
  GET_ORDER,
  LIST_LINES,
  LOCK_ORDER_ITEMS,
  REPLACE_ITEMS,
} from '../order/order.statements.js';
import type { CartItem } from '../placing/place-order.dto.js';
import { OrderChanges } from './order-changes.service.js';
import { namedNow, stockOf, takeLine } from '../placing/matching-lines.js';
import { moveStock, type StockRow } from '../placing/stock-moves.js';
import { adjustmentsOf, askedOf } from '../order/stored-pricing.js';

/** How long a shopper who was allowed to pay has for it. */
export const PAYING_MS = 15 * 60_000;

const OPEN = ['PENDING', 'PROCESSING'];

/** Changes the items of an order that has not been shipped (docs/behaviour.md §6.12). */
@Injectable()
export class OrderItems {
  constructor(
    private readonly doorbell: Doorbell,
    private readonly rewards: OrderRewards,
    private readonly changes: OrderChanges,
  ) {}

  /**
   * Replaces the order's lines with `items`. An item that matches an existing line keeps that line's price,
   * whatever its quantity. Any other item is priced like one in a cart. The stock is changed by the
   * difference. If no line differs, nothing is changed and no event is sent. An order that waits for its
   * payment and costs nothing any more becomes PROCESSING, as if it had been placed so.
   * @returns the order object
   * @throws OperationError not_found, precondition_failed, invalid_input naming the field; nothing is changed
   * then
   */
  async change(ctx: StoreContext, orderId: number, items: CartItem[]): Promise<RawJson> {
    const [[order], named] = await Promise.all([
      ctx.session.query(LOCK_ORDER_ITEMS, { orderId }),
      ctx.session.query(LIST_LINES, { orderId }),
    ]);
    if (!order) throw notFound('Order', orderId);
    ctx.checkUnchanged(order.updated_at);
    if (!OPEN.includes(order.status)) {
      throw invalidInput(
        `items can be changed while an order is PENDING or PROCESSING; this one is ${order.status}`,
      ).about('items_too_late', { status: order.status });
    }
    checkNobodyPays(ctx, order.preCheckoutAt);
    ctx.audit.target = `order:${orderId}`;
    const { customerId, isAwarded, isAwaited } = order;
    // Before the products, as everything that locks both.
    if (isAwarded || isAwaited) ctx.session.enqueue(LOCK_BALANCE, { customerId });
    if (isAwaited) this.rewards.lockReferrer(ctx, customerId);
    const catalog = await lockCatalog(ctx, [...named.map(namedBy), ...items]);
    // Again under the locks of the products: whoever had them may have ended what the lines held.
    const before = (await ctx.session.query(LIST_LINES, { orderId })).map((line): PricedLine => ({
      ...line,
      priceMinor: BigInt(line.priceMinor),
      stockTaken: line.stockTaken === null ? null : Number(line.stockTaken),
    }));
    const after = replace(ctx, catalog, before, items);
    if (linesOf(before) === linesOf(after)) {
      const [{ json }] = await ctx.session.query(GET_ORDER, { orderId });
      return new RawJson(json);
    }
    const { total, pricing, shares } = priceAgain(ctx.currency, order, before, after);
    ctx.session.enqueue(DELETE_LINES, { orderId });
    const [row] = await ctx.session.query(REPLACE_ITEMS, {
      orderId,
      total,
      pricing: pricing && JSON.stringify(pricing),
      lines: linesOf(after, shares),
      ...outboxParameters(ctx),
    });
    documentsChange(ctx, 'order', [orderId]);
    ctx.audit.changes = {
      items: [before.map(itemOf), after.map(itemOf)],
      ...(String(total) === order.total ? {} : { totalPrice: [Number(order.total), Number(total)] }),
      ...(isAwarded ? await this.rewards.correct(ctx, { id: orderId, customerId }) : {}),
    };
    if (row.has_delivery) ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return isAwaited && total === 0n ? this.takeUp(ctx, orderId) : new RawJson(row.json);
  }

  /** The caller's version was compared before the lines changed; the audit row of that has the status too. */
  private async takeUp(ctx: StoreContext, orderId: number): Promise<RawJson> {
    const own = ctx.with({ expected: null, audit: {} });
    const { json } = await this.changes.changeStatus(own, orderId, 'PROCESSING');
    ctx.audit.changes = { ...ctx.audit.changes, ...own.audit.changes };
    return json;
  }
}

/**
 * A shopper who was just allowed to pay will pay the total of that moment. @throws OperationError
 * invalid_input that says until when
 */
function checkNobodyPays(ctx: StoreContext, preCheckoutAt: Date | null): void {
  if (!preCheckoutAt) return;
  const until = new Date(preCheckoutAt.getTime() + PAYING_MS);
  if (until > ctx.now())
    throw invalidInput(`items cannot be changed until ${until.toISOString()}: the shopper is paying`).about(
      'items_being_paid',
      { until: until.toISOString() },
    );
}

/** Matches items with lines, prices new ones, and changes the stock. */
function replace(ctx: StoreContext, catalog: Catalog, before: PricedLine[], items: CartItem[]): PricedLine[] {
  const left = new Set(before);
  const moves = new StockMoves();
  const kept = items.map((item, i) => takeLine(left, item, namedNow(catalog, item), `items[${i}]`));
  for (const line of left) moves.add(stockOf(catalog, line), -(line.stockTaken ?? 0));
  const after = items.map((item, i) => {
    const path = `items[${i}]`;
    const line = kept[i];
    if (line) return resize(catalog, line, item.quantity, moves, path);
    const { line: added, sold } = sell(ctx.currency, catalog, item, path);
    moves.add(sold, item.quantity, path);
    return added;
  });
  moves.requireStock();
  moveStock(ctx, moves.taken, catalog);
  return after;
}

/**
 * The product and variant of a line: by the variant's id, or for an old line without ids by its option and
 * value.
 */
const namedBy = ({
  productId,
  catalogVariantId,
  optionTitle,
  variantValue,
}: Pick<PricedLine, 'productId' | 'catalogVariantId' | 'optionTitle' | 'variantValue'>) =>
  catalogVariantId === null
    ? { productId, optionTitle, variantValue }
    : { productId, variantId: catalogVariantId };

/** The net quantity taken from each product and variant, and the last item that takes from it. */
class StockMoves {
  readonly taken = new Map<StockRow, number>();
  private readonly takers = new Map<StockRow, string>();

  add(row: StockRow | undefined, quantity: number, path?: string): void {
    if (!row) return;
    this.taken.set(row, (this.taken.get(row) ?? 0) + quantity);
    if (path !== undefined) this.takers.set(row, path);
  }

  /** @throws OperationError invalid_input naming the item */
  requireStock(): void {
    for (const [row, path] of this.takers) requireStock(row, this.taken.get(row)!, path);
  }
}

/**
 * What a line holds after a change: nothing of stock that is not tracked. An old line, which did not record
 * what it took, still does not.
 */
function holding(row: StockRow | undefined, { stockTaken }: PricedLine, taken: number): number | null {
  if (row && row.item_amount === null) return stockTaken === null ? null : 0;
  return stockTaken === null && taken === 0 ? null : taken;
}

/** @throws OperationError invalid_input if a line would get more pieces of a product that no longer exists */
function resize(
  catalog: Catalog,
  line: PricedLine,
  quantity: number,
  moves: StockMoves,
  path: string,
): PricedLine {
  const row = stockOf(catalog, line);
  const more = quantity - line.quantity;
  if (more > 0) {
    if (!row)
      throw invalidInput(
        `${path}.quantity must be at most ${line.quantity}: the product is no longer in the catalog`,
      ).about('line_most', { path: `${path}.quantity`, most: line.quantity });
    moves.add(row, more, path);
    return { ...line, quantity, stockTaken: holding(row, line, (line.stockTaken ?? 0) + more) };
  }
  const stockTaken = holding(row, line, Math.min(line.stockTaken ?? 0, quantity));
  moves.add(row, (stockTaken ?? 0) - (line.stockTaken ?? 0));
  return { ...line, quantity, stockTaken };
}

/**
 * Prices the new lines. The adjustment of the form's conditions, a fixed discount, the bonus and the tip stay
 * the same; a percentage discount applies to the new sum. In an old order, the difference between the lines
 * and the total stays the same.
 * @throws OperationError invalid_input if the bonus paid exceeds the new sum, or if the total exceeds what an
 * order can hold
 */
function priceAgain(
  currency: string,
  order: RowOf<typeof LOCK_ORDER_ITEMS>,
  before: PricedLine[],
  after: PricedLine[],
) {
  const { pricing } = order;
  const [total, tip] = [BigInt(order.total), BigInt(order.tip)];
  const asked = askedOf(pricing, { goods: total - tip, lines: goodsOf(before, []).subtotal });
  const { gross, adjusted } = goodsOf(after, asked);
  const promocode = pricing?.promocode ?? null;
  const discount = promocode ? discountMinor(promocode, adjusted, currency) : 0n;
  const bonus = BigInt(pricing?.bonus ?? 0);
  const goods = adjusted - discount - bonus;
  if (goods < 0n) {
    throw invalidInput(
      `items must come to at least the ${toMajor(bonus, currency)} that bonus has paid of them`,
    ).about('below_bonus', { amount: toMajor(bonus, currency) });
  }
  if (gross > MAX_MINOR || goods + tip > MAX_MINOR) {
    throw invalidInput('items come to more than an order can hold').about('order_too_large');
  }
  const parts = compose(after, asked, { promocode: discount, bonus });
  const next = pricing && {
    ...pricing,
    ...adjustmentsOf(parts),
    promocode: promocode && { ...promocode, discount: discount.toString() },
  };
  return { total: goods + tip, pricing: next, shares: parts.lines };
}

/** A line for the audit row, without null fields. */
function itemOf({
  productId,
  title,
  quantity,
  priceMinor,
  size,
  optionTitle,
  variantValue,
}: PricedLine): object {
  const line = {
    productId,
    title,
    quantity,
    price: Number(priceMinor),
    size,
    variantOptionTitle: optionTitle,
    variantValue,
  };
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null));
}
