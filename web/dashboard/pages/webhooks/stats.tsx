import { Text } from '@mantine/core';
import type { RouteOutput } from '../../api/client';
import { useRead } from '../../api/queries';
import { DayTable } from '../../parts/charts/day-table';
import { Plot } from '../../parts/charts/plot';
import { Failure } from '../../parts/failure';
import { LoadingBlock, Section } from '../../parts/states';
import { dayName, number } from '../../parts/values/format';
import { words } from '../../words/all';

type Day = RouteOutput<'GET stores/{storeId}/webhook/stats'>['daily'][number];
const FIGURES = ['delivered', 'failed', 'pending', 'attempts'] as const;

/**
 * The outcomes of the stored deliveries, in total and by day. Not refreshed while the page is open, because
 * the query counts all of them.
 */
export function Stats() {
  const stats = useRead('GET stores/{storeId}/webhook/stats', { period: '30d' });
  if (stats.error) return <Failure error={stats.error} retry={() => void stats.refetch()} />;
  if (!stats.data) return <LoadingBlock lines={3} />;
  const { daily } = stats.data;
  return (
    <Section title={words.webhooks.stats} hint={words.figures.utc}>
      <dl className="figures-line">
        {FIGURES.map((name) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {words.webhooks.figures[name]}
            </Text>
            <Text component="dd" m={0} size="lg" fw={650} className="numeric">
              {number(stats.data[name])}
            </Text>
          </div>
        ))}
      </dl>
      <Plot
        label={words.webhooks.perDay}
        format={number}
        series={[
          { name: 'delivered', label: words.webhooks.figures.delivered, color: 'teal-6' },
          { name: 'failed', label: words.webhooks.figures.failed, color: 'red-7' },
        ]}
        bars={daily.map(({ date, delivered, failed }) => ({ name: dayName(date), delivered, failed }))}
      />
      <DayTable
        days={daily}
        columns={FIGURES.map((name) => ({
          label: words.webhooks.figures[name],
          text: (day: Day) => number(day[name]),
        }))}
      />
    </Section>
  );
}
