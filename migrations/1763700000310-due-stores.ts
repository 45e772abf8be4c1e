import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a store whose deliveries are tried again has something to attempt: at `due_at`, or later. Kept as attempts are recorded, so
 * that looking for what is due does not visit the stores that wait (docs/decisions/0012-due-stores.md).
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
