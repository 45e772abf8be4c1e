import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trace that a delivery is part of, so that whoever delivers it, minutes later and in another process, goes on with it. Set where
 * the transaction says what it is part of, which it does only while spans are told to a collector; null otherwise.
 */
export class DeliveryTraces1763700000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table webhook_deliveries add column traceparent text default nullif(current_setting('shop.traceparent', true), '')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table webhook_deliveries drop column traceparent`);
  }
}
