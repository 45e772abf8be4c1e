import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../platform/database/connections/connection.js';
import { openDataDir } from './data-dir.js';
import { locatePostgresBinaries } from './postgres-binaries.js';
import {
  clusterPassword,
  clusterUnder,
  handOver,
  initialiseCluster,
  isInitialised,
  type PostgresCluster,
} from './postgres-cluster.js';
import { findPostmaster, launchPostmaster, probe, type Postmaster, serverUrl } from './postmaster.js';
import { isRunning, processIdentity, readText, withProcessLock } from './process-lock.js';

const STOP_LIMIT_MS = 15_000;
const POLL_MS = 20;
const REUSE_ATTEMPTS = 3;
const DEFAULT_SETTINGS = { shared_buffers: '128MB', max_connections: '100' };

export interface EmbeddedPostgres {
  /** The `postgres://` URL of the database `shop`. It includes the password, so it must never be logged. */
  url: string;
  /** True when the server was already running. */
  reused: boolean;
  /**
   * Stops the server (fast shutdown, waits at most 15 s), regardless of who started it, unless this or
   * another living process still uses it through another start. May be called more than once.
   */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** Server settings, passed as `-c name=value`. They override the defaults. */
  settings?: Record<string, string>;
  /** Receives messages, one line at a time. They never contain a password. */
  log?: (line: string) => void;
}

/**
 * Starts, or reuses, a PostgreSQL server under `${dataDir}/postgres` and makes sure that its database `shop`
 * exists. The server listens only on 127.0.0.1, has a random password in `${dataDir}/postgres.password`, and
 * logs to `${dataDir}/postgres.log`. If the caller is killed, the server keeps running, and the next call
 * finds it.
 * @throws Error with the end of the log if the server does not start
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  openDataDir(dataDir);
  const cluster = clusterUnder(realpathSync(dataDir));
  return withProcessLock(cluster.lock, async () => {
    const { postmaster, reused } = await findOrStart(cluster, options.settings ?? {}, log);
    const user = register(cluster);
    const identity = processIdentity(postmaster.pid);
    let stopped: Promise<void> | undefined;
    const leave = async () => {
      unregister(cluster, user);
      if (identity && !isUsed(cluster)) await shutDown(identity, log);
    };
    // With the lock, no process can join between the check and the stop. The lock is not available if the
    // folder was deleted or its disk is full.
    const stop = () => withProcessLock(cluster.lock, leave).catch(leave);
    return { url: serverUrl(cluster, postmaster.port, 'shop'), reused, stop: () => (stopped ??= stop()) };
  });
}

/** Records that this process uses the server. @returns the file of that record */
function register(cluster: PostgresCluster): string {
  mkdirSync(cluster.users, { recursive: true, mode: 0o700 });
  const file = join(cluster.users, randomUUID());
  writeFileSync(file, processIdentity(process.pid)!, { mode: 0o600 });
  return file;
}

function unregister({ owner }: PostgresCluster, user: string): void {
  rmSync(user, { force: true });
  if (readText(owner) === processIdentity(process.pid)) rmSync(owner, { force: true });
}

/**
 * Whether a living process uses the server. A process of an older version is not registered, but is recorded
 * as the owner.
 */
function isUsed({ users, owner }: PostgresCluster): boolean {
  const files = existsSync(users) ? readdirSync(users).map((name) => join(users, name)) : [];
  return [owner, ...files].some((file) => isRunning(readText(file)));
}

/** Whether there is a data folder of PostgreSQL under `dataDir`. Changes nothing. */
export const hasEmbeddedPostgres = (dataDir: string): boolean =>
  isInitialised(clusterUnder(resolve(dataDir)));

/**
 * Finds the URL of the server that another process, such as the running service, runs under `dataDir`, or
 * null. Starts nothing.
 */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | null> {
  let cluster: PostgresCluster;
  try {
    cluster = clusterUnder(realpathSync(dataDir));
  } catch {
    return null;
  }
  if (!isInitialised(cluster) || !readText(cluster.password)) return null;
  const postmaster = await findPostmaster(cluster, { wait: false });
  return postmaster && (await probe(cluster, postmaster.port, 'shop')) === 'ready'
    ? serverUrl(cluster, postmaster.port, 'shop')
    : null;
}

async function findOrStart(
  cluster: PostgresCluster,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<{ postmaster: Postmaster; reused: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const running = isInitialised(cluster) ? await findPostmaster(cluster) : null;
    const postmaster = running ?? (await start(cluster, settings, log));
    try {
      await ensureDatabase(cluster, postmaster);
    } catch (error) {
      if (!running) await shutDown(processIdentity(postmaster.pid)!, log);
      // Another process may be stopping the server right now. The next attempt waits for its end.
      if (!running || attempt === REUSE_ATTEMPTS) throw error;
      continue;
    }
    if (running) log(`Reusing the PostgreSQL that runs in ${cluster.folder}, port ${running.port}`);
    return { postmaster, reused: running !== null };
  }
}

async function start(
  cluster: PostgresCluster,
  settings: Record<string, string>,
  log: (line: string) => void,
): Promise<Postmaster> {
  const binaries = await locatePostgresBinaries(cluster.folder);
  if (!isInitialised(cluster)) {
    log(`Creating a PostgreSQL data folder in ${cluster.folder}`);
    await initialiseCluster(cluster, binaries);
  }
  clusterPassword(cluster);
  await handOver(cluster, binaries);
  // With the owner recorded, a process of an older version leaves the server running for this one.
  writeFileSync(cluster.owner, processIdentity(process.pid)!, { mode: 0o600 });
  const postmaster = await launchPostmaster(cluster, binaries, { ...DEFAULT_SETTINGS, ...settings });
  log(`PostgreSQL runs in ${cluster.folder}, port ${postmaster.port}`);
  return postmaster;
}

async function ensureDatabase(cluster: PostgresCluster, { port }: Postmaster): Promise<void> {
  const client = new Client({ connectionString: serverUrl(cluster, port, 'postgres'), ssl: false });
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', ['shop']);
    if (!rowCount) await client.query('CREATE DATABASE shop');
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function shutDown(identity: string, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + STOP_LIMIT_MS;
  signal(identity, 'SIGINT');
  while (isRunning(identity)) {
    if (Date.now() > deadline) {
      log(
        `PostgreSQL did not stop within ${STOP_LIMIT_MS / 1000} s and is ordered to stop at once; its next ` +
          `start will recover`,
      );
      return signal(identity, 'SIGQUIT');
    }
    await sleep(POLL_MS);
  }
}

function signal(identity: string, name: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(Number.parseInt(identity, 10), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
