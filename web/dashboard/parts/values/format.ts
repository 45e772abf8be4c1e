import { timeZone } from './time-zone';
import { words, language } from '../../words';
import type { Store } from '../../api/store';

const dash = '–';

/**
 * Caches formatters: creating one takes as long as formatting a hundred numbers, and a list formats hundreds.
 */
function made<Options, Formatter>(make: (options?: Options) => Formatter): (options?: Options) => Formatter {
  const kept = new Map<string, Formatter>();
  return (options) => {
    const key = JSON.stringify(options) ?? '';
    if (!kept.has(key)) kept.set(key, make(options));
    return kept.get(key)!;
  };
}

const numbers = made((options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options));
const moments = made((options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options));
const distances = made(
  (options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options),
);

/**
 * Formats an amount in minor units, which orders use. The number of decimals comes from the service, not from
 * Intl: CLDR has other values for some currencies and does not know XTR.
 */
export function minorMoney(
  amount: number,
  { currency, currencyDecimals }: Pick<Store, 'currency' | 'currencyDecimals'>,
): string {
  return majorMoney(amount / 10 ** currencyDecimals, { currency, currencyDecimals });
}

/** Formats an amount in major units, which products use. */
export function majorMoney(
  amount: number,
  { currency, currencyDecimals }: Pick<Store, 'currency' | 'currencyDecimals'>,
): string {
  if (currency === 'XTR') return `${number(amount)} ★`;
  const digits = { minimumFractionDigits: currencyDecimals, maximumFractionDigits: currencyDecimals };
  return numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits }).format(amount);
}

export const number = (value: number, options?: Intl.NumberFormatOptions) => numbers(options).format(value);
export const percent = (share: number) => number(share, { style: 'percent', maximumFractionDigits: 1 });

/** A moment in the store's time zone; `null` becomes a dash. */
export function dateTime(iso: string | null | undefined): string {
  return iso ? moments({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(iso)) : dash;
}

export function date(iso: string | null | undefined): string {
  return iso ? moments({ dateStyle: 'medium', timeZone }).format(new Date(iso)) : dash;
}

/** "2026-05" becomes "May 2026". */
export const monthName = (month: string) =>
  moments({ month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00Z`));

/** A day of the service's calendar, which is in UTC: "2026-11-22" becomes "22 Nov", or "22 Nov 2026". */
export const dayName = (day: string, year?: 'numeric') =>
  moments({ day: 'numeric', month: 'short', year, timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`));

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago", "in 2 days". */
export function relative(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return distances({ numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

/** An operation's or event's name for people: `set_order_status` becomes "Set order status". */
export function humanized(name: string): string {
  const spaced = name.replace(/[._-]+/g, ' ').trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}

/** A value of any type as one line of text. */
export function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? words.common.yes : words.common.no;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
}
