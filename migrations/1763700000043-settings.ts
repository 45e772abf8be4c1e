import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The general settings of the storefront, in one row per store. A null column was never set. */
export class Settings1763700000043 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table store_settings (
        store_id uuid primary key references stores on delete cascade,
        title text,
        name text,
        description text,
        keywords text,
        logo_url text,
        dark_logo_url text,
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('store_settings')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table store_settings`);
  }
}
