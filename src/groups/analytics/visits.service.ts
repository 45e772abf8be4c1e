import { Injectable } from '@nestjs/common';
import type { StoreContext } from '../../platform/store/store-context.js';
import { RECORD_VISIT } from './analytics.statements.js';

/** Who came to the storefront, by UTC day. */
@Injectable()
export class Visits {
  /** Once a day and shopper, however often it is called. The shopper must be a customer of the store already. */
  async record(ctx: StoreContext, customerId: string): Promise<void> {
    await ctx.session.run(RECORD_VISIT, customerId, ctx.now().toISOString().slice(0, 10));
  }
}
