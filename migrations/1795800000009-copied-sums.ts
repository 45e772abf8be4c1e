import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';

const fold = (table: string, condition: string) => `
create or replace trigger fold after insert on ${table} for each row
  when (new.id % 500 = 0 and pg_trigger_depth() < 2${condition}) execute function fold_${table}()`;

/** Rows that are copied from another installation stay as they were there. */
export class CopiedSums1795800000009 implements Step {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['order_days', 'product_days'])
      await runner.query(fold(table, ` and current_setting('shop.copying', true) is distinct from 'on'`));
  }
}
