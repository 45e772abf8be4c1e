import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lowers the estimated rows of searches, of which a page needs few. With the default of a thousand, the
 * planner compiles queries that run for a millisecond.
 */
export class SearchEstimates1763700000216 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter function find_customers(uuid, text, bigint, integer) rows 25`);
    await runner.query(`alter function find_products(uuid, text) rows 25`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter function find_customers(uuid, text, bigint, integer) rows 1000`);
    await runner.query(`alter function find_products(uuid, text) rows 1000`);
  }
}
