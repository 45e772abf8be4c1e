import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { newId } from '../../platform/ids.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { BonusKind } from './bonus-kinds.js';
import { MAX_BALANCE, POST_BONUS } from './customer.statements.js';

/** Of major units, in every currency (docs/behaviour.md §6.5). */
export const BONUS_DECIMALS = 2;

/** One change of a customer's bonus. */
export interface BonusPosting {
  customerId: string;
  /** Exact decimal, major units of the store's currency, at most 2 decimals, not 0; negative debits. */
  delta: string;
  kind: BonusKind;
  reason?: string;
  orderId?: string | number;
  /** The referred customer that the reward is for. */
  referredId?: string;
  /** Why it came to this amount, for people. */
  rules?: object;
}

/** The only way bonus moves: a row of the ledger and the customer's kept balance, together (docs/behaviour.md §6.5). */
@Injectable()
export class BonusLedger {
  /**
   * @returns the new balance
   * @throws OperationError not_found, or invalid_input when the balance would fall below zero; nothing is changed then
   */
  async post(ctx: StoreContext, posting: BonusPosting): Promise<string> {
    const { before, after } = await this.write(ctx, posting);
    if (after !== null) return after;
    const limit = new Big(before).plus(posting.delta).lt(0) ? 'below 0' : `above ${MAX_BALANCE}`;
    throw invalidInput(`delta must not take the balance, which is ${before}, ${limit}`);
  }

  /**
   * Credits what a rule of the store gives, which is no reason to fail whatever it was given for.
   * @returns the new balance; null when the order has had it, whoever asked first, or the balance has no room: nothing is changed then
   */
  async award(
    ctx: StoreContext,
    posting: BonusPosting & { kind: Exclude<BonusKind, 'adjustment' | 'spend' | 'cashback_reversal'> },
  ): Promise<string | null> {
    return (await this.write(ctx, posting)).after;
  }

  private async write(ctx: StoreContext, posting: BonusPosting): Promise<{ before: string; after: string | null }> {
    const { customerId, delta, kind, reason, orderId, referredId, rules } = posting;
    const entry = [
      customerId,
      newId(),
      delta,
      kind,
      reason,
      orderId,
      referredId,
      JSON.stringify(rules),
      ctx.now(),
      ctx.actor.name,
    ];
    const [row] = await ctx.session.run<{ before: string; after: string | null }>(POST_BONUS, ...entry);
    if (!row) throw notFound('Customer', customerId);
    return row;
  }
}
