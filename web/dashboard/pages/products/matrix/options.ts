import { type Cell, cellOf, combinationsOf, type Matrix, nameOf, type Option } from './matrix';

const NO_VALUES: Option = { title: '', values: [] };

/**
 * Changes an option. When it gets its first value or loses its last, the combinations have other names: each
 * has what was typed for those that it was made of.
 */
export function withOption(matrix: Matrix, i: number, option: Option): Matrix {
  const options = matrix.options.with(i, option);
  const isRenamed = option.values.length > 0 !== matrix.options[i].values.length > 0;
  return { options, cells: isRenamed ? carried(matrix, options) : matrix.cells };
}

export const withoutOption = (matrix: Matrix, i: number): Matrix => ({
  options: matrix.options.toSpliced(i, 1),
  cells: withOption(matrix, i, NO_VALUES).cells,
});

/** A price is carried to every combination, a stock only to the first: it is not there twice. */
function carried(matrix: Matrix, options: Option[]): Matrix['cells'] {
  const before = combinationsOf(matrix.options);
  const stocked = new Set<string>();
  const cells = combinationsOf(options).flatMap((combination): [string, Cell | undefined][] => {
    const same = (value: string | undefined, i: number) =>
      value === undefined || combination[i] === undefined || value === combination[i];
    const names = before.filter((values) => values.every(same)).map(nameOf);
    if (names.length === 0) return [];
    const sold = names.filter((name) => !cellOf(matrix, name).isLeftOut);
    const cell = matrix.cells[sold.find((name) => matrix.cells[name]) ?? sold[0] ?? names[0]];
    const stocks = sold.flatMap((name) => (stocked.has(name) ? [] : (cellOf(matrix, name).itemAmount ?? [])));
    for (const name of sold) stocked.add(name);
    const itemAmount = stocks.length === 0 ? null : stocks.reduce((sum, stock) => sum + stock, 0);
    return [[nameOf(combination), cell && { ...cell, itemAmount }]];
  });
  return { ...matrix.cells, ...Object.fromEntries(cells) };
}
