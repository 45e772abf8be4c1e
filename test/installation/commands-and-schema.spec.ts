import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS } from '../../migrations/all.js';
import { findEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { existingRoles } from '../../src/platform/database/installation/existing.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { type Migrations, namesOf } from '../../src/platform/database/installation/migration-runner.js';
import { openArchive } from '../../src/operator/backup/archive.js';
import { restoreWhole } from '../../src/operator/backup/restore-whole.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { shop, shopProcess } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';

const key = process.env.TEST_ENCRYPTION_KEY!;
const own = namesOf(MIGRATIONS);
const LATER = madeStep('Later8000000000001', () => Promise.resolve());
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

  it('refuses the schema of another version and leaves it', async () => {
    const newer = withSteps(LATER);
    const other = { ...MIGRATIONS, schema: `${MIGRATIONS.schema}create table tried ();` };
    const cures = [
      [newer, 'use the version that has migrated it, or a newer one'],
      [other, expect.stringMatching(/^use the version that made it, or an empty database /)],
    ] as const;
    for (const [migrations, cure] of cures) {
      const ownerUrl = await withSchema(migrations);
      for (const args of [
        ['store', 'list'],
        ['keys', 'rotate'],
        ['demo', 'seed'],
      ]) {
        const { code, output } = await shop(env(ownerUrl), ...args);
        const [difference, found] = output.error.message.split('; ');
        expect([args, code, difference, found]).toEqual([
          args,
          1,
          `Nothing was done: the schema of the database is ${namesOf(migrations).at(-1)}, and that of this ` +
            `version ${own.at(-1)}`,
          cure,
        ]);
      }
      const { code, output } = await shop(env(ownerUrl), 'migrate');
      expect([code, output.error.message]).toEqual([1, expect.stringMatching(/^Nothing was changed/)]);
      expect(await applied(ownerUrl)).toEqual(namesOf(migrations));
    }
  }, 180_000);

  it('refuses the schema of an older version until it is migrated', async () => {
    const ownerUrl = await withSchema(MIGRATIONS);
    await expect(existingRoles(ownerUrl, [key], withSteps(LATER))).rejects.toThrow(
      `Nothing was done: the schema of the database is ${own.at(-1)}, and that of this version ` +
        `${LATER.name}; start the service, or run shop migrate`,
    );
    expect(await applied(ownerUrl)).toEqual(own);
    const { applied: migrated, store } = await prepareDatabase(ownerUrl, [key], withSteps(LATER));
    expect(migrated).toEqual([LATER.name]);
    expect(await existingRoles(ownerUrl, [key], withSteps(LATER))).toMatchObject({ store });
  });

  it('backs up the schema that it finds, of this or a newer version, and changes nothing', async () => {
    const files = { own: MIGRATIONS, newer: withSteps(LATER) };
    for (const [name, migrations] of Object.entries(files)) {
      const ownerUrl = await withSchema(migrations);
      const { code, output } = await shop(env(ownerUrl), 'backup', '--to', path.join(folder, name));
      expect([name, code, output.stores]).toEqual([name, 0, 0]);
      expect(await applied(ownerUrl)).toEqual(namesOf(migrations));
    }
    const [target, empty] = [await emptyDatabase(), await emptyDatabase()];
    const refused = await shop(env(empty), 'restore', '--from', path.join(folder, 'newer'));
    expect(refused.output.error.message).toMatch(/^from was made by a newer version .*Later8000000000001/);
    const snapshot = await openArchive(path.join(folder, 'own'), [key]);
    const restored = await restoreWhole(target, [key], snapshot, withSteps(LATER));
    expect(restored).toMatchObject({ stores: 0, migrationsApplied: [LATER.name] });
    expect(await applied(target)).toEqual(namesOf(withSteps(LATER)));
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
    const refused = await shopProcess({ DATA_DIR: dataDir }, 'store', 'list');
    expect([refused.code, refused.output.error.message]).toEqual([
      1,
      `There is no database in DATA_DIR, ${dataDir}, yet: start the service first, or set DATABASE_URL`,
    ]);
    expect(existsSync(dataDir)).toBe(false);
    expect((await shopProcess({ DATA_DIR: dataDir }, 'migrate')).output).toEqual(own);
    expect((await shopProcess({ DATA_DIR: dataDir }, 'store', 'list')).output).toEqual([]);
    expect(await findEmbeddedPostgres(dataDir)).toBeNull();
    rmSync(path.join(dataDir, 'encryption.key'));
    const lost = await shopProcess({ DATA_DIR: dataDir }, 'store', 'list');
    expect(lost.output.error.message).toMatch(/^ENCRYPTION_KEY: .*encryption\.key is missing/);
    expect(readdirSync(dataDir)).not.toContain('encryption.key');
  }, 180_000);
});
