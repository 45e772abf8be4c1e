import { DataSource, type Logger, type MigrationInterface } from 'typeorm';
import { mendAccess } from './access.js';
import { Client } from './connection.js';
import { appliedMigrations, noteKeysInUse, refuseForeignTables, refuseNewerSchema, refuseOtherKey } from './installation.js';
import { applyMigrations } from './migration-runner.js';
import { ensureRoles, type RoleUrls, storePasswords } from './roles.js';

/** Any number; instances that start together wait for each other on it. */
export const MIGRATION_LOCK = 7_063_520_111;

export interface PreparedDatabase extends RoleUrls {
  /** Names of the migrations applied now. */
  applied: string[];
  /** Statements that grants and policies needed, to be what the schema says. */
  mended: string[];
}

/** Of TypeORM, which writes to standard output, where data stands: what fails is named by its error. */
const QUIET: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/**
 * Brings a database to the newest schema: roles first, since policies name them, then the migrations, then grants and policies.
 * What does not fit (a newer schema, another encryption key) is refused before anything is touched.
 * @param ownerUrl connects as the role that owns the tables and may create roles
 * @throws ConfigurationError with one sentence that says how to mend it
 */
export async function prepareDatabase(
  ownerUrl: string,
  encryptionKeys: string[],
  migrations: (new () => MigrationInterface)[],
): Promise<PreparedDatabase> {
  const owner = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await owner.connect();
  try {
    await owner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseForeignTables(owner);
    await refuseNewerSchema(owner, migrations);
    const keysInUse = await refuseOtherKey(owner, encryptionKeys);
    const roles = await ensureRoles(owner, ownerUrl, encryptionKeys);
    const before = new Set(await appliedMigrations(owner));
    if (migrations.some(({ name }) => !before.has(name))) await migrate(ownerUrl, migrations);
    const applied = (await appliedMigrations(owner)).filter((name) => !before.has(name));
    await storePasswords(owner, roles, encryptionKeys);
    await noteKeysInUse(owner, keysInUse, encryptionKeys);
    const mended = await mendAccess(owner, roles.names);
    return { ...roles.urls, applied, mended };
  } finally {
    await owner.end();
  }
}

async function migrate(ownerUrl: string, migrations: (new () => MigrationInterface)[]): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    migrations,
    logger: QUIET,
    // TypeORM reads no URL with several hosts.
    extra: { connectionString: ownerUrl, Client },
  });
  await dataSource.initialize();
  await applyMigrations(dataSource).finally(() => dataSource.destroy());
}
