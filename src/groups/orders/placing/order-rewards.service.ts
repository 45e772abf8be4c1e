import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { RowOf } from '../../../platform/database/statement.js';
import type { AuditDraft, StoreContext } from '../../../platform/store/store-context.js';
import { BonusLedger } from '../../customers/bonus-ledger.service.js';
import { LOCK_REFERRER } from '../../customers/customer.statements.js';
import { bonusDecimals } from '../../../platform/money.js';
import { cashbackFor, shouldAward, type StatusEntry } from '../../monetization/cashback.js';
import { promotionsFor } from '../../monetization/cashback-rates.js';
import type { CashbackAward } from '../../monetization/cashback.types.js';
import type { Cashback, Referral } from '../../monetization/monetization.dto.js';
import { MonetizationService } from '../../monetization/monetization.service.js';
import type { RewardRules } from '../../monetization/monetization.statements.js';
import { partsOf } from '../order/stored-pricing.js';
import {
  type CashbackTerms,
  FIND_REFERRAL_AWARD,
  GET_EARNED,
  KEEP_CASHBACK_TERMS,
} from './order-rewards.statements.js';

/** An order that was just placed, or whose status has just changed. */
export interface RewardedOrder {
  id: string | number;
  customerId: string;
}

/** Awards what orders earn, in the transaction of the order's change (docs/behaviour.md §6.3, §6.4). */
@Injectable()
export class OrderRewards {
  constructor(
    private readonly monetization: MonetizationService,
    private readonly ledger: BonusLedger,
  ) {}

  /**
   * The rules for `award`. Requested together with the order's own statement, they cost no extra round trip.
   */
  rules(ctx: StoreContext): Promise<RewardRules> {
    return this.monetization.rewardRules(ctx);
  }

  /**
   * Locks the shopper's referrer, whom an order that is paid at once may reward; sent together with the next
   * statement. The transaction of an order locks customers, each before their referrer, and then products, so
   * that two orders never wait for each other.
   */
  lockReferrer(ctx: StoreContext, customerId: string): void {
    ctx.session.enqueue(LOCK_REFERRER, { customerId });
  }

  /**
   * Awards what this change of the order earns and no earlier change earned. The transaction must have locked
   * the order's row.
   */
  async award(
    ctx: StoreContext,
    { cashback, referral }: RewardRules,
    order: RewardedOrder,
    change: StatusEntry,
  ): Promise<void> {
    if (cashback && shouldAward(cashback.cashbackTrigger, cashback.cashbackTriggerStatus, change)) {
      await this.awardCashback(ctx, cashback, order);
    }
    if (referral && shouldAward('on_payment', null, change)) await this.awardReferrer(ctx, referral, order);
  }

  private async awardCashback(
    ctx: StoreContext,
    block: Cashback,
    { id, customerId }: RewardedOrder,
  ): Promise<void> {
    const [row] = await ctx.session.query(GET_EARNED, { orderId: id, customerId });
    const earlierOrders = Number(row.earlier_orders);
    const earned = earnedBy(row, { block, earlierOrders }, ctx.currency);
    const promotions = promotionsFor(row.placed_at, block.promotions);
    const terms: CashbackTerms = { block: { ...block, description: null, promotions }, earlierOrders };
    ctx.session.enqueue(KEEP_CASHBACK_TERMS, { orderId: id, terms: JSON.stringify(terms) });
    if (!earned) return;
    const { amount: delta, ...why } = earned;
    const rules = {
      trigger: block.cashbackTrigger,
      triggerStatus: block.cashbackTriggerStatus,
      earlierOrders,
      ...why,
    };
    await this.ledger.move(ctx, { customerId, delta, kind: 'cashback', orderId: id, rules });
  }

  /**
   * Corrects the award of an order whose items have changed to what its own terms give for the new lines. An
   * award whose terms were not kept stays. The transaction must have locked the order's row, and the customer
   * before any product.
   * @returns the changes for the audit row
   */
  async correct(ctx: StoreContext, { id, customerId }: RewardedOrder): Promise<AuditDraft['changes']> {
    const [row] = await ctx.session.query(GET_EARNED, { orderId: id, customerId });
    if (!row.terms) return {};
    const earned = earnedBy(row, row.terms, ctx.currency);
    const [before, after] = [new Big(row.earned), new Big(earned?.amount ?? 0)];
    if (after.eq(before)) return {};
    await this.ledger.move(ctx, {
      customerId,
      delta: after.minus(before).toFixed(2),
      kind: 'cashback_correction',
      orderId: id,
      reason: 'the items of the order changed',
    });
    return { cashback: [before.toFixed(2), after.toFixed(2)] };
  }

  private async awardReferrer(
    ctx: StoreContext,
    block: Referral,
    { id: orderId, customerId: referredId }: RewardedOrder,
  ): Promise<void> {
    const delta = new Big(block.referrerOrderBonus).round(bonusDecimals(ctx.currency), Big.roundDown);
    if (delta.lte(0)) return;
    const [[referrer], [awarded]] = await Promise.all([
      ctx.session.query(LOCK_REFERRER, { customerId: referredId }),
      ctx.session.query(FIND_REFERRAL_AWARD, { customerId: referredId }),
    ]);
    if (!referrer || (awarded && block.referrerBonusFrequency === 'once')) return;
    await this.ledger.move(ctx, {
      customerId: referrer.id,
      delta: delta.toFixed(2),
      kind: 'referral_order',
      orderId,
      referredId,
      rules: { referredId, ...block },
    });
  }
}

/** What an order's lines earn by these terms; null if nothing. */
function earnedBy(
  row: RowOf<typeof GET_EARNED>,
  { block, earlierOrders }: CashbackTerms,
  currency: string,
): CashbackAward | null {
  const { lines } = partsOf(row.pricing, row.items, { total: BigInt(row.total), tip: BigInt(row.tip) });
  const items = row.items.map(({ productId, categoryKeys }, line) => ({
    productId,
    paidMinor: lines[line].paid,
    categoryKeys: categoryKeys.filter((key) => key !== null),
  }));
  return cashbackFor({ items, placedAt: row.placed_at }, { earlierOrders }, block, currency);
}
