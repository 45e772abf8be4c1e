import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { checkDatabase } from '../../src/operator/cli/doctor/database.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { missingAccess, roleNames } from '../../src/platform/database/installation/roles.js';
import { emptyDatabase, ownDatabase, preparedDatabase } from '../support/database/own-database.js';
import { ownerQuery } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;

/** Grants and policies of a database, its roles by what they are for. */
async function accessOf(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { names } = await roleNames(client);
  await client.end();
  const rows = await ownerQuery<{ line: string }>(
    `select concat_ws(' ', 'policy', polrelid::regclass, polname, polcmd, polpermissive, array(select rolname
      from pg_roles where oid = any(polroles)),
       pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) as line from pg_policy
     union all select concat_ws(' ', 'table', c.oid::regclass, c.relrowsecurity, c.relforcerowsecurity, array(
         select concat_ws('=', coalesce(r.rolname, 'public'), x.privilege_type) from aclexplode(c.relacl) x
           left join pg_roles r on r.oid = x.grantee
         where x.grantee <> c.relowner order by 1))
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     union all select concat_ws(' ', 'function', p.oid::regprocedure, array(
         select concat_ws('=', coalesce(r.rolname, 'public'), x.privilege_type) from aclexplode(p.proacl) x
           left join pg_roles r on r.oid = x.grantee
         where x.grantee <> p.proowner order by 1))
       from pg_proc p where pronamespace = 'public'::regnamespace and proacl is not null
     order by 1`,
    [],
    ownerUrl,
  );
  const owner = decodeURIComponent(new URL(ownerUrl).username);
  return rows.map(({ line }) =>
    line
      .replaceAll(names.store, '<store>')
      .replaceAll(names.system, '<system>')
      .replaceAll(`{${owner}}`, '{<owner>}'),
  );
}

async function missing(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  return missingAccess(client).finally(() => client.end());
}

const EVERYTHING = (role: string) =>
  ['DELETE', 'INSERT', 'SELECT', 'UPDATE'].map((privilege) => `<${role}>=${privilege}`).join(',');
const SESSION = "(NULLIF(current_setting('shop.store_id'::text, true), ''::text))::uuid";
const own = (column: string) => `own_store * t {<store>} (${column} = ${SESSION})`;
const OF_STORES = [
  'every_store * t {<system>} true true',
  own('store_id'),
  `t t {${EVERYTHING('store')},${EVERYTHING('system')}}`,
];
const OF_PEOPLE = ['every_row * t {<system>} true true', `t t {${EVERYTHING('system')}}`];
/** What a table has that is neither of stores nor of people alone. */
const OTHERS: Record<string, string[]> = {
  stores: [OF_STORES[0], own('id'), OF_STORES[2]],
  search_documents: [...OF_STORES.slice(0, 2), 'search_by_owner r t {<owner>} true', OF_STORES[2]],
  encryption_keys: ['keys_in_use r t {<system>} true', 't f {<system>=SELECT}'],
  role_passwords: ['t f {}'],
  migrations: ['f f {<system>=SELECT}'],
};

describe('grants and policies', () => {
  it('give the store role the rows of its store, and the system role those of people too', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    const byTable: Record<string, string[]> = {};
    for (const line of await accessOf(ownerUrl)) {
      const [, kind, name, access] = /^(\w+) (\w+)\S* (.*)$/.exec(line)!;
      if (kind === 'function')
        expect(access).toBe(`{<${name === 'search_ids' ? 'store' : 'system'}>=EXECUTE}`);
      else (byTable[name] ??= []).push(access);
    }
    const tables = await ownerQuery<{ name: string; has_store: boolean }>(
      `select c.relname as name, exists (select from information_schema.columns
         where table_schema = 'public' and table_name = c.relname and column_name = 'store_id') as has_store
       from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
      [],
      ownerUrl,
    );
    const kinds = tables.map(({ name, has_store: hasStore }) => [
      name,
      OTHERS[name] ?? (hasStore ? OF_STORES : OF_PEOPLE),
    ]);
    expect(byTable).toEqual(Object.fromEntries(kinds));
  });

  it('are looked at without a lock that a call could hold up, where none is missing', async () => {
    const { ownerUrl } = await preparedDatabase();
    const call = new pg.Client({ connectionString: ownerUrl });
    await call.connect();
    await call.query('begin; lock table products, order_events in row exclusive mode');
    expect((await prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).repaired).toEqual([]);
    await call.end();
  });

  it('are brought about where there is none: the same as the schema has from the beginning', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    expect(await missing(ownerUrl)).toEqual([]);
    const made = await accessOf(ownerUrl);
    await ownerQuery(
      `do $$ declare r record; begin
         for r in select polname, polrelid::regclass as t
         from pg_policy loop execute format('drop policy %I on %s', r.polname, r.t); end loop;
         for r in select oid::regclass as t from pg_class where relnamespace = 'public'::regnamespace
         and relkind in ('r', 'p') loop
           execute format('revoke all on %s from %I, %I', r.t, current_database() || '_store',
           current_database() || '_system');
           execute format('alter table %s disable row level security', r.t);
           execute format('alter table %s no force row level security', r.t);
         end loop;
         for r in select oid::regprocedure as f from pg_proc where pronamespace = 'public'::regnamespace
         and prosecdef loop
           execute format('revoke all on function %s from %I', r.f, current_database() || '_store');
           execute format('grant execute on function %s to public', r.f);
         end loop;
       end $$`,
      [],
      ownerUrl,
    );
    expect((await prepareDatabase(ownerUrl, [KEY], MIGRATIONS)).repaired.length).toBeGreaterThan(80);
    expect(await accessOf(ownerUrl)).toEqual(made);
  });

  it('are removed if they are for the roles of another database', async () => {
    const { ownerUrl, storeUrl } = await ownDatabase();
    const { username: foreign } = new URL(storeUrl);
    const ofForeign = async () => (await accessOf(ownerUrl)).filter((line) => line.includes(foreign)).length;
    expect(await ofForeign()).toBeGreaterThan(40);
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    expect(await ofForeign()).toBe(0);
    expect(await missing(ownerUrl)).toEqual([]);
  });

  it('cannot be repaired if the tables belong to somebody else, which a clear sentence says', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    const role = `stranger_${process.pid}`;
    await ownerQuery(`create role ${role} login createrole password 'stranger'`);
    const url = new URL(ownerUrl);
    Object.assign(url, { username: role, password: 'stranger' });
    await expect(prepareDatabase(url.href, [KEY], MIGRATIONS)).rejects.toThrow(
      /the tables belong to the role \w+, not to stranger/,
    );
    const checks = await checkDatabase(loadConfig({ DATABASE_URL: url.href, ENCRYPTION_KEY: KEY }));
    expect(checks.filter(({ ok }) => !ok)).toEqual([
      {
        check: 'owner',
        ok: false,
        level: 'error',
        found: expect.stringMatching(/^DATABASE_URL: the tables belong to the role \w+, not to stranger/),
        cure: expect.stringMatching(/^Connect as \w+, or let a superuser run "reassign owned by /),
      },
    ]);
    await ownerQuery(`drop role ${role}`);
  });
});
