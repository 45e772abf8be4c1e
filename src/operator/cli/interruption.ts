import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
 * finds that the pipe to it has ended, and has the database stopped unless another process uses it. Not on
 * Windows, which has no `sh`.
 */
export async function leavingNothing<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const program = fileURLToPath(new URL('../../left-behind.js', import.meta.url));
  const call = [process.execPath, program, path.resolve(dataDir)];
  // In a group of its own, so that it outlives a terminal and a killed group.
  const shell = spawn('sh', ['-c', 'read -r end || exec "$0" "$@"', ...call], {
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => undefined);
  shell.unref();
  waiting.add(shell);
  try {
    return await work();
  } finally {
    waiting.delete(shell);
    shell.kill();
  }
}
