import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Due times and leases use the clock of the database, and the pace of an endpoint is stored, so that it
 * survives restarts (docs/behaviour.md §7.8).
 */
export class DeliveryPace1763700000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The time is cut to milliseconds, because columns would round it up, and a delivery that was just queued
    // would be due a moment later. The function is STABLE and a single expression, so that the planner can
    // inline it and use it with an index.
    await runner.query(`
      create function shop_now() returns timestamptz language sql stable parallel safe
      as $$ select date_trunc('milliseconds', statement_timestamp()) $$`);
    await runner.query(`
      alter table webhook_endpoints add column pace text not null default 'unknown'
        check (pace in ('unknown', 'prompt', 'slow', 'silent'))`);
    // This index finds deliveries of all stores that have recently become due; webhook_deliveries_due is for
    // one store.
    await runner.query(
      `create index webhook_deliveries_next on webhook_deliveries (next_attempt_at) where status = 'pending'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index webhook_deliveries_next`);
    await runner.query(`alter table webhook_endpoints drop column pace`);
    await runner.query(`drop function shop_now()`);
  }
}
