import {
  calendarSpans,
  isTimeGroup,
  MAX_SPANS,
  TIME_GROUPS,
  type TimeGroup,
} from '../../../../src/groups/analytics/report-spans.js';
import { addDays, dayAt } from '../../../../src/stores/time-zone.js';
import type { Input, Output } from '../../api/client';
import { windowOf } from '../../parts/charts/window';
import { momentsOf, timeZone } from '../../parts/values/time-zone';

export type Report = Output<'get_sales_report'>;
export type ReportRow = Report['rows'][number];
type ReportInput = Input<'get_sales_report'>;

export const GROUPS = [
  ...TIME_GROUPS,
  ...(['product', 'variant', 'category', 'brand'] as const),
  ...(['promocode', 'payment_method', 'customer'] as const),
] as const;
export const PERIODS = ['7d', '30d', '90d', 'month', 'lastMonth', 'year', 'chosen'] as const;
export const COMPARISONS = ['previous_period', 'previous_month', 'previous_year'] as const;
type Group = (typeof GROUPS)[number];
type Period = (typeof PERIODS)[number];

const oneOf = <Value extends string>(values: readonly Value[], given: string | undefined, other: Value) =>
  values.find((value) => value === given) ?? other;

export const groupOf = (search: Record<string, string>): Group => oneOf(GROUPS, search.group, 'day');
export const periodOf = (search: Record<string, string>): Period => oneOf(PERIODS, search.period, '30d');

/** The first and the last day of a period, by the store's calendar. */
export function daysOf(
  search: Record<string, string>,
  today = dayAt(new Date(), timeZone),
): [string, string] {
  const monthStart = `${today.slice(0, 8)}01`;
  const lastMonthEnd = addDays(monthStart, -1);
  switch (periodOf(search)) {
    case '7d':
      return [addDays(today, -6), today];
    case '90d':
      return [addDays(today, -89), today];
    case 'month':
      return [monthStart, today];
    case 'lastMonth':
      return [`${lastMonthEnd.slice(0, 8)}01`, lastMonthEnd];
    case 'year':
      return [`${today.slice(0, 4)}-01-01`, today];
    case 'chosen': {
      const [from = addDays(today, -29), to = today] = [search.from, search.to].map((day) =>
        momentsOf(day).first ? day : undefined,
      );
      return [from, to];
    }
    default:
      return [addDays(today, -29), today];
  }
}

/** The report that the address asks for, as the operation expects it. */
export function reportOf(search: Record<string, string>): ReportInput {
  const [first, last] = daysOf(search);
  const groupBy = groupOf(search);
  return {
    ...windowOf(first, last),
    groupBy,
    take: isTimeGroup(groupBy) ? MAX_SPANS : undefined,
    timeZone,
    compareWith: COMPARISONS.find((value) => value === search.compare),
  };
}

/** The revenue of each day, week or month of a report, whose rows leave out those without an order. */
export function revenueOf({ from, to, rows }: Report, group: TimeGroup): { key: string; revenue: number }[] {
  const revenues = new Map(rows.map(({ key, revenue }) => [key, revenue]));
  return calendarSpans(new Date(from), new Date(to), group, timeZone, MAX_SPANS).map(({ key }) => ({
    key,
    revenue: revenues.get(key) ?? 0,
  }));
}

/** Whether the days or weeks of a report begin in several years, so that each is named with its own. */
export function hasYears(report: Report, group: Group): boolean {
  if (!isTimeGroup(group)) return false;
  return new Set(revenueOf(report, group).map(({ key }) => key.slice(0, 4))).size > 1;
}
