import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { newId } from '../../platform/ids.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { BonusKind } from './bonus-kinds.js';
import { LOCK_BALANCE, MAX_BALANCE, POST_BONUS } from './customer.statements.js';

/** The number of decimals in which the ledger keeps bonus; how many an amount may have is bonusDecimals(). */
export const BONUS_DECIMALS = 2;

/** One change of a customer's bonus. */
export interface BonusPosting {
  customerId: string;
  /**
   * An exact decimal in major units of the store's currency, with at most 2 decimals, not 0. A negative
   * amount debits.
   */
  delta: string;
  kind: Exclude<BonusKind, 'debt' | 'debt_settled'>;
  reason?: string;
  orderId?: string | number;
  /** The referred customer for whom the reward is given, or taken back. */
  referredId?: string;
  /** The data that explains the amount to people. */
  rules?: object;
}

/** What a posting did. Amounts are decimal text in major units. */
export interface BonusMovement {
  /** False, with nothing changed, if the order has already had this award or the balance has no room. */
  isMade: boolean;
  balanceBefore: string;
  balance: string;
  owedBefore: string;
  /** What the customer owes now. */
  owed: string;
  /** What of a debit became debt. */
  short: string;
  /** What of a credit settled a debt. */
  settled: string;
}

/**
 * The only way to change bonus: inserts rows of the ledger and updates the customer's balance and debt
 * together. Every credit settles a debt first (docs/behaviour.md §6.5).
 */
@Injectable()
export class BonusLedger {
  /**
   * For what somebody asks for: an adjustment, or bonus to spend.
   * @throws OperationError not_found, or invalid_input if the balance would fall below zero or become too
   * large; then nothing is changed
   */
  async post(ctx: StoreContext, posting: BonusPosting): Promise<BonusMovement> {
    const moved = await this.write(ctx, posting, false);
    if (moved.isMade) return moved;
    const { balanceBefore: before, owedBefore } = moved;
    const isBelow = new Big(before).plus(posting.delta).lt(0);
    const limit = isBelow ? 'below 0' : `above ${MAX_BALANCE}`;
    const debt = new Big(owedBefore).gt(0) ? ` (the customer owes ${owedBefore})` : '';
    const refusal = invalidInput(`delta must not take the balance, which is ${before}${debt}, ${limit}`);
    throw isBelow
      ? refusal.about('balance_below', { path: 'delta', balance: before })
      : refusal.about('balance_above', { path: 'delta', most: String(MAX_BALANCE) });
  }

  /**
   * For what the rules of the store move, awards and everything that orders do: always the whole amount. What
   * the balance cannot give of a debit becomes the customer's debt. The call that caused it goes on, also if
   * nothing could be moved.
   */
  move(
    ctx: StoreContext,
    posting: BonusPosting & { kind: Exclude<BonusKind, 'adjustment'> },
  ): Promise<BonusMovement> {
    return this.write(ctx, posting, true);
  }

  private async write(ctx: StoreContext, posting: BonusPosting, mayOwe: boolean): Promise<BonusMovement> {
    const { reason, orderId, referredId, rules } = posting;
    ctx.session.enqueue(LOCK_BALANCE, { customerId: posting.customerId });
    const [row] = await ctx.session.query(POST_BONUS, {
      ...posting,
      mayOwe,
      reason: reason ?? null,
      orderId: orderId ?? null,
      referredId: referredId ?? null,
      rules: rules ? JSON.stringify(rules) : null,
      id: newId(),
      debtId: newId(),
      now: ctx.now(),
      actorName: ctx.actor.name,
    });
    if (!row) throw notFound('Customer', posting.customerId);
    if (row.isMade) return row;
    return { ...row, balance: row.balanceBefore, owed: row.owedBefore, short: '0.00', settled: '0.00' };
  }
}
