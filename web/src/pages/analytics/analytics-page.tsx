import { Stack } from '@mantine/core';
import { useStore } from '../../api/store';
import { CopyButton } from '../../parts/values/copy';
import { DayTable } from '../../parts/charts/day-table';
import { Failure } from '../../parts/failure';
import { Figures } from '../../parts/charts/figures';
import { dayName, minorMoney, number } from '../../parts/values/format';
import { type AnalyticsDay, PeriodSwitch, useAnalytics } from '../../parts/charts/period';
import { Plot } from '../../parts/charts/plot';
import { LoadingBlock, PageHead, Section } from '../../parts/states';
import { words } from '../../words';

const SERIES = ['revenue', 'orderCount', 'visitors'] as const;
type Series = (typeof SERIES)[number];

/** The figures by day as a plot, as a table below it, and as a file. */
export default function AnalyticsPage() {
  const analytics = useAnalytics();
  return (
    <Stack>
      <PageHead title={words.analytics.title} hint={words.analytics.utc}>
        <PeriodSwitch />
      </PageHead>
      {analytics.error && <Failure error={analytics.error} retry={() => void analytics.refetch()} />}
      {analytics.isPending && <LoadingBlock />}
      {analytics.data && <Figures data={analytics.data} />}
      {analytics.data &&
        SERIES.map((series) => <Daily key={series} series={series} days={analytics.data.current.daily} />)}
    </Stack>
  );
}

function Daily({ series, days }: { series: Series; days: AnalyticsDay[] }) {
  const store = useStore();
  const title = words.analytics.series[series];
  const format = (value: number) => (series === 'revenue' ? minorMoney(value, store) : number(value));
  // Plain numbers that spreadsheets can read: amounts in major units with a decimal point.
  const figure = (value: number) =>
    series === 'revenue'
      ? (value / 10 ** store.currencyDecimals).toFixed(store.currencyDecimals)
      : String(value);
  const csv = ['date,' + series, ...days.map((day) => `${day.date},${figure(day[series])}`)].join('\n');
  return (
    <Section title={title} actions={<CopyButton text={csv} label={`${words.analytics.copyCsv}: ${title}`} />}>
      <Plot
        label={title}
        height={280}
        format={format}
        bars={days.map((day) => ({ name: dayName(day.date), value: day[series] }))}
      />
      <DayTable days={days} columns={[{ label: title, text: (day) => format(day[series]) }]} />
    </Section>
  );
}
