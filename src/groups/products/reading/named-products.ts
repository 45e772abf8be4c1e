import { notFound } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { noSuchCategory } from '../product-checks.js';
import { productNamed } from '../product.statements.js';
import { statement } from '../../../platform/database/statement.js';

/**
 * The external ids of the product with this id or external id. `isKnown` tells whether any product or order
 * of the store has them.
 */
const RESOLVE_PRODUCT = statement(
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
const CATEGORIES_WITHIN = statement(
  'categories_within',
  `with recursive within as (
     select n.id from categories n where n.store_id = $store and n.id = $categoryId
     union
     select n.id from categories n join within on n.parent_id = within.id where n.store_id = $store
   ) select within.id as "id!" from within`,
);

/**
 * The external ids of a product, which may have been deleted: its orders still exist.
 * @throws OperationError not_found
 */
export async function productsNamed(ctx: StoreContext, productId: string): Promise<string[]> {
  const [{ externalIds, isKnown }] = await ctx.session.read(RESOLVE_PRODUCT, {
    ...productNamed(productId),
    externalId: productId,
  });
  if (!isKnown) throw notFound('Product', productId);
  return externalIds;
}

/** The category and all categories below it. @throws OperationError invalid_input naming `field` */
export async function categoriesWithin(
  ctx: StoreContext,
  categoryId: string,
  field: string,
): Promise<string[]> {
  const rows = isUuid(categoryId) ? await ctx.session.read(CATEGORIES_WITHIN, { categoryId }) : [];
  if (rows.length === 0) throw noSuchCategory(field, categoryId);
  return rows.map(({ id }) => id);
}
