import { sentence } from '../../../platform/problems.js';
import { PlaceOrderInput } from '../../../groups/orders/placing/place-order.dto.js';
import { Example } from '../../../platform/schema/example.js';
import { Flag, Identifier, Integer, Text } from '../../../platform/schema/fields.js';
import { Nested, NestedList } from '../../../platform/schema/list-fields.js';
import { CrossField } from '../../../platform/schema/rules.js';
import { PaymentMethodRecord } from '../../storefront/shop/shop.dto.js';
import { CatalogCheckout } from '../../storefront/storefront.dto.js';

/** An order as a member places it, for somebody or for themselves. */
@Example({ customerId: '7012345678', items: [{ productId: 'tee-logo', quantity: 2 }], paymentMethod: 'card' })
@CrossField({
  description: 'Either customerId or asMyself: true is given.',
  check: ({ customerId, asMyself }) =>
    (customerId === undefined) === (asMyself !== true)
      ? sentence('customerId, or asMyself: true, must be given, and not both', 'no_such_customer')
      : null,
})
export class NewOrderInput extends PlaceOrderInput {
  @Identifier({ optional: true, description: 'A customer of the store.' }) customerId?: string;
  @Flag({
    optional: true,
    description: "True: for the member, by their own chat with the store's bot (the page of notices).",
  })
  asMyself?: boolean;
}

/** What the page of a new order needs besides products and customers. */
@Example({ currency: 'USD', digits: 2, canOrderAsMyself: true })
export class NewOrderFormRecord {
  @Text() currency: string;
  @Integer({ description: 'The decimals of the currency.' }) digits: number;
  @Nested(() => CatalogCheckout) checkout: CatalogCheckout;
  @NestedList(() => PaymentMethodRecord) paymentMethods: PaymentMethodRecord[];
  @Flag({ description: "Whether the member's own chat with the store's bot is linked." })
  canOrderAsMyself: boolean;
}
