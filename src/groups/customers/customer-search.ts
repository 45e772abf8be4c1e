import { foldLine } from '../../platform/case-folding.js';

export interface Names {
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

/** `customers.search_text`: a line each for first name, last name and username, which is searched as `@name` from its beginning. */
export function searchText({ firstName, lastName, username }: Names): string {
  return [firstName, lastName, username?.replace(/^@/, '')].map((name) => foldLine(name ?? '')).join('\n');
}
