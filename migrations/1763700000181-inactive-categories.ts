import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index for inactive categories, which every page of the catalog and every order need to know. Usually
 * there are few.
 */
export class InactiveCategories1763700000181 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create index categories_not_active on categories (store_id, id) where not is_active`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index categories_not_active`);
  }
}
