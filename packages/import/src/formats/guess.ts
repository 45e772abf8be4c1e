import { type Field, FIELDS, MANY } from './fields.js';
import { HEADINGS, NOT_READ } from './headings.js';
import { CURRENCIES, plainWord, ROW_TYPES } from './words.js';

/** What a heading stands for: a field, and the number of an option. */
export interface Known {
  field: Field;
  /** 1 for Option1 Name. */
  place?: number;
  /** The lower, the surer: the place in the list of the field's headings. */
  rank: number;
}

const letters = (text: string) => text.replace(/[^\p{L}\p{N}%]+/gu, '');
const BRACKETS = /\([^)]*\)|\[[^\d\]][^\]]*\]/g;
const MONEY = new RegExp(
  `[\\s,]+(?:${Object.keys(CURRENCIES)
    .map((sign) => sign.replace(/[.$]/g, '\\$&'))
    .join('|')}|[a-z]{3})\\.?$`,
  'u',
);

/** The forms of a heading in which it may be known, the whole one first. */
function formsOf(heading: string): string[] {
  const plain = heading.normalize('NFKC').toLowerCase().trim();
  const short = plain.replace(BRACKETS, ' ').trim();
  return [...new Set([plain, short, short.replace(MONEY, '')].map(letters))].filter(Boolean);
}

/** `#` is a number, `*` at the end anything. */
const patternOf = (plain: string) =>
  new RegExp(`^${plain.split('#').map(letters).join('(\\d{1,2})')}${plain.endsWith('*') ? '.*' : ''}$`, 'u');

const DIRECT = new Map<string, Known[]>();
const PATTERNS: [RegExp, Known][] = [];
for (const field of FIELDS) {
  for (const [rank, heading] of HEADINGS[field].entries()) {
    const plain = heading.normalize('NFKC').toLowerCase();
    if (!/#|\*$/.test(heading))
      DIRECT.set(letters(plain), [...(DIRECT.get(letters(plain)) ?? []), { field, rank }]);
    else PATTERNS.push([patternOf(plain), { field, rank }]);
  }
}
const LEFT = new Set(NOT_READ.flatMap(formsOf));

/** The fields that a heading may stand for, the likeliest first. */
export function knownAs(heading: string): Known[] {
  for (const form of formsOf(heading)) {
    if (LEFT.has(form)) return [];
    const direct = DIRECT.get(form) ?? [];
    const byPattern = PATTERNS.flatMap(([pattern, known]) => {
      const found = pattern.exec(form);
      return found ? [{ ...known, ...(found[1] && { place: Number(found[1]) }) }] : [];
    });
    if (direct.length + byPattern.length > 0) return [...direct, ...byPattern];
  }
  return [];
}

/** How many of the cells are headings that are known. */
export const countKnown = (cells: string[]) => cells.filter((cell) => knownAs(cell).length > 0).length;

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const isRowType = (cell: string) => Object.values(ROW_TYPES).some((words) => words.has(plainWord(cell)));

/** What the values of a column must be for it to be a field. */
const VALUES: Partial<Record<Field, (cell: string) => boolean>> = {
  id: (cell) => UUID.test(cell),
  variantId: (cell) => UUID.test(cell),
  rowType: isRowType,
  category: (cell) => !/^[\d\s,;]+$/.test(cell),
  categories: (cell) => !/^[\d\s,;]+$/.test(cell),
  brand: (cell) => !/^\d+$/.test(cell),
};

/** Whether a column with these values, of those that are filled, can be the field. */
export const canBe = (field: Field, values: readonly string[]) => {
  const test = VALUES[field];
  return !test || values.length === 0 || values.every(test);
};

/** GTIN's check digit (GS1 General Specifications, section 7.9). */
function isBarcode(cell: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(cell)) return false;
  const digits = [...cell].map(Number);
  const check = digits.pop()!;
  const sum = digits.reverse().reduce((total, digit, i) => total + digit * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === check;
}

/** The field of a column whose heading says nothing, by its values alone. */
export function fieldByValues(values: readonly string[]): Field | null {
  if (values.length === 0) return null;
  if (values.every((value) => /^https?:\/\/\S+\.(jpe?g|png|webp|gif|avif)\b/i.test(value))) return 'images';
  return values.every(isBarcode) ? 'barcode' : null;
}

export const mayRepeat = (field: Field) => MANY.has(field);
