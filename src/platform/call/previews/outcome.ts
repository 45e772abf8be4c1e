import { auditedChanges } from '../../store/audit.js';
import type { CountedChange } from './counted.js';
import { hashOf, type Since } from './preview-hash.js';

interface PreviewedChange {
  operation: string;
  action: string | null;
  target: string;
  changes: object;
  unlinked?: Record<string, number>;
}

/** What an operation would do. */
export interface Outcome {
  /** The data that it would answer. */
  answer: object;
  changes: PreviewedChange[];
  /** Equal for two runs that do the same; new ids and the time may differ. */
  hash: string;
  /** It commits before it is finished, or was not tried whole, so it can be compared only before it runs. */
  isStepwise: boolean;
  /** How many records it is for, of which the first were tried; absent if all were. */
  counted?: number;
}

export const countsOf = (lists: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, ids.length]));

/** What is counted is compared before it runs, like what was not tried whole. */
export function countedOutcome(
  operation: string,
  { count, answer, ...of }: CountedChange,
  since: Since,
): Outcome {
  const { target, changes, unlinked } = of;
  return {
    answer,
    changes: [{ operation, action: null, target, changes: auditedChanges(changes), unlinked }],
    hash: hashOf({ count, ...of }, since),
    isStepwise: true,
    counted: count,
  };
}
