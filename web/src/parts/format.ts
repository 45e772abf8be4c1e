import { words, language } from '../words';
import type { Store } from '../api/store';

const dash = '–';

/** A formatter takes as long to make as a hundred numbers to write, and a list needs hundreds: each is made once. */
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
const distances = made((options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language, options));

/** An amount in minor units, as orders carry it. The currency's decimals are the service's, not Intl's: CLDR differs and knows no XTR. */
export function minorMoney(amount: number, { currency, currencyDecimals }: Pick<Store, 'currency' | 'currencyDecimals'>): string {
  return majorMoney(amount / 10 ** currencyDecimals, { currency, currencyDecimals });
}

/** An amount in major units, as products carry it. */
export function majorMoney(amount: number, { currency, currencyDecimals }: Pick<Store, 'currency' | 'currencyDecimals'>): string {
  if (currency === 'XTR') return `${number(amount)} ★`;
  const digits = { minimumFractionDigits: currencyDecimals, maximumFractionDigits: currencyDecimals };
  return numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits }).format(amount);
}

export const number = (value: number, options?: Intl.NumberFormatOptions) => numbers(options).format(value);
export const percent = (share: number) => number(share, { style: 'percent', maximumFractionDigits: 1 });

/** In the reader's zone; `null` is a dash. */
export function dateTime(iso: string | null | undefined): string {
  return iso ? moments({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)) : dash;
}

export function date(iso: string | null | undefined): string {
  return iso ? moments({ dateStyle: 'medium' }).format(new Date(iso)) : dash;
}

/** A day of the service's calendar, which is UTC: "2026-11-22" is "22 Nov". */
export const dayName = (day: string) =>
  moments({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00Z`));

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

/** A field's name as a person would say it: `itemAmount` is "Item amount" when the words have no better one. */
export function fieldName(name: string): string {
  const spaced = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.fields[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** An operation's or event's name as a person would say it: `set_order_status` is "Set order status". */
export function humanized(name: string): string {
  const spaced = name.replace(/[._-]+/g, ' ').trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}

/** A value of any kind in one line. */
export function asText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? words.common.yes : words.common.no;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number);
}
