import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Failed deliveries of a store, the newest first: few among very many that were delivered, so that a change of status seldom enters
 * it. Built beside the calls of running instances; it may be run again.
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
