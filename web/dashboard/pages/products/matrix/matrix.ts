import type { Input, Output } from '../../../api/client';

type Group = NonNullable<Input<'create_product'>['variants']>[number];
type OfProduct = Output<'get_product'>['variants'][number];
/** The values of an option that a product has. */
export interface Stored extends Pick<OfProduct, 'optionTitle'> {
  values: Omit<OfProduct['values'][number], 'saleUntil'>[];
}

export interface Option {
  title: string;
  values: string[];
}

export interface Cell {
  price: number | null;
  salePrice: number | null;
  itemAmount: number | null;
  /** Whether this combination is not sold. */
  isLeftOut: boolean;
}

/** The options of a product, and what is known of their combinations, by name. */
export interface Matrix {
  options: Option[];
  cells: Partial<Record<string, Cell>>;
}

/** The most values of one option that the service takes. */
export const MOST = 200;
/** Between the values of a combination: "M / red". */
const JOINT = ' / ';
const EMPTY: Cell = { price: null, salePrice: null, itemAmount: null, isLeftOut: false };

export const cellOf = ({ cells }: Matrix, name: string): Cell => cells[name] ?? EMPTY;

const filled = ({ options }: Matrix) => options.filter(({ values }) => values.length > 0);

/** The number of combinations. */
export function sizeOf(matrix: Matrix): number {
  const options = filled(matrix);
  return options.length === 0 ? 0 : options.reduce((count, { values }) => count * values.length, 1);
}

/** A value of each option; undefined for one that has none. */
type Combination = (string | undefined)[];

/** The combinations, but not many more than the service takes. */
export function combinationsOf(options: Option[]): Combination[] {
  if (options.every(({ values }) => values.length === 0)) return [];
  return options.reduce<Combination[]>(
    (combinations, { values }) =>
      combinations
        .flatMap((before) => (values.length === 0 ? [undefined] : values).map((value) => [...before, value]))
        .slice(0, MOST + 1),
    [[]],
  );
}

export const nameOf = (combination: Combination): string =>
  combination.filter((value) => value !== undefined).join(JOINT);

/** The names of the combinations. */
export const namesOf = ({ options }: Pick<Matrix, 'options'>): string[] =>
  combinationsOf(options).map(nameOf);

/** What the combinations are called together: "Size / Colour". */
const titleOf = (matrix: Matrix) =>
  filled(matrix)
    .map(({ title }) => title.trim())
    .join(JOINT);

const valuesOf = (optionTitle: string, stored: Stored[]) =>
  new Set(
    stored.flatMap((group) =>
      group.optionTitle === optionTitle ? group.values.map(({ variantValue }) => variantValue) : [],
    ),
  );

/** The names of the combinations that are not stored. */
export function newNamesOf(matrix: Matrix, stored: Stored[]): string[] {
  const known = valuesOf(titleOf(matrix), stored);
  return namesOf(matrix).filter((name) => !known.has(name));
}

/** The variants that are not stored. */
export function addedTo(stored: Stored[], groups: Group[]): Group[] {
  return groups.flatMap(({ optionTitle, values }) => {
    const known = valuesOf(optionTitle, stored);
    const added = values.filter(({ variantValue }) => !known.has(variantValue));
    return added.length === 0 ? [] : [{ optionTitle, values: added }];
  });
}

/** The variants to send. A combination without a price has that of the product, and its sale price. */
export function variantsOf(
  matrices: Matrix[],
  product: { price: number; salePrice: number | null },
): Group[] | undefined {
  const groups = matrices.flatMap((matrix): Group[] => {
    const values = namesOf(matrix).flatMap((variantValue) => {
      const { price, salePrice, itemAmount, isLeftOut } = cellOf(matrix, variantValue);
      if (isLeftOut) return [];
      const sale = salePrice ?? (price === null ? product.salePrice : null);
      return [{ variantValue, price: price ?? product.price, salePrice: sale, itemAmount }];
    });
    return values.length === 0 ? [] : [{ optionTitle: titleOf(matrix), values }];
  });
  return groups.length === 0 ? undefined : groups;
}

/**
 * The matrix of variants that are stored: for a copy of their product. It has one option of their whole names
 * where its parts would have more combinations than there can be.
 */
export function matrixOf({ optionTitle, values }: Stored): Matrix {
  const rows = values.map(({ variantValue }) => variantValue.split(JOINT));
  const titles = optionTitle.split(JOINT);
  const parts = titles.map((title, i) => ({ title, values: [...new Set(rows.map((row) => row[i]))] }));
  const isMatrix =
    rows.every(({ length }) => length === titles.length) && sizeOf({ options: parts, cells: {} }) <= MOST;
  const options = isMatrix
    ? parts
    : [{ title: optionTitle, values: values.map(({ variantValue }) => variantValue) }];
  const known = values.map(({ variantValue, price, salePrice, itemAmount }): [string, Cell] => [
    variantValue,
    { price, salePrice, itemAmount, isLeftOut: false },
  ]);
  const cells: Matrix['cells'] = Object.fromEntries(known);
  for (const name of namesOf({ options })) cells[name] ??= { ...EMPTY, isLeftOut: true };
  return { options, cells };
}
