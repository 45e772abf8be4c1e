import pg from 'pg';
import { cancel } from '../../src/platform/database/connections/driver.js';
import { Listener } from '../../src/platform/database/connections/listener.js';
import { TokenRegistry } from '../../src/platform/auth/token-registry.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { byBellAlone } from '../support/waiting/deliveries.js';
import { emptyDatabase, preparedDatabase, type TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { PgBouncer, poolModes } from '../support/servers/pgbouncer.js';
import { Receiver } from '../support/servers/receiver.js';
import { ServiceProcess, shopProcess } from '../support/servers/service-process.js';
import { ownerQuery, TestApp, type TestStore } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;

describe.each(poolModes())('behind PgBouncer in %s mode', (mode) => {
  let pooler: PgBouncer;
  let database: TestDatabase;
  let receiver: Receiver;
  let [web, deliverer]: TestApp[] = [];
  let store: TestStore;

  beforeAll(async () => {
    const direct = await preparedDatabase();
    pooler = await PgBouncer.start(direct.ownerUrl, mode);
    database = {
      ownerUrl: direct.ownerUrl,
      storeUrl: pooler.through(direct.storeUrl),
      systemUrl: pooler.through(direct.systemUrl),
      directUrl: direct.systemUrl,
    };
    receiver = await Receiver.start();
    web = await TestApp.start({ database });
    deliverer = await TestApp.start({ database, env: { SHOP_ROLES: 'web,deliver' } });
    store = await web.store();
  });
  afterAll(async () => {
    await web.stop();
    await deliverer.stop();
    await receiver.stop();
    await pooler.stop();
  });

  it('stores use the connection one after the other, and see only their own rows', async () => {
    const stores = [store, await web.store(), await web.store()];
    for (const one of stores) await one.product({ productId: one.id });
    const pages = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const one = stores[n % stores.length];
        if (n % 5 === 0) await one.data('update_general', { name: `${n}` });
        return [
          one.id,
          (await one.data('list_products')).items.map(({ productId }: { productId: string }) => productId),
        ];
      }),
    );
    for (const [own, products] of pages) expect(products).toEqual([own]);
    const client = new pg.Client({ connectionString: database.storeUrl });
    await client.connect();
    const { rows } = await client
      .query(
        `select nullif(current_setting('shop.store_id', true), '') as store, count(*)::int as products
          from products`,
      )
      .finally(() => client.end());
    expect(rows).toEqual([{ store: null, products: 0 }]);
  });

  it('a statement that is given up is ended at the database', async () => {
    const sleeping = async () =>
      (
        await ownerQuery<{ count: number }>(
          `select count(*)::int from pg_stat_activity
           where query like '%a statement given up%' and state = 'active' and pid <> pg_backend_pid()`,
        )
      )[0].count;
    const client = new pg.Client({ connectionString: database.storeUrl });
    await client.connect();
    const slept = client
      .query("select pg_sleep(60), 'a statement given up'")
      .catch((error: unknown) => error);
    await eventually('it sleeps', async () => (await sleeping()) === 1);
    await cancel(client);
    expect(await slept).toMatchObject({ code: '57014' });
    expect(await sleeping()).toBe(0);
    await client.end();
  });

  it('a token that another instance revokes is refused as soon as the revocation is answered', async () => {
    expect(deliverer.nest.get(Listener).connected).toBe(true);
    const statuses = async () =>
      (await deliverer.post('/v1/list_orders', {}, { Authorization: `Bearer ${store.tokens.read}` })).status;
    expect(await statuses()).toBe(200);
    await store.inside((ctx) => web.nest.get(TokenRegistry).revoke(ctx, store.tokenIds.read));
    expect(await statuses()).toBe(401);
  });

  it('webhooks of another instance are announced and sent', async () => {
    await store.inside((ctx) => web.nest.get(WebhookEndpoints).save(ctx, receiver.url));
    const { productId } = await store.product();
    await byBellAlone(deliverer, async () => {
      for (let n = 1; n <= 9; n++) {
        await store.place({ items: [{ productId, quantity: 1 }] });
        await receiver.waitFor(n);
      }
    });
  });

  it('statements are ended by the time limit of the role, and are not compiled', async () => {
    for (const [url, limit] of [
      [database.storeUrl, '10s'],
      [database.systemUrl, '30s'],
    ]) {
      expect(await ownerQuery('show statement_timeout', [], url)).toEqual([{ statement_timeout: limit }]);
      expect(await ownerQuery('show jit', [], url)).toEqual([{ jit: 'off' }]);
    }
  });
});

describe('a database that is reached through a pooler', () => {
  let pooler: PgBouncer;
  let direct: string;
  const env = (urls: Record<string, string>) => ({ ...urls, ENCRYPTION_KEY: KEY });

  beforeEach(async () => {
    direct = await emptyDatabase();
    pooler = await PgBouncer.start(direct, poolModes().at(-1)!);
  });
  afterEach(() => pooler.stop());

  it('is created, served and administered by processes with both addresses', async () => {
    const both = env({ DATABASE_URL: pooler.through(direct), DATABASE_DIRECT_URL: direct });
    const service = await ServiceProcess.start(both);
    try {
      const response = await fetch(`${service.url}/health/ready`);
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 200,
        body: { checks: { pooler: 'ok' } },
      });
      const made = await shopProcess(
        both,
        'store',
        'create',
        '--name',
        'Pooled',
        '--currency',
        'USD',
        '--owner-email',
        'a@pool.example',
      );
      expect(made).toMatchObject({ code: 0, output: { name: 'Pooled' } });
      expect((await shopProcess(both, 'store', 'list')).output).toMatchObject([{ name: 'Pooled' }]);
      // What a session must keep is not left on a connection that others get.
      // Those of transactions that are under way end with these.
      await eventually('no lock is kept', async () => {
        const locks = `select from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`;
        return (await ownerQuery(locks, [], direct)).length === 0;
      });
      const listening = await ownerQuery<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where datname = current_database()
          and application_name = 'shop-listener'`,
        [],
        direct,
      );
      expect(listening).toEqual([{ n: 1 }]);
    } finally {
      await service.stop();
    }
  });

  it('is named by readiness and doctor when it mixes the prepared statements of its clients', async () => {
    const off: Record<string, number> = poolModes().includes('transaction')
      ? { max_prepared_statements: 0 }
      : {};
    const mixing = await PgBouncer.start(direct, 'session', { ...off, pool_mode: 'transaction' });
    const both = env({ DATABASE_URL: mixing.through(direct), DATABASE_DIRECT_URL: direct });
    const service = await ServiceProcess.start(both);
    try {
      const response = await fetch(`${service.url}/health/ready`);
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 503,
        body: { status: 'unavailable', checks: { pooler: 'unavailable' } },
      });
      const { checks } = (await shopProcess(both, 'doctor')).output as { checks: { check: string }[] };
      expect(checks.find(({ check }) => check === 'pooler')).toMatchObject({
        ok: false,
        found: expect.stringContaining('PgBouncer 1.21'),
      });
    } finally {
      await service.stop();
      await mixing.stop();
    }
  });

  it('is refused as the direct address without the other one', async () => {
    expect(await shopProcess(env({ DATABASE_DIRECT_URL: direct }), 'store', 'list')).toMatchObject({
      code: 1,
      output: { error: { message: expect.stringContaining('DATABASE_DIRECT_URL: needs DATABASE_URL') } },
    });
  });
});
