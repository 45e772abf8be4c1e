import { Example } from '../../platform/schema/example.js';
import { DateTime, Identifier, Integer, OneOf, Text } from '../../platform/schema/fields.js';
import { FreeObject } from '../../platform/schema/list-fields.js';
import { PageInput } from '../../platform/schema/pages/page.dto.js';

/** The outcomes of a payment. All of them except `accepted` leave the order unchanged. */
const PAYMENT_OUTCOMES = [
  'accepted',
  'unknown_order',
  'other_shopper',
  'other_currency',
  'other_amount',
  'not_pending',
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export class ListPaymentsInput extends PageInput {
  @OneOf(PAYMENT_OUTCOMES, { optional: true, description: 'List only payments with this outcome.' })
  outcome?: PaymentOutcome;
  @Integer({ above: 0, optional: true, description: 'List only payments for this order.' }) orderId?: number;
}

@Example({
  chargeId: '5_1042_charge',
  orderId: 1042,
  invoicePayload: '1042:4900',
  customerId: '7012345678',
  currency: 'USD',
  amount: 4900,
})
export class PaymentRecord {
  @Identifier() id: string;
  @Text({ description: "The messenger's id of the payment." }) chargeId: string;
  @Text({ nullable: true, description: "The payment provider's id of the payment." }) providerChargeId:
    string | null;
  @Integer({
    above: 0,
    nullable: true,
    description:
      'The id of the order that was paid; null if it is not an order of the store or has been deleted.',
  })
  orderId: number | null;
  @Text({
    description: 'The payload of the invoice: an order and its total without tip, as id:total.',
  })
  invoicePayload: string;
  @Identifier({ description: "The payer's messenger user id: a 64-bit integer as a string of digits." })
  customerId: string;
  @Text({ description: 'The ISO 4217 code of the currency, or XTR.' }) currency: string;
  @Integer({ description: 'The amount paid, including the tip, in minor units of the currency.' })
  amount: number;
  @OneOf(PAYMENT_OUTCOMES, {
    description:
      'accepted: the order became PROCESSING. Otherwise the order was left as it was, since it was not ' +
      'found, belongs to another shopper, has another currency or price, or was not PENDING.',
  })
  outcome: PaymentOutcome;
  @FreeObject({
    nullable: true,
    typedByShopper: true,
    description: 'What the payer typed into the payment form: name, phone_number, email, shipping_address.',
  })
  orderInfo: Record<string, unknown> | null;
  @DateTime() receivedAt: Date;
  @DateTime({ nullable: true, description: 'When the messenger gave the money back.' })
  refundedAt: Date | null;
}
