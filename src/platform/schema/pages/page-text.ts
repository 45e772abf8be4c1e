import { MAX_TOTAL, PAGE_BYTES, type Page } from './page.js';
import type { DtoClass } from '../field-spec.js';
import { present } from '../present.js';

/**
 * The JSON of a page, with its rows presented by the output class, cut at the maximum size of a page
 * (docs/behaviour.md §3).
 */
export function pageText(output: DtoClass, page: Page<object>, most = PAGE_BYTES): string {
  const shown = (row: object) => {
    const record = present(output, row);
    if (page.isIdsOnly) return record.id;
    const { only } = page;
    return only ? Object.fromEntries(Object.entries(record).filter(([name]) => only.includes(name))) : record;
  };
  const { texts, nextCursor } = cutToBytes(page, (row) => JSON.stringify(shown(row)), most);
  const rows = page.isIdsOnly ? `"items":[],"ids":[${texts.join(',')}]` : `"items":[${texts.join(',')}]`;
  return `{${rows},"nextCursor":${JSON.stringify(nextCursor)}${totalText(page)}}`;
}

function totalText({ total }: Page<object>): string {
  if (total === undefined) return '';
  return total > MAX_TOTAL ? `,"total":${MAX_TOTAL},"totalIsAtLeast":true` : `,"total":${total}`;
}

/**
 * The items of a page as JSON texts: as many as fit into `most` bytes, but at least one, with the cursor for
 * the next page.
 */
export function cutToBytes<Row>(
  { items, nextCursor, cursorOf }: Page<Row>,
  textOf: (row: Row) => string,
  most = PAGE_BYTES,
): { texts: string[]; nextCursor: string | null } {
  const texts: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = textOf(item);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > most && texts.length > 0 && cursorOf)
      return { texts, nextCursor: cursorOf(items[texts.length - 1]) };
    texts.push(text);
  }
  return { texts, nextCursor };
}
