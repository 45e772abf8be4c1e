import './reports.css';
import { Stack } from '@mantine/core';
import { isTimeGroup, type TimeGroup } from '../../../../src/groups/analytics/report-spans.js';
import { useSearch } from '../../address';
import { useRead } from '../../api/queries';
import { useStore } from '../../api/store';
import { Failure } from '../../parts/failure';
import { FigureRow } from '../../parts/charts/figures';
import { Plot } from '../../parts/charts/plot';
import { DayFilters, OneFilter } from '../../parts/lists/light-filters';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { date, minorMoney } from '../../parts/values/format';
import { withZone } from '../../parts/values/time-zone';
import { words } from '../../words/all';
import { Days } from './daily';
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
  const { from, to, compareWith } = input;
  const figures = useRead('GET stores/{storeId}/figures', { from, to, compareWith });
  const { data } = report;
  const days = data && `${date(data.from)} – ${date(new Date(Date.parse(data.to) - 1).toISOString())}`;
  return (
    <Stack>
      <PageHead title={words.pages.reports} hint={withZone(days)}>
        <DownloadReport input={input} />
      </PageHead>
      <Choices />
      {report.error && <Failure error={report.error} retry={() => void report.refetch()} />}
      {report.isPending && <LoadingBlock />}
      {figures.error && <Failure error={figures.error} retry={() => void figures.refetch()} />}
      {figures.data && <FigureRow {...figures.data} />}
      {data && isTimeGroup(input.groupBy) && input.groupBy !== 'day' && (
        <Revenue report={data} group={input.groupBy} />
      )}
      {data && <ReportTable report={data} group={input.groupBy} />}
      {figures.data && input.groupBy === 'day' && <Days days={figures.data.days} />}
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
