import type { QueryRunner } from 'typeorm';

/** Changes that are tried before they are made. */
export class PreviewedChanges1795600040000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table previewed_changes (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        actor text not null,
        operation text not null,
        sealed_input text not null,
        outcome_hash text not null,
        is_stepwise boolean not null,
        expires_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    await runner.query('create index previewed_changes_age on previewed_changes (expires_at)');
    await runner.query(`select protect_table('previewed_changes')`);
  }
}
