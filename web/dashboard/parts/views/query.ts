import type { RouteOutput } from '../../api/client';
import { VIEWED, type Viewed } from '../../../../src/doors/dashboard/views/viewed.js';

export type { Viewed };
export type View = RouteOutput<'GET stores/{storeId}/views'>['items'][number];

/** The filters of an address as the service keeps them: in the order of their names. */
export function queryOf(page: Viewed, search: Record<string, string>): string {
  const known: readonly string[] = VIEWED[page];
  const given = new URLSearchParams(
    Object.entries(search).filter(([name, value]) => known.includes(name) && value !== ''),
  );
  given.sort();
  return given.toString();
}

/** The address of a view. It names the view, which stays open while its filters are changed. */
export const searchOf = ({ id, query }: View) => ({
  ...Object.fromEntries(new URLSearchParams(query)),
  view: id,
});
