import { refusalOf, invalidInput, type OperationError } from '../errors.js';
import { EventLoopYield } from '../timers.js';
import { Example } from './example.js';
import { InvalidItem } from './field-spec.js';
import { Integer, Text } from './fields.js';
import { Nested } from './list-fields.js';
import { FOR_PAGES } from './present.js';

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

export const itemError = ({ code, message, forPages }: OperationError): ItemError => {
  const error = { code, message, [FOR_PAGES]: forPages };
  return error;
};

/** The items that are valid. */
export const validItems = <Item>(items: readonly (Item | InvalidItem)[]): Item[] =>
  items.filter((item): item is Item => !(item instanceof InvalidItem));

/**
 * The items, with those that the check refuses as InvalidItem. Other calls have their turn in between.
 * @throws any error that is not a refusal
 */
export async function checkedItems<Item>(
  items: readonly (Item | InvalidItem)[],
  check: (item: Item, index: number) => void,
): Promise<(Item | InvalidItem)[]> {
  const pace = new EventLoopYield();
  const checked: (Item | InvalidItem)[] = [];
  for (const [index, item] of items.entries()) {
    checked.push(item instanceof InvalidItem ? item : refusedBy(item, () => check(item, index)));
    await pace.rest();
  }
  return checked;
}

function refusedBy<Item>(item: Item, check: () => void): Item | InvalidItem {
  try {
    check();
    return item;
  } catch (error) {
    return new InvalidItem(refusalOf(error).sentence);
  }
}

/**
 * Does the work of each item, one after another, and lets other calls have their turn in between. A refusal
 * becomes the result of its item.
 * @param work returns the result without its index
 * @throws any error that is not a refusal
 */
export async function eachItem<Item extends object | number, Result extends ItemResult>(
  items: readonly (Item | InvalidItem)[],
  work: (
    item: Item,
    index: number,
  ) => Omit<Result, 'index' | 'error'> | Promise<Omit<Result, 'index' | 'error'>>,
): Promise<Result[]> {
  const pace = new EventLoopYield();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    try {
      if (item instanceof InvalidItem) throw invalidInput(item.problem);
      results.push({ index, ...(await work(item, index)) } as Result);
    } catch (error) {
      results.push({ index, error: itemError(refusalOf(error)) } as Result);
    }
    await pace.rest();
  }
  return results;
}

/** The items, with the numbers of updated and refused ones. */
export function counted<Item extends Pick<ItemResult, 'error'>>(
  items: Item[],
): { updated: number; failed: number; items: Item[] } {
  const failed = items.filter(({ error }) => error !== undefined).length;
  return { updated: items.length - failed, failed, items };
}
