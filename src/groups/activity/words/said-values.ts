import { toMajor, toMinor } from '../../../platform/money.js';
import { type DtoClass, type FieldSpec, fields } from '../../../platform/schema/field-spec.js';
import { isPlainObject } from '../../../platform/schema/json/parse-input.js';

/** Fields that people call otherwise than their names do. */
const WORDS: Record<string, string> = {
  itemAmount: 'stock',
  imageUrl: 'picture',
  images: 'pictures',
  productId: 'external id',
  sku: 'SKU',
  providerName: 'provider',
  inlineProviders: 'payment providers of the form',
};

export const NOTHING = '—';
const LONGEST = 300;

/** A field in words: "sale price" of salePrice, "active" of isActive. */
export const wordsOf = (name: string): string =>
  WORDS[name] ??
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/^is (?=\w)/, '');

/** Where the declarations of fields say which of them are money. */
export type Declared = (name: string) => FieldSpec | undefined;

export const declaredIn =
  (...types: DtoClass[]): Declared =>
  (name) =>
    types.flatMap((type) => fields(type)).find((field) => field.name === name);

/** A value as a person reads it, with its currency if it is money. */
export function said(value: unknown, currency: string, spec?: FieldSpec): string {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' || typeof value === 'string') return cut(money(value, currency, spec));
  if (Array.isArray(value)) {
    const between = value.some(isPlainObject) ? '; ' : ', ';
    return value.length === 0 ? NOTHING : cut(value.map((one) => said(one, currency, spec)).join(between));
  }
  const object = value as Record<string, unknown>;
  if (typeof object.shortened === 'string') return `${cut(object.shortened)}…`;
  const inside = spec?.nested ? declaredIn(spec.nested.type()) : () => undefined;
  const parts = Object.entries(object)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .map(([name, inner]) => `${wordsOf(name)} ${said(inner, currency, inside(name))}`);
  return parts.length === 0 ? NOTHING : cut(parts.join(', '));
}

function money(value: number | string, currency: string, spec?: FieldSpec): string {
  if (!spec?.minorUnits && !spec?.majorUnits) return String(value);
  try {
    const minor = spec.minorUnits ? value : toMinor(value, currency);
    return `${toMajor(minor, currency)} ${currency}`;
  } catch {
    // Finer than the currency, or no number: it is shown as it is.
    return String(value);
  }
}

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text);
