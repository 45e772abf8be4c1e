import { Injectable } from '@nestjs/common';
import type { StoreContext } from '../../platform/store/store-context.js';
import { RECORD_VISIT } from './analytics.statements.js';

/** Records which shoppers visited the storefront, by UTC day and by the day of the store. */
@Injectable()
export class Visits {
  /**
   * Records one visit per shopper and day, however often it is called. The shopper must already be a customer
   * of the store.
   */
  async record(ctx: StoreContext, customerId: string): Promise<void> {
    await ctx.session.query(RECORD_VISIT, { customerId, now: ctx.now() });
  }
}
