import { requireExactAmount } from '../../platform/schema/exact-amount.js';
import type { StoreContext } from '../../platform/store/store-context.js';

interface Prices {
  price?: number;
  salePrice?: number | null;
}

/**
 * @param path the prefix of the names of the fields
 * @throws OperationError invalid_input for a price that the currency cannot represent
 */
export function requireExactPrices(
  { currency }: StoreContext,
  { price, salePrice }: Prices,
  path = '',
): void {
  requireExactAmount(`${path}price`, price, currency);
  requireExactAmount(`${path}salePrice`, salePrice, currency);
}

/**
 * JavaScript writes a number as its shortest exact decimal, so as text it reaches the numeric column
 * unchanged.
 */
type AsText<Fields> = {
  [Name in keyof Fields]: Name extends keyof Prices ? Exclude<Fields[Name], number> | string : Fields[Name];
};

export function exactPrices<Fields extends Prices>(fields: Fields): AsText<Fields> {
  const text = (value: unknown) => (typeof value === 'number' ? String(value) : value);
  return { ...fields, price: text(fields.price), salePrice: text(fields.salePrice) } as AsText<Fields>;
}
