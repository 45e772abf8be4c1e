import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Promocodes by how their codes begin: the unique index sorts as the database's locale does, in which a beginning is no range. Built
 * beside the calls of running instances; it may be run again.
 */
export class PromocodeSearch1763700000260 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index if exists promocodes_by_code`);
    await runner.query(`create index concurrently promocodes_by_code on promocodes (store_id, code_key text_pattern_ops)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index promocodes_by_code`);
  }
}
