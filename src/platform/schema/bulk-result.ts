import { OperationError } from '../errors.js';
import { Example } from './example.js';
import { Integer, Nested, Text } from './fields.js';

@Example({ code: 'not_found', message: 'items[1].productId: product tee-logo was not found in this store' })
export class ItemError {
  @Text() code: string;
  @Text() message: string;
}

/** One item's outcome: what it became, or `error`. */
@Example({ index: 0 })
export class ItemResult {
  @Integer({ min: 0, description: 'Its place in items, from 0.' }) index: number;
  @Nested(() => ItemError, { optional: true, description: 'Why nothing was changed for this item.' }) error?: ItemError;
}

@Example({ updated: 1, failed: 0 })
export class BulkResult {
  @Integer({ min: 0, description: 'Items that were done.' }) updated: number;
  @Integer({ min: 0, description: 'Items that were refused, each for itself.' }) failed: number;
}

/** What a refusal says of the item it is about. @throws whatever is no refusal */
export function itemError(error: unknown): ItemError {
  if (!(error instanceof OperationError)) throw error;
  return { code: error.code, message: error.message };
}

/** The items with how many of them were done. */
export function counted<Item extends ItemResult>(items: Item[]): { updated: number; failed: number; items: Item[] } {
  const failed = items.filter(({ error }) => error !== undefined).length;
  return { updated: items.length - failed, failed, items };
}
