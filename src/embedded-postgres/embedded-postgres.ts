import { realpathSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../platform/database/connection.js';
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
  /** `postgres://` URL of the database `shop`, password included: never log it. */
  url: string;
  /** True when the server was already running. */
  reused: boolean;
  /**
   * Stops the server (fast shutdown, waits at most 15 s) if this call started it or adopted it from a process that is
   * gone; leaves it running for its living owner otherwise. May be called again.
   */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Server settings passed as `-c name=value`; they come after, and so win over, the defaults. */
  settings?: Record<string, string>;
  /** Receives what happens, one line at a time; never a password. */
  log?: (line: string) => void;
}

/**
 * Starts (or reuses) a PostgreSQL under `${dataDir}/postgres` and makes sure database `shop` exists. It listens on
 * 127.0.0.1 only, with a random password in `${dataDir}/postgres.password`, and logs to `${dataDir}/postgres.log`.
 * The server outlives a killed caller; the next call then takes it over. Throws with the end of that log when the
 * server does not start.
 */
export async function startEmbeddedPostgres(dataDir: string, options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  openDataDir(dataDir);
  const cluster = clusterUnder(realpathSync(dataDir));
  return withProcessLock(cluster.lock, async () => {
    const { postmaster, reused } = await findOrStart(cluster, options.settings ?? {}, log);
    const ours = !reused || !isRunning(readText(cluster.owner));
    if (ours) claim(cluster);
    const identity = processIdentity(postmaster.pid);
    let stopped: Promise<void> | undefined;
    return {
      url: serverUrl(cluster, postmaster.port, 'shop'),
      reused,
      stop: () => (stopped ??= ours && identity ? shutDown(identity, log) : Promise.resolve()),
    };
  });
}

/** URL of the server that another process (the running service) already runs under `dataDir`, or null. Starts nothing. */
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
      // The owner of a running server may be stopping it right now: look again, which waits for its end.
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
  // Before the launch: if this process is killed right after it, the next one finds a dead owner and adopts the server.
  claim(cluster);
  const postmaster = await launchPostmaster(cluster, binaries, { ...DEFAULT_SETTINGS, ...settings });
  log(`PostgreSQL runs in ${cluster.folder}, port ${postmaster.port}`);
  return postmaster;
}

function claim(cluster: PostgresCluster): void {
  writeFileSync(cluster.owner, processIdentity(process.pid)!, { mode: 0o600 });
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
      log(`PostgreSQL did not stop within ${STOP_LIMIT_MS / 1000} s and is ordered to stop at once; its next start will recover`);
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
