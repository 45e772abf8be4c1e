import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresCluster } from './postgres-cluster.js';
import { isRunning, processIdentity, readText } from './process-lock.js';

/** Records that this process uses the server, and forgets those that were killed. @returns its record */
export function register(cluster: PostgresCluster): string {
  mkdirSync(cluster.users, { recursive: true, mode: 0o700 });
  for (const file of recordsIn(cluster)) if (!isRunning(readText(file))) rmSync(file, { force: true });
  const file = join(cluster.users, randomUUID());
  writeFileSync(file, processIdentity(process.pid)!, { mode: 0o600 });
  return file;
}

const recordsIn = ({ users }: PostgresCluster): string[] =>
  existsSync(users) ? readdirSync(users).map((name) => join(users, name)) : [];

export function unregister({ owner }: PostgresCluster, user: string): void {
  rmSync(user, { force: true });
  if (readText(owner) === processIdentity(process.pid)) rmSync(owner, { force: true });
}

/** When a process last began or ended to use the server, in milliseconds; 0 if none ever did. */
export const lastChange = ({ users }: PostgresCluster): number =>
  statSync(users, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Whether a living process uses the server. A process of an older version is not registered, but is recorded
 * as the owner.
 */
export const isUsed = (cluster: PostgresCluster): boolean =>
  [cluster.owner, ...recordsIn(cluster)].some((file) => isRunning(readText(file)));
