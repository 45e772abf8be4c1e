import { Injectable } from '@nestjs/common';
import { changedFields } from '../../../platform/store/audit.js';
import { notFound } from '../../../platform/errors.js';
import { isBlank } from '../../../platform/schema/rules.js';
import { RawJson } from '../../../platform/schema/present.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { spendDaily } from '../../../stores/daily-limits.js';
import { trackingChanges } from '../../../search/documents.js';
import { Doorbell } from '../../../webhooks/doorbell/doorbell.js';
import { outboxParameters } from '../../../webhooks/events/outbox.js';
import type { OrderStatus } from '../../order-status.js';
import type { CancellingState } from '../order/stored-pricing.js';
import type { OrderMovementResult } from '../order/order-movement.dto.js';
import { OrderCancelling } from './order-cancelling.service.js';
import { OrderRewards, type RewardedOrder } from '../placing/order-rewards.service.js';
import { messagesOfStatus, queueMessages } from '../messages/shopper-messages.js';
import { CHANGE_ORDER, LOCK_ORDER_ROW } from '../order/order.statements.js';

/** What ship_order and ship_orders are given of an order. */
export interface Shipment extends Tracking {
  /** Whether the shopper is told, which the caller does once it is committed. */
  notify?: boolean;
}

export interface Tracking {
  trackingUrl?: string;
  carrier?: string;
  trackingNumber?: string;
}

export interface ChangedOrder {
  /** The order object after the change. */
  json: RawJson;
  messengerUserId: string;
  previousStatus: OrderStatus;
  /** What cancelling, or leaving CANCELLED, moved. */
  moved: OrderMovementResult;
}

interface Change {
  status: OrderStatus;
  tracking?: Tracking;
  /** Whether to save and to send an event even if the status stays the same. */
  always?: boolean;
}

/** Whether another carrier or number, without a link of its own, took the old link away. */
function isLinkGone(
  old: Record<keyof Tracking, string | null>,
  { trackingUrl, ...given }: Tracking,
): boolean {
  const replaces = (name: keyof typeof given) =>
    given[name] !== undefined && old[name] !== null && given[name] !== old[name];
  return trackingUrl === undefined && (replaces('carrier') || replaces('trackingNumber'));
}

/** Whether the goods of an order that was ever in these statuses have left the shop. */
export const wasShipped = (entered: readonly OrderStatus[]) =>
  entered.includes('SHIPPED') || entered.includes('DELIVERED');

/**
 * The only place that changes an order's status, whatever the cause. It locks the row, writes the status,
 * applies the store's rules and queues order.updated, all in the transaction of the call (docs/behaviour.md
 * §6.1).
 */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly cancelling: OrderCancelling,
    private readonly rewards: OrderRewards,
    private readonly doorbell: Doorbell,
  ) {}

  /**
   * An order that already has the status is not changed, and no event is sent. @throws OperationError
   * not_found
   */
  changeStatus(ctx: StoreContext, orderId: number, status: OrderStatus): Promise<ChangedOrder> {
    return this.change(ctx, orderId, { status });
  }

  /**
   * Always saves and always sends an event. Tracking fields that are not given, or hold blanks alone, keep
   * their value.
   * @throws OperationError not_found; forbidden if the app may send no more messages today
   */
  async recordShipment(
    ctx: StoreContext,
    orderId: number,
    { notify = false, ...given }: Shipment,
  ): Promise<ChangedOrder> {
    const tracking = Object.fromEntries(Object.entries(given).filter(([, text]) => !isBlank(text)));
    const shipped = await this.change(ctx, orderId, { status: 'SHIPPED', tracking, always: true });
    if (notify) await spendDaily(ctx, 'messages', 1);
    return shipped;
  }

  private async change(
    ctx: StoreContext,
    orderId: number,
    { status, tracking = {}, always = false }: Change,
  ): Promise<ChangedOrder> {
    const { trackingUrl = null, carrier = null, trackingNumber = null } = tracking;
    const values = { orderId, status, trackingUrl, carrier, trackingNumber, always };
    ctx.session.enqueue(LOCK_ORDER_ROW, { orderId });
    const [[row], rules] = await Promise.all([
      ctx.session.query(CHANGE_ORDER, { ...values, ...outboxParameters(ctx) }),
      this.rewards.rules(ctx),
    ]);
    if (!row) throw notFound('Order', orderId);
    ctx.checkUnchanged(row.old_updated_at);
    ctx.audit.target = `order:${orderId}`;
    if (trackingNumber !== null && trackingNumber !== row.old_tracking.trackingNumber)
      trackingChanges(ctx, orderId, trackingNumber);
    if (row.is_changed) {
      ctx.audit.changes = changedFields(
        { status: row.old_status, ...row.old_tracking },
        { status, ...(isLinkGone(row.old_tracking, tracking) ? { trackingUrl: null } : {}), ...tracking },
      );
    }
    let moved: OrderMovementResult = {};
    if (row.old_status !== status) {
      const order = { id: orderId, customerId: row.messenger_user_id };
      if (row.cancelling)
        moved = await this.cancelOrResume(ctx, order, status, row.cancelling, row.old_entered);
      await this.rewards.award(ctx, rules, order, { event: 'status', before: row.old_entered, to: status });
      queueMessages(ctx, order, messagesOfStatus(row.old_entered, status));
    }
    if (row.has_delivery) ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return {
      json: new RawJson(row.json),
      messengerUserId: row.messenger_user_id,
      previousStatus: row.old_status,
      moved,
    };
  }

  /**
   * Runs before the rewards, so that cancelling does not take back what the store gives for the new status.
   */
  private async cancelOrResume(
    ctx: StoreContext,
    order: RewardedOrder,
    status: OrderStatus,
    state: CancellingState,
    entered: OrderStatus[],
  ): Promise<OrderMovementResult> {
    const { changes, ...moved } =
      status === 'CANCELLED'
        ? await this.cancelling.cancel(ctx, order, state, wasShipped(entered))
        : await this.cancelling.resume(ctx, order, state);
    ctx.audit.changes = { ...ctx.audit.changes, ...changes };
    return moved;
  }
}
