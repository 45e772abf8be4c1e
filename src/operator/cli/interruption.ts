import { constants } from 'node:os';

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
  // As a shell reports it.
  process.exit(128 + constants.signals[signal]);
}
