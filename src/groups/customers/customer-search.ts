import { foldLine } from '../../platform/text/case-folding.js';

export interface Names {
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

/**
 * The value of `customers.search_text`: one line each for first name, last name and username. A search for
 * `@name` finds usernames that begin with it.
 */
export function searchText({ firstName, lastName, username }: Names): string {
  return [firstName, lastName, username?.replace(/^@/, '')].map((name) => foldLine(name ?? '')).join('\n');
}
