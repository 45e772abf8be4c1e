import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.js';
import { openDataDir, writeOnce } from './data-dir.js';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';

/** The database server the configuration names, or the embedded one. */
export interface OpenDatabase {
  ownerUrl: string;
  encryptionKeys: string[];
  embedded: boolean;
  /** Stops the embedded server if this process started it. */
  close(): Promise<void>;
}

/** @param options.join uses an embedded server that another process runs, without taking it over (the command line) */
export async function openDatabase(config: Config, options: { join?: boolean } = {}): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    return {
      ownerUrl: config.databaseUrl,
      encryptionKeys: config.encryptionKeys!,
      embedded: false,
      close: async () => undefined,
    };
  }
  openDataDir(config.dataDir);
  const encryptionKeys = config.encryptionKeys ?? [embeddedKey(config.dataDir)];
  const running = options.join ? await findEmbeddedPostgres(config.dataDir) : null;
  if (running) return { ownerUrl: running, encryptionKeys, embedded: true, close: async () => undefined };
  const server: EmbeddedPostgres = await startEmbeddedPostgres(config.dataDir);
  return { ownerUrl: server.url, encryptionKeys, embedded: true, close: () => server.stop() };
}

/** The embedded default makes its encryption key by itself and keeps it beside the data. */
function embeddedKey(dataDir: string): string {
  const file = path.join(dataDir, 'encryption.key');
  if (!existsSync(file)) writeOnce(file, randomBytes(32).toString('base64'));
  return readFileSync(file, 'utf8').trim();
}
