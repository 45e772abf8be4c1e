import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { SystemDatabase } from '../platform/database/system.js';
import { type StoreContext, StoreDatabase } from '../platform/store/store-context.js';
import { restAfter } from '../platform/timers.js';
import { OrderChanges } from '../groups/orders/changing/order-changes.service.js';
import { LOCK_ORDER_ROW } from '../groups/orders/order.statements.js';
import { PAYING_MS } from '../groups/orders/paying.js';
import { StoreByStore } from './store-by-store.js';
import { auditChange, SYSTEM } from './system-actor.js';
import { END_WAIT, LIST_SETTLED } from './unpaid-orders.statements.js';

const BATCH = 200;
const HOUR_MS = 3_600_000;

/**
 * Cancels orders that wait for their payment in the messenger, and no others, after UNPAID_ORDER_HOURS, so
 * that nobody holds stock, bonus and promocodes for ever without paying (docs/behaviour.md §6.13).
 */
@Injectable()
export class UnpaidOrders {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly system: SystemDatabase,
    private readonly database: StoreDatabase,
    private readonly changes: OrderChanges,
    private readonly clock: Clock,
  ) {}

  /** Each order in a transaction of its own, with a rest after it. */
  async end(stop?: AbortSignal): Promise<void> {
    const stores = new StoreByStore();
    for (let found = BATCH; found === BATCH;) {
      const wanted = { ...this.limits(), leftOut: stores.left, take: BATCH };
      const orders = await this.system.query(LIST_SETTLED, wanted);
      for (const { storeId, orderId, currency } of orders) {
        const began = performance.now();
        if (stop?.aborted) return;
        const principal = { storeId, currency, actor: SYSTEM };
        await stores.work(storeId, () =>
          this.database.inStore(principal, (ctx) => this.endOne(ctx, Number(orderId))),
        );
        await restAfter(began);
      }
      found = orders.length;
    }
    stores.end();
  }

  private async endOne(ctx: StoreContext, orderId: number): Promise<void> {
    ctx.session.enqueue(LOCK_ORDER_ROW, { orderId });
    const [row] = await ctx.session.query(END_WAIT, { ...this.limits(), orderId });
    if (!row?.isUnpaid) return;
    await this.changes.changeStatus(ctx, orderId, 'CANCELLED');
    auditChange(ctx, 'order.expire', { unpaidHours: this.config.unpaidOrderHours });
  }

  private limits(): { placedBefore: Date | null; checkedBefore: Date } {
    const now = this.clock.now().getTime();
    const { unpaidOrderHours: hours } = this.config;
    return {
      placedBefore: hours === 0 ? null : new Date(now - hours * HOUR_MS),
      checkedBefore: new Date(now - PAYING_MS),
    };
  }
}
