import { MAX_TOTAL, type Page, rowsRead } from '../platform/schema/pages/page.js';
import { type Kind, type Lines, type Needle, needleOf, NOTHING_TYPED } from './needle.js';

/** How many of the next rows of a list are read for what is common, before a source is. */
const WINDOW = 3_000;
const EVERY = 2_147_483_647;

/** What statements are given besides the conditions of their kind. */
export interface Asked extends Needle {
  by: string;
  window: number;
}

/**
 * @param narrow the source of the condition that narrows the search more than a text, if there is one
 * @param window how many of the next rows are read before this source
 */
export function askedOf(
  storeId: string,
  kind: Kind,
  typed: string | undefined,
  { narrow, window = WINDOW, lines }: { narrow?: string; window?: number; lines?: Lines } = {},
): Asked {
  const needle = typed === undefined ? NOTHING_TYPED : needleOf(storeId, kind, typed, lines);
  const by = narrow ?? (typed === undefined ? 'all' : 'text');
  // Numbers of three digits and more are rare: they are looked for in the indexes at once.
  const hasNumber = needle.numbers?.length && needle.patterns!.some((one) => /\d{3}/.test(one));
  const isRare = needle.pieces === null || Boolean(hasNumber);
  return { ...needle, by, window: by === 'all' ? EVERY : typed !== undefined && isRare ? 0 : window };
}

const OF_PAGE = ['take', 'cursor', 'sort', 'idsOnly', 'fields'];

/**
 * Whether a source has nothing else than what is found, because it covers every condition.
 * @param covered the conditions that each source covers
 */
export function isWhole(
  input: object,
  covered: Record<string, readonly string[] | undefined>,
  { by }: Asked,
): boolean {
  return Object.entries(input).every(
    ([name, value]) => value === undefined || OF_PAGE.includes(name) || covered[by]?.includes(name),
  );
}

/** A page with the total of all pages, if the statement has counted it. */
export interface FoundPage<Row> extends Page<Row> {
  counted: number | null;
}

/** Cuts `take + 1` rows to a page. */
export function foundPage<Row extends { total: number | null }>(
  rows: Row[],
  take: number,
  isFirst: boolean,
  cursorOf: (row: Row) => string,
): FoundPage<Row> {
  const items = rows.slice(0, take);
  const hasMore = rowsRead(rows) > items.length;
  const counted = rows[0]?.total ?? null;
  return {
    items,
    nextCursor: hasMore ? cursorOf(items[items.length - 1]) : null,
    cursorOf,
    counted: isFirst && !hasMore ? items.length : counted && Math.min(counted, MAX_TOTAL + 1),
  };
}

/** The rows of page after page, each read separately: no transaction stays open for a slow reader. */
export async function* everyPage<Row>(
  page: (cursor: string | undefined) => Promise<Page<Row>>,
): AsyncGenerator<Row[]> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page(cursor);
    yield items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
