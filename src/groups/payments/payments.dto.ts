import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { PageInput } from '../../platform/schema/page.dto.js';

/** What became of a payment; every other outcome than `accepted` left the order as it was. */
export const PAYMENT_OUTCOMES = [
  'accepted',
  'unknown_order',
  'other_shopper',
  'other_currency',
  'other_amount',
  'not_pending',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export class ListPaymentsInput extends PageInput {
  @OneOf(PAYMENT_OUTCOMES, { optional: true, description: 'Only payments with this outcome.' }) outcome?: PaymentOutcome;
  @Integer({ above: 0, optional: true, description: 'Only payments for this order.' }) orderId?: number;
}

@Example({
  chargeId: '5_1042_charge',
  orderId: 1042,
  invoicePayload: '1042',
  customerId: '7012345678',
  currency: 'USD',
  amount: 4900,
})
export class PaymentRecord {
  @Identifier() id: string;
  @Text({ description: "The messenger's id of the payment." }) chargeId: string;
  @Text({ nullable: true, description: "The payment provider's id of the payment." }) providerChargeId: string | null;
  @Integer({
    above: 0,
    nullable: true,
    description: 'The order it was made for. Null: no order of the store, or one that was deleted.',
  })
  orderId: number | null;
  @Text({ description: "What the invoice was made for: an order's id, as a string." }) invoicePayload: string;
  @Identifier({ description: "Who paid: the messenger's user id, 64 bits as a string." }) customerId: string;
  @Text({ description: 'ISO 4217 code, or XTR.' }) currency: string;
  @Integer({ description: 'Minor units of the currency, tip included.' }) amount: number;
  @OneOf(PAYMENT_OUTCOMES, {
    description:
      'accepted: the order became PROCESSING. Otherwise the order was left as it was, since it was not found, belongs to another shopper, has another currency or price, or was not PENDING.',
  })
  outcome: PaymentOutcome;
  @DateTime() receivedAt: Date;
}
