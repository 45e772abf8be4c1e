import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef, useState } from 'react';

/** What lists keep for "back", by the entry of the browser's history. */
const kept = new Map<string, unknown>();
const MOST = 200;

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > MOST) kept.delete(kept.keys().next().value!);
}

function useEntry(): (name: string) => string {
  const router = useRouter();
  return (name) => `${router.state.location.state.__TSR_key ?? ''} ${name}`;
}

/** A state that "back" finds as it was left. */
export function useKept<Value>(name: string, first: Value): [Value, (value: Value) => void] {
  const entry = useEntry()(name);
  const [value, setValue] = useState(() => (kept.has(entry) ? (kept.get(entry) as Value) : first));
  useEffect(() => keep(entry, value), [entry, value]);
  return [value, setValue];
}

/**
 * For the element around a list: remembers which row was opened, and after "back" focuses it, so that one
 * goes on from there.
 */
export function usePlace() {
  const box = useRef<HTMLDivElement>(null);
  const entryOf = useEntry();
  useEffect(() => {
    const opened = kept.get(entryOf('row')) as string | undefined;
    const link = opened && box.current?.querySelector<HTMLElement>(`.row-link[href="${CSS.escape(opened)}"]`);
    if (!link) return;
    link.focus({ preventScroll: true });
    // The router has scrolled to where the page was left. Rows of a phone may have other heights by now.
    requestAnimationFrame(() => {
      const { top, bottom } = link.getBoundingClientRect();
      if (top < 0 || bottom > innerHeight) link.scrollIntoView({ block: 'center' });
    });
  }, []);
  const onClickCapture = ({ target }: MouseEvent) => {
    const address = (target as Element).closest('.row-link')?.getAttribute('href');
    if (address) keep(entryOf('row'), address);
  };
  return { ref: box, onClickCapture };
}
