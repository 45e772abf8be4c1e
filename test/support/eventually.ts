import { setTimeout as sleep } from 'node:timers/promises';

/** Shorter than the time limit of a test, and long enough for a busy machine. */
const PATIENCE_MS = 90_000;

/**
 * Waits until the condition is true, also on a slow machine.
 * @param what the condition in words: "both processes are connected"
 * @throws Error if the condition does not become true in time
 */
export async function eventually(what: string, condition: () => unknown): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; !(await condition()); await sleep(10)) {
    if (Date.now() > until)
      throw new Error(`this did not become true within ${PATIENCE_MS / 1000} s: ${what}`);
  }
}

/** A promise that a test fulfils when it wants to: what awaits `opened` goes on once `open` was called. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
