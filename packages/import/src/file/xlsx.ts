import type { RawRow } from './csv.js';

type Cell = string | number | boolean | Date | null;

export interface Sheet {
  name: string;
  rows: RawRow[];
}

/** The bytes that a workbook, which is a ZIP archive, begins with. */
export const isArchive = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3;
/** The bytes that a file of Excel 97 to 2003 begins with. */
export const isOldExcel = (bytes: Uint8Array) => bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11;
/** Which kind an OpenDocument file is (a spreadsheet, a text); such files begin with it. */
export const openDocumentKind = (bytes: Uint8Array): string | undefined =>
  /opendocument\.([a-z]+)/.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 100)))?.[1];

/** The most digits that a number of a workbook has. */
const EXACT = 15;

/** Reads the sheets of a workbook. Its numbers are written with a point. The reader is loaded when needed. */
export async function sheetsOf(bytes: Uint8Array): Promise<Sheet[]> {
  const { default: readWorkbook } = await import('read-excel-file/universal');
  const buffer = bytes.slice().buffer;
  const sheets = await readWorkbook(buffer, { parseNumber: plainNumber, trim: false });
  return sheets.map(({ sheet, data }) => ({
    name: sheet,
    rows: data.map((row, i) => ({ line: i + 1, cells: row.map((cell) => textOf(cell as Cell)) })),
  }));
}

function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return String(cell);
  // What clocks show, in no zone.
  if (cell instanceof Date) return cell.toISOString().replace(/(T00:00:00)?\.\d+Z$/, '');
  return String(cell);
}

/**
 * A number as people write it: 4.82E12 is 4820000000000, and 19.989999999999998 is 19.99, which is how
 * workbooks keep them. A code of more digits than a number keeps stays shortened. Three decimals get a zero
 * more, so that they are not taken for thousands.
 */
export function plainNumber(text: string): string {
  if (!/^-?\d+(\.\d+)?(E[+-]?\d+)?$/i.test(text)) return text;
  const value = Number(text);
  if (!/[.E]/i.test(text) || Math.abs(value) >= 10 ** EXACT) return text;
  return String(Number(value.toPrecision(EXACT))).replace(/\.\d{3}$/, '$&0');
}
