import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MIGRATIONS } from '../../migrations/all.js';
import { createIndex } from '../../migrations/steps.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import {
  type Migrations,
  namesOf,
  olderMigrations,
} from '../../src/platform/database/installation/migration-runner.js';
import { madeStep, withSteps } from '../support/database/made-steps.js';
import { definitionAt } from '../support/database/definition.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { ownerQuery } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;
const SCHEMA = path.resolve(__dirname, '../../migrations/schema.sql');

/** The definition of an empty database after these migrations. */
async function definitionOf(migrations: Migrations): Promise<string[]> {
  const ownerUrl = await emptyDatabase();
  await prepareDatabase(ownerUrl, [KEY], migrations);
  return definitionAt(ownerUrl);
}

/** What the steps make of the baseline and the schema does not say, and the other way round. */
async function differences(migrations: Migrations): Promise<{ ofSteps: string[]; ofSchema: string[] }> {
  const bySteps = await definitionOf(olderMigrations(migrations, namesOf(migrations)));
  const bySchema = await definitionOf({ ...migrations, steps: [] });
  return {
    ofSteps: bySteps.filter((line) => !bySchema.includes(line)),
    ofSchema: bySchema.filter((line) => !bySteps.includes(line)),
  };
}

describe('migrations/schema.sql', () => {
  const text = readFileSync(SCHEMA, 'utf8');
  const step = madeStep(
    'Tried8000000000001',
    async (runner) => {
      await runner.query('alter table brands add column tried text');
      await createIndex(runner, 'brands_tried', 'brands (store_id, tried)');
    },
    false,
  );
  const IN_SCHEMA = `;
    alter table brands add column tried text;
    create index brands_tried on brands (store_id, tried);
    insert into migrations (timestamp, name) values (8000000000001, 'Tried8000000000001')`;

  it('is what the steps since 1.0.0 make of the schema of 1.0.0', async () => {
    expect(await differences(MIGRATIONS)).toEqual({ ofSteps: [], ofSchema: [] });
    expect((await definitionOf(MIGRATIONS)).length).toBeGreaterThan(1_000);
  });

  it('is found to differ from steps when a step is missing in it', async () => {
    const { ofSteps, ofSchema } = await differences(withSteps(step));
    expect(ofSteps).toEqual([
      expect.stringContaining('INDEX brands_tried ON'),
      'column brands.tried text ',
      'migration Tried8000000000001',
    ]);
    expect(ofSchema).toEqual([]);
  });

  it('agrees with steps that do the same, and such a step is not applied to an empty database', async () => {
    const newer = { ...withSteps(step), schema: `${MIGRATIONS.schema}${IN_SCHEMA}` };
    expect(await differences(newer)).toEqual({ ofSteps: [], ofSchema: [] });
    const { applied } = await prepareDatabase(await emptyDatabase(), [KEY], newer);
    expect(applied).toEqual(namesOf(newer));
  });

  it('is refused by an older version when a newer one has made or migrated the database', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    expect((await prepareDatabase(ownerUrl, [KEY], withSteps(step))).applied).toEqual(['Tried8000000000001']);
    await expect(prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).rejects.toThrow(
      /newer version of the service \(it has Tried8000000000001/,
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
