import { Injectable } from '@nestjs/common';
import { BotCredentials } from '../bot/bot-credentials.service.js';
import { BotService } from '../bot/bot.service.js';
import { CheckoutConfiguration } from '../checkout/checkout-configuration.service.js';
import { InvoiceFields } from '../invoice-fields/invoice-fields.service.js';
import type { OrderRecord } from '../orders/order/order.record.js';
import { OrderSales } from '../orders/reading/order-sales.service.js';
import { PaymentProviders } from '../payment-providers/payment-providers.service.js';
import { Messenger, MessengerUnavailable, TokenRefused } from '../../messenger/messenger.js';
import type { RawJson } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { wordsOf } from '../../stores/store-profile.js';
import { paymentRequest } from './invoice-request.js';

/** The result of requesting an invoice. */
type InvoiceLink =
  | { url: string }
  /**
   * The order is not paid in the messenger, because of the mode, the provider, the total or a missing bot.
   */
  | { url: null; reason: 'not_native' }
  /** The messenger did not create it. */
  | { url: null; reason: 'messenger'; detail: string };

/** Creates invoices that shoppers pay in the messenger (docs/behaviour.md §6.13). */
@Injectable()
export class InvoiceLinks {
  constructor(
    private readonly checkout: CheckoutConfiguration,
    private readonly providers: PaymentProviders,
    private readonly fields: InvoiceFields,
    private readonly credentials: BotCredentials,
    private readonly bots: BotService,
    private readonly sales: OrderSales,
    private readonly messenger: Messenger,
  ) {}

  /**
   * Adds the address of its invoice to an order that was placed. If the invoice cannot be made, the order is
   * placed nevertheless, because the shopper can request another one.
   */
  async addTo(ctx: StoreContext, json: RawJson): Promise<RawJson> {
    const order = JSON.parse(json.text) as OrderRecord;
    if (order.status !== 'PENDING') return json;
    const link = await this.create(ctx, order).catch((error: unknown) => {
      ctx.log.error({ err: error, orderId: order.id }, 'an invoice could not be made');
      return { url: null, reason: 'failed' } as const;
    });
    if (link.url === null && link.reason === 'not_native') return json;
    return json.with({ invoiceUrl: link.url });
  }

  /** Calls the messenger outside any transaction: an open transaction of the session is committed first. */
  async create(ctx: StoreContext, order: OrderRecord): Promise<InvoiceLink> {
    const providerToken = await this.nativeToken(ctx, order);
    const [fields, bot, pricing, words] = await Promise.all([
      this.fields.get(ctx),
      this.credentials.find(ctx),
      this.sales.get(ctx, order.id),
      wordsOf(ctx),
    ]);
    await ctx.session.commit();
    if (providerToken === null || !bot) return { url: null, reason: 'not_native' };
    const request = paymentRequest({ order, pricing, fields, providerToken, words });
    try {
      if (request.isFlexible) await this.bots.takeShippingQueries(ctx, bot);
      return { url: await this.messenger.createInvoiceLink(bot.token, request) };
    } catch (error) {
      if (!(error instanceof MessengerUnavailable || error instanceof TokenRefused)) throw error;
      ctx.log.warn({ err: error, orderId: order.id }, 'an invoice could not be made');
      return { url: null, reason: 'messenger', detail: error.message };
    }
  }

  /** The token of the provider through which the order is paid; null if it is not paid in the messenger. */
  private async nativeToken(
    ctx: StoreContext,
    { paymentMethod, totalPrice }: OrderRecord,
  ): Promise<string | null> {
    if (totalPrice === 0) return null;
    const { mode } = await this.checkout.current(ctx);
    return mode === 'native_payments' ? this.providers.nativeToken(ctx, paymentMethod) : null;
  }
}
