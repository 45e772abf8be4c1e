import { Injectable } from '@nestjs/common';
import { foldLine } from '../../../platform/text/case-folding.js';
import type { Statement } from '../../../platform/database/statement.js';
import { invalidInput } from '../../../platform/errors.js';
import { isUuid } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, rowsRead } from '../../../platform/schema/pages/page.js';
import {
  decodePosition,
  encodePosition,
  type Position,
  type Sort,
} from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import type { FindProductsInput, FoundProduct } from './product-search.dto.js';
import {
  CATEGORIES_WITHIN,
  FIND_ALL,
  FIND_CHANGED,
  FIND_LOW,
  FIND_NEAR,
  FIND_OF_BRAND,
  FIND_OF_CATEGORIES,
  FIND_OF_VISIBILITY,
  FIND_TEXT,
  IS_BRAND,
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

type Row = FoundProduct & Record<string, unknown>;
type Find = (statements: Record<Sort, Statement>, ...more: unknown[]) => Promise<Row[]>;

/** Finds products by text, brand, category, stock or time of change (docs/behaviour.md §13.2). */
@Injectable()
export class ProductSearch {
  async find(ctx: StoreContext, input: FindProductsInput): Promise<Page<FoundProduct>> {
    const {
      take = DEFAULT_TAKE,
      brandId,
      categoryId,
      isHidden = null,
      maxStock = null,
      updatedFrom = null,
    } = input;
    const sort = input.sort ?? (updatedFrom === null ? 'newest' : 'recently_updated');
    const isByTime = sort === 'recently_updated' || sort === 'least_recently_updated';
    const position = start(input.cursor, sort, isByTime);
    const [, categories] = await Promise.all([requireBrand(ctx, brandId), categoriesOf(ctx, categoryId)]);
    const text = input.text === undefined ? null : foldLine(input.text);
    const values = [
      ...[position.at, position.id, take + 1, isHidden, updatedFrom],
      ...[brandId ?? null, categories, maxStock, text],
    ];
    const find: Find = (statements, ...more) => ctx.session.read<Row>(statements[sort], ...values, ...more);
    const rows = await narrowed(find, { ...input, sort }, { take, isByTime, categories });
    return pageOf(rows, take, sort, isByTime);
  }
}

/** Reads along the index of the condition that narrows the search most. */
async function narrowed(
  find: Find,
  { text, brandId, maxStock, updatedFrom, isHidden }: FindProductsInput,
  { take, isByTime, categories }: { take: number; isByTime: boolean; categories: string[] | null },
): Promise<Row[]> {
  if (text !== undefined) return withText(find, take, isByTime);
  if (maxStock !== undefined && maxStock <= LEVELS[LEVELS.length - 1]) {
    return find(
      FIND_LOW,
      LEVELS.findIndex((most) => maxStock <= most),
    );
  }
  if (categories !== null) return find(FIND_OF_CATEGORIES);
  if (brandId !== undefined) return find(FIND_OF_BRAND);
  if (isHidden !== undefined && !isByTime && updatedFrom === undefined) return find(FIND_OF_VISIBILITY);
  if (updatedFrom === undefined || isByTime) return find(FIND_ALL);
  const rows = await find(FIND_NEAR, FAR);
  return rowsRead(rows) > take ? rows : find(FIND_CHANGED);
}

/** A text that many products have is found among the next products, any other text by the index of words. */
async function withText(find: Find, take: number, isByTime: boolean): Promise<Row[]> {
  for (const window of isByTime ? [] : [NEAR, FAR]) {
    const rows = await find(FIND_NEAR, window);
    if (rowsRead(rows) > take) return rows;
    if (rowsRead(rows) < COMMON) break;
  }
  return find(FIND_TEXT);
}

/** @throws OperationError invalid_input naming brandId */
async function requireBrand(ctx: StoreContext, brandId: string | undefined): Promise<void> {
  if (brandId === undefined) return;
  const [found] = isUuid(brandId) ? await ctx.session.read(IS_BRAND, brandId) : [];
  if (!found) throw invalidInput('brandId is not a brand of this store');
}

/**
 * Returns the category and all categories below it. @throws OperationError invalid_input naming categoryId
 */
async function categoriesOf(ctx: StoreContext, categoryId: string | undefined): Promise<string[] | null> {
  if (categoryId === undefined) return null;
  const rows = isUuid(categoryId)
    ? await ctx.session.read<{ id: string }>(CATEGORIES_WITHIN, categoryId)
    : [];
  if (rows.length === 0) throw invalidInput('categoryId is not a category of this store');
  return rows.map(({ id }) => id);
}

/** The position at which the page begins: after the cursor, or before everything. */
function start(cursor: string | undefined, sort: Sort, hasTime: boolean): Position {
  const isRising = sort === 'oldest' || sort === 'least_recently_updated';
  const first = isRising
    ? { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }
    : { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  if (cursor === undefined) return first;
  const { at, id } = decodePosition(cursor, sort, hasTime, isUuid);
  return { at: at ?? first.at, id };
}

function pageOf(rows: Row[], take: number, sort: Sort, hasTime: boolean): Page<FoundProduct> {
  const cursorOf = (row: FoundProduct) =>
    encodePosition(sort, { at: hasTime ? new Date(row.updatedAt).toISOString() : null, id: row.id });
  const items = rows.slice(0, take);
  return {
    items,
    nextCursor: rowsRead(rows) > items.length ? cursorOf(items[items.length - 1]) : null,
    cursorOf,
  };
}
