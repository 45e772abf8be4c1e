import { isUuid } from '../formats.js';
import { invalidInput } from '../../errors.js';

/** An opaque cursor of the values that make up a position, as JSON. */
export const toCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** The values of a cursor. @returns null for a text that `toCursor` would not write so */
export function fromCursor(cursor: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(values) && toCursor(values) === cursor ? (values as unknown[]) : null;
  } catch {
    return null;
  }
}

/** A page of a list (docs/behaviour.md §3). */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
  /** The cursor of a page that ends with this row. Absent for a list without pages. */
  cursorOf?(row: Row): string;
  /** Whether only the ids of the rows are returned. */
  isIdsOnly?: boolean;
  /** The only fields of the rows that are returned. */
  only?: readonly string[];
  /** The records on all pages, counted up to MAX_TOTAL + 1. */
  total?: number;
}

/**
 * How a list is paged: a `feed` always has a cursor, to go on from later; one that is `counted` has the total
 * of all pages, and can leave its rows out and return their ids.
 */
export type Paging = true | 'feed' | 'counted';

/** Up to here totals are exact (docs/behaviour.md §3). */
export const MAX_TOTAL = 10_000;

/** The maximum size of a page's JSON. A page has at least one item, however large (docs/behaviour.md §3). */
export const PAGE_BYTES = 1024 * 1024;

export interface PageRequest {
  take?: number;
  cursor?: string;
}

/** A total order. Its last property must be unique in the store. */
export type Order = readonly { property: string; direction: 'ASC' | 'DESC' }[];

export const DEFAULT_TAKE = 20;

/**
 * Cuts `take + 1` rows to a page. If there is a further row, or one that `withinBytes` left out, there is a
 * next page.
 */
export function pageOf<Row>(rows: Row[], take: number, order: Order): Page<Row> {
  const items = rows.slice(0, take);
  const cursorOf = (row: Row) =>
    toCursor(order.map(({ property }) => (row as Record<string, unknown>)[property]));
  const hasMore = rowsRead(rows) > items.length;
  return { items, nextCursor: hasMore ? cursorOf(items[items.length - 1]) : null, cursorOf };
}

/** The number of rows that a page's statement found, including those that `withinBytes` left out. */
export function rowsRead(rows: unknown[]): number {
  const [first] = rows as { rowsRead?: string }[];
  return Number(first?.rowsRead ?? rows.length);
}

/**
 * SQL that keeps only the rows that fit a page's size, and the one that exceeds it, so that a page that ends
 * early does not read all large rows. Each row has `rowsRead`, the number of all rows, for `pageOf`.
 * @param rows SQL of `take + 1` rows, in their order
 * @param size SQL of the size of the large columns of row `r`, in bytes; it must not decompress them
 * @param order SQL of the sort order of the rows `r`
 */
export function withinBytes(rows: string, size: string, order = 'r.id desc'): string {
  const before = `sum(${size}) over (order by ${order} rows between unbounded preceding and 1 preceding)`;
  return `(select w.* from (
    select r.*, count(*) over () as "rowsRead!", coalesce(${before}, 0) as bytes_before from (${rows}) r
  ) w where w.bytes_before < ${PAGE_BYTES})`;
}

/** @throws OperationError invalid_input for a cursor that no list has returned */
export function decodeCursor(cursor: string, order: Order): (string | number)[] {
  const refuse = () => invalidInput('cursor is not one that a list gave out');
  const values = fromCursor(cursor);
  if (values?.length !== order.length) throw refuse();
  for (const [i, value] of values.entries()) {
    const fits =
      order[i].property === 'id' ? typeof value === 'string' && isUuid(value) : Number.isSafeInteger(value);
    if (!fits) throw refuse();
  }
  return values as (string | number)[];
}

/** Newest first: ids are UUID version 7, which rise with time. */
export const NEWEST_FIRST: Order = [{ property: 'id', direction: 'DESC' }];

/**
 * The id below which the next page of such a list continues.
 * @throws OperationError invalid_input for a cursor that no list has returned
 */
export function idBelow(cursor: string | undefined): string {
  return cursor === undefined
    ? 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    : String(decodeCursor(cursor, NEWEST_FIRST)[0]);
}
