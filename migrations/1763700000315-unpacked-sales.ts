import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './steps.js';

/**
 * An index of the entries that are not yet in product_spans, so that reading and packing them does not read
 * packed entries.
 */
export class UnpackedSales1763700000315 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, 'product_days_unpacked', 'product_days (store_id, day) where not packed');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index product_days_unpacked`);
  }
}
