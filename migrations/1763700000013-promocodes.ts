import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Promocodes. Codes are unique in a store and are found regardless of case (docs/behaviour.md §1.3). The key
 * is a column instead of an index expression: with row-level security, conditions on lower() cannot use an
 * index, because lower() is not marked leakproof.
 */
export class Promocodes1763700000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table promocodes (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        code text not null,
        code_key text not null generated always as (lower(code)) stored,
        discount_type text not null check (discount_type in ('PERCENTAGE', 'FIXED_AMOUNT')),
        discount_value numeric not null check (discount_value > 0),
        expires_at timestamptz(3),
        max_uses bigint check (max_uses > 0),
        used_count bigint not null default 0 check (used_count >= 0),
        is_active boolean not null default true,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint promocodes_code_key unique (store_id, code_key)
      )`);
    await runner.query(`select protect_table('promocodes')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table promocodes`);
  }
}
