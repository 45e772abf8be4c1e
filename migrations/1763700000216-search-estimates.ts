import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A page needs few rows of a search: the planner's own guess of a thousand makes it compile what runs for a millisecond. */
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
