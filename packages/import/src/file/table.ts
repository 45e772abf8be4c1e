import { countKnown } from '../formats/guess.js';
import type { Problem } from '../problem.js';
import { restored } from '../values/cells.js';
import { csvRows, type RawRow } from './csv.js';
import { decoded, readingsOf } from './encoding.js';
import { isArchive, isOldExcel, openDocumentKind, plainNumber, type Sheet, sheetsOf } from './xlsx.js';

/** Why a file is no table that can be read. */
export class NotATable extends Error {
  constructor(readonly code: 'oldExcel' | 'openDocument' | 'empty' | 'damaged') {
    super(`not a table: ${code}`);
  }
}

export interface Column {
  heading: string;
  /** The first values, different ones. */
  samples: string[];
  /** Whether another column has the same heading. */
  isTwice: boolean;
  /** Whether no cell is filled. */
  isEmpty: boolean;
}

export interface Row {
  line: number;
  /** By column; undefined for a cell that is not there. */
  cells: readonly (string | undefined)[];
}

/** A file as a table with headings. */
export interface Table {
  columns: Column[];
  rows: Row[];
  /** Rows that cannot be read, and why. */
  unreadable: Row[];
  problems: Problem[];
  /** How many lines stand before the headings. */
  skipped: number;
  /** Of a text; null for a workbook. */
  encoding: string | null;
  /** False: another encoding may be meant as well. */
  isEncodingSure: boolean;
  /** The first lines in each encoding that may be chosen; empty for Unicode. */
  readings: { encoding: string; text: string }[];
  delimiter: string | null;
  /** Of a workbook: all its sheets, and that which is read. */
  sheets: string[];
  sheet: string | null;
}

export interface FileChoices {
  encoding?: string;
  delimiter?: string;
  sheet?: string;
}

/** How many rows may stand before the headings. */
const BEFORE_HEADINGS = 20;
const SAMPLES = 3;
const SAMPLE_LENGTH = 80;

/** Reads a file: a text with separators, whatever wrote it, or a workbook. @throws NotATable */
export async function readTable(bytes: Uint8Array, choices: FileChoices = {}): Promise<Table> {
  if (isOldExcel(bytes)) throw new NotATable('oldExcel');
  if (!isArchive(bytes)) return textTable(bytes, choices);
  const sheets = await workbookOf(bytes).catch((error: unknown) => {
    throw error instanceof NotATable ? error : new NotATable('damaged');
  });
  const score = (rows: RawRow[]) => countKnown(headingRow(rows)?.cells ?? []);
  const [likeliest] = sheets.toSorted((one, other) => score(other.rows) - score(one.rows));
  const sheet = sheets.find(({ name }) => name === choices.sheet) ?? likeliest;
  const rest = { encoding: null, isEncodingSure: true, readings: [], delimiter: null };
  return tableOf(sheet?.rows ?? [], [], {
    ...rest,
    sheets: sheets.map(({ name }) => name),
    sheet: sheet?.name ?? null,
  });
}

/** Readers of workbooks are loaded when needed. */
async function workbookOf(bytes: Uint8Array): Promise<Sheet[]> {
  const kind = openDocumentKind(bytes);
  if (kind === undefined) return sheetsOf(bytes);
  if (kind !== 'spreadsheet') throw new NotATable('openDocument');
  const { openDocumentSheets } = await import('./ods.js');
  return openDocumentSheets(bytes, plainNumber);
}

function textTable(bytes: Uint8Array, choices: FileChoices): Table {
  const { text, encoding, isSure } = decoded(bytes, choices.encoding);
  const { rows, broken, delimiter } = csvRows(text, countKnown, choices.delimiter);
  const readings = readingsOf(bytes);
  return tableOf(rows, broken, {
    encoding,
    isEncodingSure: isSure,
    readings,
    delimiter,
    sheets: [],
    sheet: null,
  });
}

/** A cell as it was before an export, and with one kind of line ends. */
const textOf = (cell: string) => restored(cell).replace(/\r\n?/g, '\n');

const isFilled = (cell: string | undefined) => cell !== undefined && cell.trim() !== '';

/** The row of the headings: of the first rows, the one with the most that are known. */
function headingRow(rows: RawRow[]): RawRow | undefined {
  const first = rows.filter(({ cells }) => cells.some(isFilled)).slice(0, BEFORE_HEADINGS);
  return first.reduce<RawRow | undefined>(
    (best, row) => (!best || countKnown(row.cells) > countKnown(best.cells) ? row : best),
    undefined,
  );
}

function tableOf(
  raw: RawRow[],
  broken: number[],
  rest: Pick<Table, 'encoding' | 'isEncodingSure' | 'readings' | 'delimiter' | 'sheets' | 'sheet'>,
): Table {
  const head = headingRow(raw);
  if (!head) throw new NotATable('empty');
  const place = raw.indexOf(head);
  const width = head.cells.findLastIndex(isFilled) + 1;
  const headings = head.cells.slice(0, width).map((cell) => cell.trim());
  const isQuoteOpen = new Set(broken);
  const problems: Problem[] = broken.map((line) => ({ line, code: 'quotes' }));
  const rows: Row[] = [];
  const unreadable: Row[] = [];
  for (const { line, cells } of raw.slice(place + 1)) {
    if (!cells.some(isFilled)) continue;
    const beyond = cells.slice(width).filter(isFilled);
    const isBroken = isQuoteOpen.has(line);
    if (!isBroken && beyond.length > 0)
      problems.push({ line, code: 'tooManyCells', value: beyond.join(', ') });
    if (isBroken || beyond.length > 0) unreadable.push({ line, cells });
    else rows.push({ line, cells: headings.map((_, i) => cells[i] && textOf(cells[i])) });
  }
  const skipped = raw.slice(0, place).filter(({ cells }) => cells.some(isFilled)).length;
  return { columns: columnsOf(headings, rows), rows, unreadable, problems, skipped, ...rest };
}

function columnsOf(headings: string[], rows: Row[]): Column[] {
  return headings.map((heading, i) => {
    const samples = new Set<string>();
    for (const { cells } of rows) {
      if (isFilled(cells[i])) samples.add(cells[i]!.trim().slice(0, SAMPLE_LENGTH));
      if (samples.size === SAMPLES) break;
    }
    const isTwice = heading !== '' && headings.filter((one) => one === heading).length > 1;
    return { heading, samples: [...samples], isTwice, isEmpty: samples.size === 0 };
  });
}
