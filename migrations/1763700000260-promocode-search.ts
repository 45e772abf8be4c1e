import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index for searching promocodes by the beginning of their codes. The unique index cannot be used for
 * that, because it sorts by the database's locale, in which codes with the same beginning are not a range.
 * The index is built while instances serve calls, and the migration can be run again.
 */
export class PromocodeSearch1763700000260 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index if exists promocodes_by_code`);
    await runner.query(
      `create index concurrently promocodes_by_code on promocodes (store_id, code_key text_pattern_ops)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index promocodes_by_code`);
  }
}
