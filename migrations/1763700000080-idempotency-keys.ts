import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The results of calls with an Idempotency-Key, which are returned again if the call is repeated. */
export class IdempotencyKeys1763700000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table idempotency_keys (
        store_id uuid not null references stores on delete cascade,
        key text not null,
        operation text not null,
        input_hash text not null,
        response text,
        created_at timestamptz(3) not null,
        primary key (store_id, key)
      )`);
    await runner.query(`create index idempotency_keys_age on idempotency_keys (created_at)`);
    await runner.query(`select protect_table('idempotency_keys')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table idempotency_keys`);
  }
}
