import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 48em)');
// Kept, because the browser lays out the page whenever it is asked.
let isPhone = narrow.matches;
narrow.addEventListener('change', () => (isPhone = narrow.matches));

function subscribe(onChange: () => void) {
  narrow.addEventListener('change', onChange);
  return () => narrow.removeEventListener('change', onChange);
}

/** Whether the screen has room for only one column. */
export const useIsPhone = () => useSyncExternalStore(subscribe, () => isPhone);

/** Whether the connection has less than a megabit a second. Some browsers do not tell. */
export function isSlow(): boolean {
  const { connection } = navigator as { connection?: { downlink?: number } };
  return (connection?.downlink ?? 1) < 1;
}
