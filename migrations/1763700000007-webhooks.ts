import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One endpoint per store, its deliveries, and all attempts (docs/behaviour.md §7). */
export class Webhooks1763700000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_endpoints (
        store_id uuid primary key references stores on delete cascade,
        url text not null,
        sealed_secret text not null,
        paused_at timestamptz(3),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('webhook_endpoints')`);
    // The body is bytea, because the same bytes must be signed and sent on every attempt, and jsonb reorders
    // keys.
    await runner.query(`
      create table webhook_deliveries (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        order_id bigint,
        event text not null,
        body bytea not null,
        status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
        failed_attempts integer not null default 0,
        next_attempt_at timestamptz(3),
        lease_until timestamptz(3),
        lease_token uuid,
        created_at timestamptz(3) not null,
        finished_at timestamptz(3),
        primary key (store_id, id)
      ) with (fillfactor = 80)`);
    await runner.query(`
      create index webhook_deliveries_due on webhook_deliveries (store_id, next_attempt_at, id) where status = 'pending'`);
    await runner.query(
      `create index webhook_deliveries_of_order on webhook_deliveries (store_id, order_id) where status = 'pending'`,
    );
    await runner.query(`create index webhook_deliveries_age on webhook_deliveries (created_at)`);
    await runner.query(`select protect_table('webhook_deliveries')`);
    await runner.query(`
      create table webhook_attempts (
        store_id uuid not null,
        delivery_id uuid not null,
        id uuid not null,
        at timestamptz(3) not null,
        duration_ms integer not null,
        status_code integer,
        error text,
        response text,
        primary key (store_id, delivery_id, id),
        constraint webhook_attempts_delivery foreign key (store_id, delivery_id)
          references webhook_deliveries (store_id, id) on delete cascade
      )`);
    await runner.query(`select protect_table('webhook_attempts')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table webhook_attempts, webhook_deliveries, webhook_endpoints`);
  }
}
