import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { MIGRATIONS } from '../../migrations/all.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { createDatabase } from './create-database.js';
import teardown from './global-teardown.js';

declare global {
  var testPostgres: { server: EmbeddedPostgres; folder: string } | undefined;
}

/**
 * Starts one PostgreSQL with one migrated database for the run, in which every test creates its own stores.
 * With TEST_DATABASE_URL an existing server is used, on which the run creates its own databases.
 */
export async function startTestDatabase(): Promise<void> {
  const key = randomBytes(32).toString('base64');
  let serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) {
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-test-'));
    const server = await startEmbeddedPostgres(folder, {
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    });
    globalThis.testPostgres = { server, folder };
    serverUrl = server.url;
  }
  // Jest runs no teardown after a failed setup, so the server must be stopped here.
  const environment = await databasesOf(serverUrl, key).catch(async (error: unknown) => {
    await teardown();
    throw error;
  });
  Object.assign(process.env, environment);
}

async function databasesOf(serverUrl: string, key: string): Promise<Record<string, string>> {
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
