import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { ReorderCategoriesInput, ReorderedCategories } from '../../../groups/categories/categories.dto.js';
import { CategoryOrder } from '../../../groups/categories/category-order.service.js';
import {
  ChangedOrdersResult,
  SetOrderStatusesInput,
} from '../../../groups/orders/changing/many-orders.dto.js';
import { ManyOrders } from '../../../groups/orders/changing/many-orders.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

/** Changes many records with one call, which counts as one write of the budget. */
@Controller(API_PATH)
export class BulkChangesController {
  constructor(
    private readonly orders: ManyOrders,
    private readonly categories: CategoryOrder,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'stores/:storeId/orders/bulk-status',
    groups: 'orders',
    summary: 'Set up to 200 orders to one status',
    description:
      'Each order is changed for itself, as set_order_status changes it, with its own audit row and ' +
      'order.updated event: one that is refused has error, and leaves the others.',
    input: SetOrderStatusesInput,
    output: ChangedOrdersResult,
    audited: 'order.bulk_status',
    idempotencyKey: 'stepwise',
  })
  setStatuses(ctx: StoreContext, input: SetOrderStatusesInput) {
    return this.orders.setStatuses(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: 'stores/:storeId/categories/reorder',
    groups: 'categories',
    summary: 'Put the categories under one parent in a new order',
    description:
      'The categories get the sortOrder 10, 20, 30 and so on, in the order of ids. Categories that have it ' +
      'already are not changed.',
    input: ReorderCategoriesInput,
    output: ReorderedCategories,
    audited: 'category.reorder',
  })
  reorder(ctx: StoreContext, input: ReorderCategoriesInput) {
    return this.categories.reorder(ctx, input);
  }
}
