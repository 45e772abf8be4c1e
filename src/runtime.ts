import { MIGRATIONS } from '../migrations/all.js';
import type { Config } from './platform/config/config.js';
import { openDatabase } from './open-database.js';
import { prepareDatabase } from './platform/database/installation/migrate.js';
import { withLogin } from './platform/config/database-url.js';
import type { Logger } from './platform/logging/logger.js';
import type { PlatformOptions } from './platform/foundations.js';

/** A running and migrated database, and everything that the application needs to connect to it. */
export interface Runtime extends PlatformOptions {
  directUrl: string;
  /** Connects as the role that owns the tables, for the operator's commands. */
  ownerUrl: string;
  embedded: boolean;

  migrationsApplied: string[];
  close(): Promise<void>;
}

/** Opens the database and migrates it to the newest schema. */
export async function openRuntime(config: Config, log: Logger): Promise<Runtime> {
  const database = await openDatabase(config);
  try {
    const prepared = await prepareDatabase(database.ownerUrl, database.encryptionKeys, MIGRATIONS);
    if (prepared.repaired.length > 0)
      log.warn({ statements: prepared.repaired }, 'grants and policies were repaired');
    return {
      config,
      log,
      ownerUrl: database.ownerUrl,
      storeUrl: withLogin(database.serviceUrl, prepared.store),
      systemUrl: withLogin(database.serviceUrl, prepared.system),
      directUrl: prepared.system,
      replicaUrl: config.databaseReplicaUrl ? withLogin(config.databaseReplicaUrl, prepared.store) : null,
      encryptionKeys: database.encryptionKeys,
      embedded: database.embedded,

      migrationsApplied: prepared.applied,
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
