import { Big } from 'big.js';
import { data as iso4217 } from 'currency-codes';

/**
 * The largest order total, in minor units: the API carries totals as JSON numbers, exact only up to 2^53 - 1.
 */
export const MAX_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/** The code is neither a spendable ISO 4217 currency nor XTR. */
export class UnknownCurrency extends Error {
  override readonly name = 'UnknownCurrency';
  constructor(readonly currency: string) {
    super(`${quoted(currency)} is not a known currency code`);
  }
}

/** The value cannot be held in the currency without rounding. */
export class TooManyDecimals extends Error {
  override readonly name = 'TooManyDecimals';
  constructor(
    value: number | string,
    readonly currency: string,
    readonly allowed: number,
  ) {
    super(`${quoted(value)} has more decimals than ${currency} has (${allowed})`);
  }
}

/** The value is not a finite decimal number, or not a whole number of minor units. */
export class InvalidAmount extends Error {
  override readonly name = 'InvalidAmount';
  constructor(value: number | string, expected: string) {
    super(`${quoted(value)} is not ${expected}`);
  }
}

// ISO 4217 gives these no minor unit ("N.A."): metals, accounting units, the test code and "no currency".
const WITHOUT_MINOR_UNIT = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

const EXPONENTS: ReadonlyMap<string, number> = new Map([
  ...iso4217
    .filter(({ code }) => !WITHOUT_MINOR_UNIT.has(code))
    .map(({ code, digits }) => [code, digits] as const),
  ['XTR', 0], // the messenger's stars: no ISO currency, and only whole ones exist
]);

// Strings are plain decimals as PostgreSQL prints `numeric`; an exponent in one could ask for a gigabyte of
// zeros.
const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;
const WHOLE = /^-?\d+$/;

/** Whether `code` is a currency a store can have: ISO 4217 in capitals, or XTR. */
export function isCurrency(code: string): boolean {
  return EXPONENTS.has(code);
}

/** The number of decimals of the currency (ISO 4217 minor unit; 0 for XTR). Throws UnknownCurrency. */
export function currencyExponent(code: string): number {
  const exponent = EXPONENTS.get(code);
  if (exponent === undefined) throw new UnknownCurrency(code);
  return exponent;
}

/**
 * The number of decimals that a bonus amount may have in a store of this currency: those of the currency, at
 * most 2 (docs/behaviour.md §6.5).
 */
export function bonusDecimals(currency: string): number {
  return Math.min(currencyExponent(currency), 2);
}

/**
 * Converts major units to minor units exactly (docs/behaviour.md §4.2). A JS number means its shortest
 * decimal form, so 0.1 is one tenth. Trailing zeros do not count as decimals: '10.5000' is 1050 cents. Throws
 * UnknownCurrency, TooManyDecimals, and InvalidAmount for NaN, infinities and strings that are not plain
 * decimals.
 */
export function toMinor(major: number | string, currency: string): bigint {
  const minor = inMinor(major, currency);
  if (!minor.eq(minor.round(0, Big.roundDown)))
    throw new TooManyDecimals(major, currency, currencyExponent(currency));
  return roundDownToMinor(minor);
}

/**
 * Converts major units to minor units and drops fractions of a minor unit, for limits and balances, which may
 * be finer than the currency. Throws UnknownCurrency and InvalidAmount.
 */
export function toMinorRoundedDown(major: number | string, currency: string): bigint {
  return roundDownToMinor(inMinor(major, currency));
}

/**
 * Converts minor units to major units, always with all decimals of the currency: 1050n USD is '10.50', 250n
 * XTR is '250'. Throws UnknownCurrency, and InvalidAmount when `minor` is not whole or a number beyond 2^53 -
 * 1.
 */
export function toMajor(minor: bigint | number | string, currency: string): string {
  const exponent = currencyExponent(currency);
  const text = whole(minor).toString();
  if (exponent === 0) return text;
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).padStart(exponent + 1, '0');
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Whether the shortest decimal form of `value` has at most `decimals` decimals; false for NaN and infinities.
 */
export function hasAtMostDecimals(value: number, decimals: number): boolean {
  return Number.isFinite(value) && new Big(value).round(decimals, Big.roundDown).eq(value);
}

/** What an amount in major units comes to if decimals beyond these are dropped; null if it has none. */
export function withoutFiner(value: number, decimals: number): string | null {
  if (hasAtMostDecimals(value, decimals)) return null;
  return new Big(value).round(decimals, Big.roundDown).toFixed(decimals);
}

/** A sum as a JSON number: at most 2^53 - 1, because a greater one would not be exact. */
export function sumShown(sum: bigint | string): number {
  return Math.min(Number(sum), Number.MAX_SAFE_INTEGER);
}

/** Rounds an amount in minor units towards zero to whole units. */
export function roundDownToMinor(minor: Big): bigint {
  return BigInt(minor.toFixed(0, Big.roundDown));
}

/** `percentage` % of `minor`, in minor units, unrounded. Throws InvalidAmount. */
export function percentOf(minor: bigint, percentage: number | string): Big {
  // Not div(100): big.js rounds quotients to 20 decimals, products never.
  return new Big(minor.toString()).times(decimal(percentage)).times('0.01');
}

function inMinor(major: number | string, currency: string): Big {
  return decimal(major).times(`1e${currencyExponent(currency)}`);
}

function decimal(value: number | string): Big {
  const valid = typeof value === 'string' ? PLAIN_DECIMAL.test(value) : Number.isFinite(value);
  if (!valid) throw new InvalidAmount(value, 'a decimal number');
  return new Big(value);
}

function whole(value: bigint | number | string): bigint {
  if (typeof value === 'bigint') return value;
  const valid = typeof value === 'string' ? WHOLE.test(value) : Number.isSafeInteger(value);
  if (!valid) throw new InvalidAmount(value, 'a whole number of minor units');
  return BigInt(value);
}

function quoted(value: number | string): string {
  return JSON.stringify(String(value).slice(0, 40));
}
