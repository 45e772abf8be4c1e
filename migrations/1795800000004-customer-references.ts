import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { createIndex } from './steps.js';

/** What other systems know a customer by (docs/behaviour.md §13.13). */
export class CustomerReferences1795800000004 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table customers add column if not exists external_id text,
        add column if not exists metadata json`);
    await createIndex(
      runner,
      'customers_of_reference',
      'customers (store_id, external_id) where external_id is not null',
    );
  }
}
