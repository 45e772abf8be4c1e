import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trace of a delivery, so that an attempt that is made later and in another process can continue it. It
 * is set only if the transaction is part of a trace, which requires that spans are exported to a collector;
 * otherwise it is null.
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
