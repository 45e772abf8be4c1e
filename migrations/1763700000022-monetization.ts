import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A store's bonus, referral and cashback blocks; null is the default. json, not jsonb: a block comes back as it was given. */
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
