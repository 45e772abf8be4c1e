import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { MIGRATIONS } from '../../migrations/all.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { prepareDatabase } from '../../src/platform/database/migrate.js';
import teardown from './global-teardown.js';

declare global {
  var testPostgres: { server: EmbeddedPostgres; folder: string } | undefined;
}

/** One PostgreSQL and one migrated database for the run; every test makes its own stores in it. TEST_DATABASE_URL uses a server that is there. */
export async function startTestDatabase(): Promise<void> {
  const key = randomBytes(32).toString('base64');
  let url = process.env.TEST_DATABASE_URL;
  if (!url) {
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-test-'));
    const server = await startEmbeddedPostgres(folder, {
      settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
    });
    globalThis.testPostgres = { server, folder };
    url = server.url;
  }
  // Jest runs no teardown after a setup that failed, so what was started must end here.
  const prepared = await prepareDatabase(url, [key], MIGRATIONS).catch(async (error: unknown) => {
    await teardown();
    throw error;
  });
  Object.assign(process.env, {
    TEST_OWNER_URL: url,
    TEST_STORE_URL: prepared.store,
    TEST_SYSTEM_URL: prepared.system,
    TEST_ENCRYPTION_KEY: key,
  });
}
