import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

/** Filters of a page under a name (docs/behaviour.md §10). */
export class SavedViews1795900000003 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table saved_views (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        page text not null check (page in ('orders', 'customers')),
        name text not null,
        name_key text not null,
        query text not null,
        created_by uuid,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id),
        constraint saved_views_name_key unique (store_id, page, name_key)
      );
      select protect_table('saved_views')`);
  }
}
