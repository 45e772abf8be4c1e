import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';

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

/** Figures as bars; drawn once somebody can see them. */
export function Plot(props: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setSeen(true));
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  const empty = <Skeleton h={props.height ?? 200} />;
  return (
    <div role="img" aria-label={props.label} ref={place}>
      {isSeen ? (
        <Suspense fallback={empty}>
          <Bars {...props} />
        </Suspense>
      ) : (
        empty
      )}
    </div>
  );
}
