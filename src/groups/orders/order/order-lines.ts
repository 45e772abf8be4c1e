import type { PriceShare } from './composition.js';

/** One line of a cart as the shop prices it. */
export interface PricedLine {
  productId: string;
  title: string;
  quantity: number;
  /** The price of one piece, in minor units. */
  priceMinor: bigint;
  size: string | null;
  optionTitle: string | null;
  variantValue: string | null;
  /** The internal ids of the product and the variant; null in lines that are older than these columns. */
  catalogProductId: string | null;
  catalogVariantId: string | null;
  /**
   * The names that a category rate of the cashback can use: the category's id, slug and name, and the name
   * stored in the product.
   */
  categoryKeys: string[] | null;
  /** The pieces taken from tracked stock; 0 if stock is not tracked. */
  stockTaken: number | null;
}

/** The columns of order_items that hold a line, by its properties. */
export const LINE = {
  productId: 'product_id',
  title: 'title',
  quantity: 'quantity',
  priceMinor: 'price',
  size: 'size',
  optionTitle: 'variant_option_title',
  variantValue: 'variant_value',
  catalogProductId: 'catalog_product_id',
  catalogVariantId: 'catalog_variant_id',
  categoryKeys: 'category_keys',
  stockTaken: 'stock_taken',
} satisfies Record<keyof PricedLine, string>;

/** The columns of order_items that a new line is written with. */
export const LINE_COLUMNS = [...Object.values(LINE), 'discount', 'bonus'].join(', ');

const NAMED = Object.entries(LINE) as [keyof PricedLine, string][];

/**
 * The parameter `$lines` of a statement: a list of objects with the columns of order_items.
 * @param shares what reduces each line
 */
export function linesOf(lines: PricedLine[], shares: PriceShare[] = []): string {
  const rows = lines.map((line, i) => ({
    ...Object.fromEntries(NAMED.map(([name, column]) => [column, line[name]])),
    discount: shares[i]?.discount,
    bonus: shares[i]?.bonus,
  }));
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
