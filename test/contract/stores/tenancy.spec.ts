import pg from 'pg';
import { DataSource } from 'typeorm';
import { statement } from '../../../src/platform/database/statement.js';
import { type TestStore, useShop } from '../../support/test-app.js';

declare module '../../../src/platform/database/statements.generated.js' {
  interface Statements {
    test_unfiltered: { parameters: object; row: { id: string } };
    test_foreign_write: { parameters: object; row: { id: string } };
    test_fails: { parameters: object; row: { x: number } };
  }
}

const UNFILTERED = statement(
  'test_unfiltered',
  `select id from orders where $store::uuid is not null order by id`,
);
const FOREIGN_WRITE = statement(
  'test_foreign_write',
  `update orders set status = 'CANCELLED' where store_id <> $store returning id`,
);

/** Who may belong to several stores, and what is theirs. */
const PEOPLE = [
  'users',
  'sessions',
  'sign_in_attempts',
  'known_browsers',
  'password_resets',
  'second_factors',
  'recovery_codes',
];
/** Apps that ask people for access: until somebody lets one in it has to do with no store. */
const APPS = ['oauth_clients', 'oauth_blocked_clients', 'oauth_interactions'];
/** Secrets, and what they stand for, are looked up before their store is known. */
const LOOKED_UP = [
  'api_tokens_hash_key',
  'invitations_token_key',
  'oauth_grants_id_key',
  'oauth_tokens_hash_key',
];
/** Tables that say nothing of stores or people. */
const OF_THE_INSTALLATION = ['migrations', 'encryption_keys', 'role_passwords', 'job_runs'];
/** What operators did, which stays when a store is deleted. */
const OF_OPERATORS = ['operator_log'];

describe('tenancy', () => {
  let store: TestStore;
  let stranger: TestStore;
  let orderId: number;

  const app = useShop();
  beforeAll(async () => {
    [store, stranger] = [await app.store(), await app.store()];
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
  });

  it('is forced by row-level security on every table that belongs to a store', async () => {
    const tables = await app.query<{ name: string; enabled: boolean; forced: boolean; has_store: boolean }>(
      `select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
         exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'store_id') as has_store
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relname = any($1)`,
      [OF_THE_INSTALLATION],
    );
    expect(tables.length).toBeGreaterThan(10);
    expect(tables.filter(({ enabled, forced }) => !enabled || !forced)).toEqual([]);
    // Only stores themselves, and people and their sessions, who may belong to several, have no store_id.
    const global = tables.filter(({ has_store }) => !has_store).map(({ name }) => name);
    expect(global.filter((name) => ![...PEOPLE, ...APPS, ...OF_OPERATORS, 'stores'].includes(name))).toEqual(
      [],
    );
  });

  it('has every key of a store table begin with the store', async () => {
    const keys = await app.query<{ table: string; constraint: string; first: string; type: string }>(
      `select c.relname as table, k.conname as constraint, k.contype as type, a.attname as first
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_attribute a on a.attrelid = c.oid
         and a.attnum = k.conkey[1]
       where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f')
       and c.relname <> 'stores' and c.relname <> all ($1)
         and k.conname <> all ($2)
         and not (k.contype = 'f' and k.confrelid = 'users'::regclass)`,
      [[...PEOPLE, ...APPS, ...OF_OPERATORS, ...OF_THE_INSTALLATION], LOOKED_UP],
    );
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter(({ first }) => first !== 'store_id')).toEqual([]);
  });

  it('holds without our own filter: a session sees and changes only its own store', async () => {
    const read = await stranger.inside((ctx) => ctx.session.read(UNFILTERED));
    const inTransaction = await stranger.inside((ctx) => ctx.session.query(UNFILTERED));
    const changed = await stranger.inside((ctx) => ctx.session.query(FOREIGN_WRITE));
    expect([read, inTransaction, changed]).toEqual([[], [], []]);
    const own = await store.inside((ctx) => ctx.session.read(UNFILTERED));
    expect(own.map(({ id }) => Number(id))).toEqual([orderId]);
    expect(await store.data('get_order', { orderId })).toMatchObject({ status: 'PENDING' });
  });

  it('leaves no setting behind on a connection', async () => {
    await store.data('get_order', { orderId });
    await store.inside((ctx) => ctx.session.query(UNFILTERED));
    const rows = await app.nest.get(DataSource).query(`select count(*)::int as n from orders`);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('connects as roles that may bypass nothing and own nothing', async () => {
    for (const url of [app.database.storeUrl, app.database.systemUrl]) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(
        `select r.rolsuper, r.rolbypassrls, r.rolcreaterole, (select count(*)::int from pg_class
          where relowner = r.oid) as owned
         from pg_roles r where r.rolname = current_user`,
      );
      await expect(client.query('alter table orders disable row level security')).rejects.toThrow(/owner/);
      expect((await client.query('show jit')).rows).toEqual([{ jit: 'off' }]);
      await client.end();
      expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, owned: 0 }]);
    }
  });

  it('shows the passwords of its roles to neither of them', async () => {
    for (const url of [app.database.storeUrl, app.database.systemUrl]) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await expect(client.query('select * from role_passwords')).rejects.toThrow(/permission denied/);
      await expect(client.query('delete from encryption_keys')).rejects.toThrow(/permission denied/);
      await client.end();
    }
  });

  it('cannot store a link across stores', async () => {
    const insert = app.query(
      `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
        created_at, updated_at)
       values ($1, 1, 'PENDING', 'x', 0, 'USD', 1001, now(), now())`,
      [stranger.id],
    );
    await expect(insert).rejects.toThrow(/orders_customer/);
  });
});

describe('a session', () => {
  const FAILS = statement('test_fails', `select 1 / (case when $store::uuid is null then 1 else 0 end) as x`);

  const app = useShop();

  it('reports a failed statement sent ahead, also to those after it, and changes nothing', async () => {
    const store = await app.store();
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    const CANCEL = `update orders set status = 'CANCELLED' where store_id = $1 returning id`;
    const cancel = {
      name: 'test_cancel_all',
      text: CANCEL,
      settingStore: '',
      slow: false,
      source: '',
      parameters: [],
    };
    const failing = (then: boolean) =>
      store.inside(async (ctx) => {
        await ctx.session.query(cancel);
        ctx.session.enqueue(FAILS);
        if (then) await ctx.session.query(UNFILTERED);
      });
    await expect(failing(true)).rejects.toThrow(/division by zero/);
    await expect(failing(false)).rejects.toThrow(/division by zero/);
    expect(await store.data('get_order', { orderId })).toMatchObject({ status: 'PENDING' });
  });
});
