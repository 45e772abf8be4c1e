import { Operation } from '../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { Visits } from '../../groups/analytics/visits.service.js';
import { startLink } from '../../groups/bot/shop-links.js';
import { BonusHistory } from '../../groups/customers/bonus-history.service.js';
import { BonusEntryRecord } from '../../groups/customers/customers.dto.js';
import { FirstContact } from '../../groups/customers/first-contact.service.js';
import { OrderRecord } from '../../groups/orders/order/order.record.js';
import { OrdersService } from '../../groups/orders/orders.service.js';
import { PlaceOrderInput } from '../../groups/orders/placing/place-order.dto.js';
import { NoInput, PageInput } from '../../platform/schema/pages/page.dto.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { Catalog } from './catalog.service.js';
import {
  ListedProduct,
  ListedProductsInput,
  ShopOrder,
  ShopProductInput,
  ShopRecord,
} from './shop/shop.dto.js';
import { Shop } from './shop/shop.service.js';
import { QuoteRecord } from './quote.js';
import { ShopperOrders } from './shopper-orders.service.js';
import { STOREFRONT, STOREFRONT_PATH } from './shopper/storefront.door.js';
import type { Visitor } from './shopper/shopper.guard.js';
import {
  CatalogProduct,
  CatalogRecord,
  OrderInvoiceRecord,
  MeRecord,
  OrderInvoiceInput,
  PlacedOrderRecord,
  VisitRecord,
} from './storefront.dto.js';
import { FIND_SHOPPER } from './storefront.statements.js';

/** The routes that the Mini App calls for shoppers (docs/behaviour.md §11). */
@Controller(STOREFRONT_PATH)
export class StorefrontController {
  constructor(
    private readonly catalogs: Catalog,
    private readonly shopperOrders: ShopperOrders,
    private readonly orders: OrdersService,
    private readonly contacts: FirstContact,
    private readonly visits: Visits,
    private readonly shop: Shop,
    private readonly bonus: BonusHistory,
  ) {}

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'catalog',
    budget: 'read',
    summary: 'Get a page of the products on sale, with brands, categories and the checkout form',
    input: PageInput,
    output: CatalogRecord,
  })
  catalog(ctx: StoreContext, input: PageInput) {
    return this.catalogs.page(ctx, input);
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'shop',
    budget: 'read',
    summary: 'Get what the pages of the shop need besides products',
    output: ShopRecord,
  })
  shopOf(ctx: StoreContext, _input: NoInput, { bot }: Visitor) {
    return this.shop.get(ctx, bot.username);
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'products',
    budget: 'read',
    summary: 'List or find products on sale, newest first',
    input: ListedProductsInput,
    output: ListedProduct,
    list: true,
  })
  products(ctx: StoreContext, input: ListedProductsInput) {
    return this.shop.products(ctx, input);
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'products/:id',
    budget: 'read',
    summary: 'Get a product on sale by its internal id',
    input: ShopProductInput,
    output: CatalogProduct,
  })
  product(ctx: StoreContext, { id }: ShopProductInput) {
    return this.shop.product(ctx, id);
  }

  @Operation({
    door: STOREFRONT,
    method: 'POST',
    path: 'visits',
    budget: 'write',
    summary: 'Record that the shopper has opened the shop',
    description: 'A shopper is counted once per UTC day, however often the call is made.',
    output: VisitRecord,
  })
  async visit(ctx: StoreContext, _input: NoInput, { shopper }: Visitor): Promise<VisitRecord> {
    await this.contacts.touch(ctx, shopper);
    await this.visits.record(ctx, shopper.id);
    return { visitedAt: ctx.now() };
  }

  @Operation({
    door: STOREFRONT,
    method: 'POST',
    path: 'orders',
    budget: 'write',
    summary: 'Place an order',
    description:
      'The server computes all prices. A repeat with the same Idempotency-Key within 24 hours returns the ' +
      'same order.',
    input: PlaceOrderInput,
    output: PlacedOrderRecord,
    idempotencyKey: 'own',
  })
  placeOrder(ctx: StoreContext, input: PlaceOrderInput, visitor: Visitor) {
    return this.shopperOrders.place(ctx, input, visitor);
  }

  @Operation({
    door: STOREFRONT,
    method: 'POST',
    path: 'orders/quote',
    budget: 'read',
    summary: 'Ask what an order would cost',
    description:
      'Takes what the placing of an order takes, and refuses what it would refuse, except that required ' +
      'answers of the form may still be missing. Nothing is changed.',
    input: PlaceOrderInput,
    output: QuoteRecord,
  })
  quote(ctx: StoreContext, input: PlaceOrderInput, visitor: Visitor) {
    return this.shopperOrders.quote(ctx, input, visitor);
  }

  @Operation({
    door: STOREFRONT,
    method: 'POST',
    path: 'orders/:orderId/invoice',
    budget: 'write',
    summary: 'Create another invoice for an unpaid order of the shopper',
    description:
      'The order must be one that is paid in the messenger. Every invoice is for the total of the order, ' +
      'which is paid only once.',
    input: OrderInvoiceInput,
    output: OrderInvoiceRecord,
  })
  invoice(ctx: StoreContext, { orderId }: OrderInvoiceInput, visitor: Visitor) {
    return this.shopperOrders.invoice(ctx, orderId, visitor);
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'orders',
    budget: 'read',
    summary: 'List the orders of the shopper, newest first',
    input: PageInput,
    output: OrderRecord,
    list: true,
  })
  listOrders(ctx: StoreContext, input: PageInput, { shopper }: Visitor) {
    return this.orders.listOf(ctx, shopper.id, input);
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'orders/:orderId',
    budget: 'read',
    summary: 'Get an order of the shopper, with what its total is made of',
    input: OrderInvoiceInput,
    output: ShopOrder,
  })
  order(ctx: StoreContext, { orderId }: OrderInvoiceInput, visitor: Visitor) {
    return this.shopperOrders.get(ctx, orderId, visitor);
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'bonus',
    budget: 'read',
    summary: "List every change of the shopper's bonus, newest first",
    input: PageInput,
    output: BonusEntryRecord,
    list: true,
  })
  bonusHistory(ctx: StoreContext, input: PageInput, { shopper }: Visitor) {
    return this.bonus.list(ctx, { ...input, customerId: shopper.id });
  }

  @Operation({
    door: STOREFRONT,
    method: 'GET',
    path: 'me',
    budget: 'read',
    summary: 'Get the profile, bonus balance and referral link of the shopper',
    output: MeRecord,
  })
  async me(ctx: StoreContext, _input: NoInput, { shopper, bot }: Visitor) {
    const [known] = await ctx.session.read(FIND_SHOPPER, { customerId: shopper.id });
    return { ...known, currency: ctx.currency, referralLink: startLink(bot, `ref_${shopper.id}`) };
  }
}
