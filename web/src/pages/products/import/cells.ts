import { readNumber } from '../../../parts/inputs/amounts';
import { words } from '../../../words';

/** Why a row cannot be imported. */
export class Unfit extends Error {}

/** What the cells of this store mean. */
export interface Known {
  currency: string;
  decimals: number;
  language: string;
  /** The ids of the brands or categories with this name. */
  idsOf: (kind: 'brand' | 'category', name: string) => string[];
}

const YES = /^(true|yes|1|так|істина)$/i;
const NO = /^(false|no|0|ні|хибність)?$/i;
/** A long code as spreadsheets shorten it: 4.82E+12. */
const SHORTENED = /^\d([.,]\d+)?E\+\d+$/i;

function amount(text: string, decimals: number, language: string): number | null {
  const value = readNumber(text, decimals, language);
  if (value === undefined || (value ?? 0) < 0) throw new Unfit(words.refusals.unreadable(decimals));
  return value;
}

function code(text: string): string | null {
  if (SHORTENED.test(text)) throw new Unfit(words.imports.shortened(text));
  return text.trim() || null;
}

function needed<Value>(value: Value | null): Value {
  if (value === null || value === '') throw new Unfit(words.refusals.required);
  return value;
}

function reference(kind: 'brand' | 'category', name: string, { idsOf }: Known): string | null {
  if (name.trim() === '') return null;
  const [id, ...others] = idsOf(kind, name.trim());
  if (!id) throw new Unfit(words.imports.noSuch(name));
  if (others.length > 0) throw new Unfit(words.imports.several(name));
  return id;
}

/** How each column is read. @throws Unfit */
export const READ = {
  title: (text: string) => needed(text),
  price: (text: string, { decimals, language }: Known) => needed(amount(text, decimals, language)),
  salePrice: (text: string, { decimals, language }: Known) => amount(text, decimals, language),
  itemAmount: (text: string, { language }: Known) => amount(text, 0, language),
  isHidden: (text: string) => {
    if (!YES.test(text.trim()) && !NO.test(text.trim())) throw new Unfit(words.imports.flag);
    return YES.test(text.trim());
  },
  sku: code,
  barcode: code,
  brand: (text: string, known: Known) => reference('brand', text, known),
  category: (text: string, known: Known) => reference('category', text, known),
  tags: (text: string) => text || null,
  description: (text: string) => text,
  images: (text: string) => {
    const addresses = text.split(/\s+/).filter(Boolean);
    if (addresses.length === 0) throw new Unfit(words.refusals.required);
    return addresses;
  },
};

export type Field = keyof typeof READ;
export const FIELDS = Object.keys(READ) as Field[];
export const OF_VARIANTS: Field[] = ['price', 'salePrice', 'itemAmount', 'sku', 'barcode'];

export const read = (
  field: Field,
  text: string,
  known: Known,
): string | number | boolean | string[] | null => {
  try {
    return READ[field](text, known);
  } catch (error) {
    if (error instanceof Unfit) throw new Unfit(`${field}: ${error.message}`);
    throw error;
  }
};

const plain = (text: string) => text.replaceAll('\r\n', '\n');
const NAMED: Field[] = ['brand', 'category'];

/**
 * Whether two texts say the same: a spreadsheet writes 12.50 as 12,5, TRUE for true, and other line breaks.
 */
export function isSame(field: Field, one: string, other: string, known: Known): boolean {
  if (plain(one) === plain(other)) return true;
  if (NAMED.includes(field)) return false;
  return JSON.stringify(read(field, one, known)) === JSON.stringify(READ[field](other, known));
}
