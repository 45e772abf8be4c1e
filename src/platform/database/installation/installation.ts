import type pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { keyFingerprint } from '../../crypto/secret-box.js';
import { CONNECTION, Client } from '../connections/connection.js';

/**
 * Refuses a database that cannot be connected to. The message names the setting, because the driver names a
 * host at most.
 * @param name the variable or option that has the address
 * @throws ConfigurationError
 */
export async function refuseUnreachable(name: string, url: string): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION.connectionTimeoutMillis,
  });
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(`${name}: the database cannot be connected to: ${message || code}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * The names of the migrations that the database has, in the order they were applied; none if it does not have
 * our tables.
 */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasTable(client, 'migrations'))) return [];
  const { rows } = await client.query<{ name: string }>('select name from migrations order by id');
  return rows.map(({ name }) => name);
}

/** Records the keys that seal secrets, including the first configured one, which seals from now on. */
export async function noteKeysInUse(
  owner: pg.Client,
  inUse: string[],
  encryptionKeys: string[],
): Promise<void> {
  const fingerprints = [...new Set([...inUse, keyFingerprint(encryptionKeys[0])])];
  await owner.query(
    `insert into encryption_keys (fingerprint, in_use_since) select unnest($1::text[]), now()
     on conflict do nothing`,
    [fingerprints],
  );
}

/** The fingerprints of the keys that may have sealed something in the database. */
export async function keysInUse(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasTable(client, 'encryption_keys'))) return [];
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from encryption_keys');
  return rows.map(({ fingerprint }) => fingerprint);
}

export async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    name,
  ]);
  return rows[0].there;
}
