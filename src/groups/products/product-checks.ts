import { invalidInput, type OperationError } from '../../platform/errors.js';
import { gone, used } from '../../platform/problems.js';
import { isUuid } from '../../platform/schema/formats.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { nameKey } from '../../platform/text/name-key.js';
import { requireExactPrices } from './prices.js';
import type { CreateProductInput } from './products.dto.js';
import { requireRoomForAll } from './variants/variant-bounds.js';
import type { VariantGroupInput } from './variants/variants.dto.js';

export const PRODUCT_ID_USED = used('productId', 'product of this store');

interface Links {
  brandId?: string | null;
  categoryId?: string | null;
}

/**
 * What can be checked of a new product without the database.
 * @param path the prefix of the names of the fields
 * @throws OperationError invalid_input
 */
export function requireCreatable(ctx: StoreContext, input: Partial<CreateProductInput>, path = ''): void {
  const { variants = [], ...fields } = input;
  const titles = variants.flatMap(({ optionTitle, values }) => values.map(() => optionTitle));
  requireRoomForAll(titles, `${path}variants`);
  requireExactPrices(ctx, fields, path);
  variants.forEach(({ values }, i) =>
    values.forEach((value, j) => requireExactPrices(ctx, value, `${path}variants[${i}].values[${j}].`)),
  );
  requireDistinctVariants(variants, path);
  requireLinks(fields, path);
}

/**
 * Refuses texts that are not ids, because they would never reach the foreign keys, which refuse ids that are
 * not in the store (docs/behaviour.md §1.3).
 * @param exist whether a well-formed id is in the store, if it is known
 */
export function requireLinks(
  { brandId, categoryId }: Links,
  path = '',
  exist: (id: string) => boolean = isUuid,
): void {
  if (typeof brandId === 'string' && !exist(brandId)) throw noSuchBrand(`${path}brandId`, brandId);
  if (typeof categoryId === 'string' && !exist(categoryId))
    throw noSuchCategory(`${path}categoryId`, categoryId);
}

/** Whoever gives a name or a slug for an id is told where the ids are. */
const wayTo = (list: string, given: string) => (isUuid(given) ? '' : `: give its id, which ${list} has`);

export const noSuchBrand = (path: string, given: string): OperationError =>
  invalidInput(gone(path, 'brand', wayTo('list_brands', given)));

export const noSuchCategory = (path: string, given: string): OperationError =>
  invalidInput(gone(path, 'category', wayTo('list_categories', given)));

/** An order could not distinguish two equal values of one option (docs/behaviour.md §6.6). */
function requireDistinctVariants(groups: VariantGroupInput[], path: string): void {
  const seen = new Map<string, Set<string>>();
  for (const [i, { optionTitle, values }] of groups.entries()) {
    const optionKey = nameKey(optionTitle);
    const option = seen.get(optionKey) ?? new Set();
    seen.set(optionKey, option);
    for (const [j, { variantValue }] of values.entries()) {
      const valueKey = nameKey(variantValue);
      if (option.has(valueKey)) {
        throw invalidInput(
          `${path}variants[${i}].values[${j}].variantValue repeats a value of the option ` +
            JSON.stringify(optionTitle),
        ).about('same_value', { path: `${path}variants[${i}].values[${j}].variantValue` });
      }
      option.add(valueKey);
    }
  }
}
