import type { PreparedOrder } from '../../groups/orders/placing/order-placing.service.js';
import {
  AdjustmentRecord,
  PricedLineRecord,
  PromocodeShareRecord,
} from '../../groups/orders/reading/order-sales.dto.js';
import { adjustmentsShown, linesShown } from '../../groups/orders/reading/order-sales.service.js';
import { toMajor } from '../../platform/money.js';
import { Example } from '../../platform/schema/example.js';
import { Decimal, Integer, Text } from '../../platform/schema/fields.js';
import { Nested, NestedList } from '../../platform/schema/list-fields.js';

/** What an order would cost. Amounts are minor units of the currency. */
@Example({ currency: 'USD', mostBonus: 12.5, bonus: 110, tip: 0, total: 4750 })
export class QuoteRecord {
  @Text() currency: string;
  @NestedList(() => PricedLineRecord) lines: PricedLineRecord[];
  @NestedList(() => AdjustmentRecord) adjustments: AdjustmentRecord[];
  @Nested(() => PromocodeShareRecord, { nullable: true }) promocode: PromocodeShareRecord | null;
  @Decimal({ min: 0, description: 'The most of it that bonus may pay, in major units.' }) mostBonus: number;
  @Integer() bonus: number;
  @Integer() tip: number;
  @Integer({ description: 'What the shopper would pay, tip included.' }) total: number;
}

export function quoteOf({ lines, price }: PreparedOrder, currency: string): QuoteRecord {
  const { parts, promocode, bonus, mostBonus, tip, total } = price;
  const sold = lines.map((line) => ({ ...line, variantId: line.catalogVariantId }));
  return {
    currency,
    lines: linesShown(sold, parts),
    adjustments: adjustmentsShown(parts),
    promocode: promocode && { code: promocode.code, amount: Number(promocode.discountMinor) },
    mostBonus: Number(toMajor(mostBonus, currency)),
    bonus: Number(bonus),
    tip: Number(tip),
    total: Number(total),
  };
}
