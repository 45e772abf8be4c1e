import type { MigrationInterface, QueryRunner } from 'typeorm';

interface StoredCode {
  storeId: string;
  id: string;
  code: string;
  key: string;
}

/**
 * The service now writes the keys by which promocodes are compared, because lower() recognizes only the
 * letters of the database's locale, and treats the two lowercase sigmas of Greek as different letters. A code
 * keeps its old key if another code already has the new one.
 */
export class PromocodeKeys1763700000083 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table promocodes alter column code_key drop expression`);
    await runner.query(`alter table promocodes no force row level security`);
    const stored = (await runner.query(
      `select store_id as "storeId", id, code, code_key as key from promocodes`,
    )) as StoredCode[];
    for (const { storeId, id, code, key } of stored) {
      const folded = code
        .normalize('NFC')
        .toLowerCase()
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFC');
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
