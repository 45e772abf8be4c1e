import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sealed secrets of authenticator apps, and hashes of the recovery codes that replace a lost app. */
export class SecondFactors1763700000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table second_factors (
        user_id uuid primary key references users on delete cascade,
        secret text not null,
        created_at timestamptz(3) not null,
        -- Null until the first code of the app has been confirmed. Until then codes are not required.
        confirmed_at timestamptz(3),
        -- The time step of the newest code that was used: that code and older ones are refused.
        last_step bigint not null
      )`);
    await runner.query(`select protect_people_table('second_factors')`);
    await runner.query(`
      create table recovery_codes (
        user_id uuid not null references users on delete cascade,
        code_hash text not null,
        used_at timestamptz(3),
        primary key (user_id, code_hash)
      )`);
    await runner.query(`select protect_people_table('recovery_codes')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table second_factors, recovery_codes`);
  }
}
