import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Apps that people connect to their stores: the clients, the grants and their tokens (docs/behaviour.md §15).
 */
export class Oauth1763700000250 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table oauth_clients (
        id text primary key,
        kind text not null check (kind in ('registered', 'partner')),
        metadata jsonb not null,
        created_at timestamptz(3) not null,
        -- Null for the app of a partner, which remains until the operator removes it.
        expires_at timestamptz(3)
      )`);
    await runner.query(`create index oauth_clients_expiry on oauth_clients (expires_at)`);
    await runner.query(`
      create table oauth_blocked_clients (
        -- The id of a client, or a host of documents of clients.
        client text primary key,
        blocked_at timestamptz(3) not null
      )`);
    await runner.query(`
      create table oauth_interactions (
        id_hash text primary key,
        payload jsonb not null,
        expires_at timestamptz(3) not null
      )`);
    await runner.query(`create index oauth_interactions_expiry on oauth_interactions (expires_at)`);
    await runner.query(`
      create table oauth_grants (
        store_id uuid not null,
        id uuid not null,
        user_id uuid not null,
        client_id text not null,
        client_name text not null,
        client_host text,
        redirect_host text not null,
        scope text not null check (scope in ('read', 'write', 'admin')),
        resource text not null,
        created_at timestamptz(3) not null,
        last_used_at timestamptz(3),
        expires_at timestamptz(3) not null,
        primary key (store_id, id),
        -- The grant of a token is looked up before its store is known.
        constraint oauth_grants_id_key unique (id),
        -- The grants of members are deleted when they leave the store.
        constraint oauth_grants_member_fkey foreign key (store_id, user_id) references store_members on delete cascade
      )`);
    await runner.query(`create index oauth_grants_member on oauth_grants (store_id, user_id)`);
    await runner.query(`create index oauth_grants_user on oauth_grants (user_id)`);
    await runner.query(`create index oauth_grants_client on oauth_grants (client_id)`);
    await runner.query(`create index oauth_grants_expiry on oauth_grants (expires_at)`);
    await runner.query(`
      create table oauth_tokens (
        store_id uuid not null,
        grant_id uuid not null,
        kind text not null check (kind in ('AccessToken', 'AuthorizationCode', 'RefreshToken')),
        token_hash text not null,
        payload jsonb not null,
        consumed_at timestamptz(3),
        expires_at timestamptz(3) not null,
        primary key (store_id, token_hash),
        -- A token is looked up before its store is known.
        constraint oauth_tokens_hash_key unique (token_hash),
        foreign key (store_id, grant_id) references oauth_grants on delete cascade
      )`);
    await runner.query(`create index oauth_tokens_grant on oauth_tokens (store_id, grant_id)`);
    await runner.query(`create index oauth_tokens_expiry on oauth_tokens (expires_at)`);
    for (const table of ['oauth_clients', 'oauth_blocked_clients', 'oauth_interactions'])
      await runner.query(`select protect_people_table('${table}')`);
    for (const table of ['oauth_grants', 'oauth_tokens'])
      await runner.query(`select protect_table('${table}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `drop table oauth_tokens, oauth_grants, oauth_interactions, oauth_blocked_clients, oauth_clients`,
    );
  }
}
