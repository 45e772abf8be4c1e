import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** Uploaded pictures of installations without a bucket (docs/behaviour.md §10.3). */
export class Pictures1795800000008 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table pictures (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        type text not null,
        bytes bytea not null,
        created_at timestamptz(3) not null,
        unused_since timestamptz(3),
        primary key (store_id, id)
      );
      alter table pictures alter column bytes set storage external;
      select protect_table('pictures')`);
  }
}
