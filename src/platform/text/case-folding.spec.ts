import { caseFold, foldLine } from './case-folding.js';

describe('caseFold', () => {
  it('folds the upper and the lower case of every Unicode letter to the same text', () => {
    const different: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const letter = String.fromCodePoint(point);
      const folded = caseFold(letter);
      if (folded !== caseFold(letter.toUpperCase()) || folded !== caseFold(letter.toLowerCase()))
        different.push(letter);
      if (caseFold(folded) !== folded) different.push(letter);
    }
    expect(different).toEqual([]);
  });

  it.each([
    ['straße', 'STRASSE'],
    ['WEIẞ', 'weiß'],
    ['ΚΩΔΙΚΟΣ', 'κωδικος'],
    ['κωδικός', 'κωδικόσ'],
    ['Ταΐς', 'ΤΑΪ́Σ'],
    ['ПРОМО', 'промо'],
    ['e\u0301', 'É'],
  ])('folds %s and %s to the same text', (one, other) => expect(caseFold(one)).toBe(caseFold(other)));

  it('keeps different letters apart', () => expect(caseFold('é')).not.toBe(caseFold('e')));
});

describe('foldLine', () => {
  it.each([
    ['İSMAİL', 'İsmail'],
    ['ISMAIL', 'İsmail'],
    ['ısmail', 'ISMAIL'],
    ['Елкина', 'Ёлкина'],
    ['ЕЛКИНА', 'Е\u0308лкина'],
  ])('folds %s and %s to the same text', (one, other) => expect(foldLine(one)).toBe(foldLine(other)));

  it('keeps other letters apart', () => expect(foldLine('й')).not.toBe(foldLine('и')));
});
