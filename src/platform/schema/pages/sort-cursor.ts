import { invalidInput } from '../../errors.js';
import { fromCursor, toCursor } from './page.js';

/** The sort orders of lists that can be sorted in several ways. */
export const SORTS = ['newest', 'oldest', 'recently_updated', 'least_recently_updated'] as const;
export type Sort = (typeof SORTS)[number];

/** The position of a page's last row: its time or another value, if the list is sorted by one, and its id. */
export interface Position {
  at: string | null;
  id: string;
}

/** @param order the name of the sort order; a cursor of one order is refused by another */
export function encodePosition(order: string, { at, id }: Position): string {
  return toCursor([order, at, id]);
}

/**
 * @param isAt what `at` can be; null if the list is sorted by the id alone
 * @throws OperationError invalid_input for a cursor that no list of this order has returned
 */
export function decodePosition(
  cursor: string,
  order: string,
  isAt: ((at: string) => boolean) | null,
  isId: (id: string) => boolean,
): Position {
  const refuse = () => invalidInput('cursor is not one that this list gave out with the same sort');
  const values = fromCursor(cursor);
  if (values?.length !== 3) throw refuse();
  const [kind, at, id] = values;
  const fits = isAt ? typeof at === 'string' && isAt(at) : at === null;
  if (kind !== order || !fits || typeof id !== 'string' || !isId(id)) throw refuse();
  return { at: at as string | null, id };
}
