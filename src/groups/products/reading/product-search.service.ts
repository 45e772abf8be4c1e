import { Injectable } from '@nestjs/common';
import { isDateTime, isUuid } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page, rowsRead } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition, type Sort } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { askedOf, foundPage, isWhole } from '../../../search/find.js';
import { withOnSale } from '../places.js';
import { noSuchBrand } from '../product-checks.js';
import { categoriesWithin } from './named-products.js';
import { DETAILS, type FindProductsInput } from './product-search.dto.js';
import { COUNT, FIND, FOUND_DETAILS, type FoundRow, IS_BRAND, isById } from './product-search.statements.js';

/** The highest stock of each stock level, as in the database function stock_level. */
const LEVELS = [0, 5, 20, 100];

/** Finds products by text, brand, category, stock or time of change (docs/behaviour.md §13.2). */
@Injectable()
export class ProductSearch {
  /** A page with the total of all pages. */
  async find(ctx: StoreContext, input: FindProductsInput) {
    const { page, filter } = await search(ctx, input);
    const total = page.counted ?? (await ctx.session.read(COUNT, filter))[0].total;
    const asked = input.fields && [...ALWAYS, ...input.fields];
    const needsMore = asked?.some((name) => OF_DETAILS.includes(name)) && !input.idsOnly;
    const { items, ...rest } = needsMore ? await withDetails(ctx, page) : page;
    return { ...rest, items: items.map(withOnSale), total, isIdsOnly: input.idsOnly, only: asked };
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
    typeof input.categoryId === 'string' ? categoriesWithin(ctx, input.categoryId, 'categoryId') : null,
  ]);
  const asked = askedOf(ctx.storeId, 'product', input.text, { narrow: narrowing(input, sort) });
  const filter = {
    ...asked,
    ...{ isHidden, updatedFrom, brandId, categoryIds, maxStock },
    isWithoutCategory: input.categoryId === null,
    hasImage: input.hasImage ?? null,
    onSale: input.onSale ?? null,
    level: levelOf(maxStock),
    isWhole: isWhole(input, COVERED, asked),
  };
  const rows = await ctx.session.read(FIND[sort], { ...filter, ...after, take: take + 1, now: ctx.now() });
  const cursorOf = ({ id, updatedAt }: Pick<FoundRow, 'id' | 'updatedAt'>) =>
    encodePosition(sort, { at: isById(sort) ? null : updatedAt.toISOString(), id });
  return { page: foundPage(rows, take, input.cursor === undefined, cursorOf), filter };
}

const ALWAYS = ['id', 'productId'];
const OF_DETAILS: readonly string[] = [...DETAILS, 'saleUntil'];

const COVERED = {
  ...{
    text: ['text'],
    category: ['categoryId'],
    uncategorised: ['categoryId'],
    brand: ['brandId'],
    visibility: ['isHidden'],
  },
  ...{ changed: ['updatedFrom'], all: [] },
};

/** The products of a page with what is only read when it is asked for: as many as fit a page. */
async function withDetails(ctx: StoreContext, page: Page<FoundRow>): Promise<Page<FoundRow>> {
  const rows = await ctx.session.read(FOUND_DETAILS, {
    ids: page.items.map(({ id }) => id),
    now: ctx.now(),
  });
  const details = new Map(rows.map((row) => [row.id, row]));
  const isCut = rowsRead(rows) > rows.length;
  const end = isCut ? page.items.findIndex(({ id }) => id === rows.at(-1)!.id) + 1 : page.items.length;
  const shown = page.items.slice(0, end);
  return {
    ...page,
    items: shown.flatMap((item) => (details.has(item.id) ? { ...item, ...details.get(item.id) } : [])),
    nextCursor: isCut ? page.cursorOf!(shown[end - 1]) : page.nextCursor,
  };
}

/** The condition that usually narrows a search most, if there is no text. */
function narrowing(input: FindProductsInput, sort: Sort): string | undefined {
  if (input.text !== undefined) return undefined;
  if (levelOf(input.maxStock ?? null) !== null) return 'low';
  if (input.categoryId !== undefined) return input.categoryId === null ? 'uncategorised' : 'category';
  if (input.brandId !== undefined) return 'brand';
  if (input.updatedFrom !== undefined && isById(sort)) return 'changed';
  return input.isHidden === undefined ? undefined : 'visibility';
}

/** The stock level that has all products with so few pieces; null if there is none. */
function levelOf(maxStock: number | null): number | null {
  const level = maxStock === null ? -1 : LEVELS.findIndex((most) => maxStock <= most);
  return level === -1 ? null : level;
}

/** @throws OperationError invalid_input naming brandId */
export async function requireBrand(ctx: StoreContext, brandId: string | null): Promise<void> {
  if (brandId === null) return;
  const [found] = isUuid(brandId) ? await ctx.session.read(IS_BRAND, { brandId }) : [];
  if (!found) throw noSuchBrand('brandId', brandId);
}

/** The position at which the page begins: after the cursor, or before everything. */
function start(cursor: string | undefined, sort: Sort): { afterAt: string | null; afterId: string } {
  const isRising = sort === 'oldest' || sort === 'least_recently_updated';
  const first = isRising
    ? { afterAt: '-infinity', afterId: '00000000-0000-0000-0000-000000000000' }
    : { afterAt: 'infinity', afterId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  if (cursor === undefined) return first;
  const { at, id } = decodePosition(cursor, sort, isById(sort) ? null : isDateTime, isUuid);
  return { afterAt: at, afterId: id };
}
