import type pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { keyFingerprint } from '../../crypto/secret-box.js';
import { CONNECTION, Client } from '../connections/connection.js';
import { roleNames } from './roles.js';
import type { Problem } from './schema-state.js';

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
 * Checks whether the service can create its tables in a database that does not have them yet.
 * @returns what is wrong and how to repair it, each a sentence without a full stop; null if nothing is wrong
 */
export async function unfitForTables(owner: pg.ClientBase): Promise<Pick<Problem, 'found' | 'cure'> | null> {
  const { names } = await roleNames(owner);
  const { rows } = await owner.query<{
    me: string;
    database: string;
    encoding: string;
    may_create: boolean;
    may_make_roles: boolean;
  }>(
    `select quote_ident(current_user) as me, quote_ident(datname) as database,
       pg_encoding_to_char(encoding) as encoding,
       coalesce(
         (select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public'), false
       ) as may_create,
       (select rolsuper or rolcreaterole from pg_roles where rolname = current_user)
         or (select count(*) = 2 from pg_roles where rolname in ($1, $2))
         as may_make_roles
     from pg_database where datname = current_database()`,
    [names.store, names.system],
  );
  const { me, database, encoding, may_create: mayCreate, may_make_roles: mayMakeRoles } = rows[0];
  if (encoding !== 'UTF8')
    return {
      found:
        `the database ${database} is in the encoding ${encoding}, ` +
        'which does not hold every name and text',
      cure:
        `create it again with "create database ${database} owner ${me} ` +
        `encoding 'UTF8' locale 'C.UTF-8' template template0"`,
    };
  if (!mayCreate)
    return {
      found: `the role ${me} may not make tables in the database ${database}`,
      cure: `let a superuser run "alter database ${database} owner to ${me}"`,
    };
  if (!mayMakeRoles)
    return {
      found: `the role ${me} may not make the roles of the service`,
      cure: `let a superuser run "alter role ${me} createrole"`,
    };
  return null;
}

/**
 * @throws ConfigurationError when the database does not have our tables and the service cannot create them
 */
export async function refuseUnfit(owner: pg.Client): Promise<void> {
  const unfit = (await appliedMigrations(owner)).length > 0 ? null : await unfitForTables(owner);
  if (unfit) throw new ConfigurationError(`DATABASE_URL: ${unfit.found}; ${unfit.cure}`);
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

/**
 * @throws ConfigurationError if the tables belong to another role than `owner`'s, which could then neither
 * migrate nor repair them
 */
export async function refuseForeignTables(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ table_owner: string; me: string }>(
    `select distinct pg_get_userbyid(c.relowner) as table_owner, current_user as me from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname in ('stores', 'migrations')
       and not pg_has_role(c.relowner, 'USAGE')`,
  );
  if (rows.length === 0) return;
  const [{ table_owner: tableOwner, me }] = rows;
  throw new ConfigurationError(
    `DATABASE_URL: the tables belong to the role ${tableOwner}, not to ${me}; connect as ${tableOwner}, ` +
      `or let a superuser run "reassign owned by ${tableOwner} to ${me}" in this database`,
  );
}

/**
 * How the configured keys differ from those that seal the database's secrets, as all say who look; null if
 * they do not. Only a rotation mends secrets that are sealed with an older key.
 */
export function keyProblem(inUse: string[], encryptionKeys: string[]): Problem | null {
  const [current, ...older] = encryptionKeys.map(keyFingerprint);
  if (current === undefined || inUse.some((key) => key !== current && !older.includes(key)))
    return {
      found: 'not the key that the secrets in this database are sealed with',
      cure:
        'configure the key the service ran with until now (the embedded database keeps its own in the file ' +
        'encryption.key of DATA_DIR), and while keys are rotated both: new,old',
      isMended: false,
    };
  if (inUse.some((key) => key !== current))
    return {
      found: 'secrets are still sealed with an older key',
      cure: 'run shop keys rotate, then drop the older one',
      isMended: true,
    };
  if (older.length === 0) return null;
  return {
    found: 'an older key is configured, and nothing is sealed with it',
    cure: 'drop it from ENCRYPTION_KEY',
    isMended: true,
  };
}

/**
 * Refuses keys that lack one of the database's. Changes nothing.
 * @returns the fingerprints of the keys in use; none for a database without secrets
 * @throws ConfigurationError
 */
export async function refuseOtherKey(owner: pg.Client, encryptionKeys: string[]): Promise<string[]> {
  const inUse = await keysInUse(owner);
  const problem = keyProblem(inUse, encryptionKeys);
  if (problem && !problem.isMended)
    throw new ConfigurationError(`ENCRYPTION_KEY: ${problem.found}; nothing was changed: ${problem.cure}`);
  return inUse;
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
