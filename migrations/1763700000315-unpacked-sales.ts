import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './steps.js';

/** What is not in product_spans yet is read, and found to be packed, without a look at what is. */
export class UnpackedSales1763700000315 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, 'product_days_unpacked', 'product_days (store_id, day) where not packed');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index product_days_unpacked`);
  }
}
