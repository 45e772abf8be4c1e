import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import type { RowOf } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { BonusLedger } from './bonus-ledger.service.js';
import { forbidden, invalidInput } from '../../platform/errors.js';
import { bonusDecimals } from '../../platform/money.js';
import { CUSTOMER_ID_FORM, isCustomerId } from './customer-id.js';
import { documentsChange, namesChange } from '../../search/documents.js';
import { FIND_KNOWN, LINK_REFERRER, TOUCH_CUSTOMER } from './customer.statements.js';

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

export type KnownShopper = Pick<RowOf<typeof TOUCH_CUSTOMER>, 'id' | 'isBanned' | 'bonusBalance'>;

export const banned = () => forbidden('This shopper is banned from the store').about('banned');

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
    const { id, username = null, firstName = null, lastName = null } = shopper;
    if (!isCustomerId(id)) throw invalidInput(`messengerUserId ${CUSTOMER_ID_FORM}`);
    const names = ['lastName', 'username'] as const;
    const [known] = await ctx.session.query(TOUCH_CUSTOMER, {
      ...{ id, username, firstName, lastName },
      removed: names.filter((name) => shopper[name] === null),
      given: names.filter((name) => typeof shopper[name] === 'string'),
      now: ctx.now(),
    });
    if (known.isNew) documentsChange(ctx, 'customer', [id]);
    else if (known.isRenamed) await namesChange(ctx, id);
    if (!known.isNew || referrerId === undefined || !isCustomerId(referrerId)) return known;
    return { ...known, bonusBalance: (await this.link(ctx, id, referrerId)) ?? known.bonusBalance };
  }

  /** What is known about a shopper, without a lock; a newcomer has no bonus. */
  async known(ctx: StoreContext, id: string): Promise<KnownShopper> {
    const [known] = await ctx.session.read(FIND_KNOWN, { id });
    return known ?? { id, isBanned: false, bonusBalance: '0' };
  }

  /** @returns the newcomer's balance after the join bonus; null if there was none */
  private async link(ctx: StoreContext, customerId: string, referrerId: string): Promise<string | null> {
    const [link] = await ctx.session.query(LINK_REFERRER, { customerId, referrerId, now: ctx.now() });
    const delta = new Big(link?.joinBonus ?? 0).round(bonusDecimals(ctx.currency), Big.roundDown);
    if (delta.lte(0)) return null;
    const rules = { referrerId, referralJoinBonus: Number(link.joinBonus) };
    const posting = { customerId, delta: delta.toFixed(2), kind: 'referral_join', rules } as const;
    return (await this.ledger.move(ctx, posting)).balance;
  }
}
