import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for deleting old audit rows, and for the check of whether an order has been refunded before. */
export class AuditAge1763700000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index audit_log_age on audit_log (at)`);
    await runner.query(
      `create index audit_log_refunds on audit_log (store_id, target) where operation = 'refund_order'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index audit_log_refunds, audit_log_age`);
  }
}
