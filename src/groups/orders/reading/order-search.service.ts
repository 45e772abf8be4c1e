import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../../platform/database/statement.js';
import type { Statements } from '../../../platform/database/statements.generated.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, type Page } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition, type Sort } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { askedOf, foundPage, isWhole } from '../../../search/find.js';
import { isCustomerId, noSuchCustomer } from '../../customers/customer-id.js';
import { ORDER_STATUSES } from '../../order-status.js';
import { productsNamed } from '../../products/reading/named-products.js';
import type { ListedOrdersInput } from './order-search.dto.js';
import { COUNT, FIND, IS_CUSTOMER, LEAVES_FEW } from './order-search.statements.js';

type Row = RowOf<(typeof FIND)[Sort]>;

/** How many of the next orders are read for a product that most orders have. */
const NEXT_WITH_PRODUCT = 500;

/** Finds orders by what people know about them (docs/behaviour.md §13.1). */
@Injectable()
export class OrderSearch {
  /**
   * A page with the total of all pages.
   * @throws OperationError not_found for a customer or product of another store
   */
  async find(ctx: StoreContext, input: ListedOrdersInput): Promise<Page<Row>> {
    const { page, filter } = await search(ctx, input);
    const total = page.counted ?? (await ctx.session.read(COUNT, filter))[0].total;
    return { ...page, total, isIdsOnly: input.idsOnly };
  }

  async page(ctx: StoreContext, input: ListedOrdersInput): Promise<Page<Row>> {
    return (await search(ctx, input)).page;
  }

  /** At most `take` orders that contain the text, newest first. An order with that number comes first. */
  async suggest(ctx: StoreContext, text: string, take: number): Promise<Row[]> {
    const [named, { items }] = await Promise.all([
      search(ctx, { text, take: 1 }, 'number'),
      this.page(ctx, { text, take }),
    ]);
    const first = named.page.items;
    return [...first, ...items.filter(({ id }) => id !== first[0]?.id)].slice(0, take);
  }
}

/** @param narrow the source that is read; default: that of the condition that narrows the search most */
async function search(ctx: StoreContext, input: ListedOrdersInput, narrow?: 'number') {
  const { take = DEFAULT_TAKE, text, statuses } = input;
  const isUpdateAsked = input.updatedFrom !== undefined || input.updatedTo !== undefined;
  const sort = input.sort ?? (isUpdateAsked ? 'recently_updated' : 'newest');
  const position = start(input.cursor, sort);
  const [customerId, products] = await Promise.all([
    customerOf(ctx, input.customerId),
    input.productId === undefined ? null : productsNamed(ctx, input.productId),
  ]);
  const bounds = {
    statuses: statuses ? [...new Set(statuses)] : [...ORDER_STATUSES],
    createdFrom: input.createdFrom ?? '-infinity',
    createdTo: input.createdTo ?? 'infinity',
    updatedFrom: input.updatedFrom ?? '-infinity',
    updatedTo: input.updatedTo ?? 'infinity',
  };
  const source = narrow ? { narrow, window: 0 } : await narrowing(ctx, input, sort, bounds);
  const asked = askedOf(ctx.storeId, 'order', text, source);
  const filter = {
    ...asked,
    ...bounds,
    ...{ customerId, products },
    payment: input.payment ?? null,
    delivery: input.delivery ?? null,
    isWhole: isWhole(input, COVERED, asked),
  };
  const rows = await ctx.session.read(FIND[sort], { ...filter, ...position, take: take + 1 });
  const cursorOf = (row: Row) =>
    encodePosition(sort, {
      at: (isByCreation(sort) ? row.createdAt : row.updatedAt).toISOString(),
      id: String(row.id),
    });
  return { page: foundPage(rows, take, input.cursor === undefined, cursorOf), filter };
}

const BOUNDS = ['statuses', 'createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'] as const;
const COVERED = {
  ...{ text: ['text'], customer: ['customerId'], product: ['productId'] },
  ...{ bounds: BOUNDS, all: BOUNDS, owedBack: ['payment'] },
};
const isByCreation = (sort: Sort) => sort === 'newest' || sort === 'oldest';

/** The condition that usually narrows a search more than its text and its order. */
async function narrowing(
  { session }: StoreContext,
  input: ListedOrdersInput,
  sort: Sort,
  bounds: Statements['bounds_leave_few_orders']['parameters'],
): Promise<{ narrow?: string; window?: number }> {
  const others = isByCreation(sort)
    ? [input.updatedFrom, input.updatedTo]
    : [input.createdFrom, input.createdTo];
  if (input.customerId !== undefined) return { narrow: 'customer', window: 0 };
  if (input.productId !== undefined) return { narrow: 'product', window: NEXT_WITH_PRODUCT };
  if (input.text !== undefined) {
    const isBounded = BOUNDS.some((name) => input[name] !== undefined);
    const leavesFew = isBounded && (await session.read(LEAVES_FEW, bounds))[0].isSo;
    return leavesFew ? { narrow: 'bounds', window: 0 } : {};
  }
  if (input.payment === 'owed_back') return { narrow: 'owedBack', window: 0 };
  return [input.statuses, ...others].some((value) => value !== undefined) ? { narrow: 'bounds' } : {};
}

async function customerOf(ctx: StoreContext, customerId: string | undefined): Promise<string | null> {
  if (customerId === undefined) return null;
  const [found] = isCustomerId(customerId) ? await ctx.session.read(IS_CUSTOMER, { customerId }) : [];
  if (!found) throw noSuchCustomer(customerId);
  return customerId;
}

const isOrderId = (id: string) => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= 9_223_372_036_854_775_807n;

/** The position where the page begins: after the cursor, or before everything. */
function start(cursor: string | undefined, sort: Sort): { afterAt: string; afterId: string } {
  const isRising = sort === 'oldest' || sort === 'least_recently_updated';
  if (cursor === undefined)
    return isRising
      ? { afterAt: '-infinity', afterId: '0' }
      : { afterAt: 'infinity', afterId: '9223372036854775807' };
  const { at, id } = decodePosition(cursor, sort, isDateTime, isOrderId);
  return { afterAt: at!, afterId: id };
}
