import { type ReactNode, useDeferredValue } from 'react';

/**
 * Draws its content right after the surrounding elements, in slices of a few milliseconds, so that a phone
 * stays responsive. Without it, content that appears with data or the router is drawn in one go. Later
 * updates are drawn at once, as everywhere.
 */
export function Soon({ fallback = null, children }: { fallback?: ReactNode; children: ReactNode }) {
  const isTime = useDeferredValue(true, false);
  return isTime ? children : fallback;
}
