import { invalidInput } from '../../../platform/errors.js';
import { toMajor, toMinorRoundedDown } from '../../../platform/money.js';
import { requireExactAmount } from '../../../platform/schema/exact-amount.js';
import { withWarnings } from '../../../platform/schema/warnings.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { priceWarnings } from '../sale-warnings.js';
import type { PriceChange } from './bulk.dto.js';

/** What is sold, with its prices as exact texts, after the items processed so far. */
interface PricedRow {
  kind: 'product' | 'variant';
  price: string;
  salePrice: string | null;
  saleUntil: Date | null;
}

/**
 * Gives a product or variant the prices of a change, and the end of its sale.
 * @throws OperationError invalid_input naming the item's field; the row stays as it was then
 */
export function setPrices(ctx: StoreContext, row: PricedRow, change: PriceChange, index: number) {
  const { price, salePercent } = change;
  const salePrice =
    salePercent === undefined
      ? change.salePrice
      : Number(reducedBy(salePercent, price ?? row.price, ctx.currency));
  for (const [name, value] of Object.entries({ price, salePrice })) {
    const path = `items[${index}].${name}`;
    // As in create_product, a product must cost something, but a variant may be free.
    if (row.kind === 'product' && value === 0)
      throw invalidInput(`${path} must be a number greater than 0`).about('number', { path, above: 0 });
    requireExactAmount(path, value, ctx.currency);
  }
  const { price: previousPrice, salePrice: previousSalePrice, saleUntil: previousSaleUntil } = row;
  const sale = salePrice === undefined ? previousSalePrice : sameOr(previousSalePrice, salePrice);
  row.saleUntil = endOf(ctx, row, change, sale, `items[${index}].saleUntil`);
  row.salePrice = sale;
  if (price !== undefined) row.price = sameOr(previousPrice, price)!;
  const number = (text: string | null) => (text === null ? null : Number(text));
  const prices = {
    price: Number(row.price),
    previousPrice: Number(previousPrice),
    salePrice: number(row.salePrice),
    previousSalePrice: number(previousSalePrice),
    ...{ saleUntil: row.saleUntil, previousSaleUntil },
  };
  return withWarnings(prices, priceWarnings(prices, { price: previousPrice, salePrice: previousSalePrice }));
}

/**
 * When the sale ends. A new sale price has no end unless it is given one.
 * @throws OperationError invalid_input for an end without a sale, or one that has passed
 */
function endOf(
  ctx: StoreContext,
  { saleUntil: previous }: PricedRow,
  { salePrice, salePercent, saleUntil }: PriceChange,
  sale: string | null,
  path: string,
): Date | null {
  const isNewSale = salePrice !== undefined || salePercent !== undefined;
  if (saleUntil === undefined) return isNewSale ? null : previous;
  if (saleUntil === null) return null;
  if (sale === null)
    throw invalidInput(`${path} is the end of a sale, and there is none: give salePrice too`).about(
      'no_sale',
      { path },
    );
  const end = new Date(saleUntil);
  if (end <= ctx.now()) throw invalidInput(`${path} must be in the future`).about('not_future', { path });
  return end;
}

/** The price less so many percent, rounded to the currency, half a minor unit up. */
function reducedBy(percent: number, price: number | string, currency: string): string {
  const minor = toMinorRoundedDown(price, currency) * BigInt(100 - percent);
  return toMajor((minor + 50n) / 100n, currency);
}

/** The new value as text, or the old text if it is the same number, which may be written with more zeros. */
function sameOr(before: string | null, after: number | null): string | null {
  if (after === null) return null;
  return before !== null && Number(before) === after ? before : String(after);
}
