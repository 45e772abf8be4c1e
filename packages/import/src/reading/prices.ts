import type { Line } from './line.js';

/** Undefined leaves a price as it is; a sale price of null ends the sale. */
export interface Prices {
  price?: number | null;
  salePrice?: number | null;
}

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;

/**
 * The price and the sale price of a line, from whichever columns a shop writes: an old price above the price
 * is the price, and what stood there is that of the sale.
 * @param base of the product, to which a variant's surcharge is added
 * @throws Unfit
 */
export function pricesOf(line: Line, base: Prices = {}): Prices {
  const { decimals } = line.settings;
  let price = line.number('price');
  let salePrice = line.number('salePrice');
  const surcharge = line.number('surcharge');
  const isAdded =
    typeof surcharge === 'number' && typeof base.price === 'number' && typeof price !== 'number';
  if (isAdded) {
    price = rounded(base.price! + surcharge, decimals);
    if (typeof base.salePrice === 'number') salePrice = rounded(base.salePrice + surcharge, decimals);
  }
  const old = line.number('oldPrice');
  if (old !== undefined && typeof price === 'number') {
    if (old !== null && old > price) return { price: old, salePrice: price };
    if (salePrice === undefined) salePrice = null;
  }
  if (typeof price === 'number' && salePrice === undefined) salePrice = discounted(line, price);
  return { price, salePrice };
}

/** The price less what the line takes off; null without a discount, undefined without such a column. */
function discounted(line: Line, price: number): number | null | undefined {
  const percent = line.number('discountPercent');
  const value = line.number('discount');
  if (percent === undefined && value === undefined) return undefined;
  const isPercent = /percent|%/i.test(line.text('discountMode') ?? '');
  const off = price * ((percent ?? 0) / 100) + (isPercent ? (price * (value ?? 0)) / 100 : (value ?? 0));
  return off > 0 && off < price ? rounded(price - off, line.settings.decimals) : null;
}
