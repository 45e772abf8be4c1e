import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { shop, ServiceProcess } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';

const newKey = () => randomBytes(32).toString('base64');
const passwordOf = (url: string) => decodeURIComponent(new URL(url).password);

async function opens(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

describe('the passwords of the roles', () => {
  let ownerUrl: string;
  const key = newKey();

  beforeEach(async () => {
    ownerUrl = await emptyDatabase();
  });

  it('are random, sealed in the database, and the same for every process with the key', async () => {
    const first = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    const second = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    expect([second.store, second.system]).toEqual([first.store, first.system]);
    expect(passwordOf(first.store)).not.toBe(passwordOf(first.system));
    const elsewhere = await prepareDatabase(await emptyDatabase(), [key], MIGRATIONS);
    expect(passwordOf(elsewhere.store)).not.toBe(passwordOf(first.store));
    const rows = await ownerQuery<{ sealed_password: string }>(
      'select sealed_password from role_passwords',
      [],
      ownerUrl,
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(passwordOf(first.store));
  });

  it('are set again when they no longer work, as after a restore on another server', async () => {
    const first = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    const database = new URL(ownerUrl).pathname.slice(1);
    await ownerQuery(`alter role ${database}_store password 'something else'`, [], ownerUrl);
    const second = await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    expect(await opens(first.store)).toBe(false);
    expect(await opens(second.store)).toBe(true);
    expect(second.system).toBe(first.system);
    expect((await prepareDatabase(ownerUrl, [key], MIGRATIONS)).store).toBe(second.store);
  });
});

describe('a process with another key', () => {
  const key = newKey();
  let ownerUrl: string;
  let before: object;

  const state = async () => ({
    keys: await ownerQuery('select fingerprint from encryption_keys', [], ownerUrl),
    passwords: await ownerQuery('select role, sealed_password from role_passwords order by 1', [], ownerUrl),
    migrations: await ownerQuery('select name from migrations order by 1', [], ownerUrl),
    roles: await ownerQuery(
      `select rolname, rolpassword from pg_authid where rolname like current_database() || '%' order by 1`,
      [],
      ownerUrl,
    ),
  });

  beforeAll(async () => {
    ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    before = await state();
  });

  it('exits before it changes anything, both the service and the command line', async () => {
    const env = { DATABASE_URL: ownerUrl, ENCRYPTION_KEY: newKey() };
    const failure: Error = await ServiceProcess.start(env).then(
      () => Promise.reject(new Error('it started')),
      (error: Error) => error,
    );
    expect(failure.message).toMatch(
      /^the service ended with 1: ENCRYPTION_KEY: not the key [^\n]*new,old\n$/,
    );
    expect(await shop(env, 'store', 'list')).toMatchObject({
      code: 1,
      output: {
        error: { code: 'invalid_input', message: expect.stringMatching(/^ENCRYPTION_KEY: not the key/) },
      },
    });
    expect(await state()).toEqual(before);
  });

  it('starts once the old key is configured beside the new one, which is used from then on', async () => {
    const added = newKey();
    const own = await emptyDatabase();
    const first = await prepareDatabase(own, [key], MIGRATIONS);
    expect((await prepareDatabase(own, [key, added], MIGRATIONS)).store).toBe(first.store);
    expect((await prepareDatabase(own, [key], MIGRATIONS)).store).toBe(first.store);
    expect((await prepareDatabase(own, [added, key], MIGRATIONS)).store).toBe(first.store);
    // What the new key has sealed by now, the old one alone cannot open; nor the new one what the old one has
    // sealed.
    await expect(prepareDatabase(own, [key], MIGRATIONS)).rejects.toThrow(/ENCRYPTION_KEY/);
    await expect(prepareDatabase(own, [added], MIGRATIONS)).rejects.toThrow(/ENCRYPTION_KEY/);
  });
});

describe('a version older than the schema', () => {
  it('refuses to start, in one sentence, and changes nothing', async () => {
    const ownerUrl = await emptyDatabase();
    const key = newKey();
    await prepareDatabase(ownerUrl, [key], MIGRATIONS);
    await ownerQuery(
      `insert into migrations (timestamp, name) values (9999999999999, 'Tomorrow9999999999999')`,
      [],
      ownerUrl,
    );
    const env = { DATABASE_URL: ownerUrl, ENCRYPTION_KEY: key };
    const refused = await shop(env, 'migrate');
    expect(refused).toMatchObject({
      code: 1,
      output: {
        error: {
          message: expect.stringMatching(/is Tomorrow9999999999999, .* use the version that has migrated it/),
        },
      },
    });
    expect(refused.output.error.message).not.toContain('\n');
  });
});
