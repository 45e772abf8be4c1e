import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { CustomersService } from '../../../groups/customers/customers.service.js';
import { OrderSearch } from '../../../groups/orders/reading/order-search.service.js';
import { withOnSale } from '../../../groups/products/places.js';
import { ProductSearch } from '../../../groups/products/reading/product-search.service.js';
import { PromocodesService } from '../../../groups/promocodes/promocodes.service.js';
import { type Group, isWithin } from '../../../access/rights.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { MOST_FOUND, SearchInput, SearchResult } from './search.dto.js';

/** Searches the kinds of records that people most often look for. */
@Controller(API_PATH)
export class SearchController {
  constructor(
    private readonly orders: OrderSearch,
    private readonly customers: CustomersService,
    private readonly products: ProductSearch,
    private readonly promocodes: PromocodesService,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: 'stores/:storeId/search',
    groups: 'every',
    summary: 'Search orders, customers, products and promocodes, at most 5 of each',
    description:
      'For a box in which people type what they look for. find_orders, find_products and list_customers ' +
      'find more. Kinds outside the groups of the member are empty.',
    input: SearchInput,
    output: SearchResult,
  })
  async find(ctx: StoreContext, { q }: SearchInput) {
    const take = MOST_FOUND;
    const ifWithin = async <Found>(group: Group, find: () => Promise<Found[]>): Promise<Found[]> =>
      isWithin(ctx.call!.auth.principal!, { name: 'search', groups: [group] }) ? find() : [];
    const [orders, customers, products, promocodes] = await Promise.all([
      ifWithin('orders', () => this.orders.suggest(ctx, q, take)),
      ifWithin('customers', async () => (await this.customers.list(ctx, { search: q, take })).items),
      ifWithin('products', async () =>
        (await this.products.page(ctx, { text: q, take })).items.map(withOnSale),
      ),
      ifWithin('promocodes', () => this.promocodes.startingWith(ctx, q, take)),
    ]);
    return { orders, customers, products, promocodes };
  }
}
