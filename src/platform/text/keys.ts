import { BLANK, BLANKS, INVISIBLE } from './name-key.js';

// Names of records are compared by keys, so that no second record stands beside one that looks the same
// (docs/behaviour.md §6.18). They are stored as they were written, but tidied.

/** What people type for an apostrophe. */
export const APOSTROPHES =
  '\u2019\u2018\u201b\u02bc\u02bb\u02b9\u02bd\u02c8\u02ca\u02cb`\u00b4\u2032\u2035\uff07\u05f3\ua78b\ua78c' +
  '\u0384\u055a\u1fef\u1ffd';
/** Of these, those that the compatibility form makes a blank and a mark. */
const DECOMPOSED = /[\u00b4\u0384\u1ffd]/g;
/** What has no glyph, and no script needs: tags, marks of direction, fillers. */
const UNSEEN = /[\u{e0000}-\u{e01ef}\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\u3164\uffa0\ufeff]/gu;
/** A variation selector at the beginning varies nothing; joiners at the ends join nothing. */
const OUTER = new RegExp(`^[${BLANK}\\u200c\\u200d\\ufe00-\\ufe0f]+|[${BLANK}\\u200c\\u200d]+$`, 'gu');
/** ASCII without what changes, which is letter case alone. The backtick is an apostrophe. */
export const PLAIN = /^[\x20-\x5f\x61-\x7e]*$/;

/** ASCII without blanks around it, as most names are. */
const TIDY = /^[!-~](?:[ -~]*[!-~])?$/;
const VISIBLE = new RegExp(`[^${BLANK}${INVISIBLE}]`, 'u');

/**
 * A name as it is stored: without blanks around it and characters that nobody sees. Empty if nothing of it
 * can be seen.
 */
export function tidy(text: string): string {
  if (TIDY.test(text)) return text;
  return VISIBLE.test(text) ? text.replace(UNSEEN, '').replace(OUTER, '') : '';
}

/** The key of a code: everything that looks or sounds alike is one, but marks are kept. */
export function codeKey(text: string): string {
  if (PLAIN.test(text)) return text.replace(/ {2,}/g, ' ').trim().toLowerCase();
  return foldCase(levelled(text)).normalize('NFKC').replace(BLANKS, ' ').trim();
}

/** The key of an e-mail address: its compatibility form without case. */
export const emailKey = (text: string): string =>
  oneI(caseFold(tidy(text).normalize('NFKC')))
    .normalize('NFKC')
    .trim();

/**
 * The text in a form for comparing without case, composed (NFC). Every letter of Unicode equals its upper
 * and its lower case. It is lowered first, for the capital ẞ, then raised, so that ß equals SS. The two small
 * Greek sigmas are one letter. PostgreSQL's lower() cannot be used, because it depends on the database's
 * locale.
 */
export const caseFold = (text: string): string =>
  text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');

/** The i of Turkish with and without its dot is one letter. */
const oneI = (folded: string) => folded.replaceAll('\u0131', 'i').replace(/i\u0307+/g, 'i');

/** Letter case, the Turkish i, and ё as е. */
export const foldCase = (text: string): string => oneI(caseFold(text)).replaceAll('ё', 'е');

const CHANGED = new RegExp(`[${APOSTROPHES}]|(?![0-9])\\p{Nd}|(?! )[${BLANK}]|[${INVISIBLE}]`, 'gu');
const IS_APOSTROPHE = new RegExp(`^[${APOSTROPHES}]$`);
const IS_BLANK = new RegExp(`^[${BLANK}]$`);

/**
 * The compatibility form with one apostrophe, one kind of blank, digits from 0 to 9, and е for ё, without
 * what nobody sees.
 */
export function levelled(text: string): string {
  const one = text
    .replace(DECOMPOSED, "'")
    .normalize('NFKC')
    .replace(CHANGED, levelledCharacter)
    .replace(/ {2,}/g, ' ');
  const isPlainE = !/[ёЁ\u0308]/.test(one);
  return (isPlainE ? one : withoutDiaeresis(one)).normalize('NFC');
}

/** Takes the diaeresis from е, also one among other marks. */
const withoutDiaeresis = (text: string) =>
  text.normalize('NFD').replace(/[еЕ]\p{M}+/gu, (letter) => letter.replaceAll('\u0308', ''));

function levelledCharacter(character: string): string {
  if (IS_APOSTROPHE.test(character)) return "'";
  if (IS_BLANK.test(character)) return ' ';
  return DIGITS.get(character) ?? '';
}

/** The digits of every script with their values: each script has its ten in a row. */
const DIGITS = new Map<string, string>();
for (let point = 0, nth = 0; point <= 0x1ffff; point++) {
  const character = String.fromCodePoint(point);
  if (/^\p{Nd}$/u.test(character)) DIGITS.set(character, String(nth++ % 10));
}

const DIGIT = /\p{Nd}/gu;
/** The text with the digits of every script as 0 to 9. */
export const withDigits = (text: string): string => text.replace(DIGIT, (digit) => DIGITS.get(digit)!);
