import { Injectable } from '@nestjs/common';
import { foldLine } from '../../../platform/text/case-folding.js';
import { invalidInput } from '../../../platform/errors.js';
import { isDateTime, isUuid } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, rowsRead } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition, type Sort } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { withOnSale } from '../places.js';
import { categoriesWithin } from './named-products.js';
import type { FindProductsInput } from './product-search.dto.js';
import {
  COUNT_ALL,
  COUNT_FOUND,
  FIND_ALL,
  FIND_CHANGED,
  FIND_LOW,
  FIND_NEAR,
  FIND_OF_BRAND,
  FIND_OF_CATEGORIES,
  FIND_OF_VISIBILITY,
  FIND_TEXT,
  type FoundRow,
  IS_BRAND,
  isById,
  type Source,
} from './product-search.statements.js';

/**
 * The numbers of products that a search reads before it uses the index of words. A text that many products
 * have is found among them.
 */
const NEAR = 150;
const FAR = 5_000;
/** A text is common if at least this many of the NEAR products have it. */
const COMMON = 3;
/** The highest stock of each stock level, as in the database function stock_level. */
const LEVELS = [0, 5, 20, 100];

/** What all searches share. */
interface Filter {
  afterTime: string;
  afterId: string;
  take: number;
  isHidden: boolean | null;
  updatedFrom: string | null;
  brandId: string | null;
  categoryIds: string[] | null;
  maxStock: number | null;
  text: string | null;
  codes: string[] | null;
}

/** Finds products by text, brand, category, stock or time of change (docs/behaviour.md §13.2). */
@Injectable()
export class ProductSearch {
  /** A page with the total of all pages, which is only counted if there are others. */
  async find(ctx: StoreContext, input: FindProductsInput) {
    const { page, filter } = await search(ctx, input);
    const isWhole = input.cursor === undefined && page.nextCursor === null;
    const total = isWhole ? page.items.length : await count(ctx, filter);
    return { ...page, items: page.items.map(withOnSale), total };
  }

  async page(ctx: StoreContext, input: FindProductsInput): Promise<Page<FoundRow>> {
    return (await search(ctx, input)).page;
  }
}

async function search(ctx: StoreContext, input: FindProductsInput) {
  const { take = DEFAULT_TAKE, brandId = null, isHidden = null, maxStock = null, updatedFrom = null } = input;
  const sort = input.sort ?? (updatedFrom === null ? 'newest' : 'recently_updated');
  const after = start(input.cursor, sort);
  const [, categoryIds] = await Promise.all([
    requireBrand(ctx, brandId),
    input.categoryId === undefined ? null : categoriesWithin(ctx, input.categoryId, 'categoryId'),
  ]);
  const text = input.text === undefined ? null : foldLine(input.text);
  const codes = input.text === undefined ? null : codesOf(input.text);
  const conditions = { isHidden, updatedFrom, brandId, categoryIds, maxStock, text, codes };
  const filter = { ...after, ...conditions, take: take + 1 };
  const page = pageOf(await narrowed(ctx, sort, filter), take, sort);
  return { page: { ...page, isIdsOnly: input.idsOnly }, filter };
}

/** The codes that a text can be. People type them without minding case, which is part of a code. */
function codesOf(text: string): string[] {
  const code = text.trim();
  return [...new Set([code, code.toUpperCase(), code.toLowerCase()])];
}

/** How many products are found, up to one more than the highest exact total. */
async function count({ session }: StoreContext, filter: Filter): Promise<number> {
  const by = sourceOf(filter);
  const [{ total }] =
    by === null
      ? await session.read(COUNT_ALL, filter)
      : await session.read(COUNT_FOUND, { ...filter, by, level: levelOf(filter.maxStock) ?? 0 });
  return total;
}

/** The condition that usually narrows the search most; null if only all products can be read. */
function sourceOf({ text, maxStock, categoryIds, brandId, updatedFrom }: Filter): Source | null {
  if (text !== null) return 'text';
  if (levelOf(maxStock) !== null) return 'low';
  if (categoryIds !== null) return 'category';
  if (brandId !== null) return 'brand';
  return updatedFrom === null ? null : 'changed';
}

/** The stock level that has all products with so few pieces; null if there is none. */
function levelOf(maxStock: number | null): number | null {
  const level = maxStock === null ? -1 : LEVELS.findIndex((most) => maxStock <= most);
  return level === -1 ? null : level;
}

/** Reads along the index of the condition that narrows the search most. */
async function narrowed(ctx: StoreContext, sort: Sort, filter: Filter): Promise<FoundRow[]> {
  const { text, maxStock, categoryIds, brandId, isHidden, updatedFrom } = filter;
  const { session } = ctx;
  if (text !== null) return withText(ctx, sort, filter);
  const level = levelOf(maxStock);
  if (level !== null) return session.read(FIND_LOW[sort], { ...filter, level });
  if (categoryIds !== null) return session.read(FIND_OF_CATEGORIES[sort], filter);
  if (brandId !== null) return session.read(FIND_OF_BRAND[sort], filter);
  if (isHidden !== null && updatedFrom === null && isById(sort))
    return session.read(FIND_OF_VISIBILITY[sort], filter);
  if (updatedFrom === null || !isById(sort)) return session.read(FIND_ALL[sort], filter);
  const rows = await session.read(FIND_NEAR[sort], { ...filter, window: FAR });
  return rowsRead(rows) >= filter.take ? rows : session.read(FIND_CHANGED[sort], filter);
}

/** A text that many products have is found among the next products, any other text by the index of words. */
async function withText({ session }: StoreContext, sort: Sort, filter: Filter): Promise<FoundRow[]> {
  if (isById(sort)) {
    for (const window of [NEAR, FAR]) {
      const rows = await session.read(FIND_NEAR[sort], { ...filter, window });
      if (rowsRead(rows) >= filter.take) return rows;
      if (rowsRead(rows) < COMMON) break;
    }
  }
  return session.read(FIND_TEXT[sort], filter);
}

/** @throws OperationError invalid_input naming brandId */
export async function requireBrand(ctx: StoreContext, brandId: string | null): Promise<void> {
  if (brandId === null) return;
  const [found] = isUuid(brandId) ? await ctx.session.read(IS_BRAND, { brandId }) : [];
  if (!found) throw invalidInput('brandId is not a brand of this store');
}

/** The position at which the page begins: after the cursor, or before everything. */
function start(cursor: string | undefined, sort: Sort): Pick<Filter, 'afterTime' | 'afterId'> {
  const isRising = sort === 'oldest' || sort === 'least_recently_updated';
  const first = isRising
    ? { afterTime: '-infinity', afterId: '00000000-0000-0000-0000-000000000000' }
    : { afterTime: 'infinity', afterId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  if (cursor === undefined) return first;
  const { at, id } = decodePosition(cursor, sort, isById(sort) ? null : isDateTime, isUuid);
  return { afterTime: at ?? first.afterTime, afterId: id };
}

function pageOf(rows: FoundRow[], take: number, sort: Sort) {
  const cursorOf = ({ id, updatedAt }: Pick<FoundRow, 'id' | 'updatedAt'>) =>
    encodePosition(sort, { at: isById(sort) ? null : updatedAt.toISOString(), id });
  const items = rows.slice(0, take);
  const nextCursor = rowsRead(rows) > items.length ? cursorOf(items[items.length - 1]) : null;
  return { items, nextCursor, cursorOf };
}
