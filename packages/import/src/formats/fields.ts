/**
 * What a column of a file can be. `#` stands for the number of an option: `optionName1` and so on. Each has
 * one column at most, but for those in MANY.
 */
export const FIELDS = [
  'id',
  'productId',
  'variantId',
  'parent',
  'rowType',
  'title',
  'price',
  'salePrice',
  'saleUntil',
  'oldPrice',
  'discount',
  'discountPercent',
  'discountMode',
  'surcharge',
  'currency',
  'itemAmount',
  'isTracked',
  'isInStock',
  'sku',
  'barcode',
  'isHidden',
  'isVisible',
  'brand',
  'category',
  'categories',
  'subCategory',
  'tags',
  'description',
  'images',
  'firstImage',
  'imagePlace',
  'variant',
  'variantTitle',
  'optionName',
  'optionValue',
  'optionList',
  'valueList',
  'ownOption',
] as const;

export type Field = (typeof FIELDS)[number];

/** Fields that several columns may have together. */
export const MANY: ReadonlySet<Field> = new Set<Field>([
  'images',
  'tags',
  'itemAmount',
  'isVisible',
  'ownOption',
]);

/** Fields whose cells are numbers. */
export const NUMBERS: ReadonlySet<Field> = new Set<Field>([
  'price',
  'salePrice',
  'oldPrice',
  'discount',
  'discountPercent',
  'surcharge',
  'itemAmount',
]);

/** What products and variants both have. */
export const SOLD = ['price', 'salePrice', 'saleUntil', 'itemAmount', 'sku', 'barcode'] as const;
/** What only products have. */
export const OF_PRODUCTS = [
  'title',
  'isHidden',
  'brand',
  'category',
  'subCategory',
  'tags',
  'description',
  'images',
] as const;

export type SoldField = (typeof SOLD)[number];
export type ProductField = (typeof OF_PRODUCTS)[number];
