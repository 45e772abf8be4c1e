import {
  type Matrix,
  matrixOf,
  MOST,
  namesOf,
  sizeOf,
  variantsOf,
} from '../dashboard/pages/products/matrix/matrix';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i));
const SHIRT: Matrix = {
  options: [
    { title: 'Size', values: ['M', 'L'] },
    { title: 'Unused', values: [] },
    { title: ' Colour ', values: ['red', 'blue'] },
  ],
  cells: {
    'M / red': { price: null, salePrice: null, itemAmount: 4, isLeftOut: false },
    'L / red': { price: 12, salePrice: null, itemAmount: null, isLeftOut: false },
    'L / blue': { price: null, salePrice: null, itemAmount: null, isLeftOut: true },
  },
};

describe('the matrix of variants', () => {
  it('has a variant for each combination, with the prices of the product unless it has its own', () => {
    expect(variantsOf([SHIRT], { price: 10, salePrice: 9 })).toEqual([
      {
        optionTitle: 'Size / Colour',
        values: [
          { variantValue: 'M / red', price: 10, salePrice: 9, itemAmount: 4 },
          { variantValue: 'M / blue', price: 10, salePrice: 9, itemAmount: null },
          { variantValue: 'L / red', price: 12, salePrice: null, itemAmount: null },
        ],
      },
    ]);
    expect(variantsOf([{ options: [], cells: {} }], { price: 10, salePrice: null })).toBeUndefined();
  });

  it('is read from variants that are stored, and gives the same again', () => {
    const value = (id: string, variantValue: string) => ({
      ...{ id, variantValue, price: 5, salePrice: 4, itemAmount: 3, sortOrder: 0 },
    });
    const sized = { optionTitle: 'Size / Colour', values: [value('1', 'M / red'), value('2', 'L / blue')] };
    const plain = { optionTitle: 'Size', values: [value('3', '1 / 2 l'), value('4', '1 l')] };
    for (const group of [sized, plain]) {
      const values = group.values.map(({ id: _, sortOrder: __, ...sent }) => sent);
      const again = variantsOf([matrixOf(group)], { price: 1, salePrice: null });
      expect(again).toEqual([{ ...group, values }]);
    }
    expect(matrixOf(sized).cells['M / blue']?.isLeftOut).toBe(true);
  });

  it('keeps every variant of a product that is sold in a few of many combinations', () => {
    const values = numbers(20).map((n) => ({
      ...{ variantValue: `c${n} / s${n}`, price: 5, salePrice: null, itemAmount: 3 },
    }));
    const stored = {
      optionTitle: 'Colour / Size',
      values: values.map((one, i) => ({ ...one, id: `${i}`, sortOrder: i })),
    };
    const matrix = matrixOf(stored);
    expect(sizeOf(matrix)).toBeLessThanOrEqual(MOST);
    expect(variantsOf([matrix], { price: 1, salePrice: null })).toEqual([
      { optionTitle: 'Colour / Size', values },
    ]);
  });

  it('names hardly more combinations than the service takes', () => {
    const option = (title: string) => ({ title, values: numbers(50) });
    const large = { options: [option('a'), option('b'), option('c')], cells: {} };
    expect([sizeOf(large), namesOf(large).length]).toEqual([125_000, MOST + 1]);
  });
});
