import { useSearch } from '../../address';
import type { RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { words } from '../../words';
import { Tabs } from '../tabs';

const PERIODS = ['7d', '30d', '90d'] as const;
export type Comparison = RouteOutput<'GET stores/{storeId}/analytics/compare'>;
export type AnalyticsDay = Comparison['current']['daily'][number];

/** The analytics of the period in the address, compared with the previous period. */
export function useAnalytics() {
  const [search] = useSearch();
  const period = PERIODS.find((one) => one === search.period) ?? '30d';
  return useRead('GET stores/{storeId}/analytics/compare', { period });
}

/** Switches between 7, 30 and 90 days. The choice is kept in the address. */
export function PeriodSwitch() {
  const tabs = PERIODS.map((period) => ({
    value: period === '30d' ? undefined : period,
    label: words.analytics.days(parseInt(period, 10)),
  }));
  return <Tabs label={words.analytics.period} name="period" tabs={tabs} replace />;
}
