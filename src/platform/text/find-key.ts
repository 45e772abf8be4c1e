import { APOSTROPHES, foldCase, levelled, PLAIN } from './keys.js';
import { BLANKS } from './name-key.js';

/**
 * The marks that people leave out when they look for something: those of Latin, Greek, Hebrew, Arabic and
 * Syriac letters, and of symbols. Marks of other scripts are vowels and tones, or make another letter (the
 * voicing of kana): they stay.
 */
const MARKS = new RegExp(
  '[\\u0300-\\u036f\\u0483-\\u0487\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f' +
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7' +
    '\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed' +
    '\\u08ca-\\u08e1\\u08e3-\\u08ff\\u0730-\\u074a\\u0640]+',
  'g',
);

/** A Cyrillic letter with marks is a letter of its own (й ї ў ѓ ќ), but for a stress over a vowel. */
const CYRILLIC = /([\u0400-\u052f])([\u0300-\u036f\u0483-\u0487]+)/g;
const STRESS = /[\u0300\u0301\u0483-\u0487]/g;
const VOWELS = 'аеиоуыэюяіє';

/** Letters that Unicode does not take apart, and those that people type for each other. */
const LETTERS = new Map(
  Object.entries({
    ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', æ: 'ae', œ: 'oe', þ: 'th', ŧ: 't', ŋ: 'n', ƒ: 'f', ə: 'e' },
    ...{ ɨ: 'i', ʉ: 'u' },
    ...{ '\u0671': '\u0627', '\u0649': '\u064a', '\u06cc': '\u064a', '\u06d0': '\u064a', '\u06d2': '\u064a' },
    ...{ '\u06a9': '\u0643', '\u0629': '\u0647', '\u06c1': '\u0647', '\u06be': '\u0647', '\u06d5': '\u0647' },
    ...{ '\u06c3': '\u0647' },
    ...{ '\u05f4': '"', '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"', '″': '"', '−': '-' },
  }),
);
const SPECIAL = new RegExp(`[${[...LETTERS.keys()].join('')}]|\\p{Pd}|[\\u30a1-\\u30f6]`, 'gu');
const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g');

/**
 * The form in which texts are searched: of what looks or sounds alike, one letter without marks. The key of a
 * part of a text is a part of the text's key, if the part ends where characters end.
 */
export function findKey(text: string): string {
  if (PLAIN.test(text)) return text.replace(/ {2,}/g, ' ').trim().toLowerCase();
  return foldCase(levelled(text))
    .normalize('NFKD')
    .replace(CYRILLIC, composedCyrillic)
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(SPECIAL, letter)
    .replace(APOSTROPHE, "'")
    .replace(BLANKS, ' ')
    .trim();
}

/** Composed, so that its marks are not taken for those that go. One that does not compose goes. */
function composedCyrillic(_: string, base: string, marks: string): string {
  const left = VOWELS.includes(base) ? marks.replace(STRESS, '') : marks;
  return (base + (base === 'е' ? left.replaceAll('\u0308', '') : left)).normalize('NFC');
}

/** Katakana is hiragana, and every dash is one. */
function letter(character: string): string {
  const isKatakana = character >= '\u30a1' && character <= '\u30f6';
  return LETTERS.get(character) ?? (isKatakana ? String.fromCharCode(character.charCodeAt(0) - 0x60) : '-');
}
