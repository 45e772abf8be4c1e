import { MIGRATIONS } from '../../migrations/all.js';
import { createIndex } from '../../migrations/steps.js';
import { existingRoles } from '../../src/platform/database/installation/existing.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { namesOf } from '../../src/platform/database/installation/migration-runner.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { definitionAt } from '../support/database/definition.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { ownerQuery } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;

describe('migrations/schema.sql', () => {
  const text = MIGRATIONS.schema;
  const step = madeStep(
    'Tried8000000000001',
    async (runner) => {
      await runner.query('alter table brands add column tried text');
      await createIndex(runner, 'brands_tried', 'brands (store_id, tried)');
    },
    false,
  );
  it('and a step make the same of an empty database as of one in use', async () => {
    const [empty, inUse] = [await emptyDatabase(), await emptyDatabase()];
    await prepareDatabase(inUse, [KEY], MIGRATIONS);
    expect((await prepareDatabase(inUse, [KEY], withSteps(step))).applied).toEqual([step.name]);
    const { applied } = await prepareDatabase(empty, [KEY], withSteps(step));
    expect(applied).toEqual(namesOf(withSteps(step)));
    const definition = await definitionAt(empty);
    expect(definition.length).toBeGreaterThan(1_000);
    expect(definition).toContain('column brands.tried text ');
    expect(definition).toEqual(await definitionAt(inUse));
  });

  it('has a name that another statement changes, and another comment does not', () => {
    const [name] = namesOf(MIGRATIONS);
    const named = (schema: string) => namesOf({ ...MIGRATIONS, schema })[0];
    expect(named(`${text}create table tried ();\n`)).not.toBe(name);
    expect(named(text.replace(' not null', ''))).not.toBe(name);
    expect(named(`-- Another comment\n\n${text}`.replaceAll('\n', '\r\n'))).toBe(name);
  });

  it('is refused, and left alone, by a version with another one', async () => {
    const ownerUrl = await emptyDatabase();
    const other = { ...MIGRATIONS, schema: `${text}create table tried ();\n` };
    await prepareDatabase(ownerUrl, [KEY], other);
    const before = await definitionAt(ownerUrl);
    await expect(prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).rejects.toThrow(
      `Nothing was changed: the schema of the database is ${namesOf(other)[0]}, and that of this ` +
        `version ${namesOf(MIGRATIONS)[0]}; use the version that made it, or an empty database (another ` +
        `DATA_DIR, or another DATABASE_URL)`,
    );
    await expect(existingRoles(ownerUrl, [KEY], MIGRATIONS)).rejects.toThrow(
      /is Schema_\w+, .* use the version that made it, or an empty database/,
    );
    expect(await definitionAt(ownerUrl)).toEqual(before);
  });

  it('is refused by an older version when a newer one has made or migrated the database', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    expect((await prepareDatabase(ownerUrl, [KEY], withSteps(step))).applied).toEqual(['Tried8000000000001']);
    await expect(prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).rejects.toThrow(
      /schema of the database is Tried8000000000001, .* use the version that has migrated it, or a newer one/,
    );
  });

  it('makes nothing if it fails in the middle', async () => {
    const ownerUrl = await emptyDatabase();
    const broken = { ...MIGRATIONS, schema: `${MIGRATIONS.schema}; create table stores ()` };
    await expect(prepareDatabase(ownerUrl, [KEY], broken)).rejects.toThrow('"stores" already exists');
    expect(await ownerQuery(`select to_regclass('stores') as name`, [], ownerUrl)).toEqual([{ name: null }]);
    expect((await prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).applied).toEqual(namesOf(MIGRATIONS));
  });

  it('says what each table is for', () => {
    const tables = [...text.matchAll(/^(.*)\ncreate table (\w+)/gm)];
    expect(tables.length).toBeGreaterThan(60);
    expect(tables.filter(([, before]) => !before.startsWith('-- ')).map(([, , name]) => name)).toEqual([]);
  });

  it('has each trigger beside the table that fires it', () => {
    const parts = text.split(/^create table /m).slice(1);
    const triggers = parts.flatMap((part) =>
      [...part.matchAll(/^create trigger [^;]*? on (\w+)/gm)].map(([, on]) => [on, part.split(' ')[0]]),
    );
    expect(triggers.length).toBeGreaterThan(5);
    for (const [on, table] of triggers) expect(table).toBe(on);
  });
});
