import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from '../platform/config/config.js';
import type { PostgresCluster } from './postgres-cluster.js';
import { isRunning, processIdentity, readText } from '#process-lock';

/** The record of the service, of which there is one; commands have others. */
const SERVICE = 'service';

/**
 * Records that this process uses the server, and forgets those that were killed. To be called with the lock.
 * @returns its record
 * @throws ConfigurationError if this is the service, and another process is it already
 */
export function register(cluster: PostgresCluster, isService: boolean): string {
  mkdirSync(cluster.users, { recursive: true, mode: 0o700 });
  for (const file of recordsIn(cluster)) if (!isRunning(readText(file))) rmSync(file, { force: true });
  const file = join(cluster.users, isService ? SERVICE : randomUUID());
  if (existsSync(file)) {
    const pid = Number.parseInt(readText(file), 10);
    throw new ConfigurationError(
      `DATA_DIR: the service runs on ${cluster.dataDir} already, as process ${pid}: stop it first, or set ` +
        'another DATA_DIR or DATABASE_URL',
    );
  }
  writeFileSync(file, processIdentity(process.pid)!, { mode: 0o600 });
  return file;
}

const recordsIn = ({ users }: PostgresCluster): string[] =>
  existsSync(users) ? readdirSync(users).map((name) => join(users, name)) : [];

export const unregister = (record: string): void => rmSync(record, { force: true });

/** When a process last began or ended to use the server, in milliseconds; 0 if none ever did. */
export const lastChange = ({ users }: PostgresCluster): number =>
  statSync(users, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether a living process uses the server. @param except its record does not count */
export const isUsed = (cluster: PostgresCluster, except?: string): boolean =>
  recordsIn(cluster).some((file) => file !== except && isRunning(readText(file)));

/** Whether all that used the server, or were about to start it, were killed. */
export const isLeft = (cluster: PostgresCluster): boolean =>
  recordsIn(cluster).length > 0 && !isUsed(cluster);
