import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from '../platform/database/connections/connection.js';
import { signal } from './stop-server.js';
import { POSTGRES_ENVIRONMENT, type PostgresBinaries } from './postgres-binaries.js';
import { clusterPassword, type PostgresCluster } from './postgres-cluster.js';
import { processIdentity, readText } from '#process-lock';

const run = promisify(execFile);

/** The limit is long, because crash recovery of a large database takes time. */
const START_LIMIT_S = 60;
const CONNECT_LIMIT_MS = 5_000;
const POLL_MS = 30;
const ATTEMPTS = 3;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const LOG_TAIL_LINES = 20;
/** Higher than any pid on the supported systems, so that no process ever has it. */
const IMPOSSIBLE_PID = 2 ** 31 - 2;

/** The main process of a PostgreSQL server. */
export interface Postmaster {
  pid: number;
  port: number;
}

type Answer = 'ready' | 'wrong password' | 'none';

/** The `postgres://` URL with the password of the user `shop`. */
export function serverUrl(cluster: PostgresCluster, port: number, database: string): string {
  return `postgres://shop:${clusterPassword(cluster)}@127.0.0.1:${port}/${database}`;
}

/**
 * Checks whether the server on `port` serves this cluster, because another PostgreSQL may have got the port
 * in the meantime.
 */
export async function probe(cluster: PostgresCluster, port: number, database = 'postgres'): Promise<Answer> {
  const client = new Client({
    connectionString: serverUrl(cluster, port, database),
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: CONNECT_LIMIT_MS,
    ssl: false,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return realpathSync(rows[0].data_directory) === cluster.folder ? 'ready' : 'none';
  } catch (error) {
    return (error as { code?: string }).code === '28P01' ? 'wrong password' : 'none';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Finds the server that runs on the cluster, or null. Unless `wait` is false, it waits while a server is
 * starting or stopping. The pid file of a dead server is ignored, even if its pid now belongs to an unrelated
 * process.
 */
export async function findPostmaster(
  cluster: PostgresCluster,
  { wait = true } = {},
): Promise<Postmaster | null> {
  const deadline = Date.now() + START_LIMIT_S * 1000;
  for (;;) {
    // The lines of postmaster.pid (PostgreSQL's pidfile.h) are pid, data folder, start time, port, …
    const [pid, , , port] = readText(join(cluster.folder, 'postmaster.pid')).split('\n').map(Number);
    // PostgreSQL takes the zombie of a killed server for a running one.
    if (!processIdentity(pid)) return wait ? disown(cluster, pid) : null;
    const answer = port ? await probe(cluster, port) : 'none';
    if (answer === 'ready') return { pid, port };
    if (!wait) return null;
    if (!(await servesCluster(pid, cluster))) return disown(cluster, pid);
    if (answer === 'wrong password')
      throw new Error(`The PostgreSQL in ${cluster.folder} refuses the password in ${cluster.password}`);
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL, process ${pid}, does not answer:\n${logTail(cluster, 0)}`);
    await sleep(POLL_MS);
  }
}

/**
 * Starts a server.
 * @param port a free one if it is undefined
 * @throws Error with the end of its log if all attempts fail
 */
export async function launchPostmaster(
  cluster: PostgresCluster,
  binaries: PostgresBinaries,
  settings: Record<string, string>,
  port?: number,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(cluster, binaries, settings, port ?? (await freePort()));
    } catch (error) {
      // The port may have been taken in the meantime, or the children of a killed server may still be ending.
      if (attempt === ATTEMPTS) throw error;
      await sleep(200 * attempt);
    }
  }
}

async function launch(
  cluster: PostgresCluster,
  binaries: PostgresBinaries,
  settings: Record<string, string>,
  port: number,
): Promise<Postmaster> {
  const size = statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0;
  const logStart = size > LOG_LIMIT_BYTES ? 0 : size;
  const log = openSync(cluster.log, logStart === size ? 'a' : 'w', 0o600);
  try {
    await startDetached(cluster, binaries, optionsOf(settings, port), log);
    if ((await probe(cluster, port)) !== 'ready')
      throw new Error(`it does not answer on port ${port}, or refuses the password in ${cluster.password}`);
    return { pid: pidIn(cluster), port };
  } catch (error) {
    const left = await servingProcess(cluster);
    if (left !== null) signal(left, 'SIGQUIT');
    throw new Error(`PostgreSQL did not start: ${(error as Error).message}\n${logTail(cluster, logStart)}`);
  } finally {
    closeSync(log);
  }
}

/** As a shell takes them. None of the values has a character that it would replace. */
function optionsOf(settings: Record<string, string>, port: number): string {
  const network = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const parameters = Object.entries({ ...settings, ...network });
  return [`-p ${port}`, ...parameters.map(([name, value]) => `-c "${name}=${value}"`)].join(' ');
}

/**
 * Runs pg_ctl, which ends when the server accepts connections. The server is then nobody's child, in a
 * session of its own: neither Ctrl-C nor whoever ends the service's children ends it before the service has
 * finished. It logs to a file, because a pipe would block or break it after this process has ended.
 */
async function startDetached(
  cluster: PostgresCluster,
  { prefix, control }: PostgresBinaries,
  options: string,
  log: number,
): Promise<void> {
  const wait = ['--wait', `--timeout=${START_LIMIT_S}`, '--silent'];
  const [file, ...args] = [...prefix, control, 'start', '-D', cluster.folder, '-o', options, ...wait];
  const starting = spawn(file, args, {
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log],
    env: POSTGRES_ENVIRONMENT,
  });
  const [code, by] = (await once(starting, 'exit')) as [number | null, string | null];
  if (code !== 0) throw new Error(`it ended with ${by ?? `code ${code}`}`);
}

/** The port of the last server of the cluster; undefined if it is not known. */
export function lastPort(cluster: PostgresCluster): number | undefined {
  const [, port] = /"-p" "(\d+)"/.exec(readText(join(cluster.folder, 'postmaster.opts'))) ?? [];
  return port === undefined ? undefined : Number(port);
}

const pidIn = (cluster: PostgresCluster): number =>
  Number.parseInt(readText(join(cluster.folder, 'postmaster.pid')), 10);

/** The process that the pid file names, while it is a server of this cluster; null if there is none. */
export async function servingProcess(cluster: PostgresCluster): Promise<string | null> {
  const pid = pidIn(cluster);
  return (await servesCluster(pid, cluster)) ? processIdentity(pid) : null;
}

/**
 * Whether the server has been asked to stop, as by `kill`, and waits until its last client has gone. The
 * service would keep its connections, and would not get another one.
 */
export const isStopping = (cluster: PostgresCluster): boolean =>
  readText(join(cluster.folder, 'postmaster.pid')).endsWith('\nstopping');

/** Whether the command line of the process is that of a server on this data folder. */
async function servesCluster(pid: number, cluster: PostgresCluster): Promise<boolean> {
  if (process.platform === 'linux')
    return readText(`/proc/${pid}/cmdline`).split('\0').includes(cluster.folder);
  if (process.platform === 'win32') return processIdentity(pid) !== null;
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes(` -D ${cluster.folder} `);
}

/**
 * Replaces the pid in the pid file, because PostgreSQL does not start while a process has that pid. The rest
 * of the file is kept, so that PostgreSQL can check with the shared memory named there that no process uses
 * the folder.
 */
function disown(cluster: PostgresCluster, pid: number): null {
  const path = join(cluster.folder, 'postmaster.pid');
  const text = readText(path);
  if (Number.parseInt(text, 10) === pid)
    writeFileSync(path, `${text.replace(/^\d+/, String(IMPOSSIBLE_PID))}\n`);
  return null;
}

function logTail(cluster: PostgresCluster, from: number): string {
  const lines = readFileSync(cluster.log).subarray(from).toString('utf8').trim().split('\n');
  return lines.slice(-LOG_TAIL_LINES).join('\n');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
