import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/operation/store-context.js';

/** A messenger user, as whoever vouches for them describes them. Null and absent leave what is known. */
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

/** The row is locked by the upsert: everything that follows in the transaction sees a settled balance. `xmax = 0` tells an insert from an update. */
const TOUCH_CUSTOMER = statement(
  'touch_customer',
  `insert into customers as c (store_id, id, username, first_name, last_name, created_at, updated_at, last_seen_at)
   values ($1, $2, $3, $4, $5, $6, $6, $6)
   on conflict (store_id, id) do update set username = coalesce($3, c.username), first_name = coalesce($4, c.first_name),
     last_name = coalesce($5, c.last_name), last_seen_at = $6
   returning c.id, c.is_banned as "isBanned", c.bonus_balance as "bonusBalance", c.xmax = 0 as "isNew"`,
);

/** Where shoppers become customers: on their first contact, whichever way they come. */
@Injectable()
export class FirstContact {
  /** Makes the customer or brings what is known of them up to date; locks their row. */
  async touch(ctx: StoreContext, shopper: Shopper): Promise<KnownShopper> {
    const [known] = await ctx.session.run<KnownShopper>(
      TOUCH_CUSTOMER,
      shopper.id,
      shopper.username ?? null,
      shopper.firstName ?? null,
      shopper.lastName ?? null,
      ctx.now(),
    );
    return known;
  }
}
