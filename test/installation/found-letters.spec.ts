import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { FoundLetters1795700010001 } from '../../migrations/1795700010001-found-letters.js';
import { caseFold, foldLine } from '../../src/platform/text/case-folding.js';
import { ownDatabase } from '../support/database/own-database.js';
import { TestApp } from '../support/test-app.js';

/** A search folds letters as the stored texts are folded, also those of an older version. */
describe('the step for letters that are found as others', () => {
  it('folds the stored names as the service does', async () => {
    const names = ['Ёлкина', 'İsmail', 'ISPARTA', 'ısı', 'Йод', 'e\u0308'];
    const app = await TestApp.start({ database: await ownDatabase() });
    const client = new pg.Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    const { id: store } = await app.store();
    for (const [i, name] of names.entries()) {
      await client.query(
        `insert into customers (store_id, id, first_name, created_at, updated_at, search_text)
         values ($1, $2, $3, now(), now(), $4)`,
        [store, i + 1, name, `${caseFold(name)}\n\n`],
      );
    }
    const query = async (text: string, values: unknown[] = []) => {
      const { rows, rowCount } = await client.query<object>(text, values);
      return { records: rows, affected: rowCount };
    };
    await new FoundLetters1795700010001().up({ query } as unknown as QueryRunner);
    const { rows } = await client.query('select search_text from customers where store_id = $1 order by id', [
      store,
    ]);
    expect(rows.map(({ search_text: text }) => text)).toEqual(names.map((name) => `${foldLine(name)}\n\n`));
    await client.end();
    await app.stop();
  });
});
