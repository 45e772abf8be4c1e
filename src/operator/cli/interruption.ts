import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { shellThatStops } from '../../embedded-postgres/stop-later.js';

let ending: Promise<never> | null = null;

/** Makes signals end the command without leaving the embedded database behind that it has started. */
export function handleInterruptions(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void (ending ??= end(signal)));
}

/** The end of the command; null if no signal has come. */
export const interruption = (): Promise<never> | null => ending;

async function end(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<never> {
  const { stopEmbeddedPostgres } = await import('../../embedded-postgres/embedded-postgres.js');
  await stopEmbeddedPostgres();
  for (const shell of waiting) shell.kill();
  // As a shell reports it.
  process.exit(128 + constants.signals[signal]);
}

const waiting = new Set<ChildProcess>();

/**
 * Runs work that may start the embedded database. Should this process be killed meanwhile (SIGKILL), a shell
 * finds that the pipe to it has ended, and has the database stopped.
 */
export async function leavingNothing<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const shell = shellThatStops(dataDir, 'read -r end || exec "$0" "$@"');
  waiting.add(shell);
  try {
    return await work();
  } finally {
    waiting.delete(shell);
    shell.kill();
  }
}
