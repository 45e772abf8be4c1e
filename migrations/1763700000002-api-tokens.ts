import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API tokens, of which only hashes are stored (docs/behaviour.md §2.1). */
export class ApiTokens1763700000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table api_tokens (
        store_id uuid not null references stores on delete cascade,
        id uuid not null,
        name text not null,
        scope text not null check (scope in ('read', 'write', 'admin')),
        token_hash text not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3),
        primary key (store_id, id),
        constraint api_tokens_hash_key unique (token_hash)
      )`);
    await runner.query(`select protect_table('api_tokens')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table api_tokens`);
  }
}
