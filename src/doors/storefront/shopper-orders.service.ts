import { Injectable } from '@nestjs/common';
import { OrderPlacing } from '../../groups/orders/placing/order-placing.service.js';
import type { OrderRecord } from '../../groups/orders/order/order.record.js';
import { OrderSales } from '../../groups/orders/reading/order-sales.service.js';
import { OrdersService } from '../../groups/orders/orders.service.js';
import { InvoiceLinks } from '../../groups/payments/invoice-links.service.js';
import { PlaceOrderInput } from '../../groups/orders/placing/place-order.dto.js';
import { writeAudit } from '../../platform/store/audit.js';
import { firstUse, type KeyTable, replayed, usedKey } from '../../platform/call/idempotency.js';
import { IDEMPOTENCY_KEPT_MS } from '../../platform/database/retention.service.js';
import { invalidInput, notFound } from '../../platform/errors.js';
import { AfterCommit, type RawJson } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { Visitor } from './shopper/shopper.guard.js';
import { quoteOf, type QuoteRecord } from './quote.js';
import type { ShopOrder } from './shop/shop.dto.js';
import { AWAITS_PAYMENT } from './shop/shop.statements.js';
import type { OrderInvoiceRecord } from './storefront.dto.js';
import { CLAIM_KEY, FIND_KEY, PURGE_KEYS, SETTLE_KEY } from './storefront.statements.js';

const OPERATION = 'order.place';

/**
 * The keys of a shopper, each with the id of the order that was placed, or null after it was deleted. Only
 * the id is kept, so that no copy of the shopper's data outlives the order.
 */
const ORDER_KEYS: KeyTable<string> = {
  claim: ({ session, actor }, { key, inputHash }, now, oldest) =>
    session.query(CLAIM_KEY, { customerId: actor.id!, key, inputHash, now, oldest }),
  find: ({ session, actor }, { key }) => session.query(FIND_KEY, { customerId: actor.id!, key }),
  misused: 'Idempotency-Key was used for another order; an order of its own needs its own key',
};

/** Places a shopper's order, once for each Idempotency-Key (docs/behaviour.md §11). */
@Injectable()
export class ShopperOrders {
  constructor(
    private readonly placing: OrderPlacing,
    private readonly orders: OrdersService,
    private readonly invoices: InvoiceLinks,
    private readonly sales: OrderSales,
  ) {}

  /**
   * Claims the key first, in the transaction of the order, so that a second request with the key waits for
   * the order and then finds it.
   * @returns the order object; for a retry, the present state of the order that was placed before
   * @throws OperationError as OrderPlacing does; invalid_input for a key that was used with another input
   */
  async place(ctx: StoreContext, input: PlaceOrderInput, visitor: Visitor): Promise<AfterCommit<RawJson>> {
    const order = await this.placeOnce(ctx, input, visitor);
    return new AfterCommit(() => this.invoices.addTo(ctx, order));
  }

  /** What an order would cost, in the shape of get_order_pricing. Nothing is changed. */
  async quote(ctx: StoreContext, input: PlaceOrderInput, { shopper }: Visitor): Promise<QuoteRecord> {
    return quoteOf(await this.placing.quote(ctx, shopper, input), ctx.currency);
  }

  /**
   * The order as its shopper may see it, with what its total is made of.
   * @throws OperationError not_found for an order that is not the shopper's
   */
  async get(ctx: StoreContext, orderId: string, { shopper }: Visitor): Promise<ShopOrder> {
    const order = await this.ownOrder(ctx, orderId, shopper.id);
    const [pricing, awaited] = await Promise.all([
      this.sales.get(ctx, order.id),
      ctx.session.read(AWAITS_PAYMENT, { orderId: order.id }),
    ]);
    return { ...order, awaitsPayment: order.status === 'PENDING' && awaited.length > 0, pricing };
  }

  /**
   * Creates another invoice for an order that has not been paid.
   * @throws OperationError not_found for an order that is not the shopper's, invalid_input if the order is
   * not paid in the messenger or the messenger does not create the invoice
   */
  async invoice(ctx: StoreContext, orderId: string, { shopper }: Visitor): Promise<OrderInvoiceRecord> {
    const order = await this.ownOrder(ctx, orderId, shopper.id);
    if (order.status !== 'PENDING')
      throw invalidInput(`orderId names an order that is ${order.status}: only a PENDING one is paid`);
    const link = await this.invoices.create(ctx, order);
    if (link.url !== null) return { orderId: order.id, invoiceUrl: link.url };
    if (link.reason === 'not_native')
      throw invalidInput('orderId names an order that is not paid in the messenger');
    throw invalidInput(`The invoice could not be made, please try again: ${link.detail}`);
  }

  private async ownOrder(ctx: StoreContext, orderId: string, shopperId: string): Promise<OrderRecord> {
    const missing = notFound('Order', orderId);
    if (!/^[1-9]\d{0,15}$/.test(orderId)) throw missing;
    const order = JSON.parse((await this.orders.get(ctx, Number(orderId))).text) as OrderRecord;
    if (order.messengerUserId !== shopperId) throw missing;
    return order;
  }

  private async placeOnce(ctx: StoreContext, input: PlaceOrderInput, { shopper }: Visitor): Promise<RawJson> {
    const key = usedKey(ctx, OPERATION, PlaceOrderInput, input);
    const before = key && (await firstUse(ctx, key, ORDER_KEYS));
    if (before) {
      replayed(ctx);
      return this.placedBefore(ctx, before.kept);
    }
    const { id, json } = await this.placeNew(ctx, input, shopper);
    if (key) {
      ctx.session.enqueue(SETTLE_KEY, { customerId: shopper.id, key: key.key, orderId: id });
      ctx.session.enqueue(PURGE_KEYS, { oldest: new Date(ctx.now().getTime() - IDEMPOTENCY_KEPT_MS) });
    }
    return json;
  }

  private async placeNew(ctx: StoreContext, input: PlaceOrderInput, shopper: Visitor['shopper']) {
    const placed = await this.placing.place(ctx, shopper, input, false);
    // The order has the input, and its address should not be stored a second time.
    writeAudit(ctx, { ...ctx.audit, operation: OPERATION, transport: 'http', input: {}, outcome: 'ok' });
    return placed;
  }

  private async placedBefore(ctx: StoreContext, orderId: string | null): Promise<RawJson> {
    if (orderId === null) throw notFound('The order that was placed with this Idempotency-Key');
    return this.orders.get(ctx, Number(orderId));
  }
}
