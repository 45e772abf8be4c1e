import { findKey } from '../platform/text/find-key.js';
import { type TypedPhone, typedPhone } from '../platform/text/phones.js';
import { isBeginning, neededPieces } from './pieces.js';

export type Kind = 'order' | 'product' | 'customer';

/** The tracking number of an order has a document of its own, with pieces of its own. */
export type DocumentKind = Kind | 'tracking';

/** Which lines of a document are looked at. */
export type Lines = 'all' | 'first';

/** What was typed, as the statements take it. All lists are null if nothing was typed. */
export interface Needle {
  pieces: number[] | null;
  /** LIKE patterns, all of which a document must match. */
  patterns: string[] | null;
  /** Regular expressions, all of which it must match. */
  numbers: string[] | null;
  /** The same with all blanks and dashes left out, as people write the number of a parcel. */
  joinedPieces: number[] | null;
  joined: string | null;
  /** The pieces of each of these words, as the tracking number of an order has them: arrays of SQL. */
  trackingWords: string[] | null;
  /** The number of an order, or the id of a customer. */
  number: string | null;
  phoneEnd: string | null;
  phoneLocal: string | null;
}

export const NOTHING_TYPED: Needle = {
  ...{ pieces: null, patterns: null, numbers: null, joinedPieces: null, joined: null },
  trackingWords: null,
  ...{ number: null, phoneEnd: null, phoneLocal: null },
};

/** Of marks alone nothing is left. */
const NOTHING_TO_FIND: Needle = { ...NOTHING_TYPED, patterns: [''], numbers: [] };

/** The sign that people write before the number of an order. */
const NUMBER_SIGN = /^[\s\p{Default_Ignorable_Code_Point}]*[#№]\s*(?=\p{Nd})/u;
/** What stands around a word in a sentence, and not in what is looked for. */
const PUNCTUATION = /^[,;:.!?()[\]{}"']+(?=.)|(?<=.)[,;:.!?()[\]{}"']+$/g;
/** The fewest digits by which a number is found at its end. */
const FEWEST_OF_END = 6;

/**
 * The documents that have every word somewhere: three letters and more anywhere, fewer at the beginning of a
 * word. A text without a letter is a number: it begins one in the first line of a document (zeros before it
 * do not count), or ends one, if it has six digits.
 * @param lines of a customer also the second line has numbers that people look for
 */
export function needleOf(storeId: string, kind: Kind, typed: string, lines: Lines = 'all'): Needle {
  const key = findKey(typed.replace(NUMBER_SIGN, ''));
  const isNumber = /\d/.test(key) && !/[\p{L}@]/u.test(key);
  const words = (isNumber ? numbersIn(key) : key.split(' ')).map((word) => word.replace(PUNCTUATION, ''));
  if (words[0] === '') return NOTHING_TO_FIND;
  const isSigned = NUMBER_SIGN.test(typed);
  const isFirst = lines === 'first' || (isNumber && kind === 'order');
  const rest = isFirst ? '%\n%' : '%';
  const joined = joinedOf(key, words);
  const phone: TypedPhone | null = kind === 'product' ? null : typedPhone(typed);
  return {
    pieces: neededPieces(storeId, kind, words),
    patterns: words.map((word) => {
      const isOfWord = isBeginning(word) && !(isNumber && DIGITS.test(word));
      return `%${isOfWord ? ' ' : ''}${escaped(word)}${rest}`;
    }),
    numbers: isNumber
      ? words.filter((word) => DIGITS.test(word)).map((word) => numberPattern(word, isFirst))
      : [],
    joinedPieces: joined === null ? null : neededPieces(storeId, kind, [joined]),
    joined: joined === null ? null : `%${escaped(joined)}%`,
    trackingWords:
      kind === 'order' ? trackingWords(storeId, joined === null ? words : [...words, joined]) : null,
    number: kind === 'product' ? null : idIn(isSigned ? key.replace(/^0+/, '') : key),
    phoneEnd: phone?.end ?? null,
    phoneLocal: phone?.local ?? null,
  };
}

const DIGITS = /^\d+$/;

const trackingWords = (storeId: string, words: string[]) =>
  words.map((word) => `{${neededPieces(storeId, 'tracking', [word]).join()}}`);

const idIn = (key: string) =>
  /^[1-9]\d{0,18}$/.test(key) && BigInt(key) <= 9_223_372_036_854_775_807n ? key : null;

/** A number that is written in groups is one. */
const numbersIn = (key: string) =>
  /^[\d\s+().\-/]{8,}$/.test(key) ? [key.replace(/\D/g, '')] : key.split(' ');

const escaped = (word: string) => word.replace(/[\\%_]/g, '\\$&');

function numberPattern(digits: string, isFirst: boolean): string {
  const end = digits.length >= FEWEST_OF_END ? `|[0-9]*${digits}(?![0-9])` : '';
  return `${isFirst ? '^[^\\n]*' : ''}[^0-9](0*${digits}${end})`;
}

/** Null unless the words can be the groups of one number. */
function joinedOf(key: string, words: string[]): string | null {
  const joined = key.replace(/[\s-]/g, '');
  const digits = joined.replace(/\D/g, '').length;
  const isOne = words.length === 1 && words[0] === joined;
  return isOne || digits < FEWEST_OF_END || joined.length > 2 * digits ? null : joined;
}
