import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { createIndex } from './steps.js';

/** The stock keeping units and barcodes of products and variants (docs/behaviour.md §13.15). */
export class ProductCodes1795800000003 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['products', 'variants']) {
      await runner.query(
        `alter table ${table} add column if not exists sku text, add column if not exists barcode text`,
      );
      for (const code of ['sku', 'barcode'])
        await createIndex(
          runner,
          `${table}_of_${code}`,
          `${table} (store_id, ${code}) where ${code} is not null`,
        );
    }
  }
}
