import type { QueryRunner } from 'typeorm';

/** Changes of the audit log that were undone, and what undoing needs. */
export class KeptChanges1795600040001 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log add column undone_at timestamptz(3)');
    await runner.query(`create table kept_changes (
        store_id uuid not null,
        activity_id uuid not null,
        sealed_values text not null,
        kept_at timestamptz(3) not null,
        primary key (store_id, activity_id),
        constraint kept_changes_activity foreign key (store_id, activity_id) references audit_log
          on delete cascade
      )`);
    await runner.query('create index kept_changes_age on kept_changes (kept_at)');
    await runner.query(`select protect_table('kept_changes')`);
  }
}
