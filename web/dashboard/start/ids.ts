import { useId as useReactId } from 'react';

/**
 * Takes the place of Mantine's hook (vite.config.ts), which gives each field a second id in a layout effect:
 * all of them were drawn twice, and whatever a page asks for was asked before its first paint.
 */
export function useId(given?: string): string {
  const own = useReactId();
  return given ?? own;
}
