import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { SystemDatabase } from '../platform/database/system.js';
import { type StoreContext, StoreDatabase } from '../platform/store/store-context.js';
import { restAfter } from '../platform/timers.js';
import { OrderChanges } from '../groups/orders/changing/order-changes.service.js';
import { LOCK_ORDER_ROW } from '../groups/orders/order/order.statements.js';
import { PAYING_MS } from '../groups/orders/changing/order-items.service.js';
import { StoreByStore } from './store-by-store.js';
import { auditChange, SYSTEM } from './system-actor.js';
import { statement, systemStatement } from '../platform/database/statement.js';

/**
 * An order `o` that has been nothing but PENDING, and has waited for its payment for too long. Whoever has
 * money of the shopper, even a payment that did not fit, decides by hand.
 */
const IS_OVERDUE = `o.created_at <= $placedBefore?::timestamptz
    and coalesce(o.pre_checkout_at, '-infinity') <= $checkedBefore::timestamptz
    and not exists (select from payments p where p.store_id = o.store_id and p.order_id = o.id)`;
const HAS_MOVED_ON = `(o.status <> 'PENDING' or cardinality(o.entered) > 1)`;

/**
 * The orders whose wait is over: they were paid, cancelled or taken up by the shop, or are overdue.
 * `$leftOut` are stores whose orders are left to the next run.
 */
const LIST_SETTLED = systemStatement(
  'list_settled_payments',
  `select s.id as "storeId", a.order_id as "orderId", s.currency
   from awaited_payments a join orders o on o.store_id = a.store_id and o.id = a.order_id
   join stores s on s.id = a.store_id and s.read_only_since is null
   where a.store_id <> all ($leftOut::uuid[]) and (${HAS_MOVED_ON} or ${IS_OVERDUE}) limit $take`,
);

/**
 * Ends the wait for a payment, once. Sent after LOCK_ORDER_ROW. Returns no row if another process was faster,
 * or if the shopper is paying now.
 */
const END_WAIT = statement(
  'end_wait_for_payment',
  `delete from awaited_payments a using orders o
   where a.store_id = $store and a.order_id = $orderId and o.store_id = $store and o.id = $orderId
     and (${HAS_MOVED_ON} or ${IS_OVERDUE})
   returning not ${HAS_MOVED_ON} as "isUnpaid!"`,
);

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
