import { type ReactNode, useDeferredValue } from 'react';

/**
 * Draws its content right after what is round it, in pieces of some milliseconds, so that a phone answers to a finger meanwhile. What
 * data or the router bring is otherwise drawn in one go. Changes later on are drawn at once, as everywhere.
 */
export function Soon({ fallback = null, children }: { fallback?: ReactNode; children: ReactNode }) {
  const isTime = useDeferredValue(true, false);
  return isTime ? children : fallback;
}
