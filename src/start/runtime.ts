import { MIGRATIONS } from '../../migrations/all.js';
import type { Config } from '../platform/config/config.js';
import { type OpenDatabase, openDatabase } from './open-database.js';
import { existingRoles } from '../platform/database/installation/existing.js';
import { recordAction } from '../platform/database/installation/operator-log.js';
import { prepareDatabase } from '../platform/database/installation/migrate.js';
import { namesOf } from '../platform/database/installation/migration-runner.js';
import type { RoleUrls } from '../platform/database/installation/roles.js';
import { servicePasswordIn, withLogin } from '../platform/config/database-url.js';
import type { Logger } from '../platform/logging/logger.js';
import type { PlatformOptions } from '../platform/foundations.js';

/** A running database, and everything that the application needs to connect to it. */
export interface Runtime extends PlatformOptions {
  directUrl: string;
  /** Connects as the role that owns the tables, for the operator's commands. */
  ownerUrl: string;
  embedded: boolean;

  migrationsApplied: string[];
  /**
   * Starts the embedded database again whenever it ends; calls `lost` if that is not possible. For the
   * process that serves.
   */
  watchDatabase(lost: () => void): void;
  close(): Promise<void>;
}

/**
 * Opens the database and brings it to the newest schema: only for a start and `shop migrate`. A start with an
 * address of the service's own role changes nothing, and refuses a schema that is not its own.
 */
export async function openRuntime(
  config: Config,
  log: Logger,
  { command = 'start' }: { command?: 'start' | 'migrate' } = {},
): Promise<Runtime> {
  return open(
    config,
    log,
    command === 'start' ? 'service' : 'maker',
    async ({ ownerUrl, encryptionKeys }) => {
      if (command === 'start' && servicePasswordIn(ownerUrl) !== null)
        return { ...(await existingRoles(ownerUrl, encryptionKeys, MIGRATIONS)), applied: [] };
      const { databaseServicePassword } = config;
      const prepared = await prepareDatabase(ownerUrl, encryptionKeys, MIGRATIONS, databaseServicePassword);
      if (prepared.repaired.length > 0)
        log.warn({ statements: prepared.repaired }, 'grants and policies were repaired');
      const { applied, system } = prepared;
      // A first start has nothing to tell of it but its greeting.
      const level = command === 'start' && applied.length === namesOf(MIGRATIONS).length ? 'debug' : 'warn';
      if (applied.length > 0) await recordAction(system, log, { command, details: { applied } }, level);
      return prepared;
    },
  );
}

/**
 * Opens the database for a command, and changes nothing in it.
 * @param anySchema whether the schema may be that of another version
 * @throws ConfigurationError if there is no database, or its schema is not that of this version
 */
export async function openExistingRuntime(
  config: Config,
  log: Logger,
  { anySchema = false } = {},
): Promise<Runtime> {
  return open(config, log, 'user', async ({ ownerUrl, encryptionKeys }) => ({
    ...(await existingRoles(ownerUrl, encryptionKeys, anySchema ? null : MIGRATIONS)),
    applied: [],
  }));
}

async function open(
  config: Config,
  log: Logger,
  as: Parameters<typeof openDatabase>[1],
  rolesOf: (database: OpenDatabase) => Promise<RoleUrls & { applied: string[] }>,
): Promise<Runtime> {
  const database = await openDatabase(config, as);
  try {
    const { store, system, applied } = await rolesOf(database);
    return {
      config,
      log,
      ownerUrl: database.ownerUrl,
      storeUrl: withLogin(database.serviceUrl, store),
      systemUrl: withLogin(database.serviceUrl, system),
      directUrl: system,
      replicaUrl: config.databaseReplicaUrl ? withLogin(config.databaseReplicaUrl, store) : null,
      encryptionKeys: database.encryptionKeys,
      embedded: database.embedded,

      migrationsApplied: applied,
      watchDatabase: (lost) => database.watch({ log, lost }),
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
