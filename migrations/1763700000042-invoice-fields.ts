import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The details that native invoices ask the buyer for, and the tips, in one row per store. A null column means
 * the default.
 */
export class InvoiceFields1763700000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table invoice_field_configs (
        store_id uuid primary key references stores on delete cascade,
        need_name boolean,
        need_phone_number boolean,
        need_email boolean,
        need_shipping_address boolean,
        is_flexible boolean,
        max_tip_amount integer check (max_tip_amount between 1 and 2000000000),
        suggested_tip_amounts integer[],
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('invoice_field_configs')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table invoice_field_configs`);
  }
}
