import type { PreparedOrder } from '../../groups/orders/placing/order-placing.service.js';
import { Example } from '../../platform/schema/example.js';
import { Integer, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';

@Example({
  productId: 'tee-logo',
  title: 'Logo T-shirt',
  quantity: 2,
  price: 2450,
  discount: 490,
  bonus: 0,
  paid: 4410,
})
class QuotedLine {
  @Text() productId: string;
  @Text({ nullable: true }) variantId: string | null;
  @Text() title: string;
  @Integer() quantity: number;
  @Integer({ description: 'The price of one piece, before discounts.' }) price: number;
  @Integer({ description: "The line's share of the promocode and of what the form takes off." })
  discount: number;
  @Integer({ description: "The line's share of the bonus." }) bonus: number;
  @Integer({ description: "The line's share of the total without tip." }) paid: number;
}

@Example({ fieldId: 'delivery', label: 'Delivery', amount: 500 })
class QuotedAdjustment {
  @Text({ nullable: true }) fieldId: string | null;
  @Text({ nullable: true }) label: string | null;
  @Integer({ description: 'What the field adds; negative if it takes off.' }) amount: number;
}

@Example({ code: 'SPRING10', amount: 490 })
class QuotedPromocode {
  @Text() code: string;
  @Integer() amount: number;
}

/** What an order would cost. Amounts are minor units of the currency. */
@Example({ currency: 'USD', bonus: 0, tip: 0, total: 4410 })
export class QuoteRecord {
  @Text() currency: string;
  @NestedList(() => QuotedLine) lines: QuotedLine[];
  @NestedList(() => QuotedAdjustment) adjustments: QuotedAdjustment[];
  @Nested(() => QuotedPromocode, { nullable: true }) promocode: QuotedPromocode | null;
  @Integer() bonus: number;
  @Integer() tip: number;
  @Integer({ description: 'What the shopper would pay, tip included.' }) total: number;
}

export function quoteOf({ lines, price }: PreparedOrder, currency: string): QuoteRecord {
  const { parts, promocode, bonus, tip, total } = price;
  return {
    currency,
    lines: lines.map(({ productId, catalogVariantId, title, quantity, priceMinor }, i) => ({
      productId,
      variantId: catalogVariantId,
      title,
      quantity,
      price: Number(priceMinor),
      discount: Number(parts.lines[i].discount),
      bonus: Number(parts.lines[i].bonus),
      paid: Number(parts.lines[i].paid),
    })),
    adjustments: parts.adjustments.map(({ fieldId, label, amount }) => ({
      fieldId,
      label,
      amount: Number(amount),
    })),
    promocode: promocode && { code: promocode.code, amount: Number(promocode.discountMinor) },
    bonus: Number(bonus),
    tip: Number(tip),
    total: Number(total),
  };
}
