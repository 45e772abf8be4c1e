import fc from 'fast-check';
import { findKey } from './find-key.js';
import { caseFold, codeKey, emailKey, tidy } from './keys.js';
import { nameKey } from './name-key.js';

describe('caseFold', () => {
  it('folds both cases of every letter to the same', () => {
    const different = [];
    for (let point = 0; point <= 0x1ffff; point++) {
      const letter = String.fromCodePoint(point);
      const folded = caseFold(letter);
      if (folded !== caseFold(letter.toUpperCase()) || folded !== caseFold(letter.toLowerCase()))
        different.push(letter);
      if (caseFold(folded) !== folded) different.push(letter);
    }
    expect(different).toEqual([]);
  });
});

describe('codeKey', () => {
  it.each([
    ['SALE5', ' sale5\u00a0'],
    ['İNDİRİM', 'indirim'],
    ['ısparta', 'ISPARTA'],
    ['Größe', 'Gro\u0308ße'],
    ['Weiß', 'WEISS'],
    ['ΕΛΛΑΣ', 'ελλας'],
    ['ΕΛΛΑΣ', 'Ελλασ'],
    ['a\u200bb', 'ab'],
    ['a\u200cb', 'a\u200db'],
    ['1\u00a0000', '1  000'],
    ['٣٢٣', '323'],
    ['Ёлка', 'елка'],
    ['М’ята', "м'ята"],
    ['м`ята', 'МʼЯТА'],
    ['ＳＡＬＥ', 'sale'],
    ['здоров´я', "здоров'я"],
  ])('is one of %p and %p', (one, other) => expect(codeKey(one)).toBe(codeKey(other)));

  it.each([
    ['café', 'cafe'],
    ['Größe', 'Grosse'],
    ['ελλάς', 'ελλας'],
    ['й', 'и'],
    ['か', 'が'],
  ])('is not one of %p and %p', (one, other) => expect(codeKey(one)).not.toBe(codeKey(other)));
});

describe('emailKey', () => {
  it.each([
    ['Anna@Example.com ', 'anna@example.com'],
    ['ａｎｎａ@example.com', 'anna@example.com'],
    ['İ@x.com', 'i@x.com'],
    ['\u200bé@x.com', 'e\u0301@x.com'],
  ])('is one of %p and %p', (one, other) => expect(emailKey(one)).toBe(emailKey(other)));

  it.each([
    ['ё@x.com', 'е@x.com'],
    ["o'neill@x.com", 'o’neill@x.com'],
  ])('is not one of %p and %p', (one, other) => expect(emailKey(one)).not.toBe(emailKey(other)));
});

describe('nameKey', () => {
  it.each([
    [' A\u0308b ', 'Äb'],
    ['Größe\u00a0', 'Gro\u0308ße'],
    ['a\u00adb', 'ab'],
    ['می\u200cخواهم', 'میخواهم'],
    ['e\u00ad\u0301', 'é'],
    ['a \u00a0b', 'a b'],
  ])('is one of %p and %p', (one, other) => expect(nameKey(one)).toBe(nameKey(other)));

  it.each([
    ['Ab-1', 'AB-1'],
    ['ﬁ', 'fi'],
    ['١', '1'],
    ['’', "'"],
  ])('is not one of %p and %p', (one, other) => expect(nameKey(one)).not.toBe(nameKey(other)));
});

describe('tidy', () => {
  it.each([
    ['\u200e 👩\u200d🚀 \ufeff', '👩\u200d🚀'],
    [' \u200dmay\u200cbe\u200d ', 'may\u200cbe'],
    ['❤\ufe0f', '❤\ufe0f'],
    ['\ufe0fa\u00adb', 'ab'],
    ['\u3164', ''],
    [' \u200b\t\u2800', ''],
    ['a  b', 'a  b'],
  ])('makes %p %p', (text, stored) => expect(tidy(text)).toBe(stored));
});

/** Texts of the characters on which comparing has failed before. */
const difficult = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ..."aAeéIıİsßẞσςΣёЁйЙїґ'’ʼ`´′ \u00a0\u200b\u00ad\ufeff\u0301\u0308\u0306\u0307\u0327\u3099",
          ...'カｶﾞガ한가각٣४कुิด้ﬁ½№…TELأإآىیکةשָׁñøłđæ-–‑"«\n\t\u200d\ufe0fŉ\u1fdd\u0384',
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    ),
    { maxLength: 12 },
  )
  .map((characters) => characters.join('').toWellFormed().replaceAll('\ufffd', ''));

describe('of any text', () => {
  it.each(Object.entries({ codeKey, emailKey, nameKey, tidy }))('%s of itself is itself', (_, key) =>
    fc.assert(
      fc.property(difficult, (text) => key(key(text)) === key(text)),
      { numRuns: 5_000 },
    ),
  );

  it.each(Object.entries({ codeKey, emailKey, nameKey }))('%s is that of both forms of Unicode', (_, key) =>
    fc.assert(
      fc.property(difficult, (text) => key(text.normalize('NFD')) === key(text)),
      { numRuns: 5_000 },
    ),
  );

  it('keys are those of the tidied text', () =>
    fc.assert(
      fc.property(difficult, (text) =>
        [codeKey, emailKey, nameKey].every((key) => key(tidy(text)) === key(text)),
      ),
      { numRuns: 5_000 },
    ));
});

describe('findKey', () => {
  it.each([
    ["М'ята", 'М’ята'],
    ['м`ята', 'МʼЯТА'],
    ['здоров´я', "ЗДОРОВ'Я"],
    ['ΕΛΛΗΝΙΚΟΣ ΚΑΦΕΣ', 'Ελληνικός Καφές'],
    ['creme brulee', 'Crème Brûlée'],
    ['senor nino', 'Señor Niño'],
    ['Nguyễn Văn Đạt', 'nguyen van dat'],
    ['łódź', 'LODZ'],
    ['smørrebrød', 'smorrebrod'],
    ['konigstrasse', 'Königstraße'],
    ['İSTANBUL', 'istanbul'],
    ['ISPARTA', 'ısparta'],
    ['احمد', 'أحمد'],
    ['على', 'علی'],
    ['مكتبة', 'مکتبه'],
    ['שָׁלוֹם', 'שלום'],
    ['ג׳ינס', "ג'ינס"],
    ['ﾗｰﾒﾝ', 'らーめん'],
    ['ＡＢＣ１２', 'abc12'],
    ['Ёлка', 'елка'],
    ['е\u0308лка', 'ЁЛКА'],
    ['за\u0301мок', 'замок'],
    ['и\u0306од', 'Йод'],
    ['co\u00adoperate', 'cooperate'],
    ['٣٢٣', '323'],
    ['४२', '42'],
    ['T‑Shirt', 'T–Shirt'],
    ['ŉ', "'n"],
  ])('is one of %p and %p', (one, other) => expect(findKey(one)).toBe(findKey(other)));

  it.each([
    ['й', 'и'],
    ['ї', 'і'],
    ['ў', 'у'],
    ['ѓ', 'г'],
    ['か', 'が'],
    ['は', 'ぱ'],
    ['คา', 'ค่า'],
    ['कि', 'क'],
    ['한', '하'],
  ])('is not one of %p and %p', (one, other) => expect(findKey(one)).not.toBe(findKey(other)));

  const holds = (property: (text: string) => boolean) =>
    fc.assert(fc.property(difficult, property), { numRuns: 5_000 });

  it('of itself is itself', () => holds((text) => findKey(findKey(text)) === findKey(text)));

  it('is that of both forms of Unicode, and of both cases', () =>
    holds(
      (text) =>
        findKey(text.normalize('NFD')) === findKey(text) && findKey(text.toUpperCase()) === findKey(text),
    ));

  it('is one where the keys of codes are one', () =>
    holds((text) => findKey(codeKey(text)) === findKey(text)));

  it('of a part is a part of that of the whole', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    fc.assert(
      fc.property(difficult, fc.nat(), fc.nat(), (text, first, size) => {
        const seen = text.replace(/\p{Cc}|\p{Default_Ignorable_Code_Point}/gu, '');
        const characters = [...segmenter.segment(seen)].map(({ segment }) => segment);
        const start = first % (characters.length || 1);
        const part = characters.slice(start, start + 1 + (size % (characters.length || 1))).join('');
        return findKey(seen).includes(findKey(part));
      }),
      { numRuns: 5_000 },
    );
  });
});
