import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The stores with deliveries to retry, each with the time `due_at` before which there is nothing to attempt.
 * It is updated when attempts are recorded, so that a search for due deliveries does not have to visit
 * waiting stores (docs/decisions/0012-due-stores.md).
 */
export class DueStores1763700000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_due_stores (
        store_id uuid primary key references stores on delete cascade,
        due_at timestamptz(3) not null
      ) with (fillfactor = 70)`);
    await runner.query(`create index webhook_due_stores_due on webhook_due_stores (due_at)`);
    await runner.query(`select protect_table('webhook_due_stores')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table webhook_due_stores`);
  }
}
