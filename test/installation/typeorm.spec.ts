import path from 'node:path';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { namesOf } from '../../src/platform/database/installation/migration-runner.js';
import { definitionAt } from '../support/database/definition.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { ended, shop } from '../support/servers/service-process.js';

const ROOT = path.resolve(__dirname, '../..');
const CLI = path.join(ROOT, 'node_modules/typeorm/cli.js');
const SOURCE = path.join(ROOT, 'dist/src/data-source.js');
const key = process.env.TEST_ENCRYPTION_KEY!;
const [SCHEMA] = namesOf(MIGRATIONS);

describe("TypeORM's own commands", () => {
  const env = (ownerUrl: string) => ({ DATABASE_URL: ownerUrl, ENCRYPTION_KEY: key, NO_COLOR: '1' });
  const typeorm = async (ownerUrl: string, ...args: string[]) => {
    const { code, stdout, stderr } = await ended(env(ownerUrl), process.execPath, CLI, ...args, '-d', SOURCE);
    return { code, output: stdout + stderr };
  };

  it('migrate a new database as shop migrate does, with its roles', async () => {
    const [byTypeorm, byShop] = [await emptyDatabase(), await emptyDatabase()];
    const ran = await typeorm(byTypeorm, 'migration:run');
    expect(ran).toEqual({
      code: 0,
      output: expect.stringContaining(`Migration ${SCHEMA} has been executed`),
    });
    expect((await shop(env(byTypeorm), 'store', 'list')).output).toEqual([]);
    await prepareDatabase(byShop, [key], MIGRATIONS);
    expect(await definitionAt(byTypeorm)).toEqual(await definitionAt(byShop));
  }, 120_000);

  it('find nothing to do in a database that shop migrate made', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    expect(await typeorm(ownerUrl, 'migration:show')).toEqual({
      code: 0,
      output: expect.stringContaining(`[X] 1 ${SCHEMA}`),
    });
    expect(await typeorm(ownerUrl, 'migration:run')).toEqual({
      code: 0,
      output: expect.stringContaining('No migrations are pending'),
    });
  }, 120_000);

  it('do no harm to an empty database by looking at it', async () => {
    const [seen, unseen] = [await emptyDatabase(), await emptyDatabase()];
    expect(await typeorm(seen, 'migration:show')).toEqual({
      code: 0,
      output: expect.stringContaining(`[ ] ${SCHEMA}`),
    });
    expect((await shop(env(seen), 'doctor')).output.checks).toContainEqual(
      expect.objectContaining({
        check: 'schema',
        level: 'warning',
        cure: 'Start the service, or run shop migrate.',
      }),
    );
    for (const ownerUrl of [seen, unseen])
      expect((await shop(env(ownerUrl), 'migrate')).output).toEqual(namesOf(MIGRATIONS));
    expect(await definitionAt(seen)).toEqual(await definitionAt(unseen));
  }, 120_000);

  it.each([
    [['schema:log'], 'schema.sql and the steps'],
    [['schema:sync'], 'schema.sql and the steps'],
    [['schema:drop'], 'schema.sql and the steps'],
    [['migration:generate', 'made'], 'schema.sql and the steps'],
    [['migration:revert'], 'restore a backup'],
    [['migration:run', '--fake'], 'leave --fake out'],
  ])(
    'refuse %s, say why, and change nothing',
    async (args, reason) => {
      const ownerUrl = await emptyDatabase();
      await prepareDatabase(ownerUrl, [key], MIGRATIONS);
      const before = await definitionAt(ownerUrl);
      const { code, output } = await typeorm(ownerUrl, ...args);
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
      expect(output).not.toMatch(/\b(drop|alter|create) (table|index|constraint)/i);
      expect(await definitionAt(ownerUrl)).toEqual(before);
    },
    60_000,
  );
});
