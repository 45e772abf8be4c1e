import { BulkResult, ItemResult } from '../../../platform/schema/bulk-result.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Integer, OneOf } from '../../../platform/schema/fields.js';
import { IntegerList, Nested, NestedList } from '../../../platform/schema/list-fields.js';
import { GIVEN_BACK, OrderMovementRecord, TAKEN_BACK } from './order-movement.dto.js';
import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';

@Example({ orderIds: [1042, 1043], status: 'PROCESSING' })
export class SetOrderStatusesInput {
  @IntegerList({
    min: 1,
    max: 100,
    itemMin: 1,
    itemMax: Number.MAX_SAFE_INTEGER,
    description: 'The orders to change, one after another in this order.',
  })
  orderIds: number[];
  @OneOf(ORDER_STATUSES, { description: 'The new status of all orders.' }) status: OrderStatus;
}

@Example({
  orderId: 1042,
  status: 'PROCESSING',
  previousStatus: 'PENDING',
  updatedAt: '2026-05-04T09:30:00.000Z',
})
export class OrderStatusItem extends ItemResult {
  @Integer({ min: 0, description: 'The position of the order in orderIds, starting at 0.' }) index: number;
  @Integer({ above: 0 }) orderId: number;
  @OneOf(ORDER_STATUSES, { optional: true, description: 'The status of the order after the call.' })
  status?: OrderStatus;
  @OneOf(ORDER_STATUSES, {
    optional: true,
    description:
      'The status of the order before the call. If it is the same, nothing was changed and no event was ' +
      'sent.',
  })
  previousStatus?: OrderStatus;
  @DateTime({ optional: true, description: 'The updatedAt of the order after the call.' }) updatedAt?: string;
  @Nested(() => OrderMovementRecord, { optional: true, description: GIVEN_BACK })
  givenBack?: OrderMovementRecord;
  @Nested(() => OrderMovementRecord, { optional: true, description: TAKEN_BACK })
  takenBack?: OrderMovementRecord;
}

export class SetOrderStatusesResult extends BulkResult {
  @NestedList(() => OrderStatusItem, { description: 'One result for each of orderIds, in the same order.' })
  items: OrderStatusItem[];
}
