import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import { v7 as uuidv7 } from 'uuid';
import { statement } from '../../platform/database/statement.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';

export const BONUS_KINDS = [
  'adjustment',
  'cashback',
  'cashback_reversal',
  'cashback_return',
  'referral_join',
  'referral_order',
  'spend',
  'refund',
] as const;
export type BonusKind = (typeof BONUS_KINDS)[number];

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

/** Of major units, in every currency (docs/behaviour.md §6.5). */
export const BONUS_DECIMALS = 2;
/** A balance beyond this would no longer be an exact JSON number. */
const MAX_BALANCE = '90000000000000';

/**
 * Locks the customer, writes the row, keeps the balance, all in one statement. No entry is made where the balance would leave its
 * bounds, or an order has had this award; no row comes back for an unknown customer.
 */
const POST_BONUS = statement(
  'post_bonus',
  `with customer as (
    select c.bonus_balance from customers c where c.store_id = $1 and c.id = $2 for no key update
  ), entry as (
    insert into bonus_entries (store_id, id, customer_id, delta, balance_after, kind, reason, order_id, referred_id, rules, created_at, actor_name)
    select $1, $3, $2, $4::numeric, customer.bonus_balance + $4::numeric, $5, $6, $7, $8, $9, $10, $11 from customer
    where customer.bonus_balance + $4::numeric between 0 and ${MAX_BALANCE}
    on conflict (store_id, order_id, kind) where kind in ('cashback', 'referral_order') do nothing
    returning balance_after
  ), kept as (
    update customers c set bonus_balance = entry.balance_after, updated_at = greatest($10, c.updated_at + interval '1 millisecond') from entry where c.store_id = $1 and c.id = $2
  )
  select customer.bonus_balance as before, entry.balance_after as after from customer left join entry on true`,
);

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
    const [row] = await ctx.session.run<{ before: string; after: string | null }>(
      POST_BONUS,
      posting.customerId,
      uuidv7(),
      posting.delta,
      posting.kind,
      posting.reason ?? null,
      posting.orderId ?? null,
      posting.referredId ?? null,
      posting.rules ? JSON.stringify(posting.rules) : null,
      ctx.now(),
      ctx.actor.name,
    );
    if (!row) throw notFound('Customer', posting.customerId);
    return row;
  }
}
