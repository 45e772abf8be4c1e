import { Controller } from '@nestjs/common';
import { CustomersService } from '../../../groups/customers/customers.service.js';
import { OrderSearch } from '../../../groups/orders/reading/order-search.service.js';
import { ProductSearch } from '../../../groups/products/reading/product-search.service.js';
import { PromocodesService } from '../../../groups/promocodes/promocodes.service.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { API_PATH, Route } from '../route.decorator.js';
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

  @Route({
    method: 'GET',
    path: 'stores/:storeId/search',
    summary: 'Search orders, customers, products and promocodes, at most 5 of each',
    description:
      'For a box in which people type what they look for. find_orders, find_products and list_customers ' +
      'find more.',
    input: SearchInput,
    output: SearchResult,
  })
  async find(ctx: StoreContext, { q }: SearchInput) {
    const take = MOST_FOUND;
    const [orders, customers, products, promocodes] = await Promise.all([
      this.orders.suggest(ctx, q, take),
      this.customers.list(ctx, { search: q, take }),
      this.products.find(ctx, { text: q, take }),
      this.promocodes.startingWith(ctx, q, take),
    ]);
    return { orders, customers: customers.items, products: products.items, promocodes };
  }
}
