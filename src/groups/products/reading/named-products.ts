import { notFound } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/schema/formats.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { noSuchCategory } from '../product-checks.js';
import { productNamed } from '../product.statements.js';
import { CATEGORIES_WITHIN, RESOLVE_PRODUCT } from './named-products.statements.js';

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
