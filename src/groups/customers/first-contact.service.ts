import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BONUS_DECIMALS, BonusLedger } from './bonus-ledger.service.js';
import { invalidInput } from '../../platform/errors.js';
import { CUSTOMER_ID_FORM, isCustomerId } from './customer-id.js';
import { foldLine } from '../../platform/case-folding.js';
import { LINK_REFERRER, TOUCH_CUSTOMER } from './customer.statements.js';

/**
 * A messenger user, as whoever vouches for them describes them. An absent name leaves what is known. A last name or username of null
 * is one the user does not have: what an earlier contact gave is removed, what the shop entered itself (update_customer) stays.
 * Everybody has a first name, so null leaves it.
 */
export interface Shopper {
  id: string;
  firstName?: string | null;
  lastName?: string | null;
  username?: string | null;
}

export interface KnownShopper extends Record<string, unknown> {
  id: string;
  isBanned: boolean;
  bonusBalance: string;
  isNew: boolean;
}

/** Where shoppers become customers: on their first contact, whichever way they come. */
@Injectable()
export class FirstContact {
  constructor(private readonly ledger: BonusLedger) {}

  /**
   * Makes the customer or brings what is known of them up to date; locks their row.
   * @param referrerId whose link brought them: a newcomer is linked to them once and gets the store's referralJoinBonus. Anything
   * that is not another customer of the store is ignored: links are made by hand, too (docs/behaviour.md §6.4)
   * @throws OperationError invalid_input for an id that no messenger user can have
   */
  async touch(ctx: StoreContext, shopper: Shopper, referrerId?: string): Promise<KnownShopper> {
    const { id, username, firstName, lastName } = shopper;
    if (!isCustomerId(id)) throw invalidInput(`messengerUserId ${CUSTOMER_ID_FORM}`);
    const folded = [firstName, lastName, username].map((name) => (name === null || name === undefined ? null : foldLine(name)));
    const names = Object.entries({ lastName, username });
    const removed = names.flatMap(([name, value]) => (value === null ? [name] : []));
    const given = names.flatMap(([name, value]) => (typeof value === 'string' ? [name] : []));
    const [known] = await ctx.session.run<KnownShopper>(
      TOUCH_CUSTOMER,
      id,
      username ?? null,
      firstName ?? null,
      lastName ?? null,
      ctx.now(),
      ...folded,
      removed,
      given,
    );
    if (!known.isNew || referrerId === undefined || !isCustomerId(referrerId)) return known;
    return { ...known, bonusBalance: (await this.link(ctx, id, referrerId)) ?? known.bonusBalance };
  }

  /** @returns the newcomer's balance after the welcome, null when there is none */
  private async link(ctx: StoreContext, customerId: string, referrerId: string): Promise<string | null> {
    const [link] = await ctx.session.run<{ joinBonus: string | null }>(LINK_REFERRER, customerId, referrerId);
    const delta = new Big(link?.joinBonus ?? 0).round(BONUS_DECIMALS, Big.roundDown);
    if (delta.lte(0)) return null;
    const rules = { referrerId, referralJoinBonus: Number(link.joinBonus) };
    return this.ledger.award(ctx, { customerId, delta: delta.toFixed(2), kind: 'referral_join', rules });
  }
}
