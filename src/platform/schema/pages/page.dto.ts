import { Example } from '../example.js';
import { Confirm, Flag, Identifier, Integer, Text } from '../fields.js';

/** The input of an operation without parameters. */
export class NoInput {}

/** The input of a list, whose result is `{ items, nextCursor }` (docs/behaviour.md §3). */
@Example({ take: 20 })
export class PageInput {
  @Integer({ min: 1, max: 100, optional: true, description: 'Default 20.' }) take?: number;
  @Text({ min: 1, optional: true, description: 'The nextCursor of the previous page.' }) cursor?: string;
}

/** The input of a search. */
export class FindInput extends PageInput {
  @Flag({
    optional: true,
    description: 'If true, items is empty, and ids has the id of each record: much less to read.',
    hint: 'ids in place of items.',
  })
  idsOnly?: boolean;
}

export class IdInput {
  @Identifier() id: string;
}

/** The input of a deletion that cannot be undone. */
export class DeleteInput extends IdInput {
  @Confirm() confirm: true;
}

/** The result of a deletion. */
export class Deleted {
  @Identifier() id: string;
  @Flag() deleted: true;
}
