import { withDigits } from './keys.js';

// A phone number is its digits: it is found with and without its country, trunk prefix, signs and extension
// (docs/behaviour.md §13.14). Digits are stored from the last one on, so that an end of a number is a range
// of an index.

/** Two numbers with as many equal last digits are one. */
const COMPARED = 8;
/** The most digits of a number without its area, and of what is typed as the end of one. */
const LOCAL = 7;
const FEWEST_STORED = 5;
const FEWEST_TYPED = 4;
const MOST = 20;

/** The most digits of a number with its country; a longer run is two numbers. */
const INTERNATIONAL = 15;

const DASHES = '\\-\\u2010-\\u2015\\u2212';
/** The digits of a number, with at most four signs between two of them. */
const RUN = new RegExp(`(?:\\+\\s*)?\\(?\\d(?:[\\s().${DASHES}/·_]{0,4}\\d)*`, 'gu');
const ONLY_NUMBER = new RegExp(`^(?:tel:)?[+\\d\\s().${DASHES}/·_]+$`, 'iu');
const EXTENSION = new RegExp(
  '(?:;?\\s*ext(?:ension)?|x|int(?:erno)?|anexo|ramal|poste|доп|доб|вн|durchwahl|dw|内線|分机|#)' +
    '[.:=\\s#]*\\d{1,6}(?!\\d)',
  'giu',
);
/** The trunk prefix as it is written after a country. */
const OPTIONAL_ZERO = /(?<=\d[\s.-]*)\(0\)/;

const plain = (text: string) =>
  withDigits(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')).replace(
    EXTENSION,
    ' | ',
  );

const reversed = (digits: string) => [...digits].reverse().join('');

/** Without 00 and the trunk prefix 0, and without the trunk prefix 8 of a number of eleven digits. */
function withoutTrunk(digits: string): string {
  const core = digits.replace(/^0+/, '');
  return core.length === 11 && core.startsWith('8') ? core.slice(1).replace(/^0+/, '') : core;
}

/** The numbers in a text as they are stored: their digits, the last one first. */
export function phoneDigits(text: string): string[] {
  return (plain(text).match(RUN) ?? []).flatMap((run) => {
    const digits = run.replace(OPTIONAL_ZERO, '').replace(/\D/g, '');
    const isTwo = digits.length > INTERNATIONAL;
    return (isTwo ? run.split(/\s*\/\s*|\s{2,}/).map((part) => part.replace(/\D/g, '')) : [digits])
      .map(withoutTrunk)
      .filter(({ length }) => length >= FEWEST_STORED && length <= MOST)
      .map(reversed);
  });
}

/** What a number that was typed finds: stored digits that begin with `end`, or are `local`. */
export interface TypedPhone {
  end: string;
  /** Null if too few digits were typed to have an area. */
  local: string | null;
}

/** @returns null if the text is not a phone number or the end of one */
export function typedPhone(text: string): TypedPhone | null {
  const typed = plain(text).replace(/ \| $/, '');
  if (!ONLY_NUMBER.test(typed)) return null;
  const all = typed.replace(OPTIONAL_ZERO, '').replace(/\D/g, '');
  // The end of a number may begin with zeros that count.
  const digits = all.length <= LOCAL ? all : withoutTrunk(all);
  if (digits.length < FEWEST_TYPED || digits.length > MOST) return null;
  const back = reversed(digits);
  return { end: back.slice(0, COMPARED), local: back.length > LOCAL ? back.slice(0, LOCAL) : null };
}
