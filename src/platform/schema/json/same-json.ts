import { isDeepStrictEqual } from 'node:util';

/** Whether two values are the same JSON, whatever the order of their keys: callers send them in any order. */
export function isSameJson(a: unknown, b: unknown): boolean {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  if (one === other) return true;
  const mayBeSame = typeof a === 'object' && typeof b === 'object' && one?.length === other?.length;
  return mayBeSame && isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

/** A value as JSON with sorted keys at every depth: one text for all that isSameJson takes as the same. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
