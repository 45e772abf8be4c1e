import fc from 'fast-check';
import { findKey } from '../../../src/platform/text/find-key.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const LETTERS = [
  ...'abcdeéIıİsßñøłđЁёйЇїґіΣςάאבجأیکةカガ한글茶东कुติ0123456789',
  ...["'", '’', '-', '–', '%', '_', '\\', 'e\u0301', 'и\u0306'],
];
const word = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 3, maxLength: 9 })
  .map((parts) => parts.join(''));
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

describe('every part of three letters and more', () => {
  const app = useShop();
  let store: TestStore;
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

  beforeAll(async () => {
    store = await app.store();
  });

  /** A part of each of some words, in other case, in any order. */
  function typed(text: string, chance: number): string | null {
    const parts = text.split(' ').map((whole, nth) => {
      const characters = [...segmenter.segment(whole)].map(({ segment }) => segment);
      const first = (chance + nth) % Math.max(1, characters.length - 2);
      const part = characters.slice(first, first + 3 + (chance % 4)).join('');
      return chance % 2 === 0 ? part.toUpperCase() : part;
    });
    const some = parts.reverse().slice(0, 1 + (chance % 3));
    // Digits alone begin a number, and what is left of fewer letters begins a word.
    const isLong = some.every(
      (part) => findKey(part).length >= 3 && !/^[',;:.!?()[\]{}"]|[',;:.!?()[\]{}"]$/.test(findKey(part)),
    );
    return isLong && /\p{L}/u.test(findKey(some.join(' '))) ? some.join(' ') : null;
  }

  it('finds the product that has it', async () => {
    const titles = fc.sample(title, { numRuns: 40, seed: 3 });
    const { items } = await store.data('create_products', {
      items: titles.map((text, n) => ({
        ...{ productId: `no-${n}`, title: text, description: '', price: 1 },
        images: ['https://images.example/a.png'],
      })),
    });
    const missed: string[] = [];
    for (const [n, text] of titles.entries()) {
      for (const chance of [0, 1, 5, 8]) {
        const part = typed(text, chance);
        if (part === null) continue;
        const { items: found } = await store.data('find_products', { text: part, take: 100 });
        if (!found.some(({ id }: { id: string }) => id === items[n].id)) missed.push(`${part} of ${text}`);
      }
    }
    expect(missed).toEqual([]);
  });
});
