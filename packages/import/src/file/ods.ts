import { strFromU8, unzipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import type { RawRow } from './csv.js';
import type { Sheet } from './xlsx.js';

/** The file of the archive that has the tables. */
const CONTENT = 'content.xml';
/** What stands beside a cell's own text. */
const NOT_OF_CELL = new Set(['office:annotation', 'office:forms', 'table:shapes', 'draw:frame']);

type Attributes = Record<string, string>;

/** Reads the sheets of an OpenDocument workbook. Its numbers are written with a point. */
export function openDocumentSheets(bytes: Uint8Array, plainNumber: (text: string) => string): Sheet[] {
  const files = unzipSync(bytes, { filter: ({ name }) => name === CONTENT });
  const reading = new Reading(plainNumber);
  const parser = new Parser(reading, { xmlMode: true });
  parser.end(strFromU8(files[CONTENT]));
  if (reading.sheets.length === 0) throw new Error('no tables');
  return reading.sheets.map(({ name, rows }) => ({ name, rows: padded(rows) }));
}

/** An empty cell at the end of a row is there as well. */
function padded(rows: RawRow[]): RawRow[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return rows.map(({ line, cells }) => ({
    line,
    cells: [...cells, ...Array<string>(width - cells.length).fill('')],
  }));
}

/** What is read of the document, element by element. */
class Reading {
  readonly sheets: Sheet[] = [];
  private row: string[] = [];
  /** How many empty cells stand before the next one. */
  private empty = 0;
  private rowRepeated = 1;
  private line = 1;
  private cell: Attributes | null = null;
  private paragraphs: string[] = [];
  private passedOver = 0;

  constructor(private readonly plainNumber: (text: string) => string) {}

  onopentag(name: string, attributes: Attributes): void {
    if (NOT_OF_CELL.has(name)) this.passedOver += 1;
    if (this.passedOver > 0) return;
    if (name === 'table:table') {
      this.sheets.push({ name: attributes['table:name'] ?? '', rows: [] });
      this.line = 1;
    } else if (name === 'table:table-row') {
      [this.row, this.empty] = [[], 0];
      this.rowRepeated = Number(attributes['table:number-rows-repeated'] ?? 1);
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      this.cell = attributes;
      this.paragraphs = [];
    } else if (name === 'text:p') this.paragraphs.push('');
    else if (name === 'text:s') this.ontext(' '.repeat(Number(attributes['text:c'] ?? 1)));
    else if (name === 'text:tab') this.ontext('\t');
    else if (name === 'text:line-break') this.ontext('\n');
  }

  /** Blanks between elements are none of a text. */
  ontext(text: string): void {
    if (this.passedOver === 0 && this.cell && this.paragraphs.length > 0)
      this.paragraphs[this.paragraphs.length - 1] += text;
  }

  onclosetag(name: string): void {
    if (NOT_OF_CELL.has(name)) this.passedOver -= 1;
    else if (this.passedOver > 0) return;
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.endCell();
    else if (name === 'table:table-row') this.endRow();
  }

  private endCell(): void {
    const repeated = Number(this.cell!['table:number-columns-repeated'] ?? 1);
    const text = this.textOf(this.cell!);
    this.cell = null;
    // Empty cells are repeated up to the edge of the sheet.
    if (text === '') this.empty += repeated;
    else {
      this.row.push(...Array<string>(this.empty).fill(''), ...Array<string>(repeated).fill(text));
      this.empty = 0;
    }
  }

  private endRow(): void {
    const rows: RawRow[] = this.sheets.at(-1)!.rows;
    if (this.row.length > 0)
      for (let i = 0; i < this.rowRepeated; i++) rows.push({ line: this.line + i, cells: this.row });
    this.line += this.rowRepeated;
  }

  /** A number as it is, not as it is drawn. */
  private textOf(cell: Attributes): string {
    switch (cell['office:value-type']) {
      case 'float':
      case 'currency':
      case 'percentage':
        return this.plainNumber(cell['office:value']);
      case 'boolean':
        return cell['office:boolean-value'];
      case 'date':
        return cell['office:date-value'];
      default:
        return cell['office:string-value'] ?? this.paragraphs.join('\n');
    }
  }
}
