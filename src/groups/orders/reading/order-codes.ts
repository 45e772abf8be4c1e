import { Integer, Text } from '../../../platform/schema/fields.js';
import { Example } from '../../../platform/schema/example.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { CODES_OF_ORDERS } from './order-codes.statements.js';

@Example({ orderId: 1042, line: 0, sku: 'TEE-M' })
export class LineCode {
  @Integer({ above: 0 }) orderId: number;
  @Integer({ min: 0, description: "The place of the line among the order's items, from 0." }) line: number;
  @Text({ description: "The variant's SKU, or else the product's, as it is now." }) sku: string;
}

/** The codes by which a packer finds what was ordered, as far as products have them. */
export const codesOfOrders = (ctx: StoreContext, orderIds: number[]): Promise<LineCode[]> =>
  ctx.session.read(CODES_OF_ORDERS, { orderIds: orderIds.map(String) });
