import { isDeepStrictEqual } from 'node:util';

/** Whether two values are the same JSON, whatever the order of their keys: callers send them in any order. */
export function isSameJson(a: unknown, b: unknown): boolean {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  if (one === other) return true;
  const mayBeSame = typeof a === 'object' && typeof b === 'object' && one?.length === other?.length;
  return mayBeSame && isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}
