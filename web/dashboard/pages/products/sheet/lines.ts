import type { Output } from '../../../api/client';
import { readNumber } from '../../../parts/inputs/amounts';

/** The columns in which values are typed. */
export const COLUMNS = ['price', 'salePrice', 'itemAmount'] as const;
export type Column = (typeof COLUMNS)[number];

/** What is sold: a product, or a variant of one. */
export interface Line extends Record<Column, number | null> {
  id: string;
  productId: string;
  variantId?: string;
  name: string;
}

/** The texts that were typed, by the line's id. */
export type Typed = Record<string, Partial<Record<Column, string>>>;

/** Values of the store's currency, as texts of a language. */
export interface Writing {
  decimals: number;
  language: string;
}

export interface Edit {
  line: Line;
  column: Column;
  after: number | null;
}

export function linesOf(products: Output<'find_products'>['items']): Line[] {
  return products.flatMap(({ variants, title, ...product }) =>
    variants.length === 0
      ? [{ ...valuesOf(product), id: product.id, productId: product.id, name: title }]
      : variants.map((variant) => ({
          ...valuesOf(variant),
          id: variant.id,
          productId: product.id,
          variantId: variant.id,
          name: `${title}, ${variant.name}`,
        })),
  );
}

const valuesOf = ({ price, salePrice, itemAmount }: Record<Column, number | null>) => ({
  price,
  salePrice,
  itemAmount,
});

/**
 * The lines with their fresh values, each where it was: no line moves or goes while somebody types.
 * @returns `shown` itself if nothing differs
 */
export function refreshed(shown: Line[], fresh: Line[]): Line[] {
  const newest = new Map(fresh.map((line) => [line.id, line]));
  const kept = shown.map((line) => {
    const now = newest.get(line.id);
    newest.delete(line.id);
    return now && [...COLUMNS, 'name' as const].some((name) => now[name] !== line[name]) ? now : line;
  });
  const isSame = newest.size === 0 && kept.every((line, i) => line === shown[i]);
  return isSame ? shown : [...kept, ...newest.values()];
}

const decimalsOf = (column: Column, { decimals }: Writing) => (column === 'itemAmount' ? 0 : decimals);

/**
 * Reads a cell. Only a sale price may be empty: then there is no sale.
 * @returns undefined for what is no such value
 */
export function readCell(text: string, column: Column, writing: Writing): number | null | undefined {
  const value = readNumber(text, decimalsOf(column, writing), writing.language);
  if (value === null) return column === 'salePrice' ? null : undefined;
  return value !== undefined && value < 0 ? undefined : value;
}

/** The edits among what was typed, in the order of the lines; what cannot be read is none. */
export function editsOf(lines: Line[], typed: Typed, writing: Writing): Edit[] {
  return lines.flatMap((line) =>
    COLUMNS.flatMap((column) => {
      const text = typed[line.id]?.[column];
      if (text === undefined) return [];
      const after = readCell(text, column, writing);
      return after === undefined || after === line[column] ? [] : [{ line, column, after }];
    }),
  );
}

/** Whether something was typed that is no value of its column, and so no edit. */
export const hasUnreadable = (typed: Typed, writing: Writing) =>
  Object.values(typed).some((cells) =>
    COLUMNS.some((column) => {
      const text = cells[column];
      return text !== undefined && readCell(text, column, writing) === undefined;
    }),
  );

/** A mark of a currency beside an amount, as spreadsheets copy it. */
const MARK = /^(?:\p{Sc}|[A-Z]{3})\s*|\s*(?:\p{Sc}|[A-Z]{3})$/gu;

/** The cells of a block that a spreadsheet has copied: tabs between columns, line breaks between rows. */
export function blockOf(text: string): string[][] {
  const rows = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return rows.map((row) => row.split('\t').map((cell) => cell.trim().replace(MARK, '')));
}

/**
 * What is pasted over cells. One plain text is none: it goes where the cursor is, as anywhere else.
 */
export function pastedBlock(text: string): string[][] | undefined {
  const block = blockOf(text);
  return block.length === 1 && block[0].length === 1 && block[0][0] === text.trim() ? undefined : block;
}

/**
 * Lays a block over the lines, its first cell at the place. An empty cell leaves a price or stock as it is.
 * @returns what was typed by that, and the number of rows that found no line
 */
export function laid(block: string[][], lines: Line[], first: number, column: Column) {
  const columns = COLUMNS.slice(COLUMNS.indexOf(column));
  const typed: Typed = {};
  for (const [i, line] of lines.slice(first, first + block.length).entries()) {
    const cells = columns.flatMap((name, j) => {
      const text = block[i][j] as string | undefined;
      return text === undefined || (text === '' && name !== 'salePrice') ? [] : [[name, text]];
    });
    typed[line.id] = Object.fromEntries(cells) as Typed[string];
  }
  return { typed, left: Math.max(0, first + block.length - lines.length) };
}

/** Adds what was typed to what was typed before. */
export function withTyped(before: Typed, more: Typed): Typed {
  const added = Object.entries(more).map(([id, texts]) => [id, { ...before[id], ...texts }] as const);
  return { ...before, ...Object.fromEntries(added) };
}
