import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { Client } from '../connections/connection.js';
import { refuseProblems } from './checks.js';
import { appliedMigrations, keysInUse, noteKeysInUse } from './installation.js';
import { applyMigrations, classesOf, type Migrations, namesOf } from './migration-runner.js';
import { ensureRoles, giveAccess, type RoleUrls, storePasswords } from './roles.js';

/** An arbitrary number. Instances that start at the same time wait for each other on this lock. */
const MIGRATION_LOCK = 7_063_520_111;
const POLL_MS = 100;

export interface PreparedDatabase extends RoleUrls {
  /** The names of the migrations that were applied. */
  applied: string[];
  /** The statements that repaired grants and policies. */
  repaired: string[];
}

/**
 * Silences TypeORM, whose logger writes to standard output, which is reserved for data. Failures are reported
 * by their errors.
 */
const QUIET: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/**
 * Brings a database to the newest schema: first the roles, because policies name them, then the tables or the
 * steps that are missing, then grants and policies. A database that does not fit (another schema, another
 * encryption key) is refused before anything is changed.
 * @param ownerUrl connects as the role that owns the tables and may create roles
 * @param servicePassword what the service's roles must have as their password; null: a random one
 * @throws ConfigurationError with one sentence that says how to fix it
 */
export async function prepareDatabase(
  ownerUrl: string,
  encryptionKeys: string[],
  migrations: Migrations,
  servicePassword: string | null = null,
): Promise<PreparedDatabase> {
  const owner = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await owner.connect();
  try {
    await takeMigrationLock(owner);
    await refuseProblems({ client: owner, migrations, encryptionKeys, isServiceRole: false }, 'start');
    const [before, inUse] = [await appliedMigrations(owner), await keysInUse(owner)];
    const roles = await ensureRoles(owner, ownerUrl, encryptionKeys, servicePassword);
    if (namesOf(migrations).some((name) => !before.includes(name))) await migrate(ownerUrl, migrations);
    const applied = (await appliedMigrations(owner)).filter((name) => !before.includes(name));
    await storePasswords(owner, roles, encryptionKeys);
    await noteKeysInUse(owner, inUse, encryptionKeys);
    const repaired = await giveAccess(owner);
    return { ...roles.urls, applied, repaired };
  } finally {
    await owner.end();
  }
}

/**
 * Waits until no other process migrates or fills the database. The lock is released when the connection ends.
 * It polls, because a statement that waits for a lock holds a snapshot, and CREATE INDEX CONCURRENTLY of the
 * process that has the lock waits until all older snapshots are gone: each would wait for the other for ever.
 */
export async function takeMigrationLock(owner: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0].taken) return;
    await sleep(POLL_MS);
  }
}

async function migrate(ownerUrl: string, migrations: Migrations): Promise<void> {
  const dataSource = new DataSource({
    type: 'postgres',
    migrations: classesOf(migrations),
    logger: QUIET,
    extra: { connectionString: ownerUrl, Client },
  });
  await dataSource.initialize();
  await applyMigrations(dataSource).finally(() => dataSource.destroy());
}
