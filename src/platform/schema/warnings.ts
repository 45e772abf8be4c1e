import { TextList } from './list-fields.js';

/** The most warnings that are listed. */
const MAX_WARNINGS = 50;

/** The `warnings` of a result: input that is allowed but makes no sense (docs/behaviour.md §5). */
export const Warnings = () =>
  TextList({
    optional: true,
    description: 'Input that is allowed but makes no sense. Absent if there is none.',
  });

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
