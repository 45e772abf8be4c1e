import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The checkout configuration of a store, in one row. A column that was never set is null, which means the
 * default. Fields and filters are json instead of jsonb, so that they are returned as they were written.
 */
export class Checkout1763700000040 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table checkout_configurations (
        store_id uuid primary key references stores on delete cascade,
        mode text check (mode in ('manual', 'native_payments', 'crypto')),
        fields json,
        filters json,
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('checkout_configurations')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table checkout_configurations`);
  }
}
