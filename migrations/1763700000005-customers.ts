import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Shoppers. Their id is that of the messenger, with 64 bits. The bonus balance is stored in addition to its
 * ledger.
 */
export class Customers1763700000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table customers (
        store_id uuid not null references stores on delete cascade,
        id bigint not null check (id > 0),
        username text,
        first_name text,
        last_name text,
        is_bot_blocked boolean not null default false,
        is_banned boolean not null default false,
        bonus_balance numeric(20, 2) not null default 0 check (bonus_balance >= 0),
        referrer_id bigint,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        last_seen_at timestamptz(3),
        primary key (store_id, id)
      )`);
    await runner.query(`select protect_table('customers')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table customers`);
  }
}
