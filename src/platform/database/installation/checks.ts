import type pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { keyFingerprint } from '../../crypto/secret-box.js';
import { appliedMigrations, keysInUse } from './installation.js';
import { type Migrations, namesOf } from './migration-runner.js';
import { roleNames } from './roles.js';
import { schemaState, unknownOf } from './schema-state.js';

/** What is wrong with a database, and how to mend it: sentences without a full stop. */
export interface Problem {
  found: string;
  cure: string;
  /** What goes on all the same: a start, which mends it, or commands too. Nothing does if it is left out. */
  passes?: 'start' | 'everything';
  /** Nothing else can be asked of such a database. */
  isLast?: true;
}

/** A database, and what a process has for it. */
export interface Examined {
  client: pg.ClientBase;
  /** The schema that the database must have; null accepts any. */
  migrations: Migrations | null;
  encryptionKeys: string[];
  /** Whether the address is of the service's own role, which owns nothing and mends nothing. */
  isServiceRole: boolean;
}

/**
 * What a database is asked before a start changes it, when a command opens it, and by `shop doctor`, which
 * says `fine` where nothing is wrong. Nothing here changes anything.
 */
export const CHECKS: {
  name: string;
  /** The variable that a problem is about. */
  setting?: string;
  find: (at: Examined) => Promise<Problem | null>;
  fine?: (migrations: Migrations) => string;
}[] = [
  { name: 'owner', setting: 'DATABASE_URL', find: foreignTables },
  { name: 'schema', setting: 'DATABASE_URL', find: unfitForTables },
  {
    name: 'schema',
    find: schemaProblem,
    fine: (migrations) => `All ${namesOf(migrations).length} migrations are applied.`,
  },
  {
    name: 'key',
    setting: 'ENCRYPTION_KEY',
    find: keyProblem,
    fine: () => 'Every secret is sealed with the configured key.',
  },
];

/** @throws ConfigurationError of the first problem that stops a start or a command, with its cure */
export async function refuseProblems(at: Examined, by: 'start' | 'command'): Promise<void> {
  const done = by === 'start' ? 'changed' : 'done';
  for (const { setting, find } of CHECKS) {
    const problem = await find(at);
    if (!problem || problem.passes === 'everything' || problem.passes === by) continue;
    const { found, cure } = problem;
    throw new ConfigurationError(
      setting
        ? `${setting}: ${found}; nothing was ${done}: ${cure}`
        : `Nothing was ${done}: ${found}; ${cure}`,
    );
  }
}

/** Tables of another role, which this one could neither migrate nor repair. */
async function foreignTables({ client, isServiceRole }: Examined): Promise<Problem | null> {
  const { rows } = await client.query<{ table_owner: string; me: string }>(
    `select distinct pg_get_userbyid(c.relowner) as table_owner, current_user as me from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relname in ('stores', 'migrations')
       and not pg_has_role(c.relowner, 'USAGE')`,
  );
  if (isServiceRole || rows.length === 0) return null;
  const [{ table_owner: tableOwner, me }] = rows;
  return {
    found: `the tables belong to the role ${tableOwner}, not to ${me}`,
    cure:
      `connect as ${tableOwner}, or let a superuser run "reassign owned by ${tableOwner} to ${me}" in this ` +
      'database',
    isLast: true,
  };
}

/** Why the service cannot create its tables in a database that does not have them yet. */
async function unfitForTables({ client }: Examined): Promise<Problem | null> {
  if ((await appliedMigrations(client)).length > 0) return null;
  const { names } = await roleNames(client);
  const { rows } = await client.query<{
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
      isLast: true,
    };
  if (!mayCreate)
    return {
      found: `the role ${me} may not make tables in the database ${database}`,
      cure: `let a superuser run "alter database ${database} owner to ${me}"`,
      isLast: true,
    };
  if (!mayMakeRoles)
    return {
      found: `the role ${me} may not make the roles of the service`,
      cure: `let a superuser run "alter role ${me} createrole"`,
      isLast: true,
    };
  return null;
}

const MIGRATED = { cure: 'start the service, or run shop migrate', passes: 'start' } as const;
const CURES = {
  none: { ...MIGRATED, isLast: true },
  older: MIGRATED,
  newer: { cure: 'use the version that has migrated it, or a newer one' },
  other: {
    cure: 'use the version that made it, or an empty database (another DATA_DIR, or another DATABASE_URL)',
  },
} as const;

/** How the schema of the database differs from that of this version. */
async function schemaProblem({ client, migrations }: Examined): Promise<Problem | null> {
  const applied = await appliedMigrations(client);
  if (applied.length === 0) return { found: 'the database has no tables of the service yet', ...CURES.none };
  const state = migrations ? schemaState(applied, migrations) : 'same';
  if (state === 'same') return null;
  const own = namesOf(migrations!).at(-1);
  const last = unknownOf(applied, migrations!).at(-1) ?? applied.at(-1);
  return {
    found: `the schema of the database is ${last}, and that of this version ${own}`,
    ...CURES[state],
  };
}

/**
 * How the configured keys differ from those that seal the database's secrets. Only a rotation mends secrets
 * that are sealed with an older key.
 */
async function keyProblem({ client, encryptionKeys, isServiceRole }: Examined): Promise<Problem | null> {
  const inUse = await keysInUse(client);
  const [current, ...older] = encryptionKeys.map(keyFingerprint);
  if (current === undefined || inUse.some((key) => key !== current && !older.includes(key)))
    return {
      found: 'not the key that the secrets in this database are sealed with',
      cure:
        'configure the key the service ran with until now (the embedded database keeps its own in the file ' +
        'encryption.key of DATA_DIR), and while keys are rotated both: new,old',
    };
  // Only the owner of the tables notes a key, and what it seals must be found by a rotation.
  if (isServiceRole && !inUse.includes(current))
    return {
      found: 'the database does not know its first key yet',
      cure: 'run shop migrate with it first',
    };
  if (inUse.some((key) => key !== current))
    return {
      found: 'secrets are still sealed with an older key',
      cure: 'run shop keys rotate, then drop the older one',
      passes: 'everything',
    };
  if (older.length === 0) return null;
  return {
    found: 'an older key is configured, and nothing is sealed with it',
    cure: 'drop it from ENCRYPTION_KEY',
    passes: 'everything',
  };
}
