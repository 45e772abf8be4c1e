import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { foldLine } from '../../../platform/text/case-folding.js';
import { categoriesWithin, productsNamed } from '../../products/reading/named-products.js';
import { isCustomerId } from '../customer-id.js';
import { phoneDigits } from './phone-digits.js';
import type { CustomerSort, FindCustomersInput } from './customer-search.dto.js';
import {
  COUNT_ALL,
  COUNT_FOUND,
  COUNT_NAMED,
  FIND_NEAR,
  FIND_OF,
  PRODUCTS_IN,
  type Source,
} from './customer-search.statements.js';

/** How many of the next customers a search reads before it uses the index of a source. */
const NEAR = 150;
const FAR = 5_000;
/** What is asked for is common if at least this many of the next NEAR customers have it. */
const COMMON = 3;
const EVERY = 2_147_483_647;
const MOST = '9223372036854775807';
/** Before every time that a customer can have, except that of an order that is not there. */
const EARLIEST = '0001-01-01T00:00:00Z';

type Row = RowOf<(typeof FIND_NEAR)[CustomerSort]>;

/** Finds customers by what they are called, bought and are (docs/behaviour.md §13.14). */
@Injectable()
export class CustomerSearch {
  /** @throws OperationError not_found for a product, invalid_input for a category that is not of the store */
  async find(ctx: StoreContext, input: FindCustomersInput): Promise<Page<Row>> {
    const filter = await filterOf(ctx, input);
    const [page, [{ total }]] = await Promise.all([
      pageOf(ctx, input, filter),
      count(ctx, input, { ...filter, by: sourceOf(input) }),
    ]);
    return { ...page, total, isIdsOnly: input.idsOnly };
  }

  /** The same without the total. @throws OperationError like `find` */
  async page(ctx: StoreContext, input: FindCustomersInput): Promise<Page<Row>> {
    return pageOf(ctx, input, await filterOf(ctx, input));
  }
}

async function pageOf(ctx: StoreContext, input: FindCustomersInput, filter: Filter): Promise<Page<Row>> {
  const { take = DEFAULT_TAKE, sort = 'newest' } = input;
  const after = start(input.cursor, sort);
  const rows = await search(ctx, sort, sourceOf(input), { ...filter, ...after, take: take + 1 });
  const cursorOf = ({ id, at }: Row) => encodePosition(sort, { at, id });
  const items = rows.slice(0, take);
  const nextCursor = rows.length > take ? cursorOf(items[items.length - 1]) : null;
  return { items, nextCursor, cursorOf };
}

const OF_PAGE = ['take', 'cursor', 'sort', 'idsOnly'];

function count({ session }: StoreContext, input: FindCustomersInput, filter: Filter & { by: Source }) {
  const conditions = Object.keys(input).filter((name) => !OF_PAGE.includes(name));
  if (conditions.length === 0) return session.read(COUNT_ALL);
  return String(conditions) === 'text'
    ? session.read(COUNT_NAMED, filter)
    : session.read(COUNT_FOUND, filter);
}

type Filter = Awaited<ReturnType<typeof filterOf>>;

/** What is common is found among the next customers, anything else through its source. */
async function search(
  { session }: StoreContext,
  sort: CustomerSort,
  by: Source,
  filter: Filter & ReturnType<typeof start> & { take: number },
): Promise<Row[]> {
  if (by === 'all') return session.read(FIND_NEAR[sort], { ...filter, window: EVERY });
  for (const window of [NEAR, FAR]) {
    const rows = await session.read(FIND_NEAR[sort], { ...filter, window });
    if (rows.length >= filter.take) return rows;
    if (rows.length < COMMON) break;
  }
  return session.read(FIND_OF[sort], { ...filter, by });
}

/** The condition that usually narrows the search most. */
function sourceOf(input: FindCustomersInput): Source {
  if (input.text !== undefined) return 'text';
  if (input.boughtProductId !== undefined) return 'product';
  if (input.boughtCategoryId !== undefined) return 'category';
  if (input.isBanned) return 'banned';
  if (input.isBotBlocked) return 'blocked';
  if (input.lastOrderFrom !== undefined || input.lastOrderTo !== undefined) return 'ordered';
  if (input.minSpent !== undefined) return 'spent';
  if (input.minOrders !== undefined || input.maxOrders !== undefined) return 'counted';
  return input.createdFrom === undefined ? 'all' : 'created';
}

async function filterOf(ctx: StoreContext, input: FindCustomersInput) {
  const [products, inCategories] = await Promise.all([
    input.boughtProductId === undefined ? null : productsNamed(ctx, input.boughtProductId),
    input.boughtCategoryId === undefined ? null : productsIn(ctx, input.boughtCategoryId),
  ]);
  return {
    text: input.text === undefined ? null : foldLine(input.text),
    externalId: input.text ?? null,
    ...phoneDigits(input.text),
    products,
    inCategories,
    minOrders: input.minOrders ?? 0,
    maxOrders: input.maxOrders ?? MOST,
    minSpent: input.minSpent ?? 0,
    lastOrderFrom: input.lastOrderFrom ?? (input.lastOrderTo === undefined ? '-infinity' : EARLIEST),
    lastOrderTo: input.lastOrderTo ?? 'infinity',
    createdFrom: input.createdFrom ?? '-infinity',
    updatedFrom: input.updatedFrom ?? '-infinity',
    isBanned: input.isBanned ?? null,
    isBotBlocked: input.isBotBlocked ?? null,
  };
}

/** The external ids of the products that are now in the category, or in one below it. */
async function productsIn(ctx: StoreContext, categoryId: string): Promise<string[]> {
  const categoryIds = await categoriesWithin(ctx, categoryId, 'boughtCategoryId');
  return (await ctx.session.read(PRODUCTS_IN, { categoryIds })).map(({ productId }) => productId);
}

const isTime = (at: string) => at === '-infinity' || isDateTime(at);
const isAmount = (at: string) => /^-?\d{1,18}$/.test(at);

/** The position where the page begins: after the cursor, or before everything. */
function start(cursor: string | undefined, sort: CustomerSort): { afterAt: string; afterId: string } {
  if (cursor === undefined) {
    if (sort === 'oldest') return { afterAt: '-infinity', afterId: '0' };
    return { afterAt: sort === 'most_spent' ? MOST : 'infinity', afterId: MOST };
  }
  const { at, id } = decodePosition(cursor, sort, sort === 'most_spent' ? isAmount : isTime, isCustomerId);
  return { afterAt: at!, afterId: id };
}
