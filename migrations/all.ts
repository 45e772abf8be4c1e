import { readFileSync } from 'node:fs';
import type { Migrations } from '../src/platform/database/installation/migration-runner.js';

/** The schema, and the steps since, in the order in which they are applied. */
export const MIGRATIONS: Migrations = {
  schema: readFileSync(new URL('schema.sql', import.meta.url), 'utf8'),
  steps: [],
};
