import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './steps.js';

/**
 * An index of pending deliveries without a failed attempt, which are due but in no other list
 * (docs/decisions/0012-due-stores.md).
 */
export class FreshDeliveries1763700000311 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'webhook_deliveries_fresh',
      `webhook_deliveries (store_id) where status = 'pending' and failed_attempts = 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index webhook_deliveries_fresh`);
  }
}
