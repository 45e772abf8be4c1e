import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A key now belongs to its actor, and the answer is stored compressed. Existing keys, which are at most a day
 * old, are deleted, because their actors are not known and their answers may contain the settings of payment
 * buttons.
 */
export class IdempotencyActors1763700000122 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`truncate idempotency_keys`);
    await runner.query(`alter table idempotency_keys drop column response, add column answer bytea, add column actor text not null,
      drop constraint idempotency_keys_pkey, add primary key (store_id, actor, key)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`truncate idempotency_keys`);
    await runner.query(`alter table idempotency_keys drop constraint idempotency_keys_pkey, drop column actor, drop column answer,
      add column response text, add primary key (store_id, key)`);
  }
}
