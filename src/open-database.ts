import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './platform/config/config.js';
import { refuseUnreachable } from './platform/database/installation.js';
import { openDataDir, writeOnce } from './embedded-postgres/data-dir.js';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.js';

/** The database server the configuration names, or the embedded one. */
export interface OpenDatabase {
  /** Connects as the role that owns the tables, to the server itself: what a session holds lasts. */
  ownerUrl: string;
  /** Where the service's own roles connect for calls: the server, or a pooler before it. */
  serviceUrl: string;
  encryptionKeys: string[];
  embedded: boolean;
  /** Stops the embedded server if this process started it. */
  close(): Promise<void>;
}

/** What a process has beside its pool, and what is left for the command line and for processes that are being replaced. */
const CONNECTIONS_BESIDE = 13;
const SPARE = 40;

/** @param options.join uses an embedded server that another process runs, without taking it over (the command line) */
export async function openDatabase(config: Config, options: { join?: boolean } = {}): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const ownerUrl = config.databaseDirectUrl ?? config.databaseUrl;
    await refuseUnreachable(config.databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', ownerUrl);
    return {
      ownerUrl,
      serviceUrl: config.databaseUrl,
      encryptionKeys: config.encryptionKeys!,
      embedded: false,
      close: async () => undefined,
    };
  }
  openDataDir(config.dataDir);
  const encryptionKeys = config.encryptionKeys ?? embeddedKeys(config.dataDir);
  const running = options.join ? await findEmbeddedPostgres(config.dataDir) : null;
  if (running) return { ownerUrl: running, serviceUrl: running, encryptionKeys, embedded: true, close: async () => undefined };
  const server: EmbeddedPostgres = await startEmbeddedPostgres(config.dataDir, {
    settings: { max_connections: String(Math.max(100, config.processes * (config.databasePool + CONNECTIONS_BESIDE) + SPARE)) },
  });
  return { ownerUrl: server.url, serviceUrl: server.url, encryptionKeys, embedded: true, close: () => server.stop() };
}

/** Where the embedded default keeps the encryption key it makes: beside the data, and with several while a key is rotated. */
export const keyFile = (dataDir: string) => path.join(dataDir, 'encryption.key');

function embeddedKeys(dataDir: string): string[] {
  const file = keyFile(dataDir);
  if (!existsSync(file)) writeOnce(file, randomBytes(32).toString('base64'));
  const keys = readFileSync(file, 'utf8').split(',');
  return keys.map((key) => key.trim());
}
