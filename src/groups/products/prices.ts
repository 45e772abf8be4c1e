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

/** A product or variant as it is stored. */
interface Sold {
  id: string;
  price: string;
  salePrice: string | null;
  saleUntil: Date | null;
}

/** Its prices at that time: a sale whose end has come is over, also while the row still has its price. */
export const soldAt = ({ price, salePrice, saleUntil }: Sold, now: Date) =>
  saleUntil !== null && saleUntil <= now
    ? { price, salePrice: null, saleUntil: null }
    : { price, salePrice, saleUntil };

/**
 * What a change writes of the sale beside the fields that it gives: a sale price that is written has no end,
 * but the one that undoing a change puts back; a sale that is over goes.
 */
export function saleAfter(
  ctx: StoreContext,
  before: Sold,
  { salePrice }: Prices,
): { salePrice?: null; saleUntil?: Date | null } {
  const isOver = soldAt(before, ctx.now()).saleUntil !== before.saleUntil;
  const back = ctx.audit.kept?.salesUntil;
  if (!back) return salePrice !== undefined ? { saleUntil: null } : isOver ? OVER : {};
  const after = salePrice === undefined ? before.salePrice : salePrice;
  if (after === null) return { saleUntil: null };
  return Object.hasOwn(back, before.id) ? { saleUntil: dateOf(back[before.id]) } : {};
}

const OVER = { salePrice: null, saleUntil: null };
const dateOf = (text: string | null) => (text === null ? null : new Date(text));

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
