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

/** What is wrong with a database, and how to mend it: sentences without a full stop. */
export interface Problem {
  found: string;
  cure: string;
  /** Whether a start can mend it. */
  isMended: boolean;
}

const MIGRATE = 'start the service, or run shop migrate';
/** What brings a database to the schema of this version, or this version to that of the database. */
const CURES = {
  none: MIGRATE,
  older: MIGRATE,
  newer: 'use the version that has migrated it, or a newer one',
  other: 'use the version that made it, or an empty database (another DATA_DIR, or another DATABASE_URL)',
};

/** How the schema of a database differs from that of this version; null if it does not. */
export function schemaProblem(applied: string[], migrations: Migrations): Problem | null {
  const state = schemaState(applied, migrations);
  if (state === 'same') return null;
  const own = namesOf(migrations).at(-1);
  const last = unknownOf(applied, migrations).at(-1) ?? applied.at(-1);
  return {
    found:
      state === 'none'
        ? `the database has no tables of the service, and this version has ${own}`
        : `the schema of the database is ${last}, and that of this version ${own}`,
    cure: CURES[state],
    isMended: state === 'none' || state === 'older',
  };
}
