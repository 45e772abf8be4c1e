import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The bonus, referral and cashback settings of a store; null is the default. They are json instead of jsonb,
 * so that they are returned as they were written.
 */
export class Monetization1763700000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table monetization (
        store_id uuid primary key references stores on delete cascade,
        bonus json,
        referral json,
        cashback json,
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('monetization')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table monetization`);
  }
}
