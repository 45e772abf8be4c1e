import path from 'node:path';
import { databaseOf, hostOf } from '../../platform/config/database-url.js';
import type { Config } from '../../platform/config/config.js';

/** Names the database without user and password: a command in another terminal may mean another one. */
export function whichDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>): string {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (!url) return `embedded database in ${path.resolve(config.dataDir)}`;
  return `database ${databaseOf(url)} on ${hostOf(url) || 'this machine'}`;
}
