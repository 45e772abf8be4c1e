import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { CustomerReference } from '../../../groups/customers/references/customer-reference.dto.js';
import { CustomerReferences } from '../../../groups/customers/references/customer-references.service.js';
import { OrderReference } from '../../../groups/orders/changing/order-reference.dto.js';
import { OrderReferences } from '../../../groups/orders/changing/order-references.service.js';
import { OrderNotes } from '../../../groups/orders/changing/order-notes.service.js';
import { OrderHistoryRecord } from '../../../groups/orders/reading/order-timeline.dto.js';
import { codesOfOrders, LineCode } from '../../../groups/orders/reading/order-codes.js';
import { OrderTimeline } from '../../../groups/orders/reading/order-timeline.service.js';
import { OrderNoteRecord } from '../../../groups/orders/order/orders.dto.js';
import {
  picturesOfOrders,
  picturesOfProducts,
  ProductPicture,
} from '../../../groups/products/reading/product-pictures.js';
import { notFound } from '../../../platform/errors.js';
import { Example } from '../../../platform/schema/example.js';
import { Identifier } from '../../../platform/schema/fields.js';
import { TextList } from '../../../platform/schema/list-fields.js';
import { Deleted } from '../../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { ActorRecord, AuditRecord, ListAuditInput } from '../../../groups/activity/audit.dto.js';
import { ActivityService } from '../../../groups/activity/activity.service.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';

export class OfOrderInput {
  @Identifier() orderId: string;
}

class OfCustomerInput {
  @Identifier({ description: 'The id of the customer.' }) id: string;
}

class OrderNoteInput extends OfOrderInput {
  @Identifier({ description: 'The id of the note.' }) id: string;
}

@Example({ ids: ['01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30'] })
class PicturesOfProductsInput {
  @TextList({
    min: 1,
    max: 100,
    itemMin: 1,
    itemLimit: 36,
    description: 'Internal ids, separated by commas.',
  })
  ids: string[];
}

@Example({ orderIds: ['1042'] })
class PicturesOfOrdersInput {
  @TextList({ min: 1, max: 50, itemMin: 1, itemLimit: 16, description: 'Separated by commas.' })
  orderIds: string[];
}

/** The order id in a path. @throws OperationError not_found for text that is not an order's id */
export function orderIdOf(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw notFound('Order', text);
  return id;
}

/** Routes that only the dashboard has: notes, histories, references, pictures and the audit log. */
@Controller(API_PATH)
export class RecordsController {
  constructor(
    private readonly orderNotes: OrderNotes,
    private readonly timeline: OrderTimeline,
    private readonly orderReferences: OrderReferences,
    private readonly customerReferences: CustomerReferences,
    private readonly activity: ActivityService,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/:orderId/notes',
    groups: 'orders',
    summary: 'List the internal notes of an order, oldest first',
    input: OfOrderInput,
    output: OrderNoteRecord,
    list: true,
  })
  async notes(ctx: StoreContext, { orderId }: OfOrderInput) {
    return { items: await this.orderNotes.listAll(ctx, orderIdOf(orderId)), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: 'stores/:storeId/orders/:orderId/notes/:id',
    groups: 'orders',
    summary: 'Delete an internal note that you have written in the last 5 minutes',
    description: "Somebody else's note is 403, an older one 400. The audit log keeps the text.",
    input: OrderNoteInput,
    output: Deleted,
    audited: 'order.delete_note',
  })
  deleteNote(ctx: StoreContext, { orderId, id }: OrderNoteInput) {
    return this.orderNotes.delete(ctx, orderIdOf(orderId), id);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/:orderId/timeline',
    groups: 'orders',
    summary: 'Get everything that happened to an order, oldest first',
    description: 'The entries of get_order_timeline, each with the facts that its text speaks of.',
    input: OfOrderInput,
    output: OrderHistoryRecord,
  })
  history(ctx: StoreContext, { orderId }: OfOrderInput) {
    return this.timeline.get(ctx, orderIdOf(orderId));
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/:orderId/reference',
    groups: 'orders',
    summary: 'Get what other systems know an order by',
    input: OfOrderInput,
    output: OrderReference,
  })
  orderReference(ctx: StoreContext, { orderId }: OfOrderInput) {
    return this.orderReferences.get(ctx, orderIdOf(orderId));
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/customers/:id/reference',
    groups: 'customers',
    summary: 'Get what other systems know a customer by',
    input: OfCustomerInput,
    output: CustomerReference,
  })
  customerReference(ctx: StoreContext, { id }: OfCustomerInput) {
    return this.customerReferences.get(ctx, id);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/products/pictures',
    groups: 'products',
    summary: 'Get the first picture of each of these products',
    input: PicturesOfProductsInput,
    output: ProductPicture,
    list: true,
  })
  async productPictures(ctx: StoreContext, { ids }: PicturesOfProductsInput) {
    return { items: await picturesOfProducts(ctx, ids), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/pictures',
    groups: 'orders',
    summary: 'Get the first picture of each product in these orders',
    input: PicturesOfOrdersInput,
    output: ProductPicture,
    list: true,
  })
  async orderPictures(ctx: StoreContext, { orderIds }: PicturesOfOrdersInput) {
    return { items: await picturesOfOrders(ctx, orderIds.map(orderIdOf)), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/orders/codes',
    groups: 'orders',
    summary: 'Get the SKU of each line of these orders that has one',
    input: PicturesOfOrdersInput,
    output: LineCode,
    list: true,
  })
  async orderCodes(ctx: StoreContext, { orderIds }: PicturesOfOrdersInput) {
    return { items: await codesOfOrders(ctx, orderIds.map(orderIdOf)), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/audit',
    groups: 'every',
    summary: 'List the audit log, newest first',
    description: 'Staff see what list_activity shows them: what they did themselves.',
    input: ListAuditInput,
    output: AuditRecord,
    list: true,
  })
  audit(ctx: StoreContext, input: ListAuditInput) {
    return this.activity.page(ctx, input);
  }

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/audit/actors',
    groups: 'every',
    summary: 'List who may have done something: the people of the audit log, connected apps and API tokens',
    description:
      'Their ids are what the audit log is filtered by. Shoppers and the service itself are not among ' +
      'them. The list ends after 1,000.',
    output: ActorRecord,
    list: true,
  })
  async actors(ctx: StoreContext) {
    return { items: await this.activity.actors(ctx), nextCursor: null };
  }
}
