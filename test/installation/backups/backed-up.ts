import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS } from '../../../migrations/all.js';
import { prepareDatabase } from '../../../src/platform/database/installation/migrate.js';
import { emptyTables, everyRow } from '../../support/database/every-table.js';
import { emptyDatabase, type TestDatabase } from '../../support/database/own-database.js';
import { FullShop } from '../../support/full-shop.js';
import { shop } from '../../support/servers/service-process.js';
import { ownerQuery, TestApp } from '../../support/test-app.js';

export const key = randomBytes(32).toString('base64');

export const env = (ownerUrl: string, keys = key) => ({ DATABASE_URL: ownerUrl, ENCRYPTION_KEY: keys });

export const ordinal = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export async function prepared(ownerUrl: string, keys = [key]): Promise<TestDatabase> {
  const { store, system } = await prepareDatabase(ownerUrl, keys, MIGRATIONS);
  return { ownerUrl, storeUrl: store, systemUrl: system };
}

/** An installation of two shops, one of which has a row in every table, and its backups. */
export class BackedUp {
  private constructor(
    readonly folder: string,
    readonly source: TestDatabase,
    /** The shop with a row in every table. */
    readonly full: FullShop,
    /** Every row of the installation, by table. */
    readonly everything: Record<string, string[]>,
  ) {}

  static async make(): Promise<BackedUp> {
    const source = await prepared(await emptyDatabase());
    const full = await FullShop.create(source, [key]);
    await anotherShop(source);
    expect(await emptyTables(source.ownerUrl, full.id)).toEqual([]);
    const folder = mkdtempSync(path.join(tmpdir(), 'shop-backup-'));
    const made = new BackedUp(folder, source, full, await everyRow(source.ownerUrl));
    const written = await shop(env(source.ownerUrl), 'backup', '--to', made.whole);
    expect(written).toMatchObject({ code: 0, output: { file: made.whole, stores: 2, store: null } });
    expect(written.output.rows).toBe(Object.values(made.everything).flat().length);
    const ofOne = await shop(env(source.ownerUrl), 'backup', '--to', made.single, '--store', full.id);
    expect(ofOne).toMatchObject({
      code: 0,
      output: { stores: 1, store: { id: full.id, name: 'Full shop' } },
    });
    return made;
  }

  /** The backup of everything. */
  get whole(): string {
    return path.join(this.folder, 'whole.backup');
  }

  /** The backup of the full shop. */
  get single(): string {
    return path.join(this.folder, 'store.backup');
  }

  async remove(): Promise<void> {
    await this.full.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** With people of its own, and rows enough for several pieces of the stream. */
async function anotherShop(source: TestDatabase): Promise<void> {
  const app = await TestApp.start({ database: source, encryptionKeys: [key] });
  const other = await app.store({ name: 'Other shop' });
  await app.stop();
  await ownerQuery(
    `insert into customers (store_id, id, first_name, created_at, updated_at)
     select $1, n, 'Näme' || chr(9) || chr(10) || chr(92) || '.' || chr(10) || n, now(), now()
       from generate_series(1, 20000) n`,
    [other.id],
    source.ownerUrl,
  );
  await ownerQuery(
    `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
      created_at, updated_at)
     select $1, next_order_id($1), 'PROCESSING', 'cash', 100, 'USD', n, now(), now()
     from generate_series(1, 5000) n`,
    [other.id],
    source.ownerUrl,
  );
}
