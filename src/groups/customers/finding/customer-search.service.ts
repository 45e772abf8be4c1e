import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { askedOf, foundPage, isWhole } from '../../../search/find.js';
import { categoriesWithin, productsNamed } from '../../products/reading/named-products.js';
import { isCustomerId } from '../customer-id.js';
import type { CustomerSort, FindCustomersInput } from './customer-search.dto.js';
import { COUNT, FIND, PRODUCTS_IN } from './customer-search.statements.js';

const MOST = '9223372036854775807';
/** Before every time that a customer can have, except that of an order that is not there. */
const EARLIEST = '0001-01-01T00:00:00Z';

/** How many of the next customers are read for what most have bought: each costs a look at their orders. */
const NEXT_BUYERS = 150;

type Row = RowOf<(typeof FIND)[CustomerSort]>;

/** Finds customers by what they are called, bought and are (docs/behaviour.md §13.14). */
@Injectable()
export class CustomerSearch {
  /** @throws OperationError not_found for a product, invalid_input for a category that is not of the store */
  async find(ctx: StoreContext, input: FindCustomersInput): Promise<Page<Row>> {
    const filter = await filterOf(ctx, input);
    const page = await pageOf(ctx, input, filter);
    const total = page.counted ?? (await ctx.session.read(COUNT, filter))[0].total;
    return { ...page, total, isIdsOnly: input.idsOnly };
  }

  /** The same without the total. @throws OperationError like `find` */
  async page(ctx: StoreContext, input: FindCustomersInput): Promise<Page<Row>> {
    return pageOf(ctx, input, await filterOf(ctx, input));
  }
}

type Filter = Awaited<ReturnType<typeof filterOf>>;

async function pageOf(ctx: StoreContext, input: FindCustomersInput, filter: Filter) {
  const { take = DEFAULT_TAKE, sort = 'newest', cursor } = input;
  const rows = await ctx.session.read(FIND[sort], { ...filter, ...start(cursor, sort), take: take + 1 });
  return foundPage(rows, take, cursor === undefined, ({ id, at }) => encodePosition(sort, { at, id }));
}

const COVERED = {
  ...{ text: ['text'], product: ['boughtProductId'], category: ['boughtCategoryId'], banned: ['isBanned'] },
  ...{ blocked: ['isBotBlocked'], ordered: ['lastOrderFrom', 'lastOrderTo'], spent: ['minSpent'] },
  ...{ counted: ['minOrders', 'maxOrders'], created: ['createdFrom'], all: [] },
};

/** The condition that usually narrows a search most, if there is no text. */
function narrowing(input: FindCustomersInput): string | undefined {
  if (input.boughtProductId !== undefined) return 'product';
  if (input.text !== undefined) return undefined;
  if (input.boughtCategoryId !== undefined) return 'category';
  if (input.isBanned) return 'banned';
  if (input.isBotBlocked) return 'blocked';
  if (input.lastOrderFrom !== undefined || input.lastOrderTo !== undefined) return 'ordered';
  if (input.minSpent !== undefined) return 'spent';
  if (input.minOrders !== undefined || input.maxOrders !== undefined) return 'counted';
  return input.createdFrom === undefined ? undefined : 'created';
}

async function filterOf(ctx: StoreContext, input: FindCustomersInput) {
  const [products, inCategories] = await Promise.all([
    input.boughtProductId === undefined ? null : productsNamed(ctx, input.boughtProductId),
    input.boughtCategoryId === undefined ? null : productsIn(ctx, input.boughtCategoryId),
  ]);
  const narrow = narrowing(input);
  const window = narrow === 'product' || narrow === 'category' ? NEXT_BUYERS : undefined;
  const asked = askedOf(ctx.storeId, 'customer', input.text, { narrow, window });
  return {
    ...asked,
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
    isWhole: isWhole(input, COVERED, asked),
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
