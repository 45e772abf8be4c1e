import { SimpleGrid } from '@mantine/core';
import { words } from '../../words';
import { number } from '../values/format';
import { Figure } from './figure';
import type { Comparison } from './period';
import { Money } from '../values/values';

/** Revenue, orders, average order value and visitors of a period, each compared with the previous period. */
export function Figures({ data: { current, change } }: { data: Comparison }) {
  const figures = [
    { label: words.analytics.revenue, value: <Money minor={current.revenue} />, change: change.revenue },
    { label: words.analytics.orders, value: number(current.orderCount), change: change.orderCount },
    {
      label: words.analytics.average,
      value: <Money minor={current.averageOrderValue} />,
      change: change.averageOrderValue,
    },
    { label: words.analytics.visitors, value: number(current.uniqueVisitors), change: change.uniqueVisitors },
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {figures.map((figure) => (
        <Figure key={figure.label} {...figure} />
      ))}
    </SimpleGrid>
  );
}
