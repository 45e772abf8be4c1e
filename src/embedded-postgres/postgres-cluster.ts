import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeAtomically } from './data-dir.js';
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './postgres-binaries.js';
import { readText } from '#process-lock';

const run = promisify(execFile);

const STAGING_PREFIX = 'postgres.init-';
const INITDB_LIMIT_MS = 120_000;

/**
 * The locales, the best first. LC_CTYPE determines what pg_trgm and full-text search treat as a letter: with
 * plain `C`, a Cyrillic word has no trigrams. The builtin provider sorts in the same way on every system.
 * C.UTF-8 is missing on older macOS.
 */
const LOCALES = [
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C.UTF-8'],
  ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--lc-ctype=en_US.UTF-8'],
  ['--locale=C'],
];

/** The files of one embedded server. All paths are absolute and without symbolic links. */
export interface PostgresCluster {
  dataDir: string;
  /** The data folder of PostgreSQL. */
  folder: string;
  password: string;
  log: string;
  /**
   * A folder with a file for each use of the server that has not ended. The file has the identity of the
   * process.
   */
  users: string;
  /** A lock file, which exists while a process looks for, creates, starts or stops the server. */
  lock: string;
}

/**
 * Builds the paths of the cluster under `dataDir`, which must not contain symbolic links. Accesses no files.
 */
export function clusterUnder(dataDir: string): PostgresCluster {
  const part = (extension: string) => join(dataDir, `postgres${extension}`);
  return {
    dataDir,
    folder: part(''),
    password: part('.password'),
    log: part('.log'),
    users: part('.users'),
    lock: part('.lock'),
  };
}

/** Whether the data folder is complete: it gets its name only after initdb has succeeded. */
export function isInitialised(cluster: PostgresCluster): boolean {
  return existsSync(join(cluster.folder, 'PG_VERSION'));
}

/** What is wrong, and what to do, if the data folder is of another major version; null if it is not. */
export function otherVersion(
  { folder }: PostgresCluster,
  { major }: PostgresBinaries,
): { found: string; cure: string } | null {
  const made = readText(join(folder, 'PG_VERSION')).trim();
  if (made === '' || Number(made) === major) return null;
  return {
    found: `${folder} is of PostgreSQL ${made}, and this version of the service has PostgreSQL ${major}`,
    cure:
      'With the version of the service that it was last used with, run `npm run shop -- backup --to FILE`; ' +
      'move DATA_DIR away, but keep its encryption.key; then, with this version and that key in a new ' +
      'DATA_DIR, run `npm run shop -- restore --from FILE`',
  };
}

/** The password of the superuser `shop`. @throws Error if its file is missing or empty */
export function clusterPassword(cluster: PostgresCluster): string {
  const password = readText(cluster.password);
  if (!password)
    throw new Error(`${cluster.password} is missing: restore it, or remove ${cluster.folder} with its data`);
  return password;
}

/**
 * Creates the data folder under a temporary name beside it and renames it when it is complete, so that a
 * later start cannot mistake the remains of a killed one for a complete folder.
 * @throws Error with the messages of initdb
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

/**
 * Gives the data folder to the user who runs the programs, if root needs one now but did not when it created
 * the folder.
 */
export async function handOver(cluster: PostgresCluster, { uid }: PostgresBinaries): Promise<void> {
  if (uid !== undefined && statSync(cluster.folder).uid !== uid)
    await run('chown', ['-R', `${uid}:${uid}`, cluster.folder]);
}

async function initdb(
  folder: string,
  cluster: PostgresCluster,
  { prefix, initdb: program }: PostgresBinaries,
): Promise<void> {
  const access = ['-U', 'shop', '-A', 'scram-sha-256', `--pwfile=${cluster.password}`];
  for (const [index, locale] of LOCALES.entries()) {
    const [file, ...args] = [
      ...prefix,
      program,
      '-D',
      folder,
      ...access,
      '--encoding=UTF8',
      '--no-instructions',
      ...locale,
    ];
    try {
      await run(file, args, { env: POSTGRES_ENVIRONMENT, timeout: INITDB_LIMIT_MS });
      return;
    } catch (error) {
      // initdb empties the folder if it fails. The last locale exists everywhere, so its error is the real
      // cause.
      if (index === LOCALES.length - 1) throw error;
    }
  }
}

/**
 * Writes the password file before initdb, which reads it, so that there is never a cluster with an unknown
 * password.
 */
function keepPassword(cluster: PostgresCluster, binaries: PostgresBinaries): void {
  if (!readText(cluster.password)) writeAtomically(cluster.password, `${randomBytes(24).toString('hex')}\n`);
  giveTo(cluster.password, binaries);
}

/**
 * Removes the folders of killed starts. An initdb of such a start may still run, but its folder has another
 * name than the new one.
 */
function removeAbandonedStaging(cluster: PostgresCluster): void {
  for (const name of readdirSync(cluster.dataDir).filter((entry) => entry.startsWith(STAGING_PREFIX))) {
    try {
      rmSync(join(cluster.dataDir, name), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The folder is still being written to. The next start that creates a cluster removes it.
    }
  }
}

function giveTo(path: string, { uid }: PostgresBinaries): void {
  if (uid !== undefined) chownSync(path, uid, uid);
}
