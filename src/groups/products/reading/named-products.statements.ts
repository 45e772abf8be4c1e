import { statement } from '../../../platform/database/statement.js';

/**
 * The external ids of the product with this id or external id. `isKnown` tells whether any product or order
 * of the store has them.
 */
export const RESOLVE_PRODUCT = statement(
  'resolve_ordered_product',
  `select array(select p.product_id from products p where p.store_id = $store
      and (p.id = $id?::uuid or p.product_key = $externalKey) union
      select $externalId::text) as "externalIds!",
     exists (select from products p where p.store_id = $store
     and (p.id = $id::uuid or p.product_key = $externalKey))
     or exists (select from order_items i where i.store_id = $store
     and i.product_id = $externalId) as "isKnown!"`,
);

/** The category and all categories below it. Returns no row if the store has no such category. */
export const CATEGORIES_WITHIN = statement(
  'categories_within',
  `with recursive within as (
     select n.id from categories n where n.store_id = $store and n.id = $categoryId
     union
     select n.id from categories n join within on n.parent_id = within.id where n.store_id = $store
   ) select within.id as "id!" from within`,
);
