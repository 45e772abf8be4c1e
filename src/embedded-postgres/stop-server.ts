import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresCluster } from './postgres-cluster.js';
import { isRunning, processIdentity, readText } from '#process-lock';

const STOP_LIMIT_MS = 15_000;
const ORPHAN_LIMIT_MS = 1_000;
const POLL_MS = 20;

/** Stops the server with this identity, fast, and at once if that takes longer than 15 s. */
export async function shutDown(identity: string, log: (line: string) => void): Promise<void> {
  signal(identity, 'SIGINT');
  if (await ends([identity], STOP_LIMIT_MS)) return;
  log(
    `PostgreSQL did not stop within ${STOP_LIMIT_MS / 1000} s and is ordered to stop at once; its next ` +
      `start will recover`,
  );
  signal(identity, 'SIGQUIT');
}

/**
 * Ends the processes that a killed server left behind: one that computes does not notice, and no other server
 * starts beside it. Only on Linux, where they can be recognized. To be called when no server runs.
 */
export async function endOrphans(cluster: PostgresCluster): Promise<void> {
  if (process.platform !== 'linux' || !existsSync(join(cluster.folder, 'postmaster.pid'))) return;
  const orphans = readdirSync('/proc').flatMap((pid) => {
    const identity = isServerProcess(pid, cluster.folder) ? processIdentity(Number(pid)) : null;
    return identity ?? [];
  });
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const orphan of orphans) signal(orphan, name);
    if (await ends(orphans, ORPHAN_LIMIT_MS)) return;
  }
}

function isServerProcess(pid: string, folder: string): boolean {
  if (!readText(`/proc/${pid}/cmdline`).startsWith('postgres: ')) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    return false;
  }
}

/** @returns false if one of the processes still runs after the limit */
async function ends(identities: string[], limitMs: number): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; identities.some(isRunning); await sleep(POLL_MS))
    if (Date.now() > deadline) return false;
  return true;
}

/** Sends a signal to the process with this identity, if it still runs. */
export function signal(identity: string, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(Number.parseInt(identity, 10), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
