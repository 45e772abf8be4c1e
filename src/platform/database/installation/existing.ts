import type pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { servicePasswordIn, withRole } from '../../config/database-url.js';
import { keyFingerprint } from '../../crypto/secret-box.js';
import { Client } from '../connections/connection.js';
import { appliedMigrations, refuseForeignTables, refuseOtherKey } from './installation.js';
import { type Migrations, namesOf } from './migration-runner.js';
import { opens, roleNames, rolePassword, type RoleUrls } from './roles.js';

const MIGRATE = 'start the service, or run shop migrate';

/**
 * How the schema of a database differs from that of this version, as a sentence without a full stop that
 * names both; null if they are the same.
 */
export function schemaDifference(applied: string[], migrations: Migrations): string | null {
  const own = namesOf(migrations);
  if (applied.length === 0)
    return `the database has no tables of the service, and this version has ${own.at(-1)}`;
  const newer = applied.filter((name) => !own.includes(name));
  const pending = own.filter((name) => !applied.includes(name));
  if (newer.length === 0 && pending.length === 0) return null;
  const found = newer.at(-1) ?? applied.at(-1);
  return `the schema of the database is ${found}, and that of this version ${own.at(-1)}`;
}

/**
 * Finds the roles of a database that a start or `shop migrate` has prepared, and changes nothing. This is how
 * a command opens a database, and a start whose address is of the service's own role.
 * @param migrations the schema that the database must have; null accepts any
 * @returns the addresses of the roles
 * @throws ConfigurationError with one sentence that says how to fix it
 */
export async function existingRoles(
  ownerUrl: string,
  encryptionKeys: string[],
  migrations: Migrations | null,
): Promise<RoleUrls> {
  const owner = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await owner.connect();
  try {
    if (servicePasswordIn(ownerUrl) === null) await refuseForeignTables(owner);
    const applied = await appliedMigrations(owner);
    refuseOtherSchema(applied, migrations);
    const inUse = await refuseOtherKey(owner, encryptionKeys);
    if (servicePasswordIn(ownerUrl) !== null) refuseUnknownKey(inUse, encryptionKeys);
    return await roleUrls(owner, ownerUrl, encryptionKeys);
  } finally {
    await owner.end();
  }
}

function refuseOtherSchema(applied: string[], migrations: Migrations | null): void {
  if (migrations === null) {
    if (applied.length > 0) return;
    throw new ConfigurationError('The database has no tables of the service');
  }
  const difference = schemaDifference(applied, migrations);
  if (difference === null) return;
  const isNewer = applied.some((name) => !namesOf(migrations).includes(name));
  const cure = isNewer ? 'use the version that the service has' : MIGRATE;
  throw new ConfigurationError(`Nothing was done: ${difference}; ${cure}`);
}

/** Only the owner of the tables notes a key, and what it seals must be found by a rotation. */
function refuseUnknownKey(inUse: string[], [first]: string[]): void {
  if (inUse.includes(keyFingerprint(first))) return;
  throw new ConfigurationError(
    'ENCRYPTION_KEY: the database does not know its first key yet: run shop migrate with it first',
  );
}

async function roleUrls(owner: pg.Client, ownerUrl: string, encryptionKeys: string[]): Promise<RoleUrls> {
  const { names } = await roleNames(owner);
  const [store, system] = await Promise.all(
    [names.store, names.system].map(async (role) => {
      const password = await rolePassword(owner, ownerUrl, role, encryptionKeys);
      const url = password === null ? null : withRole(ownerUrl, role, password);
      if (url !== null && (await opens(url))) return url;
      throw new ConfigurationError(`The role ${role} does not sign in: ${MIGRATE}, which mends it`);
    }),
  );
  return { store, system };
}
