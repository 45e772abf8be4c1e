const LOW_STOCK = 5;

/** The filters in the address, for find_products. */
export const filtersOf = ({ text, categoryId, brandId, show }: Record<string, string>) => ({
  ...{ text, categoryId, brandId },
  isHidden: show === 'hidden' ? true : undefined,
  maxStock: show === 'low' ? LOW_STOCK : undefined,
});
