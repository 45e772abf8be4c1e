import { type Migrations, namesOf } from './migration-runner.js';

/**
 * How the schema of a database, or of a backup, stands to that of this version. None of the steps lead from
 * one that is `other`.
 */
type SchemaState = 'none' | 'same' | 'older' | 'newer' | 'other';

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
