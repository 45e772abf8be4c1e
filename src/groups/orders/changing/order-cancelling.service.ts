import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { BONUS_DECIMALS, BonusLedger, type BonusPosting } from '../../customers/bonus-ledger.service.js';
import { LOCK_BALANCE, LOCK_REFERRER } from '../../customers/customer.statements.js';
import { type MovedUse, PromocodeUse } from '../../promocodes/promocode-use.service.js';
import { FIND_REFERRAL_AWARD } from '../placing/order-rewards.statements.js';
import {
  GET_ORDER_BONUS,
  LIST_STOCK_LINES,
  LOCK_ORDER_PRODUCTS,
  LOCK_ORDER_VARIANTS,
  SAVE_CANCELLATION,
} from './order-cancelling.statements.js';
import type { Cancellation, CancellingState, StoredPricing } from '../order/stored-pricing.js';
import type { RewardedOrder } from '../placing/order-rewards.service.js';
import { type HeldStock, retakeStock, returnStock } from './held-stock.js';
import { changeOf, movementOf, NOTHING_MOVED, type OrderMovement } from './order-movement.js';

/** The current amounts and rows that cancelling may change, all locked. Bonus is in major units. */
interface Holdings extends HeldStock {
  spent: Big;
  earned: Big;
  referral: NonNullable<Cancellation['referral']> | null;
}

const ZERO = new Big(0);
const CANCELLED = 'the order was cancelled';
const RESUMED = 'the cancelled order was taken up again';

/**
 * Returns what a cancelled order took, and takes it again when the order leaves CANCELLED (docs/behaviour.md
 * §6.11). Neither is ever refused. Bonus moves by whole amounts: what the balance cannot give is the
 * customer's debt. If stock or a use of the promocode is no longer available, the audit row shows what is
 * short. What an old order did not record is left alone.
 */
@Injectable()
export class OrderCancelling {
  constructor(
    private readonly ledger: BonusLedger,
    private readonly promocodes: PromocodeUse,
  ) {}

  /**
   * Returns the stock, the promocode's use and the spent bonus, then takes back the earned cashback and the
   * referrer's reward. The order's row must be locked.
   * @param wasShipped whether the goods have left the shop, so that their stock stays taken
   */
  async cancel(
    ctx: StoreContext,
    order: RewardedOrder,
    { pricing }: CancellingState,
    wasShipped: boolean,
  ): Promise<OrderMovement> {
    const held = await this.lock(ctx, order);
    const bonus = await this.move(ctx, order, 'refund', held.spent, CANCELLED);
    const cashback = await this.move(ctx, order, 'cashback_reversal', held.earned.neg(), CANCELLED);
    const reward = await this.moveReward(ctx, order, 'referral_reversal', held.referral, CANCELLED);
    const stock = wasShipped ? [] : returnStock(ctx, order, held);
    const use = await this.returnUse(ctx, pricing);
    const promocodeUse = use !== null;
    const cancellation: Cancellation = {
      stock: stock.map(({ line, quantity }) => [line.position, quantity]),
      promocodeUse,
      ...(use === 'kept' ? { isUseKept: true } : {}),
      bonus: bonus.amount.toFixed(BONUS_DECIMALS),
      cashback: cashback.amount.toFixed(BONUS_DECIMALS),
      ...(reward.gt(0) ? { referral: held.referral! } : {}),
    };
    const isEmpty = [bonus.amount, cashback.amount, reward].every((amount) => amount.eq(0));
    if (!isEmpty || promocodeUse || stock.length > 0)
      ctx.session.enqueue(SAVE_CANCELLATION, {
        orderId: order.id,
        cancellation: JSON.stringify(cancellation),
        pricing: json(pricing),
      });
    const promocode = use === 'promocode' && pricing!.promocode!.code;
    const givenBack = { stock, promocode, bonus: bonus.amount };
    const takenBack = { cashback: cashback.amount, owed: cashback.owed, referrerReward: reward };
    return {
      changes: { ...changeOf('givenBack', null, givenBack), ...changeOf('takenBack', null, takenBack) },
      ...movementOf('givenBack', givenBack),
      ...movementOf('takenBack', takenBack),
    };
  }

  /** Undoes the order's last cancellation: bonus whole, stock and the promocode's use as far as possible. */
  async resume(
    ctx: StoreContext,
    order: RewardedOrder,
    { pricing, cancellation }: CancellingState,
  ): Promise<OrderMovement> {
    if (!cancellation) return NOTHING_MOVED;
    const held = await this.lock(ctx, order);
    const returned = new Big(cancellation.cashback);
    const cashback = await this.move(ctx, order, 'cashback_return', returned, RESUMED);
    const bonus = await this.move(ctx, order, 'spend', new Big(cancellation.bonus).neg(), RESUMED);
    const referral = await this.returnable(ctx, order, cancellation);
    const reward = await this.moveReward(ctx, order, 'referral_return', referral, RESUMED);
    const { taken, short } = retakeStock(ctx, order, held, cancellation);
    const promocode = pricing?.promocode;
    const use = cancellation.promocodeUse
      ? await this.promocodes.retake(ctx, promocode!.id, cancellation.isUseKept ?? false)
      : null;
    const lostUse = cancellation.promocodeUse && use === null;
    const after = lostUse ? { ...pricing!, promocode: { ...promocode!, isUseLost: true as const } } : pricing;
    ctx.session.enqueue(SAVE_CANCELLATION, { orderId: order.id, cancellation: null, pricing: json(after) });
    const spent = {
      stock: taken,
      promocode: use === 'promocode' && promocode!.code,
      bonus: bonus.amount,
      owed: bonus.owed,
    };
    const earned = { cashback: cashback.amount };
    return {
      changes: {
        ...changeOf('givenBack', spent, null),
        ...changeOf('takenBack', { ...earned, referrerReward: reward }, null),
        ...changeOf('short', null, { stock: short, promocode: lostUse && promocode!.code }),
      },
      ...movementOf('givenBack', earned),
      ...movementOf('takenBack', spent),
    };
  }

  /**
   * Locks in the same order as placing an order: the customer, the referrer, products, variants; the
   * promocode comes last. The referrer is included because the change may reward them once the products are
   * already locked.
   */
  private async lock(ctx: StoreContext, { id, customerId }: RewardedOrder): Promise<Holdings> {
    const { session } = ctx;
    session.enqueue(LOCK_BALANCE, { customerId });
    session.enqueue(LOCK_REFERRER, { customerId });
    const [[{ spent, earned, referral }], products, variants, lines] = await Promise.all([
      session.query(GET_ORDER_BONUS, { orderId: id }),
      session.query(LOCK_ORDER_PRODUCTS, { orderId: id }),
      session.query(LOCK_ORDER_VARIANTS, { orderId: id }),
      // Under the locks: whoever had them may have ended what the lines held.
      session.query(LIST_STOCK_LINES, { orderId: id }),
    ]);
    return { spent: atLeastZero(spent), earned: atLeastZero(earned), referral, lines, products, variants };
  }

  /**
   * Moves bonus of the order's customer, or of `posting`'s. @returns the amount that moved, and what of it
   * became debt, both 0 or more
   */
  private async move(
    ctx: StoreContext,
    { id: orderId, customerId }: RewardedOrder,
    kind:
      'refund' | 'cashback_return' | 'spend' | 'cashback_reversal' | 'referral_reversal' | 'referral_return',
    amount: Big,
    reason: string,
    posting: Partial<BonusPosting> = {},
  ): Promise<{ amount: Big; owed: Big }> {
    if (amount.eq(0)) return { amount: ZERO, owed: ZERO };
    const delta = amount.toFixed(BONUS_DECIMALS);
    const moved = await this.ledger.move(ctx, { customerId, delta, orderId, reason, ...posting, kind });
    return { amount: moved.isMade ? amount.abs() : ZERO, owed: new Big(moved.short) };
  }

  /** The referrer's reward goes and comes with its order (docs/behaviour.md §6.4). */
  private async moveReward(
    ctx: StoreContext,
    order: RewardedOrder,
    kind: 'referral_reversal' | 'referral_return',
    referral: Holdings['referral'],
    reason: string,
  ): Promise<Big> {
    if (!referral) return ZERO;
    const amount = new Big(referral.amount).times(kind === 'referral_reversal' ? -1 : 1);
    const posting = { customerId: referral.customerId, referredId: order.customerId };
    return (await this.move(ctx, order, kind, amount, reason, posting)).amount;
  }

  /** The reward that the cancellation took; none if it is given once and another order has it by now. */
  private async returnable(
    ctx: StoreContext,
    { customerId }: RewardedOrder,
    { referral }: Cancellation,
  ): Promise<Holdings['referral']> {
    if (!referral?.once) return referral ?? null;
    const [awarded] = await ctx.session.query(FIND_REFERRAL_AWARD, { customerId });
    return awarded ? null : referral;
  }

  private async returnUse(ctx: StoreContext, pricing: StoredPricing | null): Promise<MovedUse> {
    const promocode = pricing?.promocode;
    if (!promocode || promocode.isUseLost) return null;
    return this.promocodes.giveBack(ctx, promocode.id);
  }
}

const json = (pricing: StoredPricing | null) => pricing && JSON.stringify(pricing);
const atLeastZero = (amount: string) => (amount.startsWith('-') ? ZERO : new Big(amount));
