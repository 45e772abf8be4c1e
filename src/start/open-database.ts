import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Config, ConfigurationError, encryptionKeyProblem } from '../platform/config/config.js';
import { refuseUnreachable } from '../platform/database/installation/installation.js';
import { openDataDir, writeOnce } from '../embedded-postgres/data-dir.js';
import {
  type EmbeddedPostgres,
  findEmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../embedded-postgres/embedded-postgres.js';
import type { Watching } from '../embedded-postgres/restart-on-exit.js';

/** The configured database server, or the embedded one. */
export interface OpenDatabase {
  /**
   * Connects as the role that owns the tables, directly to the server, so that the state of a session lasts.
   */
  ownerUrl: string;
  /**
   * The address to which the roles of the service connect for calls: the server, or a pooler in front of it.
   */
  serviceUrl: string;
  encryptionKeys: string[];
  embedded: boolean;
  /** Starts the embedded server again whenever it ends. */
  watch(watching: Watching): void;
  /** Stops the embedded server unless another process uses it, or will do so at once. */
  close(): Promise<void>;
}

/** The connections of the service outside its pool, and those for the command line. */
const CONNECTIONS_BESIDE = 16;
const SPARE = 40;

/** `npm run start:dev` starts the service again at every edit, on the same database. */
const IS_RESTARTED = process.env.npm_lifecycle_event === 'start:dev';

/**
 * Opens the configured database or the embedded one. The service and commands share an embedded server, and
 * the last one stops it.
 * @param as the service and commands that make a database make the embedded one and its key if there are none
 * @throws ConfigurationError if the database cannot be connected to, or there is no embedded one yet
 */
export async function openDatabase(config: Config, as: 'service' | 'maker' | 'user'): Promise<OpenDatabase> {
  const mayCreate = as !== 'user';
  if (config.databaseUrl) {
    const ownerUrl = config.databaseDirectUrl ?? config.databaseUrl;
    await refuseUnreachable(config.databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', ownerUrl);
    return {
      ownerUrl,
      serviceUrl: config.databaseUrl,
      encryptionKeys: config.encryptionKeys!,
      embedded: false,
      watch: () => undefined,
      close: async () => undefined,
    };
  }
  if (!mayCreate) refuseMissing(config);
  const found = await foundWithoutRoom(config, mayCreate);
  // Before the server is started: with a file that has something else than keys, nothing is made.
  const encryptionKeys = config.encryptionKeys ?? embeddedKeys(config.dataDir);
  const server =
    found ??
    (await startEmbeddedPostgres(config.dataDir, {
      isService: as === 'service',
      settings: {
        max_connections: String(Math.max(100, config.databasePool + CONNECTIONS_BESIDE + SPARE)),
      },
    }));
  return {
    ownerUrl: server.url,
    serviceUrl: server.url,
    encryptionKeys,
    embedded: true,
    watch: (watching) => server.watch(watching),
    close: () => (IS_RESTARTED ? server.leave() : server.stop()),
  };
}

/** Makes the folder. @returns the server that a command uses because it cannot write there; null: start it */
async function foundWithoutRoom(
  config: Config,
  mayCreate: boolean,
): Promise<Omit<EmbeddedPostgres, 'reused'> | null> {
  try {
    openDataDir(config.dataDir);
    return null;
  } catch (error) {
    // On a full disk nobody can be recorded as a user, but the server that the service runs there answers.
    const url = mayCreate ? null : await findEmbeddedPostgres(config.dataDir);
    if (url === null) throw error;
    return { url, watch: () => undefined, stop: async () => undefined, leave: async () => undefined };
  }
}

/** Commands make neither a database nor its key. */
function refuseMissing({ dataDir, encryptionKeys }: Config): void {
  const folder = path.resolve(dataDir);
  if (!hasEmbeddedPostgres(dataDir))
    throw new ConfigurationError(
      `There is no database in DATA_DIR, ${folder}, yet: start the service first, or set DATABASE_URL`,
    );
  if (!encryptionKeys && !existsSync(keyFile(dataDir)))
    throw new ConfigurationError(
      `ENCRYPTION_KEY: the database in ${folder} has secrets, and its file encryption.key is missing: put ` +
        'it back, or set the key that stood in it',
    );
}

/**
 * The file for the encryption key that is created with the embedded database. It has several keys while a key
 * is rotated.
 */
export const keyFile = (dataDir: string) => path.join(dataDir, 'encryption.key');

function embeddedKeys(dataDir: string): string[] {
  const file = keyFile(dataDir);
  if (!existsSync(file)) writeOnce(file, randomBytes(32).toString('base64'));
  const keys = readFileSync(file, 'utf8').trim();
  const problem = encryptionKeyProblem(keys);
  if (problem !== null) throw new ConfigurationError(`${path.resolve(file)} ${problem}`);
  return keys.split(',').map((key) => key.trim());
}
