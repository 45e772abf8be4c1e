import { isUuid } from './formats.js';
import { invalidInput } from '../errors.js';

/** docs/behaviour.md §3. */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
  /** Of a page that would end with this row; a list that has no pages has none. */
  cursorOf?(row: Row): string;
}

/** A page ends before its JSON is larger, after one item at least (docs/behaviour.md §3). */
export const PAGE_BYTES = 1024 * 1024;

export interface PageRequest {
  take?: number;
  cursor?: string;
}

/** A total order: its last property is unique in the store. */
export type Order = readonly { property: string; direction: 'ASC' | 'DESC' }[];

export const DEFAULT_TAKE = 20;

/** Cuts `take + 1` rows to a page; a row beyond it, or one that `withinBytes` left out, means that there is a next page. */
export function pageOf<Row>(rows: Row[], take: number, order: Order): Page<Row> {
  const items = rows.slice(0, take);
  const cursorOf = (row: Row) => encodeCursor(row as Record<string, unknown>, order);
  const hasMore = rowsRead(rows) > items.length;
  return { items, nextCursor: hasMore ? cursorOf(items[items.length - 1]) : null, cursorOf };
}

/** How many rows a page's statement read, those included that `withinBytes` left out. */
export function rowsRead(rows: unknown[]): number {
  const [first] = rows as { rowsRead?: string }[];
  return Number(first?.rowsRead ?? rows.length);
}

/**
 * SQL that keeps of a page's rows those that begin before its last byte, so that large ones are not all read for a page that
 * ends early. Each row has `rowsRead`, how many there were, for `pageOf`.
 * @param rows SQL of `take + 1` rows, in their order
 * @param size SQL of the bytes that the large parts of a row `r` take; must not decompress columns
 * @param order SQL of the order of the rows `r`
 */
export function withinBytes(rows: string, size: string, order = 'r.id desc'): string {
  const before = `sum(${size}) over (order by ${order} rows between unbounded preceding and 1 preceding)`;
  return `(select w.* from (
    select r.*, count(*) over () as "rowsRead", coalesce(${before}, 0) as bytes_before from (${rows}) r
  ) w where w.bytes_before < ${PAGE_BYTES})`;
}

/** An opaque cursor: the ordering values of the last record of a page. */
export function encodeCursor(row: Record<string, unknown>, order: Order): string {
  return Buffer.from(JSON.stringify(order.map(({ property }) => row[property]))).toString('base64url');
}

/** @throws OperationError invalid_input for a cursor that could not have been given out */
export function decodeCursor(cursor: string, order: Order): (string | number)[] {
  const refuse = () => invalidInput('cursor is not one that a list gave out');
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refuse();
  }
  if (!Array.isArray(values) || values.length !== order.length) throw refuse();
  for (const [i, value] of values.entries()) {
    const fits = order[i].property === 'id' ? typeof value === 'string' && isUuid(value) : Number.isSafeInteger(value);
    if (!fits) throw refuse();
  }
  if (Buffer.from(JSON.stringify(values)).toString('base64url') !== cursor) throw refuse();
  return values;
}

/** Ids are UUID version 7, so they rise with time. */
export const NEWEST_FIRST: Order = [{ property: 'id', direction: 'DESC' }];

/** The id that the next page of such a list stays below. @throws OperationError invalid_input for a cursor no list gave out */
export function idBelow(cursor: string | undefined): string {
  return cursor === undefined ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : String(decodeCursor(cursor, NEWEST_FIRST)[0]);
}
