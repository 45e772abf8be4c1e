import Papa from 'papaparse';

/** A row of a table, by the names of its columns. */
export interface Row {
  /** The line of the file where it begins; the first names the columns. */
  line: number;
  cells: Partial<Record<string, string>>;
}

const APOSTROPHE = /(?<=^|[,;\t\r\n])([ "']*)'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Takes off the apostrophes that the export puts before formulas (docs/behaviour.md §10.2). */
export const restored = (text: string): string => text.replace(APOSTROPHE, '$1');

const breaksIn = (cell: string) => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

/** What separates cells: it stands between the names of the columns, which have none of these. */
function delimiterOf(text: string): string {
  const [head] = text.split(/[\r\n]/, 1);
  const countOf = (sign: string) => head.split(sign).length;
  return [',', ';', '\t'].sort((one, other) => countOf(other) - countOf(one))[0];
}

/** Reads a CSV file, whatever separates its cells. A row without any text is none. */
export function rowsOf(text: string): { columns: string[]; rows: Row[]; broken: number[] } {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text) });
  let next = 1;
  const lines = data.map((cells) => {
    const line = next;
    next += 1 + cells.reduce((sum, cell) => sum + breaksIn(cell), 0);
    return line;
  });
  const columns = (data[0] ?? []).map((name) => name.trim());
  const rows = data.slice(1).map((cells, i) => ({
    line: lines[i + 1],
    cells: Object.fromEntries(columns.map((name, j) => [name, restored(cells[j] ?? '')])),
  }));
  return {
    columns,
    rows: rows.filter(({ cells }) => Object.values(cells).some((cell) => cell !== '')),
    broken: errors.flatMap(({ type, row }) =>
      type === 'Quotes' && row !== undefined ? [lines[row] ?? 1] : [],
    ),
  };
}
