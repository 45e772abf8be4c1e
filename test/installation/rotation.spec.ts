import { randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { keyId, SecretBox } from '../../src/platform/crypto/secret-box.js';
import { sealedColumns } from '../../src/platform/crypto/sealed-columns.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { FullShop } from '../support/full-shop.js';
import { eventually } from '../support/eventually.js';
import { emptyDatabase, type TestDatabase } from '../support/database/own-database.js';
import { shop } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';
import { itWhenSlow } from '../support/slow.js';

const newKey = () => randomBytes(32).toString('base64');

async function prepared(ownerUrl: string, keys: string[]): Promise<TestDatabase> {
  const { store, system } = await prepareDatabase(ownerUrl, keys, MIGRATIONS);
  return { ownerUrl, storeUrl: store, systemUrl: system };
}

/** Columns of any table that hold a value sealed with the key. */
async function columnsSealedWith(ownerUrl: string, key: string): Promise<string[]> {
  const columns = await ownerQuery<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
      and a.attnum > 0
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and not a.attisdropped
       and a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype)`,
    [],
    ownerUrl,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await ownerQuery(
      `select 1 from ${table} where ${column}::text ~ $1 limit 1`,
      [`${keyId(key)}\\.`],
      ownerUrl,
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}

describe('a rotation of the encryption key', () => {
  const [old, fresh] = [newKey(), newKey()];
  let ownerUrl: string;
  let full: FullShop;

  beforeAll(async () => {
    ownerUrl = await emptyDatabase();
    full = await FullShop.create(await prepared(ownerUrl, [old]), [old]);
  });
  afterAll(() => full.stop());

  it('knows every column that holds sealed values', async () => {
    const declared = sealedColumns().map(({ table, column }) => `${table}.${column}`);
    const named = await ownerQuery<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and a.attname like 'sealed\\_%'`,
      [],
      ownerUrl,
    );
    expect(named.map(({ name }) => name).filter((name) => !declared.includes(name))).toEqual([
      'role_passwords.sealed_password',
    ]);
    const sealed = await columnsSealedWith(ownerUrl, old);
    expect(sealed).toEqual([...declared, 'role_passwords.sealed_password'].sort());
  });

  it('encrypts every secret again, so that the old key can be removed', async () => {
    const env = { DATABASE_URL: ownerUrl, ENCRYPTION_KEY: `${fresh},${old}` };
    await full.mustWork(await prepared(ownerUrl, [fresh, old]), [fresh, old]);
    const { code, output } = await shop(env, 'keys', 'rotate');
    expect({ code, output }).toMatchObject({ code: 0, output: { retiredKeys: 1 } });
    expect(Object.keys(output.resealed).sort()).toEqual(
      [
        ...sealedColumns().map(({ table, column }) => `${table}.${column}`),
        'role_passwords.sealed_password',
      ].sort(),
    );
    expect(await columnsSealedWith(ownerUrl, old)).toEqual([]);
    await full.mustWork(await prepared(ownerUrl, [fresh]), [fresh]);
    await expect(prepareDatabase(ownerUrl, [old], MIGRATIONS)).rejects.toThrow(/ENCRYPTION_KEY/);
    expect((await shop({ ...env, ENCRYPTION_KEY: fresh }, 'keys', 'rotate')).output).toEqual({
      resealed: {},
      retiredKeys: 0,
    });
  });

  itWhenSlow('loses nothing if it is killed in the middle, and the next one completes it', async () => {
    const third = newKey();
    const box = new SecretBox([fresh]);
    const stores = await ownerQuery<{ id: string }>(
      `insert into stores (id, name, currency, plan, created_at, updated_at)
       select gen_random_uuid(), 'many', 'USD', 'pro', now(), now() from generate_series(1, 3000)
         returning id`,
      [],
      ownerUrl,
    );
    await ownerQuery(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
       select id, 'https://receiver.example/', sealed, now(), now()
         from unnest($1::uuid[], $2::text[]) as x (id, sealed)`,
      [stores.map(({ id }) => id), stores.map(({ id }) => box.seal('secret', `webhook:${id}`))],
      ownerUrl,
    );
    const done = async () => {
      const [{ n }] = await ownerQuery<{ n: number }>(
        'select count(*)::int as n from webhook_endpoints where sealed_secret like $1',
        [`${keyId(third)}.%`],
        ownerUrl,
      );
      return n;
    };
    const env = { DATABASE_URL: ownerUrl, ENCRYPTION_KEY: `${third},${fresh}` };
    // It waits for a row in the middle, and so cannot have sealed all of them when it is killed.
    const holder = new pg.Client({ connectionString: ownerUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(
      `select from webhook_endpoints where store_id = (
         select store_id from webhook_endpoints order by ctid limit 1 offset 1500) for update`,
    );
    const child = spawn(process.execPath, ['dist/src/cli.js', 'keys', 'rotate'], {
      cwd: path.resolve(__dirname, '../..'),
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
    await eventually('it waits, and has sealed some', async () => {
      const waiting = await ownerQuery(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        [],
        ownerUrl,
      );
      return waiting.length > 0 && (await done()) > 0;
    });
    child.kill('SIGKILL');
    expect(await done()).toBeLessThan(3000);
    await holder.end();
    for (const one of [third, fresh])
      await expect(prepareDatabase(ownerUrl, [one], MIGRATIONS)).rejects.toThrow(/ENCRYPTION_KEY/);
    await full.mustWork(await prepared(ownerUrl, [third, fresh]), [third, fresh]);
    expect(await shop(env, 'keys', 'rotate')).toMatchObject({ code: 0, output: { retiredKeys: 1 } });
    expect(await done()).toBe(3001);
    await full.mustWork(await prepared(ownerUrl, [third]), [third]);
    // No process has started with the fourth before it seals everything.
    const fourth = newKey();
    expect(await shop({ ...env, ENCRYPTION_KEY: `${fourth},${third}` }, 'keys', 'rotate')).toMatchObject({
      code: 0,
      output: { retiredKeys: 1 },
    });
    for (const one of [third, newKey()])
      await expect(prepareDatabase(ownerUrl, [one], MIGRATIONS)).rejects.toThrow(/ENCRYPTION_KEY/);
    await full.mustWork(await prepared(ownerUrl, [fourth]), [fourth]);
  });
});
