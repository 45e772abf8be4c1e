import { MIGRATIONS } from '../../../migrations/all.js';
import { prepareDatabase } from '../../../src/platform/database/installation/migrate.js';
import { createDatabase, databaseUrl } from './create-database.mjs';

/** The connection strings of one migrated database. */
export interface TestDatabase {
  ownerUrl: string;
  storeUrl: string;
  systemUrl: string;
  /** As systemUrl, past a pooler, where there is one. */
  directUrl?: string;
  /** As storeUrl, on a standby. */
  replicaUrl?: string;
}

export function sharedDatabase(): TestDatabase {
  const { TEST_OWNER_URL, TEST_STORE_URL, TEST_SYSTEM_URL, TEST_DIRECT_URL } = process.env;
  return {
    ownerUrl: TEST_OWNER_URL!,
    storeUrl: TEST_STORE_URL!,
    systemUrl: TEST_SYSTEM_URL!,
    directUrl: TEST_DIRECT_URL,
  };
}

/**
 * The test's own database, for tests that deliver, because a dispatcher takes everything due in its database.
 * It is a copy of a migrated one and uses the same roles, so no process of the service may prepare it.
 */
export async function ownDatabase(): Promise<TestDatabase> {
  const name = newName();
  const { TEST_OWNER_URL, TEST_TEMPLATE, TEST_TEMPLATE_STORE_URL, TEST_TEMPLATE_SYSTEM_URL } = process.env;
  return {
    ownerUrl: await createDatabase(TEST_OWNER_URL!, name, TEST_TEMPLATE),
    storeUrl: databaseUrl(TEST_TEMPLATE_STORE_URL!, name),
    systemUrl: databaseUrl(TEST_TEMPLATE_SYSTEM_URL!, name),
  };
}

/**
 * Like `ownDatabase`, but with its own roles, for tests that start processes of the service on it or check
 * its roles.
 */
export async function preparedDatabase(): Promise<TestDatabase> {
  const { ownerUrl } = await ownDatabase();
  const prepared = await prepareDatabase(ownerUrl, [process.env.TEST_ENCRYPTION_KEY!], MIGRATIONS);
  return { ownerUrl, storeUrl: prepared.store, systemUrl: prepared.system };
}

/** @returns the URL of a new database without tables, on the tests' server */
export const emptyDatabase = (): Promise<string> => createDatabase(process.env.TEST_OWNER_URL!, newName());

const newName = () => `own_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
