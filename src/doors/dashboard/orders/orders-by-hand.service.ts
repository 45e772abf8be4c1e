import { Injectable } from '@nestjs/common';
import { FIND_KNOWN } from '../../../groups/customers/customer.statements.js';
import { isCustomerId } from '../../../groups/customers/customer-id.js';
import type { Shopper } from '../../../groups/customers/first-contact.service.js';
import { OrderPlacing } from '../../../groups/orders/placing/order-placing.service.js';
import { InvoiceLinks } from '../../../groups/payments/invoice-links.service.js';
import { NoticeChats } from '../../../notices/chats/notice-chats.service.js';
import { invalidInput } from '../../../platform/errors.js';
import { AfterCommit, type RawJson } from '../../../platform/schema/present.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { quoteOf, type QuoteRecord } from '../../storefront/quote.js';
import { Shop } from '../../storefront/shop/shop.service.js';
import type { NewOrderFormRecord, NewOrderInput } from './new-order.dto.js';

/** Places orders that a member enters, by the rules of those that shoppers place (docs/behaviour.md §10). */
@Injectable()
export class OrdersByHand {
  constructor(
    private readonly shop: Shop,
    private readonly placing: OrderPlacing,
    private readonly invoices: InvoiceLinks,
    private readonly chats: NoticeChats,
  ) {}

  async form(ctx: StoreContext, userId: string): Promise<NewOrderFormRecord> {
    const [shop, chatId] = await Promise.all([this.shop.get(ctx, ''), this.chats.ownChat(ctx, userId)]);
    return { ...shop, canOrderAsMyself: chatId !== null };
  }

  /** @throws OperationError as the placing does */
  async quote(ctx: StoreContext, input: NewOrderInput, userId: string): Promise<QuoteRecord> {
    const shopper = await this.shopperOf(ctx, input, userId);
    return quoteOf(await this.placing.quote(ctx, shopper, input), ctx.currency);
  }

  /** @throws OperationError invalid_input naming what cannot be ordered, or for whom */
  async place(ctx: StoreContext, input: NewOrderInput, userId: string): Promise<AfterCommit<RawJson>> {
    const shopper = await this.shopperOf(ctx, input, userId);
    const { json } = await this.placing.place(ctx, shopper, input, false);
    return new AfterCommit(() => this.invoices.addTo(ctx, json), json);
  }

  private async shopperOf(
    ctx: StoreContext,
    { customerId }: NewOrderInput,
    userId: string,
  ): Promise<Shopper> {
    if (customerId !== undefined) {
      const [known] = isCustomerId(customerId) ? await ctx.session.read(FIND_KNOWN, { id: customerId }) : [];
      if (!known) throw invalidInput('customerId names no customer of this store').about('no_such_customer');
      return { id: customerId };
    }
    const chatId = await this.chats.ownChat(ctx, userId);
    if (chatId === null)
      throw invalidInput("asMyself: link your chat with the store's bot first, on the page of notices").about(
        'chat_not_linked',
      );
    return { id: chatId };
  }
}
