import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores, the people who run them, and the rule for all other tables: rows belong to a store, and only
 * sessions of that store see them.
 */
export class Tenancy1763700000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Turns on forced row-level security for a table with store_id: the store role sees the rows of the store its session names,
      -- the system role sees all. Every migration that makes a table calls it.
      create function protect_table(name regclass, store_column text default 'store_id') returns void language plpgsql as $$
      declare
        store_role text := left(current_database(), 56) || '_store';
        system_role text := left(current_database(), 56) || '_system';
      begin
        execute format('alter table %s enable row level security', name);
        execute format('alter table %s force row level security', name);
        execute format('create policy own_store on %s to %I using (%I = nullif(current_setting(''shop.store_id'', true), '''')::uuid)',
          name, store_role, store_column);
        execute format('create policy every_store on %s to %I using (true) with check (true)', name, system_role);
        execute format('grant select, insert, update, delete on %s to %I, %I', name, store_role, system_role);
      end $$`);
    await runner.query(`
      create table stores (
        id uuid primary key,
        name text not null,
        currency text not null,
        plan text not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      )`);
    await runner.query(`select protect_table('stores', 'id')`);
    await runner.query(`
      create table users (
        id uuid primary key,
        email text not null,
        password_hash text not null,
        created_at timestamptz(3) not null,
        constraint users_email_key unique (email)
      )`);
    // People may belong to several stores, so sessions of a store do not see them: only the system role has a
    // policy.
    await runner.query(`alter table users enable row level security`);
    await runner.query(`alter table users force row level security`);
    await runner.query(`
      do $$ begin
        execute format('create policy every_user on users to %I using (true) with check (true)', left(current_database(), 56) || '_system');
        execute format('grant select, insert, update, delete on users to %I', left(current_database(), 56) || '_system');
      end $$`);
    await runner.query(`
      create table store_members (
        store_id uuid not null references stores on delete cascade,
        user_id uuid not null references users on delete cascade,
        role text not null check (role in ('owner', 'staff')),
        created_at timestamptz(3) not null,
        primary key (store_id, user_id)
      )`);
    await runner.query(`create index store_members_user on store_members (user_id)`);
    await runner.query(`select protect_table('store_members')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table store_members, users, stores`);
    await runner.query(`drop function protect_table(regclass, text)`);
  }
}
