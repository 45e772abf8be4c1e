import { setTimeout as sleep } from 'node:timers/promises';

/** Below the time that a test has, and long enough for a machine that does much else. */
const PATIENCE_MS = 20_000;

/**
 * Waits until the condition holds, however long that takes on a slow machine.
 * @param what the condition, in words: "both processes are connected"
 * @throws Error when it does not come to that
 */
export async function eventually(what: string, condition: () => unknown): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; !(await condition()); await sleep(10)) {
    if (Date.now() > until) throw new Error(`within ${PATIENCE_MS / 1000} s it did not come to this: ${what}`);
  }
}
