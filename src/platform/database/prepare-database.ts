import pg from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { ensureRoles, type RoleUrls } from './roles.js';

/** Any number; instances that start together wait for each other on it. */
const MIGRATION_LOCK = 7_063_520_111;

export interface PreparedDatabase extends RoleUrls {
  /** Names of the migrations applied now. */
  applied: string[];
  /** Whether there was no table of ours before. */
  isNew: boolean;
}

/**
 * Brings a database to the newest schema: roles first, since policies name them, then the migrations, each in a transaction.
 * @param ownerUrl connects as the role that owns the tables and may create roles
 */
export async function prepareDatabase(
  ownerUrl: string,
  encryptionKeys: string[],
  migrations: (new () => MigrationInterface)[],
): Promise<PreparedDatabase> {
  const owner = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  // A connection that ends while it is idle is noticed by the next statement.
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const urls = await ensureRoles(owner, ownerUrl, encryptionKeys);
    const isNew = !(await owner.query<{ t: string | null }>(`select to_regclass('stores') as t`)).rows[0].t;
    const dataSource = new DataSource({ type: 'postgres', url: ownerUrl, migrations, migrationsTransactionMode: 'each' });
    await dataSource.initialize();
    const applied = await dataSource.runMigrations().finally(() => dataSource.destroy());
    return { ...urls, applied: applied.map(({ name }) => name), isNew };
  } finally {
    await owner.end();
  }
}
