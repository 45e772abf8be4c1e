import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { OrderItems } from '../../../groups/orders/changing/order-items.service.js';
import { OrderRecord } from '../../../groups/orders/order/order.record.js';
import { CartItem } from '../../../groups/orders/placing/place-order.dto.js';
import { Identifier } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { orderIdOf } from './records.controller.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

class ChangeItemsInput {
  @Identifier() orderId: string;
  @NestedList(() => CartItem, {
    min: 1,
    max: 200,
    description:
      'All lines of the order after the call. A line that the order already has keeps its price; a new ' +
      'line has the present price of the product.',
  })
  items: CartItem[];
}

/** Changes the lines of an order that has not been shipped. */
@Controller(API_PATH)
export class OrderItemsController {
  constructor(private readonly items: OrderItems) {}

  @Operation({
    door: DASHBOARD,
    method: 'PUT',
    path: 'stores/:storeId/orders/:orderId/items',
    groups: 'orders',
    summary: 'Change the lines of an order that is PENDING or PROCESSING',
    description:
      'The stock changes by the difference, the total is recalculated and order.updated is sent. The ' +
      'answer is the order.',
    input: ChangeItemsInput,
    output: OrderRecord,
    audited: 'order.change_items',
    ifMatch: true,
  })
  async change(ctx: StoreContext, { orderId, items }: ChangeItemsInput) {
    const order = await this.items.change(ctx, orderIdOf(orderId), items);
    return JSON.parse(order.text) as OrderRecord;
  }
}
