import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWhole } from './data-dir.js';
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './postgres-binaries.js';
import { readText } from './process-lock.js';

const run = promisify(execFile);

const STAGING_PREFIX = 'postgres.init-';
const INITDB_LIMIT_MS = 120_000;

/**
 * From best to last. pg_trgm and full-text search take their idea of a letter from LC_CTYPE: in plain `C` a Cyrillic word
 * has no trigram at all. The builtin provider sorts the same way on every system; C.UTF-8 is missing on older macOS.
 */
const LOCALES = [
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C.UTF-8'],
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--lc-ctype=en_US.UTF-8'],
  ['--locale=C'],
];

/** Where everything of one embedded server is kept. All paths are absolute and free of symbolic links. */
export interface PostgresCluster {
  dataDir: string;
  /** PostgreSQL's own data folder. */
  folder: string;
  password: string;
  log: string;
  /** Holds the identity of the process that has to stop the server. */
  owner: string;
  /** Held while a process looks for, makes or starts the server. */
  lock: string;
}

/** Names the parts of the cluster under `dataDir`, a path without symbolic links; touches nothing. */
export function clusterUnder(dataDir: string): PostgresCluster {
  const part = (extension: string) => join(dataDir, `postgres${extension}`);
  return {
    dataDir,
    folder: part(''),
    password: part('.password'),
    log: part('.log'),
    owner: part('.owner'),
    lock: part('.lock'),
  };
}

/** True once the data folder is whole: it gets its name only after initdb has ended well. */
export function isInitialised(cluster: PostgresCluster): boolean {
  return existsSync(join(cluster.folder, 'PG_VERSION'));
}

/** Password of the superuser `shop`. Throws when the cluster has one and its file is gone or empty. */
export function clusterPassword(cluster: PostgresCluster): string {
  const password = readText(cluster.password);
  if (!password) throw new Error(`${cluster.password} is missing: restore it, or remove ${cluster.folder} with its data`);
  return password;
}

/**
 * Makes the data folder in a temporary sibling and renames it when whole, so that a kill in the middle leaves nothing
 * that a later start could take for good. Throws with what initdb said.
 */
export async function initialiseCluster(cluster: PostgresCluster, binaries: PostgresBinaries): Promise<void> {
  removeAbandonedStaging(cluster);
  keepPassword(cluster, binaries);
  const staging = join(cluster.dataDir, STAGING_PREFIX + randomUUID());
  mkdirSync(staging, { mode: 0o700 });
  try {
    giveTo(staging, binaries);
    await initdb(staging, cluster, binaries);
    renameSync(staging, cluster.folder);
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw new Error(`${cluster.folder} exists and holds no PostgreSQL data; move it away`);
    throw new Error(`initdb failed in ${cluster.dataDir}: ${stderr?.trim() || message}`);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Lets another user, where root needs one, own a data folder that was made when it did not. */
export async function handOver(cluster: PostgresCluster, { uid }: PostgresBinaries): Promise<void> {
  if (uid !== undefined && statSync(cluster.folder).uid !== uid) await run('chown', ['-R', `${uid}:${uid}`, cluster.folder]);
}

async function initdb(folder: string, cluster: PostgresCluster, { prefix, initdb: program }: PostgresBinaries): Promise<void> {
  const access = ['-U', 'shop', '-A', 'scram-sha-256', `--pwfile=${cluster.password}`];
  for (const [index, locale] of LOCALES.entries()) {
    const [file, ...args] = [...prefix, program, '-D', folder, ...access, '--encoding=UTF8', '--no-instructions', ...locale];
    try {
      await run(file, args, { env: POSTGRES_ENVIRONMENT, timeout: INITDB_LIMIT_MS });
      return;
    } catch (error) {
      // initdb empties the folder when it fails. The last locale exists everywhere, so what it reports is the true cause.
      if (index === LOCALES.length - 1) throw error;
    }
  }
}

/** Written whole or not at all, and before initdb, which reads it: there is never a cluster whose password is unknown. */
function keepPassword(cluster: PostgresCluster, binaries: PostgresBinaries): void {
  if (!readText(cluster.password)) writeWhole(cluster.password, `${randomBytes(24).toString('hex')}\n`);
  giveTo(cluster.password, binaries);
}

/** A killed start may have left its folder, even its initdb at work: the names differ, so it cannot get into ours. */
function removeAbandonedStaging(cluster: PostgresCluster): void {
  for (const name of readdirSync(cluster.dataDir).filter((entry) => entry.startsWith(STAGING_PREFIX))) {
    try {
      rmSync(join(cluster.dataDir, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Still being written to; the next first start removes it.
    }
  }
}

function giveTo(path: string, { uid }: PostgresBinaries): void {
  if (uid !== undefined) chownSync(path, uid, uid);
}
