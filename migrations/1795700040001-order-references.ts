import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { createIndex } from './steps.js';

/** What other systems know an order by (docs/behaviour.md §13.13). */
export class OrderReferences1795700040001 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table orders add column if not exists external_id text, add column if not exists metadata json`);
    await createIndex(
      runner,
      'orders_of_reference',
      'orders (store_id, external_id) where external_id is not null',
    );
  }
}
