import { Injectable } from '@nestjs/common';
import type { StoreContext } from '../../platform/store/store-context.js';
import { ORDER_STATUSES, type OrderStatus } from '../order-status.js';
import type {
  Analytics,
  AnalyticsChange,
  AnalyticsComparison,
  AnalyticsDay,
  GetAnalyticsInput,
  OrderCounts,
  Period,
  StatusCounts,
  TopProduct,
} from './analytics.dto.js';
import { COUNT_ORDERS, ORDERS_BY_DAY, TOP_PRODUCTS, VISITS_BY_DAY } from './analytics.statements.js';

const DAYS: Record<Period, number> = { '7d': 7, '30d': 30, '90d': 90 };
const DAY_MS = 86_400_000;

/** Counts come as text, since they may be 64 bits; sums of money are of any size. */
type CountsRow = { [Status in keyof StatusCounts]: string };
type OrdersRow = { day: string; revenue: string } & CountsRow;
type VisitsRow = { day: string; visitors: number; firsts: number };
type ProductRow = { [Field in keyof TopProduct]: string };

@Injectable()
export class AnalyticsService {
  /** The last 7, 30 or 90 times 24 hours, in UTC days (docs/behaviour.md §5). */
  get(ctx: StoreContext, { period = '7d' }: GetAnalyticsInput): Promise<Analytics> {
    return this.window(ctx, period, ctx.now());
  }

  /** The same, beside the window of the same length before it. */
  async compare(ctx: StoreContext, { period = '7d' }: GetAnalyticsInput): Promise<AnalyticsComparison> {
    const to = ctx.now();
    const before = new Date(to.getTime() - DAYS[period] * DAY_MS - 1);
    const [current, previous] = await Promise.all([this.window(ctx, period, to), this.window(ctx, period, before)]);
    return { current, previous, change: changeOf(current, previous) };
  }

  /** How many orders there are of each status, over all time. */
  async countOrders(ctx: StoreContext): Promise<OrderCounts> {
    const statusCounts = countStatuses(await ctx.session.read<CountsRow>(COUNT_ORDERS));
    return { total: total(statusCounts), statusCounts };
  }

  /** The three reads run side by side. */
  private async window(ctx: StoreContext, period: Period, to: Date): Promise<Analytics> {
    const from = new Date(to.getTime() - DAYS[period] * DAY_MS);
    const dates = daysTouched(from, to);
    const [first, last] = [dates[0], dates[dates.length - 1]];
    const window = [from, to, new Date(Date.parse(first) + DAY_MS), new Date(Date.parse(last)), first, last];
    const [orders, products, visits] = await Promise.all([
      ctx.session.read<OrdersRow>(ORDERS_BY_DAY, ...window),
      ctx.session.read<ProductRow>(TOP_PRODUCTS, ...window),
      ctx.session.read<VisitsRow>(VISITS_BY_DAY, first, last),
    ]);
    const statusCounts = countStatuses(orders);
    const revenue = orders.reduce((sum, row) => sum + BigInt(row.revenue), 0n);
    const earning = statusCounts.PROCESSING + statusCounts.SHIPPED + statusCounts.DELIVERED;
    return {
      period,
      from: from.toISOString(),
      to: to.toISOString(),
      currency: ctx.currency,
      revenue: Number(revenue),
      averageOrderValue: earning === 0 ? 0 : Number(revenue / BigInt(earning)),
      orderCount: total(statusCounts),
      statusCounts,
      uniqueVisitors: visits.reduce((sum, { firsts }) => sum + firsts, 0),
      topProducts: products.map((row) => ({ ...row, quantity: Number(row.quantity), revenue: Number(row.revenue) })),
      daily: series(dates, orders, visits),
    };
  }
}

/** Every UTC day from the one `from` is on to the one `to` is on. */
function daysTouched(from: Date, to: Date): string[] {
  const first = Math.floor(from.getTime() / DAY_MS);
  const count = Math.floor(to.getTime() / DAY_MS) - first + 1;
  return Array.from({ length: count }, (_, i) => new Date((first + i) * DAY_MS).toISOString().slice(0, 10));
}

function countStatuses(rows: CountsRow[]): StatusCounts {
  const count = (status: OrderStatus) => rows.reduce((sum, row) => sum + Number(row[status]), 0);
  return Object.fromEntries(ORDER_STATUSES.map((status) => [status, count(status)])) as Record<OrderStatus, number>;
}

const total = (counts: StatusCounts) => Object.values(counts).reduce((sum: number, count: number) => sum + count, 0);

function series(dates: string[], orders: OrdersRow[], visits: VisitsRow[]): AnalyticsDay[] {
  const ordersOf = new Map(orders.map((row) => [row.day, row]));
  const visitsOf = new Map(visits.map((row) => [row.day, row]));
  return dates.map((date) => {
    const row = ordersOf.get(date);
    return {
      date,
      revenue: Number(row?.revenue ?? 0),
      orderCount: row ? total(countStatuses([row])) : 0,
      visitors: visitsOf.get(date)?.visitors ?? 0,
    };
  });
}

function changeOf(current: Analytics, previous: Analytics): AnalyticsChange {
  const percent = (name: keyof AnalyticsChange) => {
    const [after, before] = [current[name], previous[name]];
    return before === 0 ? null : Math.round(((after - before) / before) * 1000) / 10;
  };
  return {
    revenue: percent('revenue'),
    averageOrderValue: percent('averageOrderValue'),
    orderCount: percent('orderCount'),
    uniqueVisitors: percent('uniqueVisitors'),
  };
}
