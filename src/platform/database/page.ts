import { isUuid } from '../operation/formats.js';
import { invalidInput } from '../operation/operation-error.js';

/** docs/behaviour.md §3. */
export interface Page<Row> {
  items: Row[];
  nextCursor: string | null;
}

export interface PageRequest {
  take?: number;
  cursor?: string;
}

/** A total order: its last property is unique in the store. */
export type Order = readonly { property: string; direction: 'ASC' | 'DESC' }[];

export const DEFAULT_TAKE = 20;

/** Cuts `take + 1` rows to a page; the row beyond tells that there is a next one. */
export function pageOf<Row>(rows: Row[], take: number, order: Order): Page<Row> {
  const items = rows.slice(0, take);
  const last = items[items.length - 1];
  return { items, nextCursor: rows.length > take && last ? encodeCursor(last as Record<string, unknown>, order) : null };
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

/** `(a > x) or (a = x and b < y)`, for the alias `r`. */
export function keysetCondition(order: Order, values: (string | number)[]): { sql: string; parameters: Record<string, unknown> } {
  const alternatives = order.map(({ property, direction }, i) => {
    const equal = order.slice(0, i).map((earlier, j) => `r.${earlier.property} = :key${j}`);
    return `(${[...equal, `r.${property} ${direction === 'ASC' ? '>' : '<'} :key${i}`].join(' and ')})`;
  });
  return { sql: `(${alternatives.join(' or ')})`, parameters: Object.fromEntries(values.map((value, i) => [`key${i}`, value])) };
}

/** Ids are UUID version 7, so they rise with time. */
export const NEWEST_FIRST: Order = [{ property: 'id', direction: 'DESC' }];

/** The id that the next page of such a list stays below. @throws OperationError invalid_input for a cursor no list gave out */
export function idBelow(cursor: string | undefined): string {
  return cursor === undefined ? 'ffffffff-ffff-ffff-ffff-ffffffffffff' : String(decodeCursor(cursor, NEWEST_FIRST)[0]);
}
