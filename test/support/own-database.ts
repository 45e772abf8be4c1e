import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/migrate.js';

/** Connection strings of one migrated database. */
export interface TestDatabase {
  ownerUrl: string;
  storeUrl: string;
  systemUrl: string;
}

export function sharedDatabase(): TestDatabase {
  const { TEST_OWNER_URL, TEST_STORE_URL, TEST_SYSTEM_URL } = process.env;
  return { ownerUrl: TEST_OWNER_URL!, storeUrl: TEST_STORE_URL!, systemUrl: TEST_SYSTEM_URL! };
}

/** A database of the test's own, for tests that deliver: a dispatcher takes whatever is due in its database. */
export async function ownDatabase(): Promise<TestDatabase> {
  const ownerUrl = await emptyDatabase();
  const prepared = await prepareDatabase(ownerUrl, [process.env.TEST_ENCRYPTION_KEY!], MIGRATIONS);
  return { ownerUrl, storeUrl: prepared.store, systemUrl: prepared.system };
}

/** @returns the URL of a new database without tables, on the tests' server */
export async function emptyDatabase(): Promise<string> {
  const name = `own_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const client = new pg.Client({ connectionString: process.env.TEST_OWNER_URL });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  const url = new URL(process.env.TEST_OWNER_URL!);
  url.pathname = `/${name}`;
  return url.href;
}
