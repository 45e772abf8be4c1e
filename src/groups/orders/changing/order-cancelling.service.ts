import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { RowOf } from '../../../platform/database/statement.js';
import type { AuditDraft, StoreContext } from '../../../platform/store/store-context.js';
import { BONUS_DECIMALS, BonusLedger } from '../../customers/bonus-ledger.service.js';
import { LOCK_REFERRER } from '../../customers/customer.statements.js';
import {
  GET_ORDER_BONUS,
  LIST_STOCK_LINES,
  LOCK_BALANCE,
  LOCK_ORDER_PRODUCTS,
  LOCK_ORDER_VARIANTS,
  RETAKE_PROMOCODE_USE,
  RETURN_PROMOCODE_USE,
  SAVE_CANCELLATION,
  SET_STOCK_TAKEN,
} from './order-cancelling.statements.js';
import type { Cancellation, CancellingState, StoredPricing } from '../placing/stored-pricing.js';
import type { RewardedOrder } from '../placing/order-rewards.service.js';
import { moveStock, type StockRow } from '../placing/stock-moves.js';

type StockLine = RowOf<typeof LIST_STOCK_LINES>;

/** The current amounts and rows that cancelling may change, all locked. Bonus is in major units. */
interface Holdings {
  balance: Big;
  spent: Big;
  earned: Big;
  lines: StockLine[];
  products: StockRow[];
  variants: StockRow[];
}

/** The pieces of a line, as the audit row shows them. */
interface Pieces {
  productId: string;
  variantValue?: string;
  quantity: number;
}

type Changes = NonNullable<AuditDraft['changes']>;

const ZERO = new Big(0);
const least = (a: Big, b: Big) => (a.lt(b) ? a : b);

/**
 * Returns what a cancelled order took, and takes it again when the order leaves CANCELLED (docs/behaviour.md
 * §6.11). Neither is ever refused: if something is no longer available, the audit row shows the shortage.
 * What an old order did not record is left alone.
 */
@Injectable()
export class OrderCancelling {
  constructor(private readonly ledger: BonusLedger) {}

  /**
   * Returns the stock, the promocode's use and the spent bonus, then takes back the earned cashback. The
   * order's row must be locked.
   * @param wasShipped whether the goods have left the shop, so that their stock stays taken
   * @returns the changes for the audit row
   */
  async cancel(
    ctx: StoreContext,
    order: RewardedOrder,
    { pricing }: CancellingState,
    wasShipped: boolean,
  ): Promise<Changes> {
    const held = await this.lock(ctx, order);
    const { spent, earned } = held;
    if (spent.gt(0)) await this.credit(ctx, order, 'refund', spent, 'the order was cancelled');
    const cashback = least(earned, held.balance.plus(spent));
    if (cashback.gt(0))
      await this.debit(ctx, order, 'cashback_reversal', cashback, 'the order was cancelled');
    const stock = wasShipped ? [] : returnStock(ctx, held);
    const promocodeUse = await this.returnUse(ctx, pricing);
    const cancellation: Cancellation = {
      stock: stock.map(({ line, quantity }) => [line.position, quantity]),
      promocodeUse,
      bonus: spent.toFixed(BONUS_DECIMALS),
      cashback: cashback.toFixed(BONUS_DECIMALS),
    };
    const isEmpty = stock.length === 0 && !promocodeUse && spent.eq(0) && cashback.eq(0);
    if (!isEmpty)
      ctx.session.send(SAVE_CANCELLATION, {
        orderId: order.id,
        cancellation: JSON.stringify(cancellation),
        pricing: json(pricing),
      });
    return {
      ...changeOf('givenBack', null, {
        stock: stock.map(piecesOf),
        promocode: promocodeUse && pricing!.promocode!.code,
        bonus: spent,
      }),
      ...changeOf('takenBack', null, { cashback }),
      ...changeOf('short', null, { cashback: earned.minus(cashback) }),
    };
  }

  /** Undoes the order's last cancellation as far as possible. @returns the changes for the audit row */
  async resume(
    ctx: StoreContext,
    order: RewardedOrder,
    { pricing, cancellation }: CancellingState,
  ): Promise<Changes> {
    if (!cancellation) return {};
    const held = await this.lock(ctx, order);
    const cashback = new Big(cancellation.cashback);
    if (cashback.gt(0))
      await this.credit(ctx, order, 'cashback_return', cashback, 'the cancelled order was taken up again');
    const bonus = least(new Big(cancellation.bonus), held.balance.plus(cashback));
    if (bonus.gt(0)) await this.debit(ctx, order, 'spend', bonus, 'the cancelled order was taken up again');
    const { taken, short } = retakeStock(ctx, order, held, cancellation);
    const promocode = pricing?.promocode;
    const isUsed =
      cancellation.promocodeUse &&
      (await ctx.session.run(RETAKE_PROMOCODE_USE, { promocodeId: promocode!.id })).length > 0;
    const lostUse = cancellation.promocodeUse && !isUsed;
    const after = lostUse ? { ...pricing!, promocode: { ...promocode!, isUseLost: true as const } } : pricing;
    ctx.session.send(SAVE_CANCELLATION, { orderId: order.id, cancellation: null, pricing: json(after) });
    return {
      ...changeOf(
        'givenBack',
        { stock: taken.map(piecesOf), promocode: isUsed && promocode!.code, bonus },
        null,
      ),
      ...changeOf('takenBack', { cashback }, null),
      ...changeOf('short', null, {
        stock: short.map(piecesOf),
        promocode: lostUse && promocode!.code,
        bonus: new Big(cancellation.bonus).minus(bonus),
      }),
    };
  }

  /**
   * Locks in the same order as placing an order: the customer, the referrer, products, variants; the
   * promocode comes last. The referrer is included because the change may reward them once the products are
   * already locked.
   */
  private async lock(ctx: StoreContext, { id, customerId }: RewardedOrder): Promise<Holdings> {
    const { session } = ctx;
    const locked = session.run(LOCK_BALANCE, { customerId });
    session.send(LOCK_REFERRER, { customerId });
    const [[{ balance }], [{ spent, earned }], lines, products, variants] = await Promise.all([
      locked,
      session.run(GET_ORDER_BONUS, { orderId: id }),
      session.run(LIST_STOCK_LINES, { orderId: id }),
      session.run(LOCK_ORDER_PRODUCTS, { orderId: id }),
      session.run(LOCK_ORDER_VARIANTS, { orderId: id }),
    ]);
    return {
      balance: new Big(balance),
      spent: atLeastZero(spent),
      earned: atLeastZero(earned),
      lines,
      products,
      variants,
    };
  }

  /**
   * Credits the customer. If the balance has no room for the amount, it stays as it is and the change goes
   * on.
   */
  private async credit(
    ctx: StoreContext,
    { id: orderId, customerId }: RewardedOrder,
    kind: 'refund' | 'cashback_return',
    amount: Big,
    reason: string,
  ): Promise<void> {
    await this.ledger.award(ctx, {
      customerId,
      delta: amount.toFixed(BONUS_DECIMALS),
      kind,
      orderId,
      reason,
    });
  }

  /** @param amount must not exceed the balance, which is locked */
  private async debit(
    ctx: StoreContext,
    { id: orderId, customerId }: RewardedOrder,
    kind: 'spend' | 'cashback_reversal',
    amount: Big,
    reason: string,
  ): Promise<void> {
    await this.ledger.post(ctx, {
      customerId,
      delta: `-${amount.toFixed(BONUS_DECIMALS)}`,
      kind,
      orderId,
      reason,
    });
  }

  private async returnUse(ctx: StoreContext, pricing: StoredPricing | null): Promise<boolean> {
    const promocode = pricing?.promocode;
    if (!promocode || promocode.isUseLost) return false;
    return (await ctx.session.run(RETURN_PROMOCODE_USE, { promocodeId: promocode.id })).length > 0;
  }
}

interface Moved {
  line: StockLine;
  quantity: number;
}

/** Returns the taken stock to the products and variants that still exist and track stock. */
function returnStock(ctx: StoreContext, held: Holdings): Moved[] {
  const rows = byId(held);
  const moves = new Map<StockRow, number>();
  const returned: Moved[] = [];
  for (const line of held.lines) {
    const row = rows.get(line.sold_id);
    if (!row || row.item_amount === null) continue;
    moves.set(row, (moves.get(row) ?? 0) - line.stock_taken);
    returned.push({ line, quantity: line.stock_taken });
  }
  moveStock(ctx, moves, held);
  return returned;
}

/**
 * Takes the returned stock again, line by line, as far as it lasts. A line whose product no longer tracks
 * stock takes none and lacks none.
 */
function retakeStock(
  ctx: StoreContext,
  { id }: RewardedOrder,
  held: Holdings,
  { stock }: Cancellation,
): { taken: Moved[]; short: Moved[] } {
  const rows = byId(held);
  const lines = new Map(held.lines.map((line) => [line.position, line]));
  const moves = new Map<StockRow, number>();
  const taken: Moved[] = [];
  const short: Moved[] = [];
  const kept: Moved[] = [];
  for (const [position, quantity] of stock) {
    const line = lines.get(position);
    if (!line) continue;
    const row = rows.get(line.sold_id);
    const isTracked = row !== undefined && row.item_amount !== null;
    const got = isTracked ? Math.min(quantity, row.item_amount! - (moves.get(row) ?? 0)) : 0;
    if (got > 0) taken.push({ line, quantity: got });
    if (isTracked) moves.set(row, (moves.get(row) ?? 0) + got);
    if (got < quantity && row?.item_amount !== null) short.push({ line, quantity: quantity - got });
    if (got !== line.stock_taken) kept.push({ line, quantity: got });
  }
  moveStock(ctx, moves, held);
  if (kept.length > 0) {
    ctx.session.send(SET_STOCK_TAKEN, {
      orderId: id,
      positions: kept.map(({ line }) => line.position),
      quantities: kept.map(({ quantity }) => quantity),
    });
  }
  return { taken, short };
}

const byId = ({ products, variants }: Holdings) =>
  new Map([...products, ...variants].map((row) => [row.id, row]));
const json = (pricing: StoredPricing | null) => pricing && JSON.stringify(pricing);
const atLeastZero = (amount: string) => (amount.startsWith('-') ? ZERO : new Big(amount));

const piecesOf = ({ line, quantity }: Moved): Pieces => ({
  productId: line.product_id,
  ...(line.variant_value === null ? {} : { variantValue: line.variant_value }),
  quantity,
});

interface Amounts {
  stock?: Pieces[];
  promocode?: string | false;
  bonus?: Big;
  cashback?: Big;
}

/** One change for the audit row, without empty parts; no change if all parts are empty. */
function changeOf(name: string, before: Amounts | null, after: Amounts | null): Changes {
  const { stock = [], promocode, bonus, cashback } = (before ?? after)!;
  const parts = {
    ...(stock.length > 0 ? { stock } : {}),
    ...(promocode ? { promocode } : {}),
    ...(bonus?.gt(0) ? { bonus: bonus.toFixed(BONUS_DECIMALS) } : {}),
    ...(cashback?.gt(0) ? { cashback: cashback.toFixed(BONUS_DECIMALS) } : {}),
  };
  if (Object.keys(parts).length === 0) return {};
  return { [name]: before ? [parts, null] : [null, parts] };
}
