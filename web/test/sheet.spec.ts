import {
  blockOf,
  editsOf,
  hasUnreadable,
  laid,
  type Line,
  linesOf,
  pastedBlock,
  refreshed,
} from '../dashboard/pages/products/sheet/lines';
import { byPercent, ROUNDINGS, typedByPercent } from '../dashboard/pages/products/sheet/percent';

const line = (id: string, price = 5): Line => ({
  ...{ id, productId: id, name: id },
  ...{ price, salePrice: null, itemAmount: 3 },
});
const writing = { decimals: 2, language: 'en' };

describe('a block that a spreadsheet has copied', () => {
  it('has rows and columns, whatever ends its lines, and amounts without the mark of their currency', () => {
    expect(blockOf('1\t2\r\n3\t\r\n')).toEqual([
      ['1', '2'],
      ['3', ''],
    ]);
    expect(blockOf('$1,200.50\n12 ₴\nUSD 3\r4 UAH')).toEqual([['1,200.50'], ['12'], ['3'], ['4']]);
    expect(blockOf('\n7')).toEqual([[''], ['7']]);
  });

  it('is also one cell with the mark of its currency, but not one plain text', () => {
    expect(pastedBlock('1 300,50 ₴')).toEqual([['1 300,50']]);
    expect(pastedBlock('1\t2')).toEqual([['1', '2']]);
    expect(pastedBlock(' 1,200.50\n')).toBeUndefined();
  });

  it('fills cells from its place on; an empty cell ends a sale, and leaves a price or stock', () => {
    const lines = [line('a'), line('b'), line('c')];
    expect(laid([['1', '', '9'], ['2', '3', '', 'more'], ['4']], lines, 1, 'price')).toEqual({
      typed: { b: { price: '1', salePrice: '', itemAmount: '9' }, c: { price: '2', salePrice: '3' } },
      left: 1,
    });
    expect(laid([['8', '9']], lines, 0, 'itemAmount').typed).toEqual({ a: { itemAmount: '8' } });
  });
});

describe('the lines of a sheet', () => {
  it('are products, or their variants', () => {
    const product = { id: 'p', title: 'Tee', price: 1, salePrice: null, itemAmount: null };
    const variant = { id: 'v', name: 'Size: M', price: 2, salePrice: 1, itemAmount: 4 };
    const all = [product, { ...product, id: 'q' }].map((one, i) => ({
      ...one,
      variants: i ? [variant] : [],
    }));
    expect(linesOf(all as never)).toEqual([
      { id: 'p', productId: 'p', name: 'Tee', price: 1, salePrice: null, itemAmount: null },
      {
        ...{ id: 'v', productId: 'q', variantId: 'v', name: 'Tee, Size: M' },
        ...{ price: 2, salePrice: 1, itemAmount: 4 },
      },
    ]);
  });

  it('stay where they are when others come, change or go', () => {
    const shown = [line('a'), line('b')];
    expect(refreshed(shown, [line('b'), line('a')])).toBe(shown);
    expect(refreshed(shown, [line('new'), line('b', 6)])).toEqual([line('a'), line('b', 6), line('new')]);
  });

  it('have an edit for each readable text that differs', () => {
    const lines = [line('a'), line('b')];
    const typed = {
      a: { price: '5.00', salePrice: '4.5', itemAmount: '' },
      b: { price: '-1', salePrice: '', itemAmount: '1.5' },
    };
    expect(editsOf(lines, typed, writing)).toEqual([{ line: lines[0], column: 'salePrice', after: 4.5 }]);
  });

  it('have nothing to lose once a value is typed back, unless a text is no value', () => {
    const back = { a: { price: '5.00', salePrice: '', itemAmount: '3' } };
    expect(editsOf([line('a')], back, writing)).toEqual([]);
    expect(hasUnreadable(back, writing)).toBe(false);
    expect(hasUnreadable({ a: { ...back.a, itemAmount: '1.5' } }, writing)).toBe(true);
  });
});

describe('a price that changes by a percentage', () => {
  const [exact, ten, whole, tens, ending] = ROUNDINGS;

  it.each([
    [1999, 1000, exact, 2199],
    [1999, -1000, ten, 1800],
    [1005, 0, ten, 1010],
    [1950, 0, whole, 2000],
    [1949, 0, whole, 1900],
    [12_345, 500, tens, 13_000],
    [1234, 0, ending, 1199],
    [1250, 0, ending, 1299],
    [4, -5000, tens, 2],
    [1, -9999, exact, 1],
    [0, 5000, ending, 0],
    [9_007_199_254_740_000, 1, exact, 9_008_099_974_665_474],
  ])('%d by %d hundredths is rounded exactly', (minor, hundredths, rounding, after) => {
    expect(byPercent(minor, hundredths, rounding)).toBe(after);
  });

  it('is taken from what is typed, and a sale price from the price', () => {
    const lines = [line('a', 10), line('b', 20)];
    const by = { column: 'salePrice', percent: -12.5, rounding: exact } as const;
    const typed = { a: { price: '12' }, b: { price: 'x' } };
    expect(typedByPercent(lines, typed, by, writing, String)).toEqual({
      a: { salePrice: '10.5' },
      b: { salePrice: '17.5' },
    });
  });
});
