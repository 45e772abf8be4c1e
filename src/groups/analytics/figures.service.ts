import { Injectable } from '@nestjs/common';
import { storeTimeZone } from '../../stores/store-profile.js';
import { dayAt } from '../../stores/time-zone.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { EARNING_STATUSES } from '../order-status.js';
import { countStatuses } from './analytics.service.js';
import { COUNT_PLACED, VISITS_BY_DAY } from './analytics.statements.js';
import type { StatusCounts } from './analytics.dto.js';
import type { FiguresInput, FiguresRecord, FigureSums } from './figures.dto.js';
import { calendarSpans, MAX_SPANS } from './report-spans.js';
import { SalesReports } from './sales-report.service.js';

interface Window {
  from: Date;
  to: Date;
}

/** What the pages show of a time at a glance: the sums of the sales report, by the days of the store. */
@Injectable()
export class Figures {
  constructor(private readonly reports: SalesReports) {}

  /** @throws OperationError invalid_input, as get_sales_report */
  async get(ctx: StoreContext, input: FiguresInput): Promise<FiguresRecord> {
    const zone = await storeTimeZone(ctx);
    const days = calendarSpans(new Date(input.from), new Date(input.to), 'day', zone, MAX_SPANS);
    const isByDay = days.length <= MAX_SPANS;
    const report = await this.reports.get(ctx, {
      ...{ ...input, groupBy: isByDay ? 'day' : 'month', timeZone: zone, take: MAX_SPANS },
    });
    const { from, to, timeZone, total, comparedFrom, comparedTo, comparedTotal } = report;
    const [statusCounts, visits, compared] = await Promise.all([
      placedIn(ctx, { from, to }),
      visitsIn(ctx, { from, to }, timeZone),
      comparedTotal && this.sums(ctx, { from: comparedFrom!, to: comparedTo! }, timeZone, comparedTotal),
    ]);
    const rows = new Map(report.rows.map((row) => [row.key, row]));
    const visitors = new Map(visits.map((row) => [row.day, row.visitors]));
    return {
      ...{ from, to, timeZone, statusCounts, comparedTotal: compared },
      total: sumsOf(total.revenue, statusCounts, visits),
      days: (isByDay ? days : []).map(({ key }) => ({
        date: key,
        revenue: rows.get(key)?.revenue ?? 0,
        orderCount: rows.get(key)?.orders ?? 0,
        visitors: visitors.get(key) ?? 0,
      })),
    };
  }

  private async sums(
    ctx: StoreContext,
    window: Window,
    timeZone: string,
    { revenue }: { revenue: number },
  ): Promise<FigureSums> {
    const [counts, visits] = await Promise.all([placedIn(ctx, window), visitsIn(ctx, window, timeZone)]);
    return sumsOf(revenue, counts, visits);
  }
}

const placedIn = async (ctx: StoreContext, { from, to }: Window): Promise<StatusCounts> => {
  const window = { from: from.toISOString(), to: to.toISOString() };
  return countStatuses(await ctx.session.read(COUNT_PLACED, window));
};

const visitsIn = (ctx: StoreContext, { from, to }: Window, timeZone: string) =>
  ctx.session.read(VISITS_BY_DAY, {
    ...{ calendar: 'store', firstDay: dayAt(from, timeZone) },
    lastDay: dayAt(new Date(to.getTime() - 1), timeZone),
  });

function sumsOf(revenue: number, counts: StatusCounts, visits: { firsts: number }[]): FigureSums {
  const orders = EARNING_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  return {
    ...{ revenue, orders },
    placed: Object.values(counts).reduce((sum: number, count: number) => sum + count, 0),
    average: orders === 0 ? 0 : Math.floor(revenue / orders),
    visitors: visits.reduce((sum, { firsts }) => sum + firsts, 0),
  };
}
