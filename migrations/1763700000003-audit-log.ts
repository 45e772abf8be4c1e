import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log: actor, operation, time and transport (docs/behaviour.md §6.10). */
export class AuditLog1763700000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_log (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        at timestamptz(3) not null,
        actor_kind text not null,
        actor_id text,
        actor_name text not null,
        operation text not null,
        transport text not null,
        action text,
        target text,
        input json not null,
        changes json,
        outcome text not null,
        request_id text not null,
        primary key (store_id, id)
      )`);
    await runner.query(`select protect_table('audit_log')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table audit_log`);
  }
}
