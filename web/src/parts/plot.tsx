import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

export interface PlotProps {
  /** What the bars are of, for who cannot see them; the figures themselves stand in a table beside. */
  label: string;
  /** A bar each, in this order; a day without anything is a zero and not a gap. */
  bars: ({ name: string } & Record<string, string | number>)[];
  /** What stands above each other in a bar, by the names in `bars`. Default: `value` alone. */
  series?: { name: string; label: string; color: string }[];
  format: (value: number) => string;
  height?: number;
}

// The library is heavier than all the rest of a page.
const Bars = lazy(() => import('./plot-bars'));

/** Figures as bars. */
export function Plot(props: PlotProps) {
  return (
    <div role="img" aria-label={props.label}>
      <Suspense fallback={<Skeleton h={props.height ?? 200} />}>
        <Bars {...props} />
      </Suspense>
    </div>
  );
}
