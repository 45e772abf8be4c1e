import type pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { servicePasswordIn } from '../../config/database-url.js';
import { Client } from '../connections/connection.js';
import { refuseProblems } from './checks.js';
import type { Migrations } from './migration-runner.js';
import { roleNames, roleUrl, type RoleUrls } from './roles.js';

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
    const isServiceRole = servicePasswordIn(ownerUrl) !== null;
    await refuseProblems({ client: owner, migrations, encryptionKeys, isServiceRole }, 'command');
    return await roleUrls(owner, ownerUrl, encryptionKeys);
  } finally {
    await owner.end();
  }
}

async function roleUrls(owner: pg.Client, ownerUrl: string, encryptionKeys: string[]): Promise<RoleUrls> {
  const { names } = await roleNames(owner);
  const [store, system] = await Promise.all(
    [names.store, names.system].map(async (role) => {
      const url = await roleUrl(owner, ownerUrl, role, encryptionKeys);
      if (url !== null) return url;
      throw new ConfigurationError(
        `The role ${role} does not sign in: start the service, or run shop migrate, which mends it`,
      );
    }),
  );
  return { store, system };
}
