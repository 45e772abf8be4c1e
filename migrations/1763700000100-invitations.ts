import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time links with which people join a store. Only hashes are stored (docs/behaviour.md §12). */
export class Invitations1763700000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table invitations (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        email text not null,
        role text not null check (role in ('owner', 'staff')),
        token_hash text not null,
        invited_by text not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        redeemed_at timestamptz(3),
        withdrawn_at timestamptz(3),
        primary key (store_id, id),
        -- A link is looked up before its store is known.
        constraint invitations_token_key unique (token_hash)
      )`);
    await runner.query(`
      create unique index invitations_open on invitations (store_id, email) where redeemed_at is null and withdrawn_at is null`);
    await runner.query(`select protect_table('invitations')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table invitations`);
  }
}
