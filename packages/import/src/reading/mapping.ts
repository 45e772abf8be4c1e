import type { Column, Table } from '../file/table.js';
import { canBe, fieldByValues, type Known, knownAs, mayRepeat } from '../formats/guess.js';
import type { Field } from '../formats/fields.js';

/** What a column is taken for; null: it is left out. */
export interface Target {
  field: Field;
  /** Which option, for the columns of options: 1 for the first. */
  place?: number;
}

/** By column. `undefined` asks: the column has the same heading as another. */
export type Mapping = (Target | null | undefined)[];

/** How many filled cells of a column are looked at. */
const LOOKED_AT = 50;

function valuesOf({ rows }: Table, i: number): string[] {
  const values: string[] = [];
  for (const { cells } of rows) {
    const cell = cells[i]?.trim();
    if (cell) values.push(cell);
    if (values.length === LOOKED_AT) break;
  }
  return values;
}

/** What each column is, guessed from its heading and its values. */
export function guessMapping(table: Table): Mapping {
  const values = table.columns.map((_, i) => valuesOf(table, i));
  const choices = table.columns.map(({ heading }, i) =>
    knownAs(heading).filter(({ field }) => canBe(field, values[i])),
  );
  const mapping: Mapping = table.columns.map(() => null);
  const best = new Map<string, { i: number; known: Known }[]>();
  for (const [i, [known]] of choices.entries()) {
    if (!known) continue;
    const key = `${known.field} ${known.place ?? ''}`;
    best.set(key, [...(best.get(key) ?? []), { i, known }]);
  }
  for (const all of best.values()) choose(all, table.columns, mapping);
  for (const [i, column] of table.columns.entries()) {
    if (mapping[i] !== null || choices[i].length > 0) continue;
    const field = knownAs(column.heading).length === 0 ? fieldByValues(values[i]) : null;
    const isFree = field && !mapping.some((one) => one?.field === field);
    if (isFree) mapping[i] = { field };
  }
  return mapping;
}

/** Takes one of the columns that may be the same field, or all where a field may have several. */
function choose(all: { i: number; known: Known }[], columns: Column[], mapping: Mapping): void {
  const target = ({ field, place }: Known): Target => ({ field, ...(place && { place }) });
  const [{ known: first }] = all;
  if (mayRepeat(first.field) && !columns[all[0].i].isTwice) {
    for (const { i, known } of all) mapping[i] = target(known);
    return;
  }
  // A column without any value is no better than none.
  const rank = ({ i, known }: { i: number; known: Known }) => known.rank + (columns[i].isEmpty ? 1_000 : 0);
  const [best] = all.toSorted((one, other) => rank(one) - rank(other));
  const same = all.filter(({ i }) => columns[i].heading === columns[best.i].heading);
  if (same.length === 1) mapping[best.i] = target(best.known);
  else for (const { i } of same) mapping[i] = undefined;
}

/** The columns whose field a person must choose. */
export const askedColumns = (mapping: Mapping): number[] =>
  mapping.flatMap((target, i) => (target === undefined ? [i] : []));

/** Under what a choice is remembered: files with the same headings. */
export const signatureOf = ({ columns }: Table): string =>
  columns.map(({ heading }) => heading.normalize('NFKC').toLowerCase().trim()).join('\n');

/** The headings of filled columns that are not read. */
export const leftOut = ({ columns }: Table, mapping: Mapping): string[] =>
  columns.flatMap(({ heading, isEmpty }, i) => (mapping[i] || isEmpty || heading === '' ? [] : [heading]));
