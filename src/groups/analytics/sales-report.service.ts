import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { sumShown } from '../../platform/money.js';
import { invalidInput } from '../../platform/errors.js';
import { monthsBefore, yearBefore } from '../../stores/time-zone.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { requireTimeZone, storeTimeZone } from '../../stores/store-profile.js';
import { calendarSpans, isTimeGroup, MAX_SPANS, type TimeGroup } from './report-spans.js';
import {
  type Comparison,
  type GetSalesReportInput,
  type ReportGroup,
  type ReportRow,
  type ReportSums,
  type SalesReport,
} from './sales-report.dto.js';
import { BY_GROUP, BY_TIME, REPORT_TOTAL } from './sales-report.statements.js';

const DEFAULT_ROWS = 100;
/** By how many days an earlier window may be longer: months and years differ. */
const LONGER = 3;
/** The most rows of the earlier window that are compared. */
const MOST_COMPARED = 10_000;

interface Window {
  from: Date;
  to: Date;
}
type Sums = Record<keyof ReportSums, bigint>;
interface Row extends Sums {
  key: string | null;
  label: string | null;
  /** What the row of another window has in common with it: its key, or which span of the window it is. */
  place: string | null;
}
type SumsRow = RowOf<typeof REPORT_TOTAL>;

/** The rows that are shown, and what the others are together. */
interface Found {
  total: Sums;
  rows: Row[];
  rowCount: number;
  rest: Sums | null;
}

/** Adds orders up by what they have in common (docs/behaviour.md §13.12). */
@Injectable()
export class SalesReports {
  /** @throws OperationError invalid_input */
  async get(ctx: StoreContext, input: GetSalesReportInput): Promise<SalesReport> {
    const { take = DEFAULT_ROWS, compareWith } = input;
    const timeZone = await this.zoneOf(ctx, input);
    const window = windowOf(input);
    requireFewSpans(window, input.groupBy, timeZone);
    const compared = compareWith && earlier(window, compareWith, timeZone);
    const { total, rows, rowCount, rest } = await this.found(
      ctx,
      { ...window, take, keys: null },
      input.groupBy,
      timeZone,
    );
    const keys = rows.flatMap(({ key }) => key ?? []);
    const earlierRows = compared && { ...compared, take: MOST_COMPARED, keys };
    const before = earlierRows && (await this.found(ctx, earlierRows, input.groupBy, timeZone));
    const then = new Map(before?.rows.map((row) => [row.place, row]));
    const rowShown = (row: Row): ReportRow => {
      const same = then.get(row.place);
      const sums = { key: row.key, label: row.label, ...shown(row) };
      return before ? { ...sums, compared: same ? shown(same) : null } : sums;
    };
    return {
      ...window,
      timeZone,
      currency: ctx.currency,
      total: shown(total),
      rows: rows.map(rowShown),
      rowCount,
      rest: rest && shown(rest),
      ...(compared && {
        ...{ comparedFrom: compared.from, comparedTo: compared.to, comparedTotal: shown(before!.total) },
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

  private async found(
    ctx: StoreContext,
    { keys, ...window }: Window & { take: number; keys: string[] | null },
    group: ReportGroup,
    timeZone: string,
  ): Promise<Found> {
    if (isTimeGroup(group)) return this.byTime(ctx, window, group, timeZone);
    return foundIn(await ctx.session.read(BY_GROUP[group], { ...window, keys }));
  }

  private async byTime(
    ctx: StoreContext,
    { take, ...window }: Window & { take: number },
    group: TimeGroup,
    timeZone: string,
  ): Promise<Found> {
    const spans = calendarSpans(window.from, window.to, group, timeZone, MAX_SPANS + LONGER);
    const total = await this.total(ctx, window);
    const starts = spans.map(({ start }) => start);
    const rows = (await ctx.session.read(BY_TIME, { ...window, starts })).map(({ key, ...row }) => ({
      ...{ key: spans[key - 1].key, label: null, place: String(key) },
      ...sumsOf(row),
    }));
    const beyond = rows.slice(take);
    const rest = beyond.length > 0 ? beyond.reduce<Sums>(plus, NOTHING) : null;
    return { total, rows: rows.slice(0, take), rowCount: rows.length, rest };
  }
}

const SUMS = ['orders', 'quantity', 'revenue', 'discount', 'bonus', 'tips', 'refunded'] as const;
const NOTHING = Object.fromEntries(SUMS.map((name) => [name, 0n])) as Sums;
const plus = (a: Sums, b: Sums) => Object.fromEntries(SUMS.map((name) => [name, a[name] + b[name]])) as Sums;

const minus = (a: Sums, b: Sums) => Object.fromEntries(SUMS.map((name) => [name, a[name] - b[name]])) as Sums;

/** A report by anything but time, in the order of its statement. */
function foundIn(parts: RowOf<(typeof BY_GROUP)['product']>[]): Found {
  const part = (name: string) => parts.find((one) => one.part === name)!;
  const rows = parts.filter((one) => one.part === 'row').map(rowOf);
  const all = part('all');
  const rowCount = Number(all.count);
  const rest = rowCount > rows.length ? minus(sumsOf(all), rows.reduce<Sums>(plus, NOTHING)) : null;
  return { total: sumsOf(part('total')), rows, rowCount, rest };
}

const sumsOf = ({ orders, quantity, total, discount, bonus, tip, refunded }: SumsRow): Sums => ({
  ...{ orders: BigInt(orders), quantity: BigInt(quantity), revenue: BigInt(total) },
  ...{ discount: BigInt(discount), bonus: BigInt(bonus), tips: BigInt(tip), refunded: BigInt(refunded) },
});
const rowOf = ({ key, label, ...row }: RowOf<(typeof BY_GROUP)['product']>): Row => ({
  ...sumsOf(row),
  key,
  label,
  place: key,
});

const shown = (sums: Sums) =>
  Object.fromEntries(SUMS.map((name) => [name, sumShown(sums[name])])) as Record<keyof Sums, number>;

/** @throws OperationError invalid_input */
function requireFewSpans({ from, to }: Window, group: ReportGroup, timeZone: string): void {
  if (isTimeGroup(group) && calendarSpans(from, to, group, timeZone, MAX_SPANS).length > MAX_SPANS)
    throw invalidInput(`to must be at most ${MAX_SPANS} ${group}s after from`).about('period_most', {
      most: MAX_SPANS,
      unit: group,
    });
}

function windowOf({ from, to }: GetSalesReportInput): Window {
  const window = { from: new Date(from), to: new Date(to) };
  if (window.from >= window.to) throw invalidInput('to must be after from').about('start_first');
  return window;
}

function earlier({ from, to }: Window, compareWith: Comparison, timeZone: string): Window {
  if (compareWith === 'previous_period')
    return { from: sinceYearOne(new Date(2 * from.getTime() - to.getTime())), to: from };
  const before = (moment: Date) =>
    compareWith === 'previous_year' ? yearBefore(moment, timeZone) : monthsBefore(1, moment, timeZone);
  return { from: sinceYearOne(before(from)), to: sinceYearOne(endBefore(to, before)) };
}

const YEAR_ONE = new Date('0001-01-01T00:00:00Z');
/** Nothing was sold before, and date-times of the API have no earlier year. */
const sinceYearOne = (moment: Date) => (moment < YEAR_ONE ? YEAR_ONE : moment);

/** The end of an earlier window: where the moment before it ends, so that 28 February is whole. */
function endBefore(to: Date, before: (moment: Date) => Date): Date {
  const last = before(new Date(to.getTime() - 1)).getTime();
  return new Date(Math.max(before(to).getTime(), last + 1));
}
