import type { QueryRunner } from 'typeorm';
import type { Step } from '../src/platform/database/installation/migration-runner.js';
import { BATCH, inBatches, seeingRows } from './steps.js';

/** Searched texts in which ё is е, and the i of Turkish has no dot or all of them. */
export class FoundLetters1795700010001 implements Step {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const tables = ['products', 'customers', 'former_titles'];
    await seeingRows(runner, tables, async () => {
      for (const table of tables)
        await inBatches(
          runner,
          `update ${table} set
             search_text = replace(translate(search_text, U&'\\0451\\0131', U&'\\0435i'), U&'i\\0307', 'i')
           where ctid = any (array(select ctid from ${table}
             where search_text ~ U&'\\0451|\\0131|i\\0307' limit ${BATCH} for no key update))`,
        );
    });
  }
}
