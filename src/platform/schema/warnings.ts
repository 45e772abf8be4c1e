import { TextList } from './fields.js';

/** More are not listed; one problem rarely comes alone. */
const MAX_WARNINGS = 50;

/** `warnings` of a result: what the call was given that is allowed but makes no sense (docs/behaviour.md §5). */
export const Warnings = () =>
  TextList({ optional: true, description: 'What is allowed but makes no sense. Absent when there is none.' });

/** The result with its warnings, where there are any. */
export function withWarnings<Result extends object>(result: Result, warnings: string[]): Result & { warnings?: string[] } {
  if (warnings.length === 0) return result;
  const more = warnings.length - MAX_WARNINGS;
  const shown = more > 0 ? [...warnings.slice(0, MAX_WARNINGS), `and ${more} more`] : warnings;
  return { ...result, warnings: shown };
}
