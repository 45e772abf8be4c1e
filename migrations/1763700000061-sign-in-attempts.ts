import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counters of recent attempts at passwords, by account and by address. They are stored so that a restart does
 * not allow an attacker more attempts.
 */
export class SignInAttempts1763700000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sign_in_attempts (
        subject text primary key,
        attempts integer not null,
        since timestamptz(3) not null
      )`);
    await runner.query(`create index sign_in_attempts_age on sign_in_attempts (since)`);
    await runner.query(`select protect_people_table('sign_in_attempts')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table sign_in_attempts`);
  }
}
