import type pg from 'pg';
import type { MigrationInterface } from 'typeorm';
import { ConfigurationError } from '../config/config.js';
import { keyFingerprint, keyId } from '../crypto/secret-box.js';
import { CONNECTION, Client } from './connection.js';

const OTHER_KEY =
  'ENCRYPTION_KEY: not the key that the secrets in this database are sealed with; nothing was changed. ' +
  'Configure the key the service ran with until now (the embedded database keeps its own in the file encryption.key of DATA_DIR), ' +
  'and while keys are rotated both: new,old';

/**
 * Refuses a database that does not let anybody in, in words that say which address is meant: the driver names a host at most.
 * @param name of the variable, or of the option, that has the address
 * @throws ConfigurationError
 */
export async function refuseUnreachable(name: string, url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECTION.connectionTimeoutMillis });
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
 * Refuses a database that a newer version has migrated: this one would not know what its rows mean.
 * @throws ConfigurationError
 */
export async function refuseNewerSchema(owner: pg.Client, migrations: (new () => MigrationInterface)[]): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = (await appliedMigrations(owner)).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new ConfigurationError(
    `The database was migrated by a newer version of the service (it has ${unknown.join(', ')}, which this version does not know); ` +
      `nothing was changed: start that version, or a newer one`,
  );
}

/** Names of the migrations the database has, in the order they were applied; none for a database without tables of ours. */
export async function appliedMigrations(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasTable(client, 'migrations'))) return [];
  const { rows } = await client.query<{ name: string }>('select name from migrations order by id');
  return rows.map(({ name }) => name);
}

/** @throws ConfigurationError when the tables belong to a role that `owner` is not, so that it could neither migrate nor mend */
export async function refuseForeignTables(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ table_owner: string; me: string }>(
    `select distinct pg_get_userbyid(c.relowner) as table_owner, current_user as me from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname in ('stores', 'migrations') and not pg_has_role(c.relowner, 'USAGE')`,
  );
  if (rows.length === 0) return;
  const [{ table_owner: tableOwner, me }] = rows;
  throw new ConfigurationError(
    `DATABASE_URL: the tables belong to the role ${tableOwner}, not to ${me}; connect as ${tableOwner}, ` +
      `or let a superuser run "reassign owned by ${tableOwner} to ${me}" in this database`,
  );
}

/**
 * Compares the configured keys with those the database's secrets are sealed with, and changes nothing.
 * @returns fingerprints of the keys in use; none on a database without secrets
 * @throws ConfigurationError when a key in use is not configured
 */
export async function refuseOtherKey(owner: pg.Client, encryptionKeys: string[]): Promise<string[]> {
  const configured = new Set(encryptionKeys.map(keyFingerprint));
  const inUse = await keysInUse(owner);
  if (inUse.some((fingerprint) => !configured.has(fingerprint))) throw new ConfigurationError(OTHER_KEY);
  if (inUse.length > 0) return inUse;
  // Made by a version that kept no fingerprint: what is sealed names its key.
  const ids = new Map(encryptionKeys.map((key) => [keyId(key), keyFingerprint(key)]));
  const sealedWith = await sealingKeyIds(owner);
  if (sealedWith.some((id) => !ids.has(id))) throw new ConfigurationError(OTHER_KEY);
  return sealedWith.map((id) => ids.get(id)!);
}

/** Notes that secrets are sealed with these keys, the first configured one included: from now on it seals. */
export async function noteKeysInUse(owner: pg.Client, inUse: string[], encryptionKeys: string[]): Promise<void> {
  const fingerprints = [...new Set([...inUse, keyFingerprint(encryptionKeys[0])])];
  await owner.query(
    `insert into encryption_keys (fingerprint, in_use_since) select unnest($1::text[]), now() on conflict do nothing`,
    [fingerprints],
  );
}

/** Fingerprints of the keys that may have sealed something in the database. */
export async function keysInUse(client: pg.ClientBase): Promise<string[]> {
  if (!(await hasTable(client, 'encryption_keys'))) return [];
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from encryption_keys');
  return rows.map(({ fingerprint }) => fingerprint);
}

export async function hasTable(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [name]);
  return rows[0].there;
}

/** Ids of the keys that the values in columns named sealed_* begin with. */
async function sealingKeyIds(owner: pg.Client): Promise<string[]> {
  const { rows: columns } = await owner.query<{ table: string; column: string; hidden: boolean }>(
    `select quote_ident(c.relname) as table, quote_ident(a.attname) as column,
       c.relforcerowsecurity and not (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as hidden
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname like 'sealed\\_%' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  if (columns.length === 0) return [];
  await owner.query('begin');
  try {
    // Forced row-level security hides every row also from the tables' owner; it is forced again by the rollback.
    for (const table of new Set(columns.filter(({ hidden }) => hidden).map(({ table }) => table)))
      await owner.query(`alter table ${table} no force row level security`);
    const parts = columns.map(
      ({ table, column }) => `select split_part(${column}, '.', 1) as id from ${table} where ${column} is not null`,
    );
    const { rows } = await owner.query<{ id: string }>(parts.join(' union '));
    return rows.map(({ id }) => id);
  } finally {
    await owner.query('rollback');
  }
}
