import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BONUS_DECIMALS, BonusLedger } from './bonus-ledger.service.js';
import { invalidInput } from '../../platform/errors.js';
import { CUSTOMER_ID_FORM, isCustomerId } from './customer-id.js';
import { foldLine } from '../../platform/text/case-folding.js';
import { LINK_REFERRER, TOUCH_CUSTOMER } from './customer.statements.js';

/**
 * A messenger user, as described by the source that vouches for them. An absent name keeps its stored value.
 * A last name or username of null means that the user has none: a value from an earlier contact is removed,
 * but one that the shop set itself (update_customer) stays. Everybody has a first name, so null keeps the
 * stored one.
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

/** Makes shoppers customers on their first contact, whichever way they come. */
@Injectable()
export class FirstContact {
  constructor(private readonly ledger: BonusLedger) {}

  /**
   * Creates the customer, or updates what is known about them, and locks their row.
   * @param referrerId the customer whose link brought them. A newcomer is linked to the referrer once and
   * gets the store's referralJoinBonus. Anything that is not another customer of the store is ignored,
   * because people also type links by hand (docs/behaviour.md §6.4)
   * @throws OperationError invalid_input for an id that no messenger user can have
   */
  async touch(ctx: StoreContext, shopper: Shopper, referrerId?: string): Promise<KnownShopper> {
    const { id, username, firstName, lastName } = shopper;
    if (!isCustomerId(id)) throw invalidInput(`messengerUserId ${CUSTOMER_ID_FORM}`);
    const folded = [firstName, lastName, username].map((name) =>
      name === null || name === undefined ? null : foldLine(name),
    );
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

  /** @returns the newcomer's balance after the join bonus; null if there was none */
  private async link(ctx: StoreContext, customerId: string, referrerId: string): Promise<string | null> {
    const [link] = await ctx.session.run<{ joinBonus: string | null }>(LINK_REFERRER, customerId, referrerId);
    const delta = new Big(link?.joinBonus ?? 0).round(BONUS_DECIMALS, Big.roundDown);
    if (delta.lte(0)) return null;
    const rules = { referrerId, referralJoinBonus: Number(link.joinBonus) };
    return this.ledger.award(ctx, { customerId, delta: delta.toFixed(2), kind: 'referral_join', rules });
  }
}
