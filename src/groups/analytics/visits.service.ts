import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';

/** $2 the shopper, $3 the day. A visit between two that are known (clocks differ around midnight) becomes the later one's predecessor. */
const RECORD_VISIT = statement(
  'record_visit',
  `with recorded as (
     insert into visits (store_id, customer_id, day, previous_day)
     values ($1, $2, $3, (select max(v.day) from visits v where v.store_id = $1 and v.customer_id = $2 and v.day < $3::date))
     on conflict (store_id, customer_id, day) do nothing returning day
   ) update visits v set previous_day = r.day from recorded r
   where v.store_id = $1 and v.customer_id = $2
     and v.day = (select min(later.day) from visits later where later.store_id = $1 and later.customer_id = $2 and later.day > r.day)`,
);

/** Who came to the storefront, by UTC day. */
@Injectable()
export class Visits {
  /** Once a day and shopper, however often it is called. The shopper must be a customer of the store already. */
  async record(ctx: StoreContext, customerId: string): Promise<void> {
    await ctx.session.run(RECORD_VISIT, customerId, ctx.now().toISOString().slice(0, 10));
  }
}
