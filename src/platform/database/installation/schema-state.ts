import type pg from 'pg';
import { ConfigurationError } from '../../config/config.js';
import { appliedMigrations } from './installation.js';
import { type Migrations, namesOf } from './migration-runner.js';

/**
 * How the schema of a database, or of a backup, stands to that of this version. None of the steps lead from
 * one that is `other`.
 */
export type SchemaState = 'none' | 'same' | 'older' | 'newer' | 'other';

/** Where this version can begin anew. */
export const EMPTY_DATABASE = 'an empty database (another DATA_DIR, or another DATABASE_URL)';

/** @param applied the names of what the database has */
export function schemaState(applied: string[], migrations: Migrations): SchemaState {
  const own = namesOf(migrations);
  if (applied.length === 0) return 'none';
  if (!applied.includes(own[0])) return 'other';
  if (unknownOf(applied, migrations).length > 0) return 'newer';
  return own.every((name) => applied.includes(name)) ? 'same' : 'older';
}

/** What this version does not know of. */
export function unknownOf(applied: string[], migrations: Migrations): string[] {
  const known = new Set(namesOf(migrations));
  return applied.filter((name) => !known.has(name));
}

/** The difference of the schemas as a sentence without a full stop that names both. */
export function schemaDifference(applied: string[], migrations: Migrations): string {
  const own = namesOf(migrations).at(-1);
  if (applied.length === 0) return `the database has no tables of the service, and this version has ${own}`;
  const found = unknownOf(applied, migrations).at(-1) ?? applied.at(-1);
  return `the schema of the database is ${found}, and that of this version ${own}`;
}

/**
 * Refuses a database that this version can neither use nor migrate.
 * @throws ConfigurationError
 */
export async function refuseOtherSchema(owner: pg.Client, migrations: Migrations): Promise<void> {
  const applied = await appliedMigrations(owner);
  const state = schemaState(applied, migrations);
  if (state === 'newer')
    throw new ConfigurationError(
      `The database was migrated by a newer version of the service ` +
        `(it has ${unknownOf(applied, migrations).join(', ')}, which this version does not know); ` +
        `nothing was changed: start that version, or a newer one`,
    );
  if (state === 'other')
    throw new ConfigurationError(
      `The database was made by another version of the service, and nothing was changed: ` +
        `${schemaDifference(applied, migrations)}; start the version that made it, or use ${EMPTY_DATABASE}`,
    );
}
