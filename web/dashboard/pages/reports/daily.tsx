import { useStore } from '../../api/store';
import { DayTable } from '../../parts/charts/day-table';
import type { FiguresDay } from '../../parts/charts/period';
import { Plot } from '../../parts/charts/plot';
import { Section } from '../../parts/states';
import { CopyButton } from '../../parts/values/copy';
import { dayName, minorMoney, number } from '../../parts/values/format';
import { words } from '../../words/all';

const SERIES = ['revenue', 'orderCount', 'visitors'] as const;
type Series = (typeof SERIES)[number];

/** The figures by day, each as a plot, as a table below it, and as a file. */
export const Days = ({ days }: { days: FiguresDay[] }) =>
  SERIES.map((series) => <Daily key={series} series={series} days={days} />);

function Daily({ series, days }: { series: Series; days: FiguresDay[] }) {
  const store = useStore();
  const title = words.figures.series[series];
  const format = (value: number) => (series === 'revenue' ? minorMoney(value, store) : number(value));
  // Plain numbers that spreadsheets can read: amounts in major units with a decimal point.
  const figure = (value: number) =>
    series === 'revenue'
      ? (value / 10 ** store.currencyDecimals).toFixed(store.currencyDecimals)
      : String(value);
  const csv = ['date,' + series, ...days.map((day) => `${day.date},${figure(day[series])}`)].join('\n');
  const years = new Set(days.map(({ date }) => date.slice(0, 4)));
  const nameOf = (date: string) => dayName(date, years.size > 1 ? 'numeric' : undefined);
  return (
    <Section title={title} actions={<CopyButton text={csv} label={`${words.figures.copyCsv}: ${title}`} />}>
      <Plot
        label={title}
        height={240}
        format={format}
        bars={days.map((day) => ({ name: nameOf(day.date), value: day[series] }))}
      />
      <DayTable days={days} columns={[{ label: title, text: (day) => format(day[series]) }]} />
    </Section>
  );
}
