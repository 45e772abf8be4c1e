import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of the failed deliveries of a store, newest first. They are few, so a change of status seldom
 * updates it. The index is built while instances serve calls, and the migration can be run again.
 */
export class FailedDeliveries1763700000261 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index if exists webhook_deliveries_failed`);
    await runner.query(
      `create index concurrently webhook_deliveries_failed on webhook_deliveries (store_id, id) where status = 'failed'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index webhook_deliveries_failed`);
  }
}
