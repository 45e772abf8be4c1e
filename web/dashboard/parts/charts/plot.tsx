import './plot.css';
import { type PointerEvent, useState } from 'react';
import { roundFigures } from './round-figures';

interface Series {
  name: string;
  label: string;
  color: string;
}

interface Props {
  /** Describes the bars to screen readers. */
  label: string;
  /** One entry per bar, in this order. A day without data is a zero, not a gap. */
  bars: ({ name: string } & Record<string, string | number>)[];
  /** The stacked parts of each bar, from the bottom, by their names in `bars`. Default: `value` alone. */
  series?: Series[];
  format: (value: number) => string;
  /** In pixels. */
  height?: number;
}

/** The maximum number of names below the bars. A narrow chart has room for every other one. */
const NAMES = 5;

/** A bar chart with a line at each round number. It shows the exact values at the pointer. */
export function Plot(props: Props) {
  const { label, bars, format, height = 200 } = props;
  const series = props.series ?? [{ name: 'value', label, color: 'indigo-5' }];
  const [pointed, setPointed] = useState<number | null>(null);
  const sums = bars.map((bar) => series.reduce((sum, { name }) => sum + Number(bar[name]), 0));
  const lines = roundFigures(Math.max(0, ...sums));
  const share = (value: number) => `${(100 * value) / lines.at(-1)!}%`;
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const i = Math.floor(((event.clientX - left) / width) * bars.length);
    setPointed(Math.min(bars.length - 1, Math.max(0, i)));
  };
  return (
    <div role="img" aria-label={label}>
      {series.length > 1 && <Legend series={series} />}
      <div className="plot" style={{ height }}>
        {lines.map((value) => (
          <div key={value} className="plot-line" style={{ bottom: share(value) }}>
            <span>{format(value)}</span>
          </div>
        ))}
        <div className="plot-bars" onPointerMove={point} onPointerLeave={() => setPointed(null)}>
          {bars.map((bar, i) => (
            <div key={i} className="plot-bar" data-pointed={i === pointed || undefined}>
              {series.toReversed().map(({ name, color }) => (
                <i key={name} style={{ height: share(Number(bar[name])), background: colorOf(color) }} />
              ))}
              <BarName name={bar.name} fromNewest={bars.length - 1 - i} count={bars.length} />
            </div>
          ))}
        </div>
        {pointed !== null && bars[pointed] && <Pointed {...{ bars, series, format, pointed }} />}
      </div>
    </div>
  );
}

const colorOf = (color: string) => `var(--mantine-color-${color})`;

const Legend = ({ series }: { series: Series[] }) => (
  <div className="plot-legend">
    {series.map(({ name, label, color }) => (
      <span key={name}>
        <i style={{ background: colorOf(color) }} />
        {label}
      </span>
    ))}
  </div>
);

/** Counted from the newest bar, which always shows its name. */
function BarName({ name, fromNewest, count }: { name: string; fromNewest: number; count: number }) {
  const place = fromNewest / Math.ceil(count / NAMES);
  if (!Number.isInteger(place)) return null;
  return (
    <span className="plot-name" data-other={place % 2 === 1 || undefined}>
      {name}
    </span>
  );
}

interface PointedProps extends Pick<Props, 'bars' | 'format'> {
  series: Series[];
  pointed: number;
}

/** The values of the bar at the pointer. */
function Pointed({ bars, series, format, pointed }: PointedProps) {
  return (
    <div
      className="plot-figures"
      style={{ insetInlineStart: `${(100 * (pointed + 0.5)) / bars.length}%` }}
      data-late={pointed > bars.length / 2 || undefined}
    >
      <b>{bars[pointed].name}</b>
      {series.map(({ name, label }) => (
        <span key={name}>
          {label}: {format(Number(bars[pointed][name]))}
        </span>
      ))}
    </div>
  );
}
