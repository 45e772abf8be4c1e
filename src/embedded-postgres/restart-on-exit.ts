import { setTimeout as sleep } from 'node:timers/promises';
import { diskSpace, isScarce } from '../platform/disk.js';
import type { Logger } from '../platform/logging/logger.js';
import { signal } from './stop-server.js';
import type { PostgresCluster } from './postgres-cluster.js';
import { isStopping } from './postmaster.js';
import { isRunning } from '#process-lock';

const POLL_MS = 250;
const DISK_EVERY_MS = 60_000;
/** The pauses before the attempts to start the server again; after the last one it is given up. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 5_000, 5_000, 5_000, 5_000];

export interface Watching {
  log: Logger;
  /** Called once, when the server could not be started again. */
  lost(): void;
  /** In milliseconds; by default in all about 25 s. */
  pauses?: number[];
}

interface Watched extends Watching {
  /** Starts the server, or finds the one that another process has started. */
  again(): Promise<void>;
  identity(): string | null;
  /** Whether this process no longer uses the server. */
  isOver(): boolean;
}

/** Starts the server again when it ends, and warns while its disk is nearly full. */
export function keepRunning(cluster: PostgresCluster, watched: Watched): void {
  void watchServer(cluster, watched);
  void watchDisk(cluster, watched);
}

async function watchServer(cluster: PostgresCluster, watched: Watched): Promise<void> {
  for (; !watched.isOver(); await pause(POLL_MS)) {
    const identity = watched.identity();
    if (identity && isRunning(identity)) {
      if (isStopping(cluster)) signal(identity, 'SIGINT');
    } else if (!(await recover(watched))) return watched.lost();
  }
}

/** @returns false if all attempts have failed */
async function recover({ log, again, isOver, pauses = PAUSES_MS }: Watched): Promise<boolean> {
  const since = performance.now();
  log.error('the embedded database has ended and is started again');
  for (const delayMs of pauses) {
    await pause(delayMs);
    if (isOver()) return true;
    try {
      await again();
      log.warn({ ms: Math.round(performance.now() - since) }, 'the embedded database is back');
      return true;
    } catch (error) {
      log.error({ err: error }, 'the embedded database did not start');
    }
  }
  return isOver();
}

async function watchDisk({ dataDir }: PostgresCluster, { log, isOver }: Watched): Promise<void> {
  for (let wasScarce = false; !isOver(); await pause(DISK_EVERY_MS)) {
    const space = await diskSpace(dataDir).catch(() => null);
    if (!space) continue;
    const isNow = isScarce(space);
    if (isNow && !wasScarce)
      log.warn({ ...space, dataDir }, 'the disk of the embedded database is nearly full');
    wasScarce = isNow;
  }
}

/** Does not keep the process running. */
const pause = (ms: number) => sleep(ms, undefined, { ref: false });
