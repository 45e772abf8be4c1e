import { eventually } from '../../support/eventually.js';

interface Page<Item> {
  items: Item[];
  nextCursor: string;
}

/**
 * Reads a feed from the cursor until there have been `count` items, which other transactions of the server
 * may hold back for a while.
 */
export async function readFeed<Item>(
  page: (input: object) => Promise<Page<Item>>,
  count: number,
  cursor?: string,
  input: object = {},
): Promise<Page<Item>> {
  const items: Item[] = [];
  let nextCursor = cursor;
  await eventually(`the feed has ${count} items`, async () => {
    const next = await page({ take: 100, ...(nextCursor ? { cursor: nextCursor } : {}), ...input });
    items.push(...next.items);
    ({ nextCursor } = next);
    return items.length >= count;
  });
  return { items, nextCursor: nextCursor! };
}
