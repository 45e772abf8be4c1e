import { statement } from '../../../platform/database/statement.js';

const PICTURE = `p.id, p.product_id as "productId", p.images[1] as "url!"`;

export const PICTURES_OF_PRODUCTS = statement(
  'pictures_of_products',
  `select ${PICTURE} from products p where p.store_id = $store and p.id = any($ids::uuid[])`,
);

/** More products than this have no picture; a sheet of many orders is complete without them. */
const MOST = 1_000;

export const PICTURES_OF_ORDERS = statement(
  'pictures_of_orders',
  `select ${PICTURE} from (
     select distinct i.product_id from order_items i
     where i.store_id = $store and i.order_id = any($orderIds::bigint[]) limit ${MOST}) o
   join products p on p.store_id = $store and p.product_id = o.product_id`,
);
