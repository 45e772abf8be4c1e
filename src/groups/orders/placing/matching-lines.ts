import { invalidInput } from '../../../platform/errors.js';
import { isSameName } from '../../../platform/text/name-key.js';
import { type Catalog, isNamed } from './cart.service.js';
import type { PricedLine } from '../order/order-lines.js';
import type { CartItem } from './place-order.dto.js';
import type { StockRow } from './stock-moves.js';

/** The ids of the variants that have the item's names now: their lines keep the names they were sold by. */
export function namedNow({ products, variants }: Catalog, item: CartItem): ReadonlySet<string> {
  const { productId, optionTitle, variantValue } = item;
  if (optionTitle === undefined && variantValue === undefined) return new Set();
  const product = products.find(({ product_id }) => isSameName(product_id, productId));
  const named = variants.filter(
    (variant) =>
      variant.product_id === product?.id &&
      isNamed(optionTitle, variant.option_title) &&
      isNamed(variantValue, variant.variant_value),
  );
  return new Set(named.map(({ id }) => id));
}

/**
 * Finds the line that an item matches, and removes it from `left`. @param named the variants that have the
 * item's names now. @throws OperationError if lines of several variants match
 */
export function takeLine(
  left: Set<PricedLine>,
  item: CartItem,
  named: ReadonlySet<string>,
  path: string,
): PricedLine | undefined {
  const variantId = item.variantId?.toLowerCase();
  const fitting = [...left].filter(
    (line) =>
      isSameName(line.productId, item.productId) &&
      line.size === (item.size ?? null) &&
      (variantId === undefined || line.catalogVariantId === variantId) &&
      ((line.catalogVariantId !== null && named.has(line.catalogVariantId)) ||
        (isNamed(item.optionTitle, line.optionTitle) && isNamed(item.variantValue, line.variantValue))),
  );
  const variants = new Set(
    fitting.map((line) => line.catalogVariantId ?? JSON.stringify([line.optionTitle, line.variantValue])),
  );
  if (variants.size > 1) {
    throw invalidInput(
      `${path}.variantId must say which line of product ${item.productId} is meant: the order has several`,
    ).about('choose_variant', { path: `${path}.variantId` });
  }
  if (fitting.length > 0) left.delete(fitting[0]);
  return fitting[0];
}

/**
 * The stock of a line: that of its own product or variant, if it still exists; for an old line without ids,
 * of the one it names.
 */
export function stockOf({ products, variants }: Catalog, line: PricedLine): StockRow | undefined {
  const product = products.find(({ id, product_id }) =>
    line.catalogProductId === null ? product_id === line.productId : id === line.catalogProductId,
  );
  if (line.catalogVariantId !== null) return variants.find(({ id }) => id === line.catalogVariantId);
  if (line.optionTitle === null) return product;
  return variants.find(
    (variant) =>
      variant.product_id === product?.id &&
      variant.option_title === line.optionTitle &&
      variant.variant_value === line.variantValue,
  );
}
