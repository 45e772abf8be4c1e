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

/** The maximum number of names below the bars. A phone has room for every other one. */
const NAMES = 5;

/** A bar chart with a line at each round number. It shows the exact values at the pointer. */
export function Plot({
  label,
  bars,
  series = [{ name: 'value', label, color: 'indigo-5' }],
  format,
  height = 200,
}: Props) {
  const [pointed, setPointed] = useState<number | null>(null);
  const valueOf = (bar: Props['bars'][number], name: string) => Number(bar[name]);
  const sums = bars.map((bar) => series.reduce((sum, { name }) => sum + valueOf(bar, name), 0));
  const lines = roundFigures(Math.max(0, ...sums));
  const share = (value: number) => `${(100 * value) / lines.at(-1)!}%`;
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(
      Math.min(bars.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * bars.length))),
    );
  };
  const step = Math.ceil(bars.length / NAMES);
  // Counted from the newest bar, which always shows its name.
  const fromNewest = (i: number) => (bars.length - 1 - i) / step;
  return (
    <div role="img" aria-label={label}>
      {series.length > 1 && (
        <div className="plot-legend">
          {series.map(({ name, label: text, color }) => (
            <span key={name}>
              <i style={{ background: `var(--mantine-color-${color})` }} />
              {text}
            </span>
          ))}
        </div>
      )}
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
                <i
                  key={name}
                  style={{ height: share(valueOf(bar, name)), background: `var(--mantine-color-${color})` }}
                />
              ))}
              {Number.isInteger(fromNewest(i)) && (
                <span className="plot-name" data-other={fromNewest(i) % 2 === 1 || undefined}>
                  {bar.name}
                </span>
              )}
            </div>
          ))}
        </div>
        {pointed !== null && bars[pointed] && (
          <div
            className="plot-figures"
            style={{ insetInlineStart: `${(100 * (pointed + 0.5)) / bars.length}%` }}
            data-late={pointed > bars.length / 2 || undefined}
          >
            <b>{bars[pointed].name}</b>
            {series.map(({ name, label: text }) => (
              <span key={name}>
                {text}: {format(valueOf(bars[pointed], name))}
              </span>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
