import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { Retention } from '../../src/platform/database/retention.service.js';
import { Pictures } from '../../src/stores/pictures/pictures.service.js';
import { STAYING } from '../../src/operator/backup/snapshot.js';
import { SalesPacking } from '../../src/stores/sales-packing.service.js';
import { DeliveryPacking } from '../../src/webhooks/delivery/figures/delivery-packing.service.js';
import { DeliveryQueue } from '../../src/webhooks/delivery/delivery-queue.js';
import { prepared } from '../installation/backups/backed-up.js';
import { OauthApp } from '../oauth/oauth-app.js';
import { everyRow } from '../support/database/every-table.js';
import type { TestDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { FullShop } from '../support/full-shop.js';
import { DebianPostgres } from '../support/servers/debian-postgres.js';
import { shop } from '../support/servers/service-process.js';
import { TestApp } from '../support/test-app.js';

const key = randomBytes(32).toString('base64');
/** What the move itself writes, what counts the uses of a token, and what does not go along. */
const WRITTEN = ['stores', 'audit_log', 'api_tokens', ...STAYING];

describe('a store that changes while it is moved', () => {
  let server: DebianPostgres;
  let source: TestDatabase;
  let target: TestDatabase;
  let full: FullShop;
  let oauth: OauthApp;
  let here: TestApp;
  let atHome: pg.Client;
  let away: pg.Client;

  beforeAll(async () => {
    server = await DebianPostgres.start();
    // A long transaction of another database on the server would make the move read more of it again.
    source = await prepared(await server.database('home'), [key]);
    target = await prepared(await server.database('away'), [key]);
    full = await FullShop.create(source, [key]);
    oauth = await OauthApp.start({ database: source, encryptionKeys: [key] });
    here = oauth.app;
    // After a minute, jobs would change what is compared.
    await here.nest.get(Scheduler).beforeApplicationShutdown();
    atHome = new pg.Client({ connectionString: source.systemUrl });
    away = new pg.Client({ connectionString: target.systemUrl });
    await Promise.all([atHome.connect(), away.connect()]);
  });
  afterAll(async () => {
    await Promise.all([atHome?.end(), away?.end()]);
    await here?.stop();
    await full?.stop();
    await server?.stop();
  });

  const rows = (url: string) =>
    everyRow(url, (table, hasStore) =>
      hasStore && !WRITTEN.includes(table) ? `where store_id = '${full.id}'` : 'where false',
    );
  const change = (text: string, ...values: unknown[]) => atHome.query(text, [full.id, ...values]);
  const call = (app: TestApp, operation: string, input: object = {}) =>
    app.post(`/v1/${operation}`, input, { Authorization: `Bearer ${full.tokens.admin}` });
  const data = async (app: TestApp, operation: string, input: object = {}) => {
    const { body } = await call(app, operation, input);
    if (!body.ok) throw new Error(`${operation}: ${body.error!.message}`);
    return body.data;
  };
  const create = (slug: string) => call(here, 'create_brand', { name: slug, slug });

  it('takes changes until shortly before its end, and all of them arrive', async () => {
    // More customers than are entered in one transaction, each referred by a later one.
    await change(
      `insert into customers (store_id, id, referrer_id, created_at, updated_at)
       select $1, n, case when n < 12000 then n + 1 end, now(), now() from generate_series(1, 12000) n`,
    );
    // Entries that would be added up if they had been written where they arrive.
    await atHome.query(`set shop.copying = 'on'`);
    await change(
      `insert into product_days (store_id, day, id, product_id, title, quantity, revenue)
       overriding system value
       select $1, current_date, n, 'tee', 'Tee', 1, 20 from generate_series(499990, 500010) n`,
    );
    await atHome.query('reset shop.copying');
    for (const slug of ['left', 'right', 'gone']) expect((await create(slug)).status).toBe(200);

    const { release, moved } = await heldUp(full.id);
    // Here all goes on, and there nothing begins.
    await data(here, 'set_order_status', { orderId: full.order.id, status: 'SHIPPED' });
    await change(
      `with other as (update brands set slug = 'between' where store_id = $1 and slug = 'left')
       delete from brands where store_id = $1 and slug = 'gone'`,
    );
    await change(`update brands set slug = 'left' where store_id = $1 and slug = 'right'`);
    await change(`update brands set slug = 'right' where store_id = $1 and slug = 'between'`);
    await change(`update customers set referrer_id = 12000 where store_id = $1 and id < 12000`);
    await change(
      `update users set password_hash = 'changed meanwhile' where id in (
         select user_id from store_members where store_id = $1)`,
    );
    const there = await TestApp.start({ database: target, encryptionKeys: [key] });
    try {
      expect((await call(there, 'get_settings')).status).toBe(401);
      for (const job of [Pictures, SalesPacking, DeliveryPacking]) {
        const service = there.nest.get<object>(job);
        await ('pack' in service ? (service as SalesPacking).pack() : (service as Pictures).deleteUnused());
      }
      expect(await there.nest.get(DeliveryQueue).dueStores()).toEqual([]);
    } finally {
      await there.stop();
    }
    const acknowledged: string[] = [];
    const refused = new Set<number>();
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        const { status } = await create(`brand-${n}`);
        if (status === 200) acknowledged.push(`brand-${n}`);
        else refused.add(status);
        expect([200, 503, 403]).toContain((await call(here, 'get_order', { orderId: full.order.id })).status);
      }
    })();
    await eventually('something is written meanwhile', () => acknowledged.length > 0);
    await release();
    const result = await moved;
    isOver = true;
    await writing;
    expect(result).toMatchObject({
      code: 0,
      output: { id: full.id, invitations: [], readOnlyMs: expect.any(Number) },
    });
    expect([...refused].filter((status) => status !== 503 && status !== 403)).toEqual([]);
    // While it was read-only, only what had just changed was compared.
    const { rows: told } = await away.query<{ details: { rows: number; comparedLast: number } }>(
      `select details from operator_log where command = 'store move' and target = 'store:' || $1`,
      [full.id],
    );
    expect(told).toHaveLength(1);
    expect(told[0].details.rows).toBeGreaterThan(12_000);
    expect(told[0].details.comparedLast).toBeLessThan(6_000);
    expect(await rows(target.ownerUrl)).toEqual(await rows(source.ownerUrl));
    expect(acknowledged.length).toBeGreaterThan(0);
    const { rows: brands } = await away.query<{ slug: string }>('select slug from brands');
    expect(brands.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining([...acknowledged, 'left', 'right']),
    );
    expect(await away.query('select password_hash from users').then((found) => found.rows)).toEqual([
      { password_hash: 'changed meanwhile' },
    ]);
    const arrived = await TestApp.start({ database: target, encryptionKeys: [key] });
    try {
      const shipped = async () => {
        const { items } = await data(arrived, 'list_events', { take: 100 });
        expect(new Set(items.map(({ id }: { id: string }) => id)).size).toBe(items.length);
        return items.filter((item: { data: { status: string } }) => item.data.status === 'SHIPPED');
      };
      await eventually('the change is in the feed', async () => (await shipped()).length > 0);
      expect(await shipped()).toHaveLength(1);
    } finally {
      await arrived.stop();
    }
  });

  it('keeps its connected apps, with the tokens that they got while it was moved', async () => {
    const store = await here.store();
    const first = await oauth.tokens(oauth.person(store));
    const { release, moved } = await heldUp(store.id);
    const second = await oauth.refresh(first.refresh_token);
    expect(await oauth.status(second.access_token)).toBe(200);
    await release();
    expect(await moved).toMatchObject({ code: 0 });
    const refresh = () => oauth.refresh(second.refresh_token!);
    const revoke = () =>
      oauth.post('/oauth/revoke', { client_id: oauth.agent, token: second.refresh_token! });
    expect(await refresh()).toMatchObject({ status: 503, error: 'temporarily_unavailable' });
    expect(await revoke()).toMatchObject({ status: 503 });
    await atHome.query(`update stores set suspended_at = now() - interval '1 minute' where id = $1`, [
      store.id,
    ]);
    expect(await refresh()).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await revoke()).toMatchObject({ status: 200 });
    const there = await oauth.twin({ database: target, encryptionKeys: [key] });
    try {
      expect(await oauth.status(second.access_token, there.url)).toBe(200);
      const third = await oauth.refresh(second.refresh_token!, {}, there.url);
      expect(await oauth.status(third.access_token, there.url)).toBe(200);
    } finally {
      await there.stop();
    }
  });

  it('is purged of what is too old where it is, and not where it arrives, until it is there', async () => {
    const store = await here.store();
    const old = (operation: string) =>
      change(
        `insert into audit_log (store_id, id, at, actor_kind, actor_name, operation, transport, input,
           outcome, request_id)
         select $2, gen_random_uuid(), now() - n * interval '3 years', 'system', 'test', $3, 'http', '{}',
           'ok', '' from generate_series(1, 3) n where $1::uuid is not null`,
        store.id,
        operation,
      );
    await old('before');
    const there = await TestApp.start({ database: target, encryptionKeys: [key] });
    try {
      await there.nest.get(Scheduler).beforeApplicationShutdown();
      const olds = async (client: pg.Client) => {
        const { rows: found } = await client.query<{ operation: string }>(
          `select operation from audit_log where store_id = $1 and transport = 'http' and actor_name = 'test'
           order by 1`,
          [store.id],
        );
        return found.map(({ operation }) => operation);
      };
      // A table that is never purged.
      const { release, moved } = await heldUp(store.id, 'webhook_endpoints');
      expect(await olds(away)).toEqual(['before', 'before', 'before']);
      await there.nest.get(Retention).purge();
      expect(await olds(away)).toEqual(['before', 'before', 'before']);
      await here.nest.get(Retention).purge();
      await old('late');
      await release();
      expect(await moved).toMatchObject({ code: 0 });
      expect(await olds(away)).toEqual(['late', 'late', 'late']);
      for (const app of [here, there]) await app.nest.get(Retention).purge();
      expect([await olds(atHome), await olds(away)]).toEqual([[], []]);
    } finally {
      await there.stop();
    }
  });

  it('stays suspended if it was, and its move is not the reason there', async () => {
    const store = await here.store();
    const suspension = async (client: pg.Client) => {
      const { rows: found } = await client.query<{ at: Date; reason: string }>(
        'select suspended_at as at, suspended_reason as reason from stores where id = $1',
        [store.id],
      );
      return found[0];
    };
    const run = (...args: string[]) =>
      shop({ DATABASE_URL: source.ownerUrl, ENCRYPTION_KEY: key }, ...args, '--store', store.id);
    expect(await run('store', 'suspend', '--reason', 'unpaid')).toMatchObject({ code: 0 });
    const before = await suspension(atHome);
    expect(await run('store', 'move', '--to', target.ownerUrl)).toMatchObject({ code: 0 });
    expect(await suspension(away)).toEqual(before);
    expect(await suspension(atHome)).toEqual({ at: before.at, reason: expect.stringMatching(/^moved to /) });
    const there = await TestApp.start({ database: target, encryptionKeys: [key] });
    try {
      const read = () => there.post('/v1/list_brands', {}, { Authorization: `Bearer ${store.tokens.read}` });
      expect(await read()).toMatchObject({
        status: 403,
        body: { error: { message: expect.stringContaining('unpaid') } },
      });
    } finally {
      await there.stop();
    }
  });

  /** Begins a move, which is held up while its rows arrive. */
  async function heldUp(storeId: string, table = 'idempotency_keys') {
    const blocker = new pg.Client({ connectionString: target.ownerUrl });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(`lock table ${table} in access exclusive mode`);
    const moved = shop(
      { DATABASE_URL: source.ownerUrl, ENCRYPTION_KEY: key },
      ...['store', 'move', '--store', storeId, '--to', target.ownerUrl],
    );
    const { rows: blocking } = await blocker.query<{ pid: number }>('select pg_backend_pid() as pid');
    await eventually('its rows arrive', async () => {
      const { rowCount } = await away.query(
        `select from pg_stat_activity
         where application_name = 'shop-backup' and $1 = any(pg_blocking_pids(pid))`,
        [blocking[0].pid],
      );
      return rowCount! > 0;
    });
    return { moved, release: () => blocker.end() };
  }
});
