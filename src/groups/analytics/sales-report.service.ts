import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { sumShown } from '../../platform/money.js';
import { invalidInput } from '../../platform/errors.js';
import { yearBefore } from '../../stores/time-zone.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { requireTimeZone, storeTimeZone } from '../../stores/store-profile.js';
import { partsOf } from '../orders/placing/stored-pricing.js';
import { calendarSpans, isTimeGroup, MAX_SPANS, type TimeGroup } from './report-spans.js';
import {
  type GetSalesReportInput,
  type ReportGroup,
  type ReportRow,
  type ReportSums,
  type SalesReport,
} from './sales-report.dto.js';
import { BY_LINE, BY_ORDER, BY_TIME, REPORT_TOTAL } from './sales-report.statements.js';

const DEFAULT_ROWS = 100;
/** The orders per read of those that are added up here. */
const PAGE = 500;

interface Window {
  from: Date;
  to: Date;
}
type Sums = Record<keyof ReportSums, bigint>;
interface Row extends Sums {
  key: string | null;
  label: string | null;
}
type SumsRow = RowOf<typeof REPORT_TOTAL>;
type OldOrder = RowOf<(typeof BY_LINE)['product']['old']>;

/** Adds orders up by what they have in common (docs/behaviour.md §13.12). */
@Injectable()
export class SalesReports {
  /** @throws OperationError invalid_input */
  async get(ctx: StoreContext, input: GetSalesReportInput): Promise<SalesReport> {
    const { take = DEFAULT_ROWS, compareWith } = input;
    const timeZone = await this.zoneOf(ctx, input);
    const window = windowOf(input);
    const compared = compareWith && earlier(window, compareWith, timeZone);
    const [total, rows, comparedTotal] = await Promise.all([
      this.total(ctx, window),
      this.rows(ctx, window, input.groupBy, timeZone),
      compared && this.total(ctx, compared),
    ]);
    const beyond = rows.slice(take);
    return {
      ...window,
      timeZone,
      currency: ctx.currency,
      total: shown(total),
      rows: rows.slice(0, take).map(rowShown),
      rowCount: rows.length,
      rest: beyond.length > 0 ? shown(beyond.reduce<Sums>(plus, NOTHING)) : null,
      ...(compared && {
        ...{ comparedFrom: compared.from, comparedTo: compared.to, comparedTotal: shown(comparedTotal!) },
      }),
    };
  }

  private async zoneOf(ctx: StoreContext, { timeZone }: GetSalesReportInput): Promise<string> {
    if (timeZone === undefined) return storeTimeZone(ctx);
    requireTimeZone(timeZone);
    return timeZone;
  }

  private async total(ctx: StoreContext, window: Window): Promise<Sums> {
    const [row] = await ctx.session.read(REPORT_TOTAL, window);
    return sumsOf(row);
  }

  private async rows(
    ctx: StoreContext,
    window: Window,
    group: ReportGroup,
    timeZone: string,
  ): Promise<Row[]> {
    if (isTimeGroup(group)) return this.byTime(ctx, window, group, timeZone);
    const rows =
      group === 'promocode' || group === 'payment_method' || group === 'customer'
        ? (await ctx.session.read(BY_ORDER[group], window)).map(rowOf)
        : await this.byLine(ctx, window, group);
    return rows.sort(byRevenue);
  }

  private async byTime(
    ctx: StoreContext,
    window: Window,
    group: TimeGroup,
    timeZone: string,
  ): Promise<Row[]> {
    const spans = calendarSpans(window.from, window.to, group, timeZone, MAX_SPANS);
    if (spans.length > MAX_SPANS) throw invalidInput(`to must be at most ${MAX_SPANS} ${group}s after from`);
    const rows = await ctx.session.read(BY_TIME, { ...window, starts: spans.map(({ start }) => start) });
    return rows
      .map((row) => ({ nth: Number(row.key), row }))
      .sort((a, b) => a.nth - b.nth)
      .map(({ nth, row }) => ({ ...sumsOf(row), key: spans[nth - 1].key, label: null }));
  }

  private async byLine(ctx: StoreContext, window: Window, group: keyof typeof BY_LINE): Promise<Row[]> {
    const { rows, old } = BY_LINE[group];
    const found = new Map((await ctx.session.read(rows, window)).map((row) => [row.key, rowOf(row)]));
    // Orders that are older than the shares of lines get them here.
    for (let afterId = '0', page: OldOrder[] = []; ; afterId = page.at(-1)!.id) {
      page = await ctx.session.read(old, { ...window, afterId, take: PAGE });
      for (const order of page) addOrder(found, order);
      if (page.length < PAGE) return [...found.values()];
    }
  }
}

const SUMS = ['orders', 'quantity', 'revenue', 'discount', 'bonus', 'tips', 'refunded'] as const;
const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0n])) as Sums;
const plus = (a: Sums, b: Sums) => Object.fromEntries(SUMS.map((name) => [name, a[name] + b[name]])) as Sums;

function addOrder(rows: Map<string | null, Row>, order: OldOrder): void {
  const { earns, lines } = order;
  const [total, tip, refunded] = [order.total, order.tip, order.refunded].map(BigInt);
  const parts = partsOf(order.pricing, lines, { total, tip });
  const counted = new Set<string | null>();
  const add = (key: string | null, label: string | null, sums: Partial<Sums>) => {
    const row = rows.get(key) ?? { ...NOTHING, key, label };
    const orders = counted.has(key) ? 0n : 1n;
    counted.add(key);
    rows.set(key, { key, label: row.label, ...plus(row, { ...NOTHING, ...sums, orders }) });
  };
  for (const [i, { key, label, quantity }] of lines.entries()) {
    const { discount, bonus, paid } = parts.lines[i];
    add(key, label, earns ? { quantity: BigInt(quantity), revenue: paid, discount, bonus } : {});
  }
  const sum = (name: 'paid' | 'discount' | 'bonus') =>
    parts.adjustments.reduce((all, adjustment) => all + adjustment[name], 0n);
  const rest = earns
    ? { revenue: sum('paid') + tip, discount: sum('discount'), bonus: sum('bonus'), tips: tip, refunded }
    : { refunded };
  if (Object.values(rest).some((amount) => amount !== 0n)) add(null, null, rest);
}

const sumsOf = ({ orders, quantity, total, discount, bonus, tip, refunded }: SumsRow): Sums => ({
  ...{ orders: BigInt(orders), quantity: BigInt(quantity), revenue: BigInt(total) },
  ...{ discount: BigInt(discount), bonus: BigInt(bonus), tips: BigInt(tip), refunded: BigInt(refunded) },
});
const rowOf = ({ key, label, ...row }: SumsRow & { key: string | null; label: string | null }): Row => ({
  ...sumsOf(row),
  key,
  label,
});

/** The highest revenue first; what belongs to no key comes last. */
function byRevenue(a: Row, b: Row): number {
  if (a.key === null || b.key === null) return a.key === null ? 1 : -1;
  if (a.revenue !== b.revenue) return a.revenue < b.revenue ? 1 : -1;
  return a.key < b.key ? -1 : 1;
}

const shown = (sums: Sums) =>
  Object.fromEntries(SUMS.map((name) => [name, sumShown(sums[name])])) as Record<keyof Sums, number>;
const rowShown = (row: Row): ReportRow => ({ key: row.key, label: row.label, ...shown(row) });

function windowOf({ from, to }: GetSalesReportInput): Window {
  const window = { from: new Date(from), to: new Date(to) };
  if (window.from >= window.to) throw invalidInput('to must be after from');
  return window;
}

function earlier(
  { from, to }: Window,
  compareWith: 'previous_period' | 'previous_year',
  timeZone: string,
): Window {
  if (compareWith === 'previous_year')
    return { from: sinceYearOne(yearBefore(from, timeZone)), to: sinceYearOne(endBefore(to, timeZone)) };
  return { from: sinceYearOne(new Date(2 * from.getTime() - to.getTime())), to: from };
}

const YEAR_ONE = new Date('0001-01-01T00:00:00Z');
/** Nothing was sold before, and date-times of the API have no earlier year. */
const sinceYearOne = (moment: Date) => (moment < YEAR_ONE ? YEAR_ONE : moment);

/** The end of a window a year earlier: where the moment before it ends, so that 28 February is whole. */
function endBefore(to: Date, timeZone: string): Date {
  const last = yearBefore(new Date(to.getTime() - 1), timeZone).getTime();
  return new Date(Math.max(yearBefore(to, timeZone).getTime(), last + 1));
}
