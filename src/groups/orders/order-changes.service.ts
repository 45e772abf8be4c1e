import { Injectable } from '@nestjs/common';
import { changedFields } from '../../platform/store/audit.js';
import { notFound } from '../../platform/errors.js';
import { RawJson } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Doorbell } from '../../webhooks/doorbell/doorbell.js';
import { outboxParameters } from '../../webhooks/events/outbox.js';
import type { OrderStatus } from '../order-status.js';
import { OrderCancelling, type OrderMemory } from './order-cancelling.service.js';
import { OrderRewards, type RewardedOrder } from './order-rewards.service.js';
import { CHANGE_ORDER, LOCK_ORDER_ROW } from './order.statements.js';

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
}

interface ChangeRow extends Record<string, unknown> {
  json: string;
  messenger_user_id: string;
  old_status: OrderStatus;
  old_updated_at: Date;
  /** Every status the order has had. */
  old_entered: OrderStatus[];
  old_tracking: Tracking;
  /** Where the change enters or leaves CANCELLED. */
  memory: OrderMemory | null;
  is_changed: boolean;
  has_delivery: boolean;
}

/**
 * The one place where an order's status changes, whatever caused it: row locked, status written, store rules run, order.updated
 * queued, in the transaction of the call (docs/behaviour.md §6.1).
 */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly cancelling: OrderCancelling,
    private readonly rewards: OrderRewards,
    private readonly doorbell: Doorbell,
  ) {}

  /** An order that has the status already stays as it is and sends nothing. @throws OperationError not_found */
  setStatus(ctx: StoreContext, orderId: number, status: OrderStatus): Promise<ChangedOrder> {
    return this.change(ctx, orderId, status, {}, false);
  }

  /** Always saves and always sends; tracking that is not given keeps its value. @throws OperationError not_found */
  ship(ctx: StoreContext, orderId: number, tracking: Tracking): Promise<ChangedOrder> {
    return this.change(ctx, orderId, 'SHIPPED', tracking, true);
  }

  private async change(
    ctx: StoreContext,
    orderId: number,
    status: OrderStatus,
    tracking: Tracking,
    always: boolean,
  ): Promise<ChangedOrder> {
    const { eventId, createdAt } = outboxParameters(ctx);
    const { trackingUrl = null, carrier = null, trackingNumber = null } = tracking;
    const values = [orderId, status, trackingUrl, carrier, trackingNumber, always, eventId, createdAt];
    ctx.session.send(LOCK_ORDER_ROW, orderId);
    const [[row], rules] = await Promise.all([ctx.session.run<ChangeRow>(CHANGE_ORDER, ...values), this.rewards.rules(ctx)]);
    if (!row) throw notFound('Order', orderId);
    ctx.checkUnchanged(row.old_updated_at);
    ctx.audit.target = `order:${orderId}`;
    if (row.is_changed) {
      ctx.audit.changes = changedFields({ status: row.old_status, ...row.old_tracking }, { status, ...tracking });
    }
    if (row.old_status !== status) {
      const order = { id: orderId, customerId: row.messenger_user_id };
      if (row.memory) await this.settle(ctx, order, status, row.memory, row.old_entered);
      await this.rewards.award(ctx, rules, order, { event: 'status', before: row.old_entered, to: status });
    }
    if (row.has_delivery) ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return { json: new RawJson(row.json), messengerUserId: row.messenger_user_id, previousStatus: row.old_status };
  }

  /** Before the rewards: what the store gives for the new status is no part of what cancelling takes back. */
  private async settle(
    ctx: StoreContext,
    order: RewardedOrder,
    status: OrderStatus,
    memory: OrderMemory,
    entered: OrderStatus[],
  ): Promise<void> {
    const wasShipped = entered.includes('SHIPPED') || entered.includes('DELIVERED');
    const changes =
      status === 'CANCELLED'
        ? await this.cancelling.cancel(ctx, order, memory, wasShipped)
        : await this.cancelling.resume(ctx, order, memory);
    ctx.audit.changes = { ...ctx.audit.changes, ...changes };
  }
}
