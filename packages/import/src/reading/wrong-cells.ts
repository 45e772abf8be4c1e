import type { Table } from '../file/table.js';
import type { Problem } from '../problem.js';
import type { Mapping } from './mapping.js';

/** A cell of a line with a problem. */
export interface ShownCell {
  heading: string;
  text: string;
  isWrong: boolean;
}

/** The heading of a column that planning may call by its field. */
export function headingOf(table: Table, mapping: Mapping, column: string): string {
  const i = columnOf(table, mapping, column);
  return table.columns[i]?.heading || column;
}

/** Which column a problem is about: one that is read, by its heading or its field. */
function columnOf({ columns }: Table, mapping: Mapping, column: string): number {
  const isField = (i: number) =>
    mapping[i]?.field === column || (column === 'category' && mapping[i]?.field === 'categories');
  const places = [...columns.keys()];
  const named = places.filter((i) => columns[i].heading === column);
  return named.find((i) => mapping[i]) ?? places.find(isField) ?? named[0] ?? -1;
}

/** The lines of problems as the file has them: the cells that are filled, and those that are wrong. */
export function wrongCells(table: Table, mapping: Mapping, problems: readonly Problem[]): ShownCell[][] {
  const byLine = new Map([...table.rows, ...table.unreadable].map((row) => [row.line, row]));
  return problems.map(({ line, column, code }) => {
    const wrong = column === undefined ? -1 : columnOf(table, mapping, column);
    const cells = byLine.get(line)?.cells ?? [];
    return cells
      .map((text = '', i) => ({
        heading: table.columns[i]?.heading ?? '',
        text,
        isWrong: i === wrong || (code === 'tooManyCells' && i >= table.columns.length && text !== ''),
      }))
      .filter(({ text, isWrong }) => isWrong || text.trim() !== '');
  });
}
