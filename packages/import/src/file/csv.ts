import Papa from 'papaparse';

/** A row of a file, before its cells are known by headings. */
export interface RawRow {
  /** The line of the file where it begins. */
  line: number;
  /** A cell that is not there is not in the list. */
  cells: string[];
}

export interface RawTable {
  rows: RawRow[];
  /** The lines of rows with a quotation mark that is not closed. */
  broken: number[];
  delimiter: string;
}

const DELIMITERS = [',', ';', '\t', '|'];
/** The line by which Excel is told what separates cells. */
const TOLD = /^sep=(.)(?:\r\n?|\n)/i;
/** How many rows are looked at to see what separates their cells. */
const LOOKED_AT = 15;
/** How many characters these may have. */
const HEAD = 100_000;

const breaksIn = (cell: string) => cell.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Quoted cells, which keep their line ends, and line ends. */
const quotedOrEnd = (delimiter: string) =>
  new RegExp(`(?<=^|[${delimiter}\r\n])"[^"]*(?:""[^"]*)*"|\r\n?`, 'g');

/**
 * Reads a CSV file. Every line end outside quotes ends a row, whichever a program wrote.
 * @param known how many cells of a row are headings that are known
 */
export function csvRows(given: string, known: (cells: string[]) => number, delimiter?: string): RawTable {
  const text = given.replace(/^\uFEFF/, '');
  const [told = '', sign] = TOLD.exec(text) ?? [];
  const rest = text.slice(told.length);
  const separator = delimiter ?? sign ?? delimiterOf(rest.slice(0, HEAD).replace(/\r\n?/g, '\n'), known);
  const plain = rest.replace(quotedOrEnd(separator), (part) => (part.startsWith('"') ? part : '\n'));
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter: separator, newline: '\n' });
  let line = told === '' ? 1 : 2;
  const rows = data.map((cells) => {
    const row = { line, cells };
    line += 1 + cells.reduce((sum, cell) => sum + breaksIn(cell), 0);
    return row;
  });
  const broken = errors.flatMap(({ type, row }) =>
    type === 'Quotes' && row !== undefined ? [rows[row]?.line ?? 1] : [],
  );
  return { rows, broken: [...new Set(broken)], delimiter: separator };
}

/** What separates cells: with it the most headings are known, or else the rows have the most cells. */
function delimiterOf(text: string, known: (cells: string[]) => number): string {
  const scores = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, newline: '\n', preview: LOOKED_AT });
    const headings = Math.max(0, ...data.map(known));
    const [cells] = data.map(({ length }) => length).sort((one, other) => other - one);
    return { delimiter, headings, cells: cells ?? 0 };
  });
  scores.sort((one, other) => other.headings - one.headings || other.cells - one.cells);
  return scores[0].delimiter;
}
