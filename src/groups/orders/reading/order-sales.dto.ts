import { ORDER_STATUSES, type OrderStatus } from '../../order-status.js';
import { Example } from '../../../platform/schema/example.js';
import { DateTime, Integer, OneOf, Text } from '../../../platform/schema/fields.js';
import { Nested, NestedList } from '../../../platform/schema/list-fields.js';
import { PageInput } from '../../../platform/schema/pages/page.dto.js';

@Example({ from: '2026-05-01T00:00:00Z', to: '2026-06-01T00:00:00Z' })
export class ListSalesInput extends PageInput {
  @DateTime({ optional: true, description: 'Orders created at this time or later.', hint: 'Inclusive.' })
  from?: string;
  @DateTime({ optional: true, description: 'Orders created before this time.', hint: 'Exclusive.' })
  to?: string;
}

@Example({
  productId: 'tee-logo',
  variantId: '01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30',
  title: 'Logo T-shirt',
  quantity: 2,
  price: 2450,
  discount: 490,
  bonus: 100,
  paid: 4310,
})
export class PricedLineRecord {
  @Text({ description: "The product's external id." }) productId: string;
  @Text({ nullable: true }) variantId: string | null;
  @Text() title: string;
  @Integer({ above: 0 }) quantity: number;
  @Integer({ min: 0, minorUnits: true, description: 'Of one piece, before discounts.' }) price: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: "The line's share of the promocode and of the form's decreases.",
  })
  discount: number;
  @Integer({ min: 0, minorUnits: true, description: "The line's share of the bonus spent." }) bonus: number;
  @Integer({ min: 0, minorUnits: true, description: "The line's share of the total, tip not included." })
  paid: number;
}

@Example({ fieldId: 'delivery', label: 'Delivery', amount: 500, discount: 50, bonus: 10, paid: 440 })
export class AdjustmentRecord {
  @Text({ nullable: true, description: 'The field of the checkout form; null if it is not known.' })
  fieldId: string | null;
  @Text({ nullable: true }) label: string | null;
  @Integer({ minorUnits: true, description: 'Negative for a decrease, which counts as what it took.' })
  amount: number;
  @Integer({ min: 0, minorUnits: true, description: "An increase's share, as a line's; 0 for a decrease." })
  discount: number;
  @Integer({ min: 0, minorUnits: true, description: "An increase's share, as a line's; 0 for a decrease." })
  bonus: number;
  @Integer({ min: 0, minorUnits: true, description: "An increase's share, as a line's; 0 for a decrease." })
  paid: number;
}

@Example({ code: 'SPRING10', amount: 540 })
export class PromocodeShareRecord {
  @Text() code: string;
  @Integer({ min: 0, minorUnits: true }) amount: number;
}

@Example({ amount: 500, reason: 'One was broken', by: 'Support' })
export class OrderRefundRecord {
  @DateTime() at: string;
  @Integer({ min: 0, minorUnits: true, nullable: true, description: 'Null if none was given.' }) amount:
    number | null;
  @Text({ nullable: true }) reason: string | null;
  @Text({ description: 'Who recorded it.' }) by: string;
}

/** What an order's total is made of. All amounts are minor units. */
@Example({ orderId: 1042, currency: 'USD', bonus: 110, tip: 200, total: 4950, refunded: 500, cashback: 200 })
export class OrderPricingRecord {
  @Integer({ above: 0 }) orderId: number;
  @Text() currency: string;
  @NestedList(() => PricedLineRecord) lines: PricedLineRecord[];
  @NestedList(() => AdjustmentRecord, { description: 'Increases and decreases of the checkout form.' })
  adjustments: AdjustmentRecord[];
  @Nested(() => PromocodeShareRecord, { nullable: true }) promocode: PromocodeShareRecord | null;
  @Integer({ min: 0, minorUnits: true, description: 'The part paid with bonus.' }) bonus: number;
  @Integer({ min: 0, minorUnits: true }) tip: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description:
      "The order's totalPrice: price × quantity of all lines, plus amount of all adjustments, less the " +
      'promocode and the bonus, plus the tip; and also paid of all lines and adjustments, plus the tip.',
  })
  total: number;
  @NestedList(() => OrderRefundRecord, { description: 'Oldest first.' }) refunds: OrderRefundRecord[];
  @Integer({ min: 0, minorUnits: true, description: 'The sum of the refunds that have an amount.' })
  refunded: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: 'What the order has earned as bonus and keeps, in minor units too.',
  })
  cashback: number;
}

@Example({ paymentMethod: 'card' })
export class SaleRecord extends OrderPricingRecord {
  @OneOf(ORDER_STATUSES) status: OrderStatus;
  @DateTime() createdAt: Date;
  @Text({ typedByShopper: true }) paymentMethod: string;
}
