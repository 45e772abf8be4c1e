import { exampleOf } from '../../../platform/schema/example.js';
import { OrderRecord } from './order.record.js';

/**
 * Fits 32 bits and is never reached by a store, so that a receiver that ignores `test` does not overwrite a
 * real order.
 */
const SAMPLE_ORDER_ID = 2_000_000_000;

/** The order object of a test event. Everything in it is made up. */
export function sampleOrder(currency: string, now: Date): OrderRecord {
  const at = now.toISOString();
  return {
    ...(exampleOf(OrderRecord) as Partial<OrderRecord> as OrderRecord),
    id: SAMPLE_ORDER_ID,
    status: 'PENDING',
    paymentMethod: 'cash on delivery',
    totalPrice: 2500,
    currency,
    messengerUserId: '9007199254740993',
    shippingAddress: { name: 'Sample Shopper', phone_number: '+15550100' },
    checkoutData: [{ id: 'comment', label: 'Comment', type: 'text', value: 'This is a test event' }],
    items: [
      {
        productId: 'sample-tee',
        title: 'Sample T-shirt',
        quantity: 1,
        price: 1500,
        size: null,
        variantOptionTitle: 'Size',
        variantValue: 'M',
      },
      {
        productId: 'sample-mug',
        title: 'Sample mug',
        quantity: 2,
        price: 500,
        size: null,
        variantOptionTitle: null,
        variantValue: null,
      },
    ],
    createdAt: at,
    updatedAt: at,
  };
}
