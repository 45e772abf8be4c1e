import { caseFold } from '../../platform/case-folding.js';

export interface Names {
  firstName: string | null;
  lastName: string | null;
  username: string | null;
}

/** Text as search compares it. Line feeds divide the names in `search_text`, so a name has none. */
export function fold(text: string): string {
  return caseFold(text).replaceAll('\n', ' ');
}

/** `customers.search_text`: a line each for first name, last name and username. */
export function searchText({ firstName, lastName, username }: Names): string {
  return [firstName, lastName, username].map((name) => fold(name ?? '')).join('\n');
}
