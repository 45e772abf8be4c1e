import './reports.css';
import { SimpleGrid, Stack } from '@mantine/core';
import { isTimeGroup, type TimeGroup } from '../../../../src/groups/analytics/report-spans.js';
import { useSearch } from '../../address';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { Figure } from '../../parts/charts/figure';
import { Plot } from '../../parts/charts/plot';
import { DayFilters, OneFilter } from '../../parts/lists/light-filters';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { date, minorMoney, number } from '../../parts/values/format';
import { withZone } from '../../parts/values/time-zone';
import { Money } from '../../parts/values/values';
import { words } from '../../words';
import { DownloadReport } from './download';
import {
  COMPARISONS,
  GROUPS,
  hasYears,
  periodOf,
  PERIODS,
  type Report,
  reportOf,
  revenueOf,
} from './report-of';
import { nameOf, ReportTable } from './report-table';

/** Sales by time, goods, payment or customer, compared with an earlier time. The choice is in the address. */
export default function ReportsPage() {
  const [search] = useSearch();
  const input = reportOf(search);
  const report = useRead('get_sales_report', input);
  const { data } = report;
  const days = data && `${date(data.from)} – ${date(new Date(Date.parse(data.to) - 1).toISOString())}`;
  return (
    <Stack>
      <PageHead title={words.reports.title} hint={withZone(days)}>
        <DownloadReport input={input} />
      </PageHead>
      <Choices />
      {report.error && <Failure error={report.error} retry={() => void report.refetch()} />}
      {report.isPending && <LoadingBlock />}
      {data && <Sums {...data} />}
      {data && isTimeGroup(input.groupBy) && <Revenue report={data} group={input.groupBy} />}
      {data && <ReportTable report={data} group={input.groupBy} />}
    </Stack>
  );
}

function Choices() {
  const [search] = useSearch();
  const { groups, group, periods, period, comparisons, comparison } = words.reports;
  return (
    <div className="report-choices">
      <OneFilter name="group" values={GROUPS} texts={groups} label={group} usual="day" />
      <OneFilter name="period" values={PERIODS} texts={periods} label={period} usual="30d" />
      <OneFilter
        name="compare"
        values={['none', ...COMPARISONS]}
        texts={comparisons}
        label={comparison}
        usual="none"
      />
      {periodOf(search) === 'chosen' && <DayFilters />}
    </div>
  );
}

/** The sums of the window; each with its change in percent if an earlier one is compared. */
function Sums({ total, comparedTotal }: Report) {
  const { columns } = words.reports;
  const change = (name: keyof typeof total) => {
    if (!comparedTotal) return undefined;
    const before = comparedTotal[name];
    return before === 0 ? null : (100 * (total[name] - before)) / Math.abs(before);
  };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Figure label={columns.revenue} value={<Money minor={total.revenue} />} change={change('revenue')} />
      <Figure label={columns.orders} value={number(total.orders)} change={change('orders')} />
      <Figure label={columns.quantity} value={number(total.quantity)} change={change('quantity')} />
      <Figure label={columns.discount} value={<Money minor={total.discount} />} change={change('discount')} />
    </SimpleGrid>
  );
}

function Revenue({ report, group }: { report: Report; group: TimeGroup }) {
  const store = useStore();
  const title = words.reports.columns.revenue;
  const withYear = hasYears(report, group);
  return (
    <Section title={title}>
      <Plot
        label={title}
        height={240}
        format={(value) => minorMoney(value, store)}
        bars={revenueOf(report, group).map(({ key, revenue }) => ({
          name: nameOf({ key, label: null }, group, withYear),
          value: revenue,
        }))}
      />
    </Section>
  );
}
