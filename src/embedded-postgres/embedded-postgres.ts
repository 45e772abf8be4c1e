import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../platform/config/config.js';
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
  otherVersion,
} from './postgres-cluster.js';
import { endOrphans, shutDown } from './stop-server.js';
import {
  findPostmaster,
  lastPort,
  launchPostmaster,
  type Postmaster,
  probe,
  serverUrl,
  servingProcess,
} from './postmaster.js';
import { processIdentity, readText, withProcessLock } from '#process-lock';
import { stopUnlessReplaced } from './stop-later.js';
import { isLeft, isUsed, lastChange, register, unregister } from './attached-processes.js';
import { keepRunning, type Watching } from './restart-on-exit.js';

const REUSE_ATTEMPTS = 3;
/** How long pg_ctl takes until the server has written its pid file. */
const BEGIN_LIMIT_MS = 2_000;
const POLL_MS = 50;
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
  /** Like `stop`, but gives a process that replaces this one some time to use the server instead. */
  leave(): Promise<void>;
  /** Starts the server again, on the same port, whenever it ends, until `stop` is called. */
  watch(watching: Watching): void;
}

interface EmbeddedPostgresOptions {
  /** Server settings, passed as `-c name=value`. They override the defaults. */
  settings?: Record<string, string>;
  /** Receives messages, one line at a time. They never contain a password. */
  log?: (line: string) => void;
  /** Whether this process is the service, of which only one may run on the folder. Default: no. */
  isService?: boolean;
}

/**
 * Starts, or reuses, a PostgreSQL server under `${dataDir}/postgres` and makes sure that its database `shop`
 * exists. The server listens only on 127.0.0.1, has a random password in `${dataDir}/postgres.password`, and
 * logs to `${dataDir}/postgres.log`. If the caller is killed, the server keeps running, and the next call
 * finds it.
 * @throws ConfigurationError if another process is the service already
 * @throws Error with the end of the log if the server does not start
 */
export function startEmbeddedPostgres(
  dataDir: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const server = open(dataDir, options);
  servers.add(server);
  return server;
}

const servers = new Set<Promise<EmbeddedPostgres>>();

/** Stops every server that this process has started, is starting or uses, as `stop` does. */
export async function stopEmbeddedPostgres(): Promise<void> {
  for (const server of await Promise.allSettled(servers))
    if (server.status === 'fulfilled') await server.value.stop();
}

/**
 * Stops the server under `dataDir`, if there is one that no living process uses: also one that whoever was
 * killed has just begun to start.
 * @param forMs only if nobody has begun or ended to use it for so long
 */
export async function stopUnusedPostgres(dataDir: string, forMs = 0): Promise<void> {
  if (!hasEmbeddedPostgres(dataDir)) return;
  const cluster = clusterUnder(realpathSync(dataDir));
  const deadline = Date.now() + BEGIN_LIMIT_MS;
  while (isLeft(cluster) && Date.now() < deadline && (await servingProcess(cluster)) === null)
    await sleep(POLL_MS);
  await lockedIfPossible(cluster, async () => {
    if (lastChange(cluster) <= Date.now() - forMs) await stopIfUnused(cluster, () => undefined);
  });
}

/**
 * With the lock, no process can join between a check and the stop. It is not available if the folder was
 * deleted or its disk is full.
 */
const lockedIfPossible = (cluster: PostgresCluster, leave: () => Promise<void>) =>
  withProcessLock(cluster.lock, leave).catch(leave);

/** @param known the server as it was last seen; another process may have started it again since */
async function stopIfUnused(
  cluster: PostgresCluster,
  log: (line: string) => void,
  known: string | null = null,
): Promise<void> {
  if (isUsed(cluster)) return;
  for (const one of new Set([known, await servingProcess(cluster)])) if (one) await shutDown(one, log);
}

async function open(dataDir: string, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  openDataDir(dataDir);
  const cluster = clusterUnder(realpathSync(dataDir));
  return withProcessLock(cluster.lock, async () => {
    // Recorded before the server is started, so that whoever finds it knows whether it is used.
    const record = register(cluster, options.isService ?? false);
    const { postmaster, reused } = await findOrStart(cluster, options, log, record).catch((error: Error) => {
      unregister(record);
      throw error;
    });
    const { port } = postmaster;
    let identity = processIdentity(postmaster.pid);
    let stopped: Promise<void> | undefined;
    const end = async (stop: () => void | Promise<void>) => {
      unregister(record);
      await stop();
    };
    const ending = (stop: () => void | Promise<void>) =>
      (stopped ??= lockedIfPossible(cluster, () => end(stop)));
    /** Finds the server that another process has started again, or starts it. */
    const again = () =>
      withProcessLock(cluster.lock, async () => {
        if (stopped) return;
        const found = (await findOrStart(cluster, options, log)).postmaster;
        if (found.port !== port) throw new Error(`it runs on port ${found.port}, and not on ${port}`);
        identity = processIdentity(found.pid);
      });
    return {
      url: serverUrl(cluster, port, 'shop'),
      reused,
      stop: () => ending(() => stopIfUnused(cluster, log, identity)),
      leave: () => ending(() => stopUnlessReplaced(cluster.dataDir)),
      watch: (watching) =>
        keepRunning(cluster, { ...watching, again, identity: () => identity, isOver: () => !!stopped }),
    };
  });
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

/** What is wrong if the data under `dataDir` are of another major version than the server; null if not. */
export async function otherVersionUnder(dataDir: string): Promise<{ found: string; cure: string } | null> {
  const cluster = clusterUnder(resolve(dataDir));
  return isInitialised(cluster) ? otherVersion(cluster, await locatePostgresBinaries(cluster.folder)) : null;
}

/** @param first the record of a process that does not use the server yet, and may make it */
async function findOrStart(
  cluster: PostgresCluster,
  options: EmbeddedPostgresOptions,
  log: (line: string) => void,
  first?: string,
): Promise<{ postmaster: Postmaster; reused: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const running = isInitialised(cluster) ? await findPostmaster(cluster) : null;
    const postmaster = running ?? (await start(cluster, options, log, first));
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
  { settings }: EmbeddedPostgresOptions,
  log: (line: string) => void,
  first?: string,
): Promise<Postmaster> {
  const binaries = await locatePostgresBinaries(cluster.folder);
  const problem = otherVersion(cluster, binaries);
  if (problem) throw new ConfigurationError(`DATA_DIR: ${problem.found}. ${problem.cure}`);
  if (!isInitialised(cluster)) {
    // With its disk gone, an empty database would take the place of the one in use.
    if (first === undefined) throw new Error(`${cluster.folder} no longer has the database that was in use`);
    log(`Creating a PostgreSQL data folder in ${cluster.folder}`);
    await initialiseCluster(cluster, binaries);
  }
  clusterPassword(cluster);
  await handOver(cluster, binaries);
  await endOrphans(cluster);
  // Whoever uses the server already expects it on its port.
  const port = isUsed(cluster, first) ? lastPort(cluster) : undefined;
  const postmaster = await launchPostmaster(cluster, binaries, { ...DEFAULT_SETTINGS, ...settings }, port);
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
