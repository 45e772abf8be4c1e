import type { QueryRunner } from 'typeorm';

/**
 * Groups of tokens, grants, members and invitations; who made a token; and when an address was proven. No
 * table is locked together with another, so each statement is on its own.
 */
export class Rights1795500002000 {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column] of [
      ['users', 'email_proven_at timestamptz(3)'],
      ['store_members', 'groups text[]'],
      ['invitations', 'groups text[]'],
      ['invitations', 'mailed_hash text'],
      ['api_tokens', 'groups text[]'],
      ['api_tokens', 'created_by uuid'],
      ['oauth_grants', 'groups text[]'],
    ])
      await runner.query(`alter table ${table} add column if not exists ${column}`);
  }
}
