import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { sumShown } from '../../platform/money.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { EARNING_STATUSES, ORDER_STATUSES, type OrderStatus } from '../order-status.js';
import type {
  Analytics,
  AnalyticsDay,
  GetAnalyticsInput,
  OrderCounts,
  OrderCountsInput,
  Period,
  StatusCounts,
} from './analytics.dto.js';
import {
  COUNT_ORDERS,
  COUNT_PLACED,
  ORDERS_BY_DAY,
  TOP_PRODUCTS,
  VISITS_BY_DAY,
} from './analytics.statements.js';
import { DAY_MS } from '../../platform/clock.js';

const DAYS: Record<Period, number> = { '7d': 7, '30d': 30, '90d': 90 };

/**
 * The database returns counts as text, since they may have 64 bits, and sums of money as text, since they may
 * have any size.
 */
type CountsRow = RowOf<typeof COUNT_ORDERS>;
type OrdersRow = RowOf<typeof ORDERS_BY_DAY>;
type VisitsRow = RowOf<typeof VISITS_BY_DAY>;

@Injectable()
export class AnalyticsService {
  /** Returns the analytics of the last 7, 30 or 90 times 24 hours, by UTC day (docs/behaviour.md §5). */
  get(ctx: StoreContext, { period = '7d' }: GetAnalyticsInput): Promise<Analytics> {
    return this.window(ctx, period, ctx.now());
  }

  /** Counts the orders of each status, over all time or of those that were created in a window. */
  async countOrders(ctx: StoreContext, { createdFrom, createdTo }: OrderCountsInput): Promise<OrderCounts> {
    const isWhole = createdFrom === undefined && createdTo === undefined;
    // The last moment belongs to the window, as to that of find_orders.
    const to = createdTo === undefined ? 'infinity' : new Date(Date.parse(createdTo) + 1).toISOString();
    const window = { from: createdFrom ?? '-infinity', to };
    const rows = await (isWhole ? ctx.session.read(COUNT_ORDERS) : ctx.session.read(COUNT_PLACED, window));
    const statusCounts = countStatuses(rows);
    return { total: total(statusCounts), statusCounts };
  }

  /** Sends the three reads side by side. */
  private async window(ctx: StoreContext, period: Period, to: Date): Promise<Analytics> {
    const from = new Date(to.getTime() - DAYS[period] * DAY_MS);
    const dates = daysTouched(from, to);
    const window = wholeDays(from, to, ctx.now());
    const [orders, products, visits] = await Promise.all([
      ctx.session.read(ORDERS_BY_DAY, window),
      ctx.session.read(TOP_PRODUCTS, window),
      ctx.session.read(VISITS_BY_DAY, {
        ...{ calendar: 'utc', firstDay: dates[0], lastDay: dates[dates.length - 1] },
      }),
    ]);
    const statusCounts = countStatuses(orders);
    const revenue = orders.reduce((sum, row) => sum + BigInt(row.revenue), 0n);
    const earning = EARNING_STATUSES.reduce((sum, status) => sum + statusCounts[status], 0);
    return {
      period,
      from: from.toISOString(),
      to: to.toISOString(),
      currency: ctx.currency,
      revenue: sumShown(revenue),
      averageOrderValue: earning === 0 ? 0 : sumShown(revenue / BigInt(earning)),
      orderCount: total(statusCounts),
      statusCounts,
      uniqueVisitors: visits.reduce((sum, { firsts }) => sum + firsts, 0),
      topProducts: products.map((row) => ({
        ...row,
        quantity: Number(row.quantity),
        revenue: sumShown(row.revenue),
      })),
      daily: series(dates, orders, visits),
    };
  }
}

/**
 * Approximates the window by whole UTC days, and returns these and the difference at each end. If the window
 * cuts a day, only the shorter part of that day is read order by order: it is added if the day is not one of
 * the whole days, and subtracted if it is.
 */
function wholeDays(from: Date, to: Date, now: Date) {
  const [start, end] = [from.getTime(), to.getTime() + 1];
  const [firstCut, lastCut] = [Math.floor(start / DAY_MS), Math.floor((end - 1) / DAY_MS)];
  const [opens, closes] = [firstCut * DAY_MS, (lastCut + 1) * DAY_MS];
  const firstIsWhole = start - opens <= DAY_MS / 2;
  const lastIsWhole = Math.min(closes, now.getTime()) - end <= DAY_MS / 2;
  const first = firstIsWhole ? firstCut : firstCut + 1;
  const last = lastIsWhole ? lastCut : lastCut - 1;
  const startEdge = firstIsWhole ? [opens, start] : [start, opens + DAY_MS];
  const endEdge = lastIsWhole ? [end, closes] : [closes - DAY_MS, end];
  const [startFrom, startTo, endFrom, endTo] = [...startEdge, ...endEdge].map((time) => new Date(time));
  const signs = { startSign: firstIsWhole ? -1 : 1, endSign: lastIsWhole ? -1 : 1 };
  const days = { firstDay: dateOf(first), lastDay: dateOf(last) };
  return { startFrom, startTo, endFrom, endTo, ...signs, ...days };
}

/** @param day the number of days since 1970-01-01 */
const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Every UTC day from the day of `from` to the day of `to`. */
function daysTouched(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / DAY_MS);
  const count = Math.floor(to.getTime() / DAY_MS) - first + 1;
  return Array.from({ length: count }, (_, i) => dateOf(first + i));
}

export function countStatuses(rows: CountsRow[]): StatusCounts {
  const count = (status: OrderStatus) => rows.reduce((sum, row) => sum + Number(row[status]), 0);
  return Object.fromEntries(ORDER_STATUSES.map((status) => [status, count(status)])) as Record<
    OrderStatus,
    number
  >;
}

const total = (counts: StatusCounts) =>
  Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);

function series(dates: string[], orders: OrdersRow[], visits: VisitsRow[]): AnalyticsDay[] {
  const ordersOf = new Map(orders.map((row) => [row.day, row]));
  const visitsOf = new Map(visits.map((row) => [row.day, row]));
  return dates.map((date) => {
    const row = ordersOf.get(date);
    return {
      date,
      revenue: sumShown(row?.revenue ?? '0'),
      orderCount: row ? total(countStatuses([row])) : 0,
      visitors: visitsOf.get(date)?.visitors ?? 0,
    };
  });
}
