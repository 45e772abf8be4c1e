import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time links with which people choose a new password. Only hashes are stored. */
export class PasswordResets1763700000103 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table password_resets (
        token_hash text primary key,
        user_id uuid not null references users on delete cascade,
        expires_at timestamptz(3) not null
      )`);
    await runner.query(`create index password_resets_user on password_resets (user_id)`);
    await runner.query(`create index password_resets_age on password_resets (expires_at)`);
    await runner.query(`select protect_people_table('password_resets')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table password_resets`);
  }
}
