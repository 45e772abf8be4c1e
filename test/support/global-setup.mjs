import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDatabase } from './database/create-database.mjs';
import teardown from './global-teardown.mjs';

/**
 * Starts one PostgreSQL with one migrated database for the run, in which every test creates its own stores.
 * With TEST_DATABASE_URL an existing server is used, on which the run creates its own databases.
 */
export default async function setup() {
  // Builds only what has changed: the processes that tests start run what is built.
  const build = path.resolve(import.meta.dirname, '../../scripts/build.mjs');
  execFileSync(process.execPath, [build, 'service'], { stdio: 'inherit' });
  // Jest runs no teardown after a failed setup, so the server must be stopped here.
  const environment = await startDatabases().catch(async (error) => {
    await teardown();
    throw error;
  });
  Object.assign(process.env, environment);
}

async function startDatabases() {
  const { prepareDatabase } = await import('../../dist/src/platform/database/installation/migrate.js');
  const { MIGRATIONS } = await import('../../dist/migrations/all.js');
  const serverUrl = process.env.TEST_DATABASE_URL || (await startServer());
  const key = randomBytes(32).toString('base64');
  const run = randomBytes(4).toString('hex');
  const template = `shop_template_${run}`;
  const templateRoles = await prepareDatabase(await createDatabase(serverUrl, template), [key], MIGRATIONS);
  const ownerUrl = await createDatabase(serverUrl, `shop_tests_${run}`, template);
  const roles = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
  return {
    TEST_OWNER_URL: ownerUrl,
    TEST_STORE_URL: roles.store,
    TEST_SYSTEM_URL: roles.system,
    // Copied for every test with its own database. It is migrated once, and nobody is connected to it.
    TEST_TEMPLATE: template,
    TEST_TEMPLATE_STORE_URL: templateRoles.store,
    TEST_TEMPLATE_SYSTEM_URL: templateRoles.system,
    TEST_ENCRYPTION_KEY: key,
  };
}

/** @returns the URL of a server of this process, which the teardown stops */
export async function startServer() {
  const { startEmbeddedPostgres } = await import('../../dist/src/embedded-postgres/embedded-postgres.js');
  const folder = mkdtempSync(path.join(placeForDatabase(), `shop-test-${process.pid}-`));
  const server = await startEmbeddedPostgres(folder, {
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      // Autovacuum visits each of some hundred copied databases as often as this says.
      autovacuum_naptime: '5min',
    },
  });
  globalThis.testPostgres = { server, folder };
  return server.url;
}

const RUN_FOLDER = /^shop-test-(\d+)-/;
const IN_MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

/**
 * The databases of a run are some thousand small files, which are made and removed much faster in memory than
 * on a disk. Those of runs that were killed are removed.
 */
function placeForDatabase() {
  for (const place of [IN_MEMORY, tmpdir()].filter(existsSync))
    for (const name of readdirSync(place)) {
      const [, pid] = RUN_FOLDER.exec(name) ?? [];
      if (pid && !isRunning(Number(pid))) rmSync(path.join(place, name), { recursive: true, force: true });
    }
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > 6 * GIB && availableMemory() > 10 * GIB ? IN_MEMORY : tmpdir();
}

/** Linux counts what its cache can give back as available, which os.freemem() does not on Node 20. */
const availableMemory = () =>
  1024 * Number(/^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0);

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
