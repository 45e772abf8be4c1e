import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './steps.js';

/** Whoever came by a customer's link, for a customer to be deleted without a look at all others: with a store (docs/operations.md). */
export class Referrals1763700000313 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, 'customers_of_referrer', 'customers (store_id, referrer_id) where referrer_id is not null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index customers_of_referrer`);
  }
}
