import { Example } from '../../../platform/schema/example.js';
import { MAX_OBJECT_BYTES } from '../../../platform/schema/field-spec.js';
import { Decimal, Flag, Identifier, LongText, Integer, Text } from '../../../platform/schema/fields.js';
import { FreeObject, NestedList } from '../../../platform/schema/list-fields.js';
import { CrossField } from '../../../platform/schema/rules.js';
import { exceedsBytes } from '../../../platform/schema/json/json-size.js';
import { SHIPPING_KEYS } from '../order/order.record.js';

@Example({ productId: 'tee-logo', quantity: 2, optionTitle: 'Size', variantValue: 'M' })
export class CartItem {
  @Text({ min: 1, description: "The product's external id: its productId, not its id." }) productId: string;
  @Integer({ min: 1, max: 1_000_000 }) quantity: number;
  @Text({ min: 1, max: 200, optional: true }) variantId?: string;
  @Text({ min: 1, optional: true }) optionTitle?: string;
  @Text({ min: 1, optional: true }) variantValue?: string;
  @Text({ min: 1, max: 200, optional: true }) size?: string;
}

/** A field of the checkout form, as the shopper filled it in. */
@CrossField({
  description: 'An answer is at most 16 KiB as JSON.',
  check: (row) =>
    exceedsBytes(row, MAX_OBJECT_BYTES)
      ? `value makes an answer of more than ${MAX_OBJECT_BYTES} bytes of JSON`
      : null,
})
@Example({ id: 'comment', label: 'Comment', type: 'text', value: 'Please ring twice' })
export class CheckoutRow {
  // Older forms may have ids and labels of this length.
  @LongText() id: string;
  @LongText() label: string;
  @Text({ max: 200 }) type: string;
  @Text({ max: 10_000 }) value: string;
}

/**
 * An order as a shopper places it, from any source. It never contains prices: the server prices everything
 * (docs/behaviour.md §11).
 */
@Example({
  paymentMethod: 'card',
  shippingAddress: { name: 'Olena Kovalenko', phone_number: '+15550123' },
  promocode: 'SPRING10',
})
export class PlaceOrderInput {
  @NestedList(() => CartItem, { min: 1, max: 200 }) items: CartItem[];
  /** As long as the name of a provider may be. */
  @Text({ min: 1 }) paymentMethod: string;
  @FreeObject({ optional: true, nullable: true, known: SHIPPING_KEYS }) shippingAddress?: Record<
    string,
    unknown
  > | null;
  @NestedList(() => CheckoutRow, { max: 200, optional: true, nullable: true }) checkoutData?:
    CheckoutRow[] | null;
  @Text({ min: 1, max: 64, optional: true, nullable: true }) promocode?: string | null;
  @Decimal({
    min: 0,
    optional: true,
    nullable: true,
    description: "The bonus to spend on the order, in major units of the store's currency.",
  })
  bonusToSpend?: number | null;
  @Integer({
    min: 0,
    max: 2_000_000_000,
    optional: true,
    nullable: true,
    description: "The tip, in minor units of the store's currency.",
  })
  tipAmount?: number | null;
  @Integer({
    min: 0,
    optional: true,
    nullable: true,
    description:
      "The total that the shopper was shown, in minor units of the store's currency, tip included. An " +
      'order that would cost another sum is refused.',
  })
  expectedTotal?: number | null;
}

/** The same together with the shopper, for the operator's command line, which is trusted to name them. */
export class PlaceOrderFile extends PlaceOrderInput {
  @Identifier({ description: "The shopper's messenger user id: a 64-bit integer as a string of digits." })
  messengerUserId: string;
  @Text({ max: 128, optional: true, nullable: true }) firstName?: string | null;
  @Text({ max: 128, optional: true, nullable: true }) lastName?: string | null;
  @Text({ max: 64, optional: true, nullable: true }) username?: string | null;
  @Flag({
    optional: true,
    description: 'Whether the order is already paid. A paid order starts as PROCESSING.',
  })
  paid?: boolean;
}
