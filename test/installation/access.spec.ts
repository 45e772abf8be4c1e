import pg from 'pg';
import { MIGRATIONS } from '../../migrations/all.js';
import { accessDifferences } from '../../src/platform/database/installation/access.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { roleNames } from '../../src/platform/database/installation/roles.js';
import { emptyDatabase, ownDatabase } from '../support/database/own-database.js';
import { ownerQuery } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;

/** Grants and policies of a database, its roles by what they are for. */
async function accessOf(ownerUrl: string): Promise<unknown[]> {
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

async function differences(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await accessDifferences(client, (await roleNames(client)).names);
  } finally {
    await client.end();
  }
}

describe('grants and policies', () => {
  it('are all known to the code that repairs them: without any it creates what the schema does', async () => {
    const ownerUrl = await emptyDatabase();
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    expect(await differences(ownerUrl)).toEqual([]);
    const made = await accessOf(ownerUrl);
    expect(made.length).toBeGreaterThan(80);
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
    const ofForeign = async () =>
      (await accessOf(ownerUrl)).filter((line) => String(line).includes(foreign)).length;
    expect(await ofForeign()).toBeGreaterThan(40);
    await prepareDatabase(ownerUrl, [KEY], MIGRATIONS);
    expect(await ofForeign()).toBe(0);
    expect(await differences(ownerUrl)).toEqual([]);
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
    await ownerQuery(`drop role ${role}`);
  });
});
