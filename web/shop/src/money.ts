import type { Shop } from './api';
import { language } from './words';

let currency = 'USD';
let digits = 2;
let format: Intl.NumberFormat;

/** The decimals are those of ISO 4217, as the service counts: a browser has others for some currencies. */
export function useCurrencyOf(shop: Pick<Shop, 'currency' | 'digits'>): void {
  ({ currency, digits } = shop);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  format = new Intl.NumberFormat(language, {
    ...options,
    ...(currency === 'XTR' ? {} : { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
    trailingZeroDisplay: 'stripIfInteger',
  } as Intl.NumberFormatOptions);
}

/** An amount in major units. Stars have no symbol of their own in browsers. */
export const major = (amount: number) => (currency === 'XTR' ? '⭐ ' : '') + format.format(amount);
export const toMajor = (minor: number) => minor / 10 ** digits;
export const toMinor = (amount: number) => Math.round(amount * 10 ** digits);
export const minor = (amount: number) => major(toMajor(amount));
/** The least step of an amount, for a field of one. */
export const step = () => String(1 / 10 ** digits);
