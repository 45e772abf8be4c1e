import { withoutFiner } from '../money.js';
import { type Sentence, warning } from '../problems.js';
import { TextList } from './list-fields.js';
import { FOR_PAGES } from './present.js';

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
export function clearedWarning(changes: Record<string, [unknown, unknown]>): Sentence[] {
  const cleared = Object.entries(changes).flatMap(([name, [before, after]]) =>
    before !== null && after === null ? [name] : [],
  );
  if (cleared.length < MANY_CLEARED) return [];
  return [
    warning(`null has cleared ${cleared.join(', ')}: undo_change puts them back`, 'cleared', {
      fields: cleared,
    }),
  ];
}

/** The result with its warnings, if there are any. Pages are told what each is about. */
export function withWarnings<Result extends object>(
  result: Result,
  warnings: Sentence[],
): Result & { warnings?: string[] } {
  if (warnings.length === 0) return result;
  const count = warnings.length - MAX_WARNINGS;
  const more = count > 0 ? [warning(`and ${count} more`, 'more', { count })] : [];
  const shown = [...warnings.slice(0, MAX_WARNINGS), ...more];
  const forPages = { [FOR_PAGES]: { told: shown.map(({ told }) => told ?? null) } };
  return { ...result, warnings: shown.map(({ text }) => text), ...forPages };
}

/**
 * Warns about an amount in major units of which not all decimals count.
 * @param path its path
 * @param place that of the field of the form, from 1, if it is one of a condition
 */
export function finerWarning(
  path: string,
  value: number,
  { decimals, currency }: { decimals: number; currency: string },
  place?: number,
): Sentence[] {
  const counts = withoutFiner(value, decimals);
  if (counts === null) return [];
  const text = `${path} has more decimals than count in ${currency}: it counts as ${counts}`;
  const counted = Number(counts);
  return [
    place === undefined
      ? warning(text, 'finer', { field: path.split('.').at(-1)!, counted })
      : warning(text, 'finer_change', { place, counted }),
  ];
}
