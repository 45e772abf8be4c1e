import { addDays, dayAt } from '../../../../src/stores/time-zone.js';
import { useSearch } from '../../address';
import type { RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { words } from '../../words/all';
import { Tabs } from '../tabs';
import { timeZone } from '../values/time-zone';
import { windowOf } from './window';

const PERIODS = ['7d', '30d', '90d'] as const;
export type Figures = RouteOutput<'GET stores/{storeId}/figures'>;
export type FiguresDay = Figures['days'][number];

/** The first day of the period in the address, which ends today. */
export function usePeriod(): { first: string; from: string; to: string } {
  const [search] = useSearch();
  const period = PERIODS.find((one) => one === search.period) ?? '30d';
  const today = dayAt(new Date(), timeZone);
  const first = addDays(today, 1 - parseInt(period, 10));
  return { first, ...windowOf(first, today) };
}

/** The figures of the period in the address, compared with the days before it. */
export function useFigures() {
  const { from, to } = usePeriod();
  return useRead('GET stores/{storeId}/figures', { from, to, compareWith: 'previous_period' });
}

/** Switches between 7, 30 and 90 days. The choice is kept in the address. */
export function PeriodSwitch() {
  const tabs = PERIODS.map((period) => ({
    value: period === '30d' ? undefined : period,
    label: words.figures.days(parseInt(period, 10)),
  }));
  return <Tabs label={words.figures.period} name="period" tabs={tabs} replace />;
}
