import type { AuditDraft } from '../../store/store-context.js';

/** What a call would do that is counted instead of being tried. */
export interface CountedChange {
  count: number;
  answer: object;
  target: string;
  changes: NonNullable<AuditDraft['changes']>;
  /** How many records would lose their link to a deleted one, by table. */
  unlinked: Record<string, number>;
  /** The ids of the first of them: the change is another one when these are others. */
  first: string[];
}

/** So many records or people are many: a call for more is counted instead of being tried whole. */
export const MANY = 20;

/** The fields of inputs that list records, or people. */
const LISTS = ['items', 'orderIds', 'ids', 'messages'];

const listsOf = (input: object) =>
  Object.entries(input).filter(
    (entry): entry is [string, unknown[]] => LISTS.includes(entry[0]) && Array.isArray(entry[1]),
  );

/** How many records, or people, an input lists. */
export const numberOf = (input: object): number =>
  Math.max(0, ...listsOf(input).map(([, list]) => list.length));

/** The input for the first of many, whose locks are held no longer than those of few. */
export const firstOf = (input: object): object => ({
  ...input,
  ...Object.fromEntries(listsOf(input).map(([name, list]) => [name, list.slice(0, MANY)])),
});
