import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './steps.js';

/**
 * An index of referred customers by their referrer, so that customers can be deleted with a store without
 * reading all others (docs/operations.md).
 */
export class Referrals1763700000313 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'customers_of_referrer',
      'customers (store_id, referrer_id) where referrer_id is not null',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index customers_of_referrer`);
  }
}
