import { Injectable } from '@nestjs/common';
import { foldLine } from '../../../platform/text/case-folding.js';
import type { RowOf } from '../../../platform/database/statement.js';
import { notFound } from '../../../platform/errors.js';
import { isDateTime } from '../../../platform/schema/formats.js';
import { DEFAULT_TAKE, MAX_TOTAL, type Page } from '../../../platform/schema/pages/page.js';
import { decodePosition, encodePosition, type Sort } from '../../../platform/schema/pages/sort-cursor.js';
import type { StoreContext } from '../../../platform/store/store-context.js';
import { isCustomerId } from '../../customers/customer-id.js';
import { phoneDigits } from '../../customers/finding/phone-digits.js';
import { ORDER_STATUSES } from '../../order-status.js';
import { productsNamed } from '../../products/reading/named-products.js';
import type { FindOrdersInput, FoundOrder } from './order-search.dto.js';
import {
  COUNT_ALL,
  COUNT_BETWEEN,
  COUNT_OF_CUSTOMER,
  COUNT_OF_PRODUCT,
  COUNT_TEXT,
  COUNT_TEXT_BETWEEN,
  FIND_ALL,
  FIND_BETWEEN,
  FIND_NEAR,
  FIND_NEAR_BETWEEN,
  FIND_OF,
  IS_CUSTOMER,
  RESOLVE_TEXT,
} from './order-search.statements.js';

/**
 * How many of the next orders a search reads before it uses the word indexes: a common text is found among
 * them.
 */
const NEAR = 150;
const FAR = 5_000;
/** A text counts as common if at least this many of the next NEAR orders contain it. */
const COMMON = 3;

type Row = RowOf<(typeof FIND_ALL)[Sort]>;

/** One search: its order, and the parameters that all its statements share. */
interface Search {
  sort: Sort;
  filter: typeof EVERY_ORDER & typeof ANY_TEXT & { take: number };
}

/** Finds orders by what people know about them (docs/behaviour.md §13.1). */
@Injectable()
export class OrderSearch {
  /** A page with the total of all pages, which is only counted if there are others. */
  async find(ctx: StoreContext, input: FindOrdersInput): Promise<Page<FoundOrder>> {
    const page = await this.page(ctx, input);
    const isWhole = input.cursor === undefined && page.nextCursor === null;
    return { ...page, total: isWhole ? page.items.length : await count(ctx, input) };
  }

  async page(ctx: StoreContext, input: FindOrdersInput): Promise<Page<FoundOrder>> {
    const { take = DEFAULT_TAKE, customerId, productId, text } = input;
    const isUpdateAsked = input.updatedFrom !== undefined || input.updatedTo !== undefined;
    const sort = input.sort ?? (isUpdateAsked ? 'recently_updated' : 'newest');
    const isByCreation = sort === 'newest' || sort === 'oldest';
    const isBounded = isByCreation
      ? isUpdateAsked
      : input.createdFrom !== undefined || input.createdTo !== undefined;
    const isPlain = customerId === undefined && productId === undefined && text === undefined && !isBounded;
    const hasTime = isPlain || !isByCreation;
    const order = hasTime ? `${sort} by time` : sort;
    const position = start(input.cursor, order, sort, hasTime);
    const after = { afterTime: position.at, afterId: position.id };
    const filter = { ...filterOf(input), ...after, take: take + 1 };
    const rows = isPlain
      ? await ctx.session.read(FIND_ALL[sort], filter)
      : await this.narrowed(ctx, input, { sort, filter });
    const page = pageOf(rows, take, order, hasTime && (isByCreation ? 'createdAt' : 'updatedAt'));
    return { ...page, isIdsOnly: input.idsOnly };
  }

  /** At most `take` orders that contain the text, newest first. An order with that number comes first. */
  async suggest(ctx: StoreContext, text: string, take: number): Promise<FoundOrder[]> {
    const number = orderNumber(text.trim());
    const [named, { items }] = await Promise.all([
      number === null
        ? []
        : ctx.session.read(FIND_OF.newest, { ...EVERY_ORDER, ...ANY_TEXT, take: 1, ...ANY, ids: [number] }),
      this.page(ctx, { text, take }),
    ]);
    return [...named, ...items.filter(({ id }) => id !== named[0]?.id)].slice(0, take);
  }

  /**
   * Searches along the index of the most selective filter.
   * @throws OperationError not_found for a customer or product of another store
   */
  private async narrowed(
    ctx: StoreContext,
    input: FindOrdersInput,
    { sort, filter }: Search,
  ): Promise<Row[]> {
    const [customer, products] = await Promise.all([
      customerOf(ctx, input.customerId),
      input.productId === undefined ? null : productsNamed(ctx, input.productId),
    ]);
    const find = (by: Partial<typeof ANY>) => ctx.session.read(FIND_OF[sort], { ...ANY, ...filter, ...by });
    if (customer !== null) return find({ customerIds: [customer], containing: products });
    if (products !== null) return find({ productIds: products });
    if (input.text === undefined) return ctx.session.read(FIND_BETWEEN[sort], filter);
    return this.withText(ctx, { sort, filter }, hasBounds(input) ? FIND_NEAR_BETWEEN : FIND_NEAR);
  }

  /**
   * Finds a common text among the next orders. For any other text, its customers and products are looked up
   * first.
   */
  private async withText(
    ctx: StoreContext,
    { sort, filter }: Search,
    near: typeof FIND_NEAR_BETWEEN | typeof FIND_NEAR,
  ): Promise<Row[]> {
    for (const window of [NEAR, FAR]) {
      const rows = await ctx.session.read(near[sort], { ...filter, window });
      if (rows.length >= filter.take) return rows;
      if (rows.length < COMMON) break;
    }
    const text = filter.text!;
    const [{ customers, products, orders }] = await ctx.session.read(RESOLVE_TEXT, {
      ...filter,
      text,
      externalId: filter.externalId!,
    });
    const number = orderNumber(text);
    const ids = [...(orders ?? []), ...(number === null ? [] : [number])];
    const found = { customerIds: customers, productIds: products, ids };
    return ctx.session.read(FIND_OF[sort], { ...ANY, ...filter, ...ANY_TEXT, ...found });
  }
}

/**
 * How many orders are found, up to one more than the highest exact total. It reads no further than that in an
 * index, however many orders there are.
 */
async function count(ctx: StoreContext, input: FindOrdersInput): Promise<number> {
  const { session } = ctx;
  const filter = filterOf(input);
  const { customerId, productId, text } = input;
  const products = productId === undefined ? null : await productsNamed(ctx, productId);
  const [{ total }] =
    customerId !== undefined
      ? await session.read(COUNT_OF_CUSTOMER, { ...filter, customerId, containing: products })
      : products !== null
        ? await session.read(COUNT_OF_PRODUCT, { ...filter, productIds: products })
        : text === undefined
          ? await session.read(hasBounds(input) ? COUNT_BETWEEN : COUNT_ALL, filter)
          : await countText(ctx, filter, text, hasBounds(input));
  return total;
}

/** Reads the few orders between bounds, or those that the text finds. */
async function countText(
  { session }: StoreContext,
  filter: ReturnType<typeof filterOf>,
  externalId: string,
  isBounded: boolean,
) {
  if (isBounded) {
    const [{ total }] = await session.read(COUNT_BETWEEN, filter);
    if (total <= MAX_TOTAL) return session.read(COUNT_TEXT_BETWEEN, filter);
  }
  const text = filter.text!;
  return session.read(COUNT_TEXT, { ...filter, text, externalId, number: orderNumber(text) });
}

const TIMES = ['createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'] as const;
const hasBounds = (input: FindOrdersInput) => TIMES.some((name) => input[name] !== undefined);

/** The conditions that all statements share. */
const filterOf = (input: FindOrdersInput) => ({
  statuses: input.statuses ? [...new Set(input.statuses)] : [...ORDER_STATUSES],
  createdFrom: input.createdFrom ?? '-infinity',
  createdTo: input.createdTo ?? 'infinity',
  updatedFrom: input.updatedFrom ?? '-infinity',
  updatedTo: input.updatedTo ?? 'infinity',
  ...(input.text === undefined ? ANY_TEXT : searched(input.text)),
});

/** The order number in a text, with or without #; null if the text is not a number. */
const orderNumber = (text: string): string | null => /^#?([1-9]\d{0,17})$/.exec(text)?.[1] ?? null;

/** The parameters of every search, without filters, for the first page of the newest orders. */
const EVERY_ORDER = {
  statuses: [...ORDER_STATUSES],
  createdFrom: '-infinity',
  createdTo: 'infinity',
  updatedFrom: '-infinity',
  updatedTo: 'infinity',
  afterTime: 'infinity',
  afterId: '9223372036854775807',
};

/** The parameters of a search without a text. */
const ANY_TEXT = {
  text: null as string | null,
  address: null as string | null,
  externalId: null as string | null,
  digits: null as string | null,
  shorter: null as string[] | null,
};

/**
 * The parameters of a text. It can be in an address if it has a letter, because a number is rather that of an
 * order, and no @, which begins a username.
 */
function searched(typed: string): typeof ANY_TEXT {
  const text = foldLine(typed);
  const isAddress = /\p{L}/u.test(typed) && !typed.includes('@');
  return { text, address: isAddress ? text : null, externalId: typed, ...phoneDigits(typed) };
}

/** The further parameters of FIND_OF. */
const ANY = {
  customerIds: null as string[] | null,
  productIds: null as string[] | null,
  ids: null as string[] | null,
  containing: null as string[] | null,
};

async function customerOf(ctx: StoreContext, customerId: string | undefined): Promise<string | null> {
  if (customerId === undefined) return null;
  const [found] = isCustomerId(customerId) ? await ctx.session.read(IS_CUSTOMER, { customerId }) : [];
  if (!found) throw notFound('Customer', customerId);
  return customerId;
}

const isOrderId = (id: string) => /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= 9_223_372_036_854_775_807n;

/** The position where the page begins: after the cursor, or before everything. */
function start(cursor: string | undefined, order: string, sort: Sort, hasTime: boolean) {
  const isRising = sort === 'oldest' || sort === 'least_recently_updated';
  const first = isRising ? { at: '-infinity', id: '0' } : { at: 'infinity', id: '9223372036854775807' };
  if (cursor === undefined) return first;
  const { at, id } = decodePosition(cursor, order, hasTime ? isDateTime : null, isOrderId);
  return { at: at ?? first.at, id };
}

function pageOf(
  rows: Row[],
  take: number,
  order: string,
  time: 'createdAt' | 'updatedAt' | false,
): Page<FoundOrder> {
  const cursorOf = (row: FoundOrder) =>
    encodePosition(order, { at: time ? row[time].toISOString() : null, id: String(row.id) });
  const items = rows.slice(0, take);
  return { items, nextCursor: rows.length > take ? cursorOf(items[items.length - 1]) : null, cursorOf };
}
