import { withoutFiner } from '../money.js';
import { TextList } from './list-fields.js';

/** The most warnings that are listed. */
const MAX_WARNINGS = 50;

/** The `warnings` of a result: input that is allowed but makes no sense (docs/behaviour.md §5). */
export const Warnings = () =>
  TextList({
    optional: true,
    description: 'Input that is allowed but makes no sense. Absent if there is none.',
  });

/** The number of values that no call clears by mistake one by one. */
const MANY_CLEARED = 3;

/**
 * Warns if one call cleared several values by null, because some programs send null for every field that they
 * do not mean to change.
 * @param changes each changed field's value before and after
 */
export function clearedWarning(changes: Record<string, [unknown, unknown]>): string[] {
  const cleared = Object.entries(changes).flatMap(([name, [before, after]]) =>
    before !== null && after === null ? [name] : [],
  );
  if (cleared.length < MANY_CLEARED) return [];
  return [`null has cleared ${cleared.join(', ')}: undo_change puts them back`];
}

/** The result with its warnings, if there are any. */
export function withWarnings<Result extends object>(
  result: Result,
  warnings: string[],
): Result & { warnings?: string[] } {
  if (warnings.length === 0) return result;
  const more = warnings.length - MAX_WARNINGS;
  const shown = more > 0 ? [...warnings.slice(0, MAX_WARNINGS), `and ${more} more`] : warnings;
  return { ...result, warnings: shown };
}

/** Warns about an amount in major units of which not all decimals count. @param path its path */
export function finerWarning(path: string, value: number, decimals: number, currency: string): string[] {
  const counted = withoutFiner(value, decimals);
  if (counted === null) return [];
  return [`${path} has more decimals than count in ${currency}: it counts as ${counted}`];
}
