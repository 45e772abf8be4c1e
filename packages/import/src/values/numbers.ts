import { CURRENCIES, SHARED_SIGNS } from '../formats/words.js';
import { Unfit } from '../problem.js';

export type DecimalSign = '.' | ',';

/** How the numbers of a column are written, as far as its cells tell. */
export interface NumberForm {
  /** Null: nothing tells whether 1,250 is a thousand or one and a quarter. */
  sign: DecimalSign | null;
  /** Whether some cells are written in one way and others in the other. */
  isMixed: boolean;
  /** A cell that may be read in two ways. */
  sample?: string;
}

const BLANKS = /[\s\u00A0\u202F\u2009'’]/g;
const LETTERS = /^[\p{L}\p{Sc}.]+|[\p{L}\p{Sc}.]+$/gu;
const CODES = new Set(Intl.supportedValuesOf('currency'));
const UNITS = /^(шт|pcs|pc|szt|stk|ea|од)\.?$/i;

/** The number in a cell without blanks and signs of money, and the currency that it names. */
export function amountIn(cell: string): { number: string; currency: string | null } {
  const compact = cell.replace(BLANKS, '').replace('−', '-');
  let currency: string | null = null;
  const number = compact.replace(LETTERS, (sign) => {
    const plain = sign.replace(/^\.+$/, '').toLowerCase();
    if (plain === '' || SHARED_SIGNS.includes(plain) || UNITS.test(plain)) return sign === '.' ? sign : '';
    if (plain.startsWith('.')) return sign;
    const named = CURRENCIES[plain] ?? (CODES.has(plain.toUpperCase()) ? plain.toUpperCase() : undefined);
    currency ??= named ?? null;
    return named ? '' : sign;
  });
  return { number: number.replace(/[.,]-+$/, ''), currency };
}

/** What one number says of its sign: the sign, null if it may be either, undefined if it says nothing. */
function signIn(number: string, decimals: number): DecimalSign | null | undefined {
  const signs: string[] = number.match(/[.,]/g) ?? [];
  if (signs.length === 0) return undefined;
  const last = signs.at(-1) as DecimalSign;
  const other = last === '.' ? ',' : '.';
  if (new Set(signs).size === 2) return last;
  if (signs.length > 1) return other;
  const [whole, fraction] = number.replace('-', '').split(last);
  if (fraction.length !== 3 || whole.length > 3 || /^0*$/.test(whole)) return last;
  // Three digits that would be too exact for the currency separate thousands.
  return fraction.replace(/0+$/, '').length > decimals ? other : null;
}

/** How the cells of a column write numbers. @param decimals the most that are meant */
export function numberForm(cells: Iterable<string>, decimals: number): NumberForm {
  const found = new Set<DecimalSign>();
  let sample: string | undefined;
  for (const cell of cells) {
    const sign = signIn(amountIn(cell).number, decimals);
    if (sign) found.add(sign);
    if (sign === null) sample ??= cell;
  }
  const isMixed = found.size === 2;
  return { sign: found.size === 1 ? [...found][0] : null, isMixed, sample };
}

const GROUPED = { '.': /^-?\d{1,3}(,\d{3})+(\.\d*)?$/, ',': /^-?\d{1,3}(\.\d{3})+(,\d*)?$/ };
const PLAIN = { '.': /^-?\d*(\.\d*)?$/, ',': /^-?\d*(,\d*)?$/ };

/**
 * Reads a number that is written with this decimal sign.
 * @param decimals the most that it may have; zeros after them do not count
 * @returns null for an empty cell
 * @throws Unfit
 */
export function numberOf(
  cell: string,
  sign: DecimalSign,
  decimals: number,
  currency?: string,
): number | null {
  const { number, currency: named } = amountIn(cell);
  if (number === '' && cell.trim() === '') return null;
  if (named && currency && named !== currency) throw new Unfit('currency', named);
  if (named && !currency) throw new Unfit('unreadable', cell);
  if (!/\d/.test(number)) throw new Unfit('unreadable', cell);
  if (!PLAIN[sign].test(number) && !GROUPED[sign].test(number)) throw new Unfit('unreadable', cell);
  const plain = number.replaceAll(sign === '.' ? ',' : '.', '').replace(',', '.');
  const [, fraction = ''] = plain.split('.');
  if (fraction.replace(/0+$/, '').length > decimals) throw new Unfit('tooManyDecimals', cell);
  return Number(plain);
}
