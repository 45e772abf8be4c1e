import { Injectable } from '@nestjs/common';
import { RawJson } from '../../../platform/schema/present.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { documentsChange } from '../../../search/documents.js';
import { Doorbell } from '../../../webhooks/doorbell/doorbell.js';
import { outboxParameters } from '../../../webhooks/events/outbox.js';
import {
  banned,
  FirstContact,
  type KnownShopper,
  type Shopper,
} from '../../customers/first-contact.service.js';
import { Cart } from './cart.service.js';
import { linesOf, type PricedLine } from '../order/order-lines.js';
import type { OrderStatus } from '../../order-status.js';
import { adjustmentsOf, type StoredPricing } from '../order/stored-pricing.js';
import { type OrderForm, type OrderPrice, OrderPricing, priceSteps } from './order-pricing.service.js';
import { OrderRewards } from './order-rewards.service.js';
import { queueMessages } from '../messages/shopper-messages.js';
import { AWAIT_PAYMENT, INSERT_ORDER } from '../order/order.statements.js';
import type { PlaceOrderInput } from './place-order.dto.js';

export interface PlacedOrder {
  id: string;
  json: RawJson;
}

export interface PreparedOrder {
  form: OrderForm;
  lines: PricedLine[];
  price: OrderPrice;
}

/**
 * The only way to create an order, for the command line, the storefront and the bot. Orders are priced here,
 * in one transaction.
 */
@Injectable()
export class OrderPlacing {
  constructor(
    private readonly cart: Cart,
    private readonly contacts: FirstContact,
    private readonly pricing: OrderPricing,
    private readonly rewards: OrderRewards,
    private readonly doorbell: Doorbell,
  ) {}

  /**
   * Prices the order, takes stock, promocode and bonus, and writes it with its order.created event, all in
   * the transaction of `ctx`.
   * @param paid whether the payment is already received, so that the order starts as PROCESSING
   * @throws OperationError invalid_input naming what cannot be ordered, forbidden for a banned shopper;
   * nothing is changed then
   */
  async place(
    ctx: StoreContext,
    shopper: Shopper,
    input: PlaceOrderInput,
    paid: boolean,
  ): Promise<PlacedOrder> {
    const { form, lines, price } = await this.prepare(ctx, shopper, input, paid);
    const isPaid = paid || (form.isNative && price.total === 0n);
    const placed = await this.write(ctx, shopper.id, input, lines, price, isPaid);
    if (!isPaid && form.awaitsPayment) ctx.session.enqueue(AWAIT_PAYMENT, { orderId: placed.id });
    return placed;
  }

  /**
   * What the order would cost now. It is refused as an order is, and reads what an order locks and takes.
   * @throws OperationError as `place` does
   */
  async quote(ctx: StoreContext, shopper: Shopper, input: PlaceOrderInput): Promise<PreparedOrder> {
    const [form, customer, lines] = await Promise.all([
      this.pricing.form(ctx, input),
      this.contacts.known(ctx, shopper.id),
      this.cart.look(ctx, input.items),
    ]);
    const quoted = await this.priced(ctx, lines, form, input, customer, true);
    // A newcomer who only asks is not a customer yet.
    await ctx.session.rollback();
    return quoted;
  }

  /** Locks and takes what the order needs, and prices it. */
  private async prepare(
    ctx: StoreContext,
    shopper: Shopper,
    input: PlaceOrderInput,
    paid: boolean,
  ): Promise<PreparedOrder> {
    const touched = this.contacts.touch(ctx, shopper);
    const asked = this.pricing.form(ctx, input);
    asked.catch(() => undefined);
    const customer = await touched;
    if (customer.isBanned) throw banned();
    const form = await asked;
    if (paid || form.isNative) this.rewards.lockReferrer(ctx, shopper.id);
    const lines = await this.cart.take(ctx, input.items);
    return this.priced(ctx, lines, form, input, customer, false);
  }

  private async priced(
    ctx: StoreContext,
    lines: PricedLine[],
    form: OrderForm,
    input: PlaceOrderInput,
    customer: KnownShopper,
    isQuote: boolean,
  ): Promise<PreparedOrder> {
    if (customer.isBanned) throw banned();
    const price = await this.pricing.price(ctx, lines, form, input, customer, isQuote);
    return { form, lines, price };
  }

  private async write(
    ctx: StoreContext,
    shopperId: string,
    input: PlaceOrderInput,
    lines: PricedLine[],
    price: OrderPrice,
    paid: boolean,
  ): Promise<PlacedOrder> {
    const status: OrderStatus = paid ? 'PROCESSING' : 'PENDING';
    const inserted = ctx.session.query(INSERT_ORDER, {
      status,
      paymentMethod: input.paymentMethod,
      total: price.total,
      paid: paid ? price.total : 0n,
      tipAmount: input.tipAmount ?? null,
      currency: ctx.currency,
      customerId: shopperId,
      shippingAddress: input.shippingAddress ? JSON.stringify(input.shippingAddress) : null,
      checkoutData: input.checkoutData ? JSON.stringify(input.checkoutData) : null,
      pricing: JSON.stringify(pricingOf(price)),
      lines: linesOf(lines, price.parts.lines),
      ...outboxParameters(ctx),
    });
    const [[row], rules] = await Promise.all([inserted, this.rewards.rules(ctx)]);
    documentsChange(ctx, 'order', [row.id]);
    await this.pricing.spendBonus(ctx, price, row.id, shopperId);
    await this.rewards.award(
      ctx,
      rules,
      { id: row.id, customerId: shopperId },
      { event: 'placed', before: [], to: status },
    );
    queueMessages(ctx, { id: row.id, customerId: shopperId }, paid ? ['placed', 'paid'] : ['placed']);
    ctx.audit.target = `order:${row.id}`;
    const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
    ctx.audit.changes = { pieces: [null, pieces], ...priceSteps(price) };
    if (row.has_delivery) ctx.session.onCommit(() => this.doorbell.ring(ctx.storeId));
    return { id: row.id, json: new RawJson(row.json) };
  }
}

function pricingOf({ parts, promocode, bonus }: OrderPrice): StoredPricing {
  return {
    ...adjustmentsOf(parts),
    promocode: promocode && {
      id: promocode.promocodeId,
      code: promocode.code,
      discountType: promocode.discountType,
      discountValue: promocode.discountValue,
      discount: promocode.discountMinor.toString(),
    },
    bonus: bonus.toString(),
  };
}
