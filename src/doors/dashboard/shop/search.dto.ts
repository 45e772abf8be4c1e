import { CustomerRecord } from '../../../groups/customers/customers.dto.js';
import { FoundOrder } from '../../../groups/orders/reading/order-search.dto.js';
import { FoundProduct } from '../../../groups/products/reading/product-search.dto.js';
import { PromocodeRecord } from '../../../groups/promocodes/promocodes.dto.js';
import { Example } from '../../../platform/schema/example.js';
import { SearchText } from '../../../platform/schema/fields.js';
import { NestedList } from '../../../platform/schema/list-fields.js';

/** The most records of each kind. */
export const MOST_FOUND = 5;

@Example({ q: 'olena' })
export class SearchInput {
  @SearchText({
    optional: false,
    description:
      "An order's number, with or without #, or its tracking number; words of a shopper's " +
      'names or of a product; or the beginning of a promocode. Case does not matter.',
  })
  q: string;
}

/** The records of the store that match the text. */
export class SearchResult {
  @NestedList(() => FoundOrder, {
    max: MOST_FOUND,
    description:
      'As find_orders finds them, the newest first; but the order whose number it is comes before all ' +
      'others.',
  })
  orders: FoundOrder[];
  @NestedList(() => CustomerRecord, { max: MOST_FOUND, description: 'As list_customers finds them.' })
  customers: CustomerRecord[];
  @NestedList(() => FoundProduct, {
    max: MOST_FOUND,
    description: 'As find_products finds them, the newest first.',
  })
  products: FoundProduct[];
  @NestedList(() => PromocodeRecord, {
    max: MOST_FOUND,
    description: 'Those whose code begins so, in the order of their codes.',
  })
  promocodes: PromocodeRecord[];
}
