import { BulkResult, ItemResult } from '../../../platform/schema/bulk-result.js';
import { AllOf } from '../../../platform/schema/derived-fields.js';
import { Example } from '../../../platform/schema/example.js';
import type { InvalidItem } from '../../../platform/schema/field-spec.js';
import { DateTime, Flag, Integer, OneOf } from '../../../platform/schema/fields.js';
import { IntegerList, NestedList } from '../../../platform/schema/list-fields.js';
import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';
import { NOTIFY_FAILURES, type NotifyFailure, ShipOrderInput } from '../order/orders.dto.js';
import { OrderMovementResult } from '../order/order-movement.dto.js';

@Example({ orderIds: [1042, 1043], status: 'PROCESSING' })
export class SetOrderStatusesInput {
  @IntegerList({
    min: 1,
    max: 200,
    itemMin: 1,
    itemMax: Number.MAX_SAFE_INTEGER,
    separate: true,
    description: 'The orders to change, one after another in this order.',
    hint: '',
  })
  orderIds: (number | InvalidItem)[];
  @OneOf(ORDER_STATUSES, { description: 'The new status of all orders.' }) status: OrderStatus;
}

export class ShipOrdersInput {
  @NestedList(() => ShipOrderInput, { min: 1, max: 100, separate: true })
  items: (ShipOrderInput | InvalidItem)[];
}

@Example({ updated: 1, unchanged: 0, failed: 0 })
class OrdersResult extends BulkResult {
  @Integer({ min: 0, description: 'The number of orders that were as asked already.' }) unchanged: number;
}

@Example({ orderId: 1042, status: 'PROCESSING' })
class OrderItem extends ItemResult {
  @Integer({ above: 0, optional: true }) orderId?: number;
  @OneOf(ORDER_STATUSES, { optional: true, description: 'The status of the order after the call.' })
  status?: OrderStatus;
}

export class OrderStatusItem extends AllOf(OrderItem, OrderMovementResult) {}

export class SetOrderStatusesResult extends OrdersResult {
  @NestedList(() => OrderStatusItem, { description: 'One result for each of orderIds, in the same order.' })
  items: OrderStatusItem[];
}

@Example({ orderId: 1042, previousStatus: 'PENDING', updatedAt: '2026-05-04T09:30:00.000Z' })
export class ChangedOrderItem extends OrderStatusItem {
  @OneOf(ORDER_STATUSES, {
    optional: true,
    description:
      'The status of the order before the call. If it is the same, nothing was changed and no event was ' +
      'sent.',
  })
  previousStatus?: OrderStatus;
  @DateTime({ optional: true, description: 'The updatedAt of the order after the call.' }) updatedAt?: string;
}

/** What the dashboard shows, and what it needs for undoing. */
export class ChangedOrdersResult extends OrdersResult {
  @NestedList(() => ChangedOrderItem, { description: 'One result for each of orderIds, in the same order.' })
  items: ChangedOrderItem[];
}

@Example({ status: 'SHIPPED' })
export class ShippedItem extends OrderItem {
  @Flag({ optional: true, description: 'Whether the message was sent. Absent if notify was not true.' })
  notified?: boolean;
  @OneOf(NOTIFY_FAILURES, { optional: true }) notifyFailureReason?: NotifyFailure;
}

export class ShipOrdersResult extends OrdersResult {
  @NestedList(() => ShippedItem) items: ShippedItem[];
}
