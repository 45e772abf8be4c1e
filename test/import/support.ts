import {
  guessMapping,
  type Mapping,
  type Plan,
  planOf,
  readTable,
  type Settings,
  type Stored,
  type StoredProduct,
} from '../../packages/import/src/import.js';

export const EMPTY: Stored = { products: [], brands: [], categories: [] };
export const USD: Settings = { currency: 'USD', decimals: 2 };

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A stored product with what a test says of it. */
export const stored = (values: Partial<StoredProduct> & { id: string }): StoredProduct => ({
  ...{ productId: values.id, title: 'Mug', description: '', images: ['https://e.com/1.jpg'], price: 12.5 },
  ...{ salePrice: null, itemAmount: null, isHidden: false, brand: null, brandId: null, category: null },
  ...{ categoryId: null, subCategory: null, tags: null, sku: null, barcode: null, variants: [] },
  ...values,
});

/** A stored variant of Size. */
export const variant = (id: string, value: string, values: object = {}) => ({
  ...{ id, name: `Size: ${value}`, price: 20, salePrice: null, itemAmount: null, sku: null, barcode: null },
  ...values,
});

interface Given extends Partial<Settings> {
  stored?: Stored;
  mapping?: (guessed: Mapping) => Mapping;
}

/** The plan of a file with the columns as they are guessed. */
export async function planFor(file: string | Uint8Array, given: Given = {}): Promise<Plan> {
  const { stored: there = EMPTY, mapping = (guessed) => guessed, ...settings } = given;
  const table = await readTable(typeof file === 'string' ? bytesOf(file) : file);
  return planOf(table, mapping(guessMapping(table)), there, { ...USD, ...settings });
}

/** What a plan would do, without empty steps. */
export const stepsOf = ({ steps }: Plan) =>
  Object.fromEntries(
    Object.entries(steps)
      .filter(([, works]) => works.length > 0)
      .map(([step, works]) => [step, works.map(({ item }) => item)]),
  );

/** Problems as `2 price unreadable`. */
export const problemsOf = ({ problems }: Plan) =>
  problems.map(({ line, column, code }) =>
    [line, column, code].filter((part) => part !== undefined).join(' '),
  );

/** The counts add up to the rows of the file. */
export function expectAllCounted({ counts }: Plan): void {
  const { all, ...parts } = counts;
  expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(all);
}
