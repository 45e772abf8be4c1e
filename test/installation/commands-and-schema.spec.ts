import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS } from '../../migrations/all.js';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import {
  type Migrations,
  namesOf,
  olderMigrations,
} from '../../src/platform/database/installation/migration-runner.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { shop } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';

const key = process.env.TEST_ENCRYPTION_KEY!;
const own = namesOf(MIGRATIONS);
const env = (ownerUrl: string) => ({ DATABASE_URL: ownerUrl, ENCRYPTION_KEY: key });

async function withSchema(migrations: Migrations): Promise<string> {
  const ownerUrl = await emptyDatabase();
  await prepareDatabase(ownerUrl, [key], migrations);
  return ownerUrl;
}

const applied = async (ownerUrl: string) =>
  (await ownerQuery<{ name: string }>('select name from migrations order by id', [], ownerUrl)).map(
    ({ name }) => name,
  );

describe('a command', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-commands-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('refuses the schema of an older version and leaves it; only migrate changes it', async () => {
    const ownerUrl = await withSchema(olderMigrations(MIGRATIONS, own.slice(0, -1)));
    for (const args of [
      ['store', 'list'],
      ['keys', 'rotate'],
      ['demo', 'seed'],
    ]) {
      const { code, output } = await shop(env(ownerUrl), ...args);
      expect([args, code, output.error.message]).toEqual([
        args,
        1,
        `Nothing was done: the schema of the database is ${own.at(-2)}, and that of this version ` +
          `${own.at(-1)}; start the service, or run shop migrate`,
      ]);
    }
    expect(await applied(ownerUrl)).toEqual(own.slice(0, -1));
    expect((await shop(env(ownerUrl), 'migrate')).output).toEqual(own.slice(-1));
    expect((await shop(env(ownerUrl), 'store', 'list')).output).toEqual([]);
  }, 180_000);

  it('backs up the schema that it finds, older or newer, and changes nothing', async () => {
    const older = await withSchema(olderMigrations(MIGRATIONS, own.slice(0, -1)));
    const newer = await withSchema(withSteps(madeStep('Later8000000000001', () => Promise.resolve())));
    for (const [name, ownerUrl] of Object.entries({ older, newer })) {
      const before = await applied(ownerUrl);
      const { code, output } = await shop(env(ownerUrl), 'backup', '--to', path.join(folder, name));
      expect([name, code, output.stores]).toEqual([name, 0, 0]);
      expect(await applied(ownerUrl)).toEqual(before);
    }
    const target = await emptyDatabase();
    const restored = await shop(env(target), 'restore', '--from', path.join(folder, 'older'));
    expect(restored.output).toMatchObject({ stores: 0, migrationsApplied: own.slice(-1) });
    const refused = await shop(env(newer), 'store', 'list');
    expect(refused.output.error.message).toMatch(/database is Later8000000000001, .* use the version that/);
  }, 180_000);

  it('refuses a database without tables, and makes none', async () => {
    const ownerUrl = await emptyDatabase();
    for (const args of [
      ['store', 'list'],
      ['backup', '--to', path.join(folder, 'empty')],
    ]) {
      const { code, output } = await shop(env(ownerUrl), ...args);
      expect([code, output.error.message]).toEqual([1, expect.stringMatching(/no tables of the service/)]);
    }
    expect(await ownerQuery(`select to_regclass('stores') as stores`, [], ownerUrl)).toEqual([
      { stores: null },
    ]);
  }, 180_000);

  it('needs a start first on the embedded default, and leaves nothing behind', async () => {
    const dataDir = path.join(folder, 'data');
    const refused = await shop({ DATA_DIR: dataDir }, 'store', 'list');
    expect([refused.code, refused.output.error.message]).toEqual([
      1,
      `There is no database in DATA_DIR, ${dataDir}, yet: start the service first, or set DATABASE_URL`,
    ]);
    expect(existsSync(dataDir)).toBe(false);
    expect((await shop({ DATA_DIR: dataDir }, 'migrate')).output).toEqual(own);
    expect((await shop({ DATA_DIR: dataDir }, 'store', 'list')).output).toEqual([]);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    rmSync(path.join(dataDir, 'encryption.key'));
    const lost = await shop({ DATA_DIR: dataDir }, 'store', 'list');
    expect(lost.output.error.message).toMatch(/^ENCRYPTION_KEY: .*encryption\.key is missing/);
    expect(readdirSync(dataDir)).not.toContain('encryption.key');
  }, 180_000);
});
