import { NO, OUT_OF_STOCK, IN_STOCK, plainWord, YES } from '../formats/words.js';
import { Unfit } from '../problem.js';

const APOSTROPHE = /(?<=^|[,;\t\r\n])([ "']*)'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Takes off the apostrophes that the export puts before what a spreadsheet would run as a formula. */
export const restored = (text: string): string => text.replace(APOSTROPHE, '$1');

/** Reads yes or no; null for an empty cell. @throws Unfit */
export function flagOf(cell: string): boolean | null {
  const word = plainWord(cell);
  if (word === '') return null;
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new Unfit('flag', cell);
}

/** What words say of a stock that is not counted; undefined if the cell is no such word. */
export function stockWord(cell: string): 'there' | 'gone' | undefined {
  const word = plainWord(cell);
  if (OUT_OF_STOCK.has(word)) return 'gone';
  return IN_STOCK.has(word) ? 'there' : undefined;
}

/** A long code as spreadsheets shorten it: 4.82E+12. */
const SHORTENED = /^\d([.,]\d+)?E\+?\d+$/i;
export const isShortened = (code: string) => SHORTENED.test(code);

/** Whether a spreadsheet would shorten the code to this. */
export function shortens(short: string, code: string): boolean {
  const [mantissa, exponent] = short.replace(',', '.').toUpperCase().split('E');
  if (!/^\d+$/.test(code) || code.length !== Number(exponent) + 1) return false;
  const digits = mantissa.split('.')[1]?.length ?? 0;
  return (
    Number(code).toExponential(digits) === Number(`${mantissa}E${Number(exponent)}`).toExponential(digits)
  );
}

/** An id or a code, without what marks it as a text for spreadsheets: ="0012", '0012, a tab. */
export function codeOf(cell: string): string | null {
  const trimmed = cell.replace(/[\u200B\uFEFF]/g, '').trim();
  const [, quoted = trimmed] = /^="(.*)"$/s.exec(trimmed) ?? [];
  return quoted.replace(/^'/, '').trim() || null;
}

/** Whether a spreadsheet would make the one of the other, by taking the zeros at its beginning. */
export const losesZeros = (short: string, code: string) =>
  /^\d+$/.test(short) &&
  short !== code &&
  /^0\d+$/.test(code) &&
  code.replace(/^0+/, '') === short.replace(/^0+/, '');

const ADDRESS = /^(https?:)?\/\//i;
const BEFORE_ADDRESS = /[\s|]+|[,;]+(?=\s*(?:https?:)?\/\/)|[,;]+\s+|[,;]+$/i;
const BETWEEN_NAMES = /\s*[,;|\n]\s*/;

/**
 * The addresses of pictures in a cell, between which may be blanks, line breaks, commas, semicolons and bars.
 * An address may have a comma or semicolon itself.
 * @param base what stands before the names of pictures that are no addresses
 * @throws Unfit for what is no address
 */
export function picturesOf(cell: string, base = ''): string[] {
  const text = cell.trim();
  const parts = ADDRESS.test(text) ? text.split(BEFORE_ADDRESS) : text.split(BETWEEN_NAMES);
  return parts.filter(Boolean).map((part) => {
    const address = ADDRESS.test(part) ? part : base && base + encodeURI(decoded(part).replace(/^\//, ''));
    if (!address || !isAddress(address)) throw new Unfit('pictureAddress', part);
    return address.startsWith('//') ? `https:${address}` : address;
  });
}

/** Browsers of some years ago have no URL.canParse. */
function isAddress(text: string): boolean {
  try {
    return Boolean(new URL(text, 'https://x').hostname);
  } catch {
    return false;
  }
}

function decoded(part: string): string {
  try {
    return decodeURI(part);
  } catch {
    return part;
  }
}
