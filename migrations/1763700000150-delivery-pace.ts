import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Due times and leases go by one clock, the database's, and the pace of an endpoint outlives the process that learned it (docs/behaviour.md §7.8). */
export class DeliveryPace1763700000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Cut to the milliseconds that columns keep: they would round up, and what was just queued would be due a moment later.
    // STABLE and one expression, so the planner puts it in place of the call and may use it with an index.
    await runner.query(`
      create function shop_now() returns timestamptz language sql stable parallel safe
      as $$ select date_trunc('milliseconds', statement_timestamp()) $$`);
    await runner.query(`
      alter table webhook_endpoints add column pace text not null default 'unknown'
        check (pace in ('unknown', 'prompt', 'slow', 'silent'))`);
    // What came due within the last seconds, of all stores; webhook_deliveries_due answers for one store.
    await runner.query(`create index webhook_deliveries_next on webhook_deliveries (next_attempt_at) where status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index webhook_deliveries_next`);
    await runner.query(`alter table webhook_endpoints drop column pace`);
    await runner.query(`drop function shop_now()`);
  }
}
