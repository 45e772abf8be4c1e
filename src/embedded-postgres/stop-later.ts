import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Longer than a restart takes on a busy machine. */
const RESTART_S = 15;

/**
 * A shell that waits as `script` says, and then has the database stopped by `"$0" "$@"` unless another
 * process uses it. It is in a group of its own, so that it outlives a terminal and a killed group. Not on
 * Windows, which has no `sh`.
 */
export function shellThatStops(dataDir: string, script: string): ChildProcess {
  const program = fileURLToPath(new URL('./stop-unused.js', import.meta.url));
  const call = [process.execPath, program, path.resolve(dataDir)];
  const shell = spawn('sh', ['-c', script, ...call], {
    detached: true,
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.on('error', () => undefined);
  shell.unref();
  return shell;
}

/** Leaves the database to the process that replaces this one, and has it stopped if none comes. */
export function stopUnlessReplaced(dataDir: string): void {
  // A program that restarts the service signals its children too.
  const unused = RESTART_S * 1000;
  shellThatStops(dataDir, `trap '' INT TERM HUP; sleep ${RESTART_S}; exec "$0" "$@" ${unused}`);
}
