import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a person recognizes a session by, and an id that is not its hash, to end it by. */
export class ListedSessions1763700000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The default is for sessions that exist; they show neither browser nor address.
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
