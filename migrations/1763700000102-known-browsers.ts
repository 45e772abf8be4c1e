import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Browsers that have signed in to an account before, by the hash of a cookie. Their attempts are counted
 * separately from those of strangers.
 */
export class KnownBrowsers1763700000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table known_browsers (
        user_id uuid not null references users on delete cascade,
        token_hash text not null,
        last_used_at timestamptz(3) not null,
        primary key (user_id, token_hash)
      )`);
    await runner.query(`create index known_browsers_token on known_browsers (token_hash)`);
    await runner.query(`select protect_people_table('known_browsers')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table known_browsers`);
  }
}
