import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { RowOf } from '../../platform/database/statement.js';
import { newId } from '../../platform/ids.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { BonusKind } from './bonus-kinds.js';
import { MAX_BALANCE, POST_BONUS } from './customer.statements.js';

/** The number of decimals of bonus in major units, in every currency (docs/behaviour.md §6.5). */
export const BONUS_DECIMALS = 2;

/** One change of a customer's bonus. */
export interface BonusPosting {
  customerId: string;
  /**
   * An exact decimal in major units of the store's currency, with at most 2 decimals, not 0. A negative
   * amount debits.
   */
  delta: string;
  kind: BonusKind;
  reason?: string;
  orderId?: string | number;
  /** The referred customer for whom the reward is given. */
  referredId?: string;
  /** The data that explains the amount to people. */
  rules?: object;
}

/**
 * The only way to change bonus: inserts a row of the ledger and updates the customer's balance together
 * (docs/behaviour.md §6.5).
 */
@Injectable()
export class BonusLedger {
  /**
   * @returns the new balance
   * @throws OperationError not_found, or invalid_input if the balance would fall below zero or become too
   * large; then nothing is changed
   */
  async post(ctx: StoreContext, posting: BonusPosting): Promise<string> {
    const { before, after } = await this.write(ctx, posting);
    if (after !== null) return after;
    const limit = new Big(before).plus(posting.delta).lt(0) ? 'below 0' : `above ${MAX_BALANCE}`;
    throw invalidInput(`delta must not take the balance, which is ${before}, ${limit}`);
  }

  /**
   * Credits what a rule of the store awards. If the award is not possible, the call that caused it goes on.
   * @returns the new balance; null, with nothing changed, if the order has already had this award or the
   * balance has no room for it
   */
  async award(
    ctx: StoreContext,
    posting: BonusPosting & { kind: Exclude<BonusKind, 'adjustment' | 'spend' | 'cashback_reversal'> },
  ): Promise<string | null> {
    return (await this.write(ctx, posting)).after;
  }

  private async write(ctx: StoreContext, posting: BonusPosting): Promise<RowOf<typeof POST_BONUS>> {
    const { reason, orderId, referredId, rules } = posting;
    const [row] = await ctx.session.run(POST_BONUS, {
      ...posting,
      reason: reason ?? null,
      orderId: orderId ?? null,
      referredId: referredId ?? null,
      rules: rules ? JSON.stringify(rules) : null,
      id: newId(),
      now: ctx.now(),
      actorName: ctx.actor.name,
    });
    if (!row) throw notFound('Customer', posting.customerId);
    return row;
  }
}
