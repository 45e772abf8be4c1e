import type { MigrationInterface, QueryRunner } from 'typeorm';

interface StoredCode {
  storeId: string;
  id: string;
  code: string;
  key: string;
}

/**
 * What promocodes are compared by is written by the service: lower() knows only the letters of the database's locale, and takes
 * the two small sigmas of Greek for two letters. A code whose key another one has by now keeps the key it had.
 */
export class PromocodeKeys1763700000083 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table promocodes alter column code_key drop expression`);
    await runner.query(`alter table promocodes no force row level security`);
    const stored = (await runner.query(
      `select store_id as "storeId", id, code, code_key as key from promocodes`,
    )) as StoredCode[];
    for (const { storeId, id, code, key } of stored) {
      const folded = code.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
      if (folded === key) continue;
      await runner.query(
        `update promocodes p set code_key = $3 where p.store_id = $1 and p.id = $2
           and not exists (select from promocodes o where o.store_id = $1 and o.code_key = $3)`,
        [storeId, id, folded],
      );
    }
    await runner.query(`alter table promocodes force row level security`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table promocodes drop constraint promocodes_code_key, drop column code_key`);
    await runner.query(`alter table promocodes add column code_key text not null generated always as (lower(code)) stored,
      add constraint promocodes_code_key unique (store_id, code_key)`);
  }
}
