import { Controller } from '@nestjs/common';
import { Operation } from '../../platform/call/endpoint.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { OrderIdInput, OrderRecord } from './order/order.record.js';
import {
  AddOrderNoteInput,
  AddOrderNoteResult,
  DeleteOrderInput,
  DeleteOrderResult,
  ListOrderNotesInput,
  ListOrdersInput,
  OrderNoteRecord,
  RefundOrderInput,
  RefundOrderResult,
  SetOrderStatusInput,
  SetOrderStatusResult,
  ShipOrderInput,
  ShipOrderResult,
} from './order/orders.dto.js';
import {
  SetOrderStatusesInput,
  SetOrderStatusesResult,
  ShipOrdersInput,
  ShipOrdersResult,
} from './changing/many-orders.dto.js';
import { ManyOrders } from './changing/many-orders.service.js';
import { OrderNotes } from './changing/order-notes.service.js';
import { OrderReference, SetOrderReferenceInput } from './changing/order-reference.dto.js';
import { OrderReferences } from './changing/order-references.service.js';
import { FindOrdersInput, FoundOrder } from './reading/order-search.dto.js';
import { OrderSearch } from './reading/order-search.service.js';
import { ListSalesInput, OrderPricingRecord, SaleRecord } from './reading/order-sales.dto.js';
import { OrderSales } from './reading/order-sales.service.js';
import { OrderTimelineRecord } from './reading/order-timeline.dto.js';
import { OrderTimeline } from './reading/order-timeline.service.js';
import { asksToDelete, asksToRefund } from './order-question.js';
import { OrdersService } from './orders.service.js';

@Controller('v1')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly many: ManyOrders,
    private readonly notes: OrderNotes,
    private readonly references: OrderReferences,
    private readonly search: OrderSearch,
    private readonly timeline: OrderTimeline,
    private readonly sales: OrderSales,
  ) {}

  @Operation({
    name: 'list_orders',
    scope: 'read',
    summary: 'List orders',
    description: 'List whole order objects, newest first. To search or to save tokens use find_orders.',
    input: ListOrdersInput,
    output: OrderRecord,
    list: true,
  })
  list(ctx: StoreContext, input: ListOrdersInput) {
    return this.orders.list(ctx, input);
  }

  @Operation({
    name: 'get_order',
    scope: 'read',
    summary: 'Get an order',
    description: 'Get an order: status, items, shopper, tracking, money (minor units).',
    input: OrderIdInput,
    output: OrderRecord,
  })
  get(ctx: StoreContext, input: OrderIdInput) {
    return this.orders.get(ctx, input.orderId);
  }

  @Operation({
    name: 'set_order_status',
    scope: 'write',
    summary: 'Set the status of an order',
    description:
      'Set an order to any status, for example PROCESSING once it is paid. The same status again changes ' +
      'nothing.',
    input: SetOrderStatusInput,
    output: SetOrderStatusResult,
    idempotent: true,
    ifMatch: true,
  })
  setStatus(ctx: StoreContext, input: SetOrderStatusInput) {
    return this.orders.setStatus(ctx, input);
  }

  @Operation({
    name: 'ship_order',
    scope: 'write',
    summary: 'Ship an order',
    description:
      'Mark an order SHIPPED and save its tracking. Every call with notify: true sends the shopper a ' +
      'message.',
    input: ShipOrderInput,
    output: ShipOrderResult,
    openWorld: true,
    ifMatch: true,
  })
  ship(ctx: StoreContext, input: ShipOrderInput) {
    return this.orders.ship(ctx, input);
  }

  @Operation({
    name: 'set_order_statuses',
    scope: 'write',
    summary: 'Set the status of many orders',
    description: 'Set up to 200 orders to one status, each for itself, as set_order_status does.',
    input: SetOrderStatusesInput,
    output: SetOrderStatusesResult,
    idempotent: true,
    idempotencyKey: 'stepwise',
    beyond: true,
  })
  setStatuses(ctx: StoreContext, input: SetOrderStatusesInput) {
    return this.many.setStatuses(ctx, input);
  }

  @Operation({
    name: 'ship_orders',
    scope: 'write',
    summary: 'Ship many orders',
    description: 'Mark up to 100 orders SHIPPED with their tracking, each for itself, as ship_order does.',
    input: ShipOrdersInput,
    output: ShipOrdersResult,
    openWorld: true,
    idempotencyKey: 'stepwise',
    beyond: true,
  })
  shipMany(ctx: StoreContext, input: ShipOrdersInput) {
    return this.many.ship(ctx, input);
  }

  @Operation({
    name: 'add_order_note',
    scope: 'write',
    summary: 'Add an internal note to an order',
    description: 'Add an internal note to an order. Shoppers never see it.',
    input: AddOrderNoteInput,
    output: AddOrderNoteResult,
    additive: true,
    ifMatch: true,
  })
  addNote(ctx: StoreContext, input: AddOrderNoteInput) {
    return this.notes.add(ctx, input);
  }

  @Operation({
    name: 'set_order_reference',
    scope: 'write',
    summary: "Set another system's id of an order",
    description:
      "Set another system's id of an order and its metadata; null clears. find_orders finds the id.",
    input: SetOrderReferenceInput,
    output: OrderReference,
    idempotent: true,
    beyond: true,
  })
  setReference(ctx: StoreContext, input: SetOrderReferenceInput) {
    return this.references.set(ctx, input);
  }

  @Operation({
    name: 'find_orders',
    scope: 'read',
    summary: 'Find orders',
    description:
      'Find orders by text, customer, product, statuses or times, newest first, with a total. Money in ' +
      'minor units.',
    input: FindOrdersInput,
    output: FoundOrder,
    list: 'counted',
    beyond: true,
  })
  find(ctx: StoreContext, input: FindOrdersInput) {
    return this.search.find(ctx, input);
  }

  @Operation({
    name: 'get_order_timeline',
    scope: 'read',
    summary: "Get an order's timeline",
    description:
      'Get everything that happened to an order and by whom: placed, paid, changes, notes, messages to the ' +
      'shopper, deliveries.',
    input: OrderIdInput,
    output: OrderTimelineRecord,
    beyond: true,
  })
  getTimeline(ctx: StoreContext, input: OrderIdInput) {
    return this.timeline.get(ctx, input.orderId);
  }

  @Operation({
    name: 'get_order_pricing',
    scope: 'read',
    summary: "Get what an order's total is made of",
    description:
      "Get what an order's total is made of (minor units): lines with their shares of discounts and bonus, " +
      "the form's adjustments, promocode, bonus, tip, refunds, cashback.",
    input: OrderIdInput,
    output: OrderPricingRecord,
    beyond: true,
  })
  getPricing(ctx: StoreContext, input: OrderIdInput) {
    return this.sales.get(ctx, input.orderId);
  }

  @Operation({
    name: 'list_sales',
    scope: 'read',
    summary: 'List sales',
    description:
      "List orders by their creation, oldest first, each with what its total is made of: an accountant's " +
      'journal. Money in minor units.',
    input: ListSalesInput,
    output: SaleRecord,
    list: true,
    beyond: true,
  })
  listSales(ctx: StoreContext, input: ListSalesInput) {
    return this.sales.list(ctx, input);
  }

  @Operation({
    name: 'list_order_notes',
    scope: 'read',
    summary: 'List the notes of an order',
    description: 'List the internal notes of an order, newest first.',
    input: ListOrderNotesInput,
    output: OrderNoteRecord,
    list: true,
    beyond: true,
  })
  listNotes(ctx: StoreContext, input: ListOrderNotesInput) {
    return this.notes.list(ctx, input);
  }

  @Operation({
    name: 'refund_order',
    scope: 'write',
    summary: 'Record a refund',
    description:
      'Record a refund and set the whole order to CANCELLED, also for a part. No money moves: refund at ' +
      'the payment provider yourself.',
    input: RefundOrderInput,
    output: RefundOrderResult,
    destructive: true,
    confirm: false,
    ifMatch: true,
    asks: asksToRefund,
  })
  refund(ctx: StoreContext, input: RefundOrderInput) {
    return this.orders.refund(ctx, input);
  }

  @Operation({
    name: 'delete_order',
    scope: 'admin',
    summary: 'Delete an order for good',
    description:
      'Permanently delete an order with its items and notes. One never SHIPPED or DELIVERED first gives ' +
      'back stock, bonus and promocode use, like CANCELLED.',
    input: DeleteOrderInput,
    output: DeleteOrderResult,
    destructive: true,
    ifMatch: true,
    asks: asksToDelete,
  })
  delete(ctx: StoreContext, input: DeleteOrderInput) {
    return this.orders.delete(ctx, input.orderId);
  }
}
