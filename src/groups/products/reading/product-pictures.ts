import { Identifier, Text } from '../../../platform/schema/fields.js';
import { Example } from '../../../platform/schema/example.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { statement } from '../../../platform/database/statement.js';

const PICTURE = `p.id, p.product_id as "productId", p.images[1] as "url!"`;

const PICTURES_OF_PRODUCTS = statement(
  'pictures_of_products',
  `select ${PICTURE} from products p where p.store_id = $store and p.id = any($ids::uuid[])`,
);

/** More products than this have no picture; a sheet of many orders is complete without them. */
const MOST = 1_000;

const PICTURES_OF_ORDERS = statement(
  'pictures_of_orders',
  `select ${PICTURE} from (
     select distinct i.product_id from order_items i
     where i.store_id = $store and i.order_id = any($orderIds::bigint[]) limit ${MOST}) o
   join products p on p.store_id = $store and p.product_id = o.product_id`,
);

@Example({ productId: 'tee-logo', url: 'https://images.example/tee-logo.jpg' })
export class ProductPicture {
  @Identifier() id: string;
  @Text({ description: 'The external id.' }) productId: string;
  @Text({ description: "The first of the product's pictures." }) url: string;
}

/** The main pictures of products, by their internal ids. One that does not exist is left out. */
export const picturesOfProducts = (ctx: StoreContext, ids: string[]): Promise<ProductPicture[]> =>
  ctx.session.read(PICTURES_OF_PRODUCTS, { ids: ids.filter(isUuid) });

/** The main pictures of what was ordered, as far as the products still exist. */
export const picturesOfOrders = (ctx: StoreContext, orderIds: number[]): Promise<ProductPicture[]> =>
  ctx.session.read(PICTURES_OF_ORDERS, { orderIds: orderIds.map(String) });
