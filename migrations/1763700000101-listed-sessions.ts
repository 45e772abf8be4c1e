import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The details by which people recognize their sessions, and an id other than the hash, with which a session
 * can be ended.
 */
export class ListedSessions1763700000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The default is for existing sessions, whose browser and address are not known.
    await runner.query(`
      alter table sessions
        add column id uuid not null default gen_random_uuid(),
        add column browser text,
        add column address text,
        add constraint sessions_id_key unique (id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table sessions drop column id, drop column browser, drop column address`);
  }
}
