import { Example } from '../../../../platform/schema/example.js';
import { Flag, Integer } from '../../../../platform/schema/fields.js';

/** The money of an order, in minor units. */
@Example({ paid: 4900, refunded: 0, owedBack: 0 })
export class OrderPayment {
  @Integer({ min: 0, minorUnits: true, description: 'Paid in the messenger, or as the order was placed.' })
  paid: number;
  @Integer({ min: 0, minorUnits: true, description: 'The sum of the refunds that have an amount.' })
  refunded: number;
  @Integer({
    min: 0,
    minorUnits: true,
    description: 'What was paid for an order that is now CANCELLED, and no refund names.',
  })
  owedBack: number;
  @Flag({ description: 'Whether a provider in test mode took the payment.' }) isTest: boolean;
}

@Example({ id: 1042, owedBack: 4900 })
export class OwedBackRecord {
  @Integer({ above: 0 }) id: number;
  @Integer({ min: 0, minorUnits: true, description: 'What has to go back, in minor units.' })
  owedBack: number;
}
