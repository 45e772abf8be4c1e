import { OperationError } from '../errors.js';
import { Example } from './example.js';
import { Integer, Text } from './fields.js';
import { Nested } from './list-fields.js';

@Example({ code: 'not_found', message: 'items[1].productId: product tee-logo was not found in this store' })
export class ItemError {
  @Text() code: string;
  @Text() message: string;
}

/** The outcome of one item: its new state, or `error`. */
@Example({ index: 0 })
export class ItemResult {
  @Integer({ min: 0, description: 'The position of the item in items, starting at 0.' }) index: number;
  @Nested(() => ItemError, { optional: true, description: 'Why nothing was changed for this item.' })
  error?: ItemError;
}

@Example({ updated: 1, failed: 0 })
export class BulkResult {
  @Integer({ min: 0, description: 'The number of items that were updated.' }) updated: number;
  @Integer({ min: 0, description: 'The number of items that were refused.' }) failed: number;
}

/** The error of an item, from its refusal. @throws any error that is not a refusal */
export function itemError(error: unknown): ItemError {
  if (!(error instanceof OperationError)) throw error;
  return { code: error.code, message: error.message };
}

/** The items, with the numbers of updated and refused ones. */
export function counted<Item extends ItemResult>(
  items: Item[],
): { updated: number; failed: number; items: Item[] } {
  const failed = items.filter(({ error }) => error !== undefined).length;
  return { updated: items.length - failed, failed, items };
}
