import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { servicePasswordIn, withRole } from '../../config/database-url.js';
import { SecretBox } from '../../crypto/secret-box.js';
import {
  Client,
  LOCK_LIMIT_MS,
  STATEMENT_LIMIT_MS,
  TRANSACTION_LIMIT_MS,
} from '../connections/connection.js';

/** The two roles that the service connects as. Neither owns a table or may bypass row-level security. */
export interface RoleUrls {
  /** Sees only the rows of the store that its session names. */
  store: string;
  /** Sees every store, by its own policies. Used only by SystemDatabase. */
  system: string;
}

export interface Roles {
  /** Names of the roles, `<database>_store` and `<database>_system`. */
  names: RoleUrls;
  urls: RoleUrls;
  /** The passwords that are not stored in the database yet, by role. */
  unstored: Map<string, string>;
}

const KINDS = ['store', 'system'] as const;
const INVALID_PASSWORD = '28P01';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates missing roles and finds the roles' passwords. They are random, and the database keeps them sealed
 * for its owner (docs/behaviour.md §16). A password that works is never changed, so that running processes
 * can go on using it.
 * @param owner client of the role that owns the tables and may create roles
 * @param given the password that both roles must have; null: any that works
 */
export async function ensureRoles(
  owner: pg.Client,
  ownerUrl: string,
  encryptionKeys: string[],
  given: string | null,
): Promise<Roles> {
  const { database, names } = await roleNames(owner);
  const roles: Roles = { names, urls: {} as RoleUrls, unstored: new Map() };
  for (const kind of KINDS) {
    const role = names[kind];
    const urlWith = (password: string) => withRole(ownerUrl, role, password);
    const stored = await storedPassword(owner, role, encryptionKeys);
    const known = given ?? stored;
    const isRight = known !== null && (await roleExists(owner, role)) && (await opens(urlWith(known)));
    const password = isRight ? known : (given ?? randomBytes(32).toString('base64url'));
    if (!isRight) await setPassword(owner, role, password);
    if (password !== stored) roles.unstored.set(role, password);
    await setUp(owner, role, kind);
    await owner.query(
      `grant connect on database ${pg.escapeIdentifier(database)} to ${pg.escapeIdentifier(role)}`,
    );
    roles.urls[kind] = urlWith(password);
  }
  return roles;
}

/** Stores the passwords that `ensureRoles` made, sealed. Their table exists only after the migrations. */
export async function storePasswords(
  owner: pg.Client,
  { names, unstored }: Roles,
  encryptionKeys: string[],
): Promise<void> {
  const secrets = new SecretBox(encryptionKeys);
  for (const [role, password] of unstored) {
    await owner.query(
      `insert into role_passwords (role, sealed_password, set_at) values ($1, $2, now())
       on conflict (role) do update set sealed_password = excluded.sealed_password, set_at = excluded.set_at`,
      [role, secrets.seal(password, rolePurpose(role))],
    );
  }
  // A restored database contains the names that its roles had before.
  if (unstored.size > 0)
    await owner.query('delete from role_passwords where role <> all($1)', [Object.values(names)]);
}

export const rolePurpose = (role: string) => `role:${role}`;

export async function roleNames(client: pg.ClientBase): Promise<{ database: string; names: RoleUrls }> {
  const { rows } = await client.query<{ database: string } & RoleUrls>(
    `select current_database() as database, left(current_database(), 56) || '_store' as store,
       left(current_database(), 56) || '_system' as system`,
  );
  const { database, store, system } = rows[0];
  return { database, names: { store, system } };
}

/** @returns null if no password is stored, or if it belongs to another database, which its purpose shows */
async function storedPassword(
  owner: pg.Client,
  role: string,
  encryptionKeys: string[],
): Promise<string | null> {
  const { rows: tables } = await owner.query<{ name: string | null }>(
    `select to_regclass('role_passwords') as name`,
  );
  if (!tables[0].name) return null;
  const { rows } = await owner.query<{ sealed: string }>(
    `select sealed_password as sealed from role_passwords where role = $1`,
    [role],
  );
  try {
    return rows[0] ? new SecretBox(encryptionKeys).open(rows[0].sealed, rolePurpose(role)) : null;
  } catch {
    return null;
  }
}

/**
 * The address of one of the service's roles, whose password the database keeps for its owner, or the given
 * address has; null if it does not sign in with it.
 */
export async function roleUrl(
  client: pg.Client,
  url: string,
  role: string,
  encryptionKeys: string[],
): Promise<string | null> {
  const password = servicePasswordIn(url) ?? (await storedPassword(client, role, encryptionKeys));
  const ofRole = password === null ? null : withRole(url, role, password);
  return ofRole !== null && (await opens(ofRole)) ? ofRole : null;
}

/** @throws ConfigurationError for the address of the service's own role, which owns no tables */
export function refuseServiceRole(url: string): void {
  if (servicePasswordIn(url) === null) return;
  throw new ConfigurationError(
    "DATABASE_URL: it is of the service's own role, and this command needs the one that owns the tables",
  );
}

/** The statements that would bring about the missing grants and policies; none if nothing is missing. */
export async function missingAccess(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ statement: string }>('select missing_access() as statement');
  return rows.map(({ statement }) => statement);
}

/** Brings them about. @returns the statements that were needed */
export async function giveAccess(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ statement: string }>('select give_access() as statement');
  return rows.map(({ statement }) => statement);
}

async function roleExists(owner: pg.Client, role: string): Promise<boolean> {
  const { rowCount } = await owner.query('select 1 from pg_roles where rolname = $1', [role]);
  return rowCount! > 0;
}

/** Whether the URL's password is right. @throws any other error that prevents connecting */
async function opens(url: string): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'shop-role-check',
  });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PASSWORD) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function setPassword(owner: pg.Client, role: string, password: string): Promise<void> {
  const isThere = await roleExists(owner, role);
  // Only a superuser may set the other attributes of an existing role, even to their present values.
  const login = `login password ${pg.escapeLiteral(password)}`;
  const name = pg.escapeIdentifier(role);
  try {
    await owner.query(
      isThere
        ? `alter role ${name} ${login}`
        : `create role ${name} ${login} nosuperuser nobypassrls nocreatedb nocreaterole`,
    );
  } catch (error) {
    throw mayNot(isThere ? 'change' : 'create', role, error as Error);
  }
}

/**
 * Settings of the roles themselves, so that they hold for every connection: a pooler does not accept them
 * from a client. They limit the time of statements, turn off compilation (JIT), which costs searches and
 * statistics more than it saves, and keep short what every search reads of an index beside its tree.
 */
const limit = (name: string, ms: number) => ({ name, value: `${ms / 1000}s`, isNeeded: true });
const LIMITS = {
  store: [limit('statement_timeout', TRANSACTION_LIMIT_MS), limit('lock_timeout', LOCK_LIMIT_MS)],
  system: [limit('statement_timeout', STATEMENT_LIMIT_MS)],
};
const SETTINGS = [
  // These settings only save time, so an owner that may no longer change the roles goes on without them.
  { name: 'jit', value: 'off', isNeeded: false },
  { name: 'gin_pending_list_limit', value: '256kB', isNeeded: false },
];

async function setUp(owner: pg.Client, role: string, kind: (typeof KINDS)[number]): Promise<void> {
  for (const { name, value, isNeeded } of [...LIMITS[kind], ...SETTINGS]) {
    const { rowCount } = await owner.query(
      'select 1 from pg_roles where rolname = $1 and $2 = any(rolconfig)',
      [role, `${name}=${value}`],
    );
    if (rowCount) continue;
    try {
      await owner.query(`alter role ${pg.escapeIdentifier(role)} set ${name} = '${value}'`);
    } catch (error) {
      const refusal = mayNot('change', role, error as Error);
      if (isNeeded || !(refusal instanceof ConfigurationError)) throw refusal;
    }
  }
}

function mayNot(change: 'change' | 'create', role: string, error: Error & { code?: string }): Error {
  if (error.code !== INSUFFICIENT_PRIVILEGE) return error;
  return new ConfigurationError(
    `DATABASE_URL: its role may not ${change} the role ${role} (${error.message}); give it CREATEROLE` +
      (change === 'change' ? `, and "grant ${role} to <it> with admin option", or drop ${role}` : ''),
  );
}
