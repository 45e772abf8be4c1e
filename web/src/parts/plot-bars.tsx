import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { PlotProps } from './plot';

export default function Bars({ label, bars, series, format, height = 200 }: PlotProps) {
  return (
    <BarChart
      h={height}
      data={bars}
      dataKey="name"
      series={series ?? [{ name: 'value', label, color: 'indigo.5' }]}
      type={series ? 'stacked' : 'default'}
      withLegend={series !== undefined}
      valueFormatter={format}
      tickLine="none"
      barChartProps={{ accessibilityLayer: false }}
      barProps={{ isAnimationActive: false, maxBarSize: 28 }}
      tooltipAnimationDuration={0}
      yAxisProps={{ width: 64, allowDecimals: false }}
      xAxisProps={{ minTickGap: 24 }}
    />
  );
}
