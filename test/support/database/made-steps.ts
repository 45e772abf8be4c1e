import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../../migrations/all.js';
import type { Migrations, Step } from '../../../src/platform/database/installation/migration-runner.js';

export type Up = (runner: QueryRunner) => Promise<unknown>;

/** A step that no version has. @param name ends with a time in milliseconds */
export function madeStep(name: string, up: Up, transaction?: boolean): new () => Step {
  const made = class {
    transaction = transaction;
    up = up;
  };
  Object.defineProperty(made, 'name', { value: name });
  return made;
}

/** The migrations of a later version, which has these steps too. */
export const withSteps = (...steps: (new () => Step)[]): Migrations => ({
  ...MIGRATIONS,
  steps: [...MIGRATIONS.steps, ...steps],
});
