import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of the people who run stores. Only hashes of their tokens are stored (docs/behaviour.md §10). */
export class Sessions1763700000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- For tables that belong to people rather than to a store: no store's session sees them, only the system role does.
      create function protect_people_table(name regclass) returns void language plpgsql as $$
      declare
        system_role text := left(current_database(), 56) || '_system';
      begin
        execute format('alter table %s enable row level security', name);
        execute format('alter table %s force row level security', name);
        execute format('create policy every_row on %s to %I using (true) with check (true)', name, system_role);
        execute format('grant select, insert, update, delete on %s to %I', name, system_role);
      end $$`);
    await runner.query(`
      create table sessions (
        token_hash text primary key,
        user_id uuid not null references users on delete cascade,
        created_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null
      )`);
    await runner.query(`create index sessions_user on sessions (user_id)`);
    await runner.query(`select protect_people_table('sessions')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table sessions`);
    await runner.query(`drop function protect_people_table(regclass)`);
  }
}
