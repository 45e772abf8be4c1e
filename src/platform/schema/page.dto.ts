import { Example } from './example.js';
import { Confirm, Flag, Identifier, Integer, Text } from './fields.js';

/** Input of an operation that takes nothing. */
export class NoInput {}

/** Input of a list; its result is `{ items, nextCursor }` (docs/behaviour.md §3). */
@Example({ take: 20 })
export class PageInput {
  @Integer({ min: 1, max: 100, optional: true, description: 'Default 20.' }) take?: number;
  @Text({ min: 1, optional: true, description: 'nextCursor of the page before.' }) cursor?: string;
}

export class IdInput {
  @Identifier() id: string;
}

/** Input of a deletion that cannot be undone. */
export class DeleteInput extends IdInput {
  @Confirm() confirm: true;
}

/** Result of a deletion. */
export class Deleted {
  @Identifier() id: string;
  @Flag() deleted: true;
}
