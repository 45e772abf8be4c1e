import { Integer, Text } from '../../../platform/schema/fields.js';
import { Example } from '../../../platform/schema/example.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { statement } from '../../../platform/database/statement.js';

/** The lines of orders that have a code, each with its place in the order. */
const CODES_OF_ORDERS = statement(
  'codes_of_orders',
  `select l.order_id::float8 as "orderId!", l.line::integer as "line!", l.sku as "sku!"
   from (
     select i.order_id, row_number() over (partition by i.order_id order by i.position) - 1 as line,
       coalesce(v.sku, p.sku) as sku
     from order_items i
     left join products p on p.store_id = $store and p.id = i.catalog_product_id
     left join variants v on v.store_id = $store and v.id = i.catalog_variant_id
     where i.store_id = $store and i.order_id = any($orderIds::bigint[])) l
   where l.sku is not null order by 1, 2`,
);

@Example({ orderId: 1042, line: 0, sku: 'TEE-M' })
export class LineCode {
  @Integer({ above: 0 }) orderId: number;
  @Integer({ min: 0, description: "The place of the line among the order's items, from 0." }) line: number;
  @Text({ description: "The variant's SKU, or else the product's, as it is now." }) sku: string;
}

/** The codes by which a packer finds what was ordered, as far as products have them. */
export const codesOfOrders = (ctx: StoreContext, orderIds: number[]): Promise<LineCode[]> =>
  ctx.session.read(CODES_OF_ORDERS, { orderIds: orderIds.map(String) });
