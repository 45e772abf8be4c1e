import { createServer } from 'node:net';
import pg from 'pg';
import { MetricsServer } from '../../src/platform/observability/metrics-server.js';
import { DeliveryQueue } from '../../src/webhooks/delivery/delivery-queue.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { silenceable } from '../support/servers/silenceable.js';
import { TestApp } from '../support/test-app.js';

const figure = (text: string, name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];

async function ready(app: TestApp): Promise<{ status: number; body: unknown; ms: number }> {
  const started = performance.now();
  const response = await fetch(`${app.url}/health/ready`);
  return { status: response.status, body: await response.json(), ms: performance.now() - started };
}

/** A check that a busy machine does not finish in time says not ready once. @returns what it says then */
async function onceReady(app: TestApp): Promise<unknown> {
  let answer: Awaited<ReturnType<typeof ready>>;
  await eventually('it says ready', async () => (answer = await ready(app)).status === 200);
  return answer!.body;
}

/** Probes and figures (docs/behaviour.md §9). */
describe('probes', () => {
  it("query the database as each of the service's own roles", async () => {
    const database = await ownDatabase();
    const app = await TestApp.start({ database });
    expect(await onceReady(app)).toMatchObject({ status: 'ok', checks: { database: 'ok' } });
    for (const url of [database.storeUrl, database.systemUrl]) {
      const role = pg.escapeIdentifier(new URL(url).username);
      await app.query(`revoke select on stores from ${role}`);
      expect(await ready(app)).toMatchObject({
        status: 503,
        body: { status: 'unavailable', checks: { database: 'unavailable' } },
      });
      await app.query(`grant select on stores to ${role}`);
      await onceReady(app);
    }
    await app.stop();
  });

  it('say not ready on a database whose secrets are sealed with another key', async () => {
    const database = await ownDatabase();
    const app = await TestApp.start({ database });
    await onceReady(app);
    // A key beside it is a rotation under way.
    await app.query(
      `insert into encryption_keys (fingerprint, in_use_since) values ('of the next key', now())`,
    );
    await onceReady(app);
    await app.query(`delete from encryption_keys where fingerprint <> 'of the next key'`);
    expect(await ready(app)).toMatchObject({
      status: 503,
      body: { checks: { database: 'ok', key: 'unavailable' } },
    });
    await app.stop();
  });

  it('answer in time while the database hangs, leave out what is not available, and recover', async () => {
    const database = await ownDatabase();
    const ways = await Promise.all([silenceable(database.storeUrl), silenceable(database.systemUrl)]);
    const [store, system] = ways;
    const app = await TestApp.start({
      database: { ...database, storeUrl: store.url, systemUrl: system.url },
      env: { SHOP_ROLES: 'web,deliver' },
    });
    await onceReady(app);
    expect(figure(await (await fetch(`${app.url}/metrics`)).text(), 'shop_webhook_pending')).toBe('0');
    for (const way of ways) way.fallSilent({ hang: true });
    // Several probes at once wait for the same answer.
    for (const { status, ms } of await Promise.all(Array.from({ length: 20 }, () => ready(app)))) {
      expect(status).toBe(503);
      expect(ms).toBeLessThan(6_000);
    }
    const metrics = await fetch(`${app.url}/metrics`);
    const text = await metrics.text();
    expect(metrics.status).toBe(200);
    expect(figure(text, 'shop_webhook_pending')).toBeUndefined();
    expect(figure(text, 'shop_pool_system_connections')).toBeDefined();
    await Promise.all(ways.map((way) => way.close()));
    await app.stop();
  });

  it('say ready while calls hold all connections of the pool', async () => {
    const app = await TestApp.start({ env: { DATABASE_POOL: '2' } });
    const store = await app.store();
    const { productId } = await store.product();
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    const locker = new pg.Client({ connectionString: app.database.ownerUrl });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from orders where id = $1 for update', [id]);
    const calls = Array.from({ length: 5 }, () =>
      store.call('set_order_status', { orderId: id, status: 'SHIPPED' }),
    );
    await eventually('three calls wait for a connection', async () => {
      const text = await (await fetch(`${app.url}/metrics`)).text();
      return Number(figure(text, 'shop_pool_store_waiting')) >= 3;
    });
    await onceReady(app);
    await locker.query('commit');
    await locker.end();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await app.stop();
  });
});

describe('figures', () => {
  it('are served on a port of their own when METRICS_PORT says so', async () => {
    const app = await TestApp.start({ env: { METRICS_PORT: '0' } });
    const missing = await fetch(`${app.url}/metrics`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const url = `http://127.0.0.1:${app.nest.get(MetricsServer).port}`;
    const response = await fetch(`${url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toMatch(
      /^shop_build_info\{version="1\.0\.0",commit="[^"]+",node="v\d+.*",roles="web"\} 1$/m,
    );
    expect(figure(text, 'shop_listener_connected')).toBe('1');
    expect(figure(text, 'shop_requests_under_way')).toBe('0');
    expect(figure(text, 'nodejs_eventloop_lag_p99_seconds')).toBeDefined();
    expect((await fetch(`${url}/health/live`)).status).toBe(404);
    await app.stop();
    await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  });

  it('are refused on the public port to callers from outside, also through a proxy', async () => {
    const app = await TestApp.start();
    const status = async (forwarded?: string) => {
      const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
      return (await fetch(`${app.url}/metrics`, { headers })).status;
    };
    for (const inside of [undefined, '10.1.2.3', '192.168.0.7:5000, [fd00::1]:443', '::1'])
      expect([inside, await status(inside)]).toEqual([inside, 200]);
    for (const outside of ['203.0.113.9', '203.0.113.9, 10.0.0.1', '10.0.0.1, [2001:db8::1]:443', 'unknown'])
      expect([outside, await status(outside)]).toEqual([outside, 403]);
    await app.stop();
  });

  it('stop the start if METRICS_PORT is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await expect(TestApp.start({ env: { METRICS_PORT: String(port) } })).rejects.toThrow(
      /^METRICS_PORT: .*EADDRINUSE/,
    );
    await new Promise((resolve) => taken.close(resolve));
  });

  it('count pending deliveries exactly up to a bound, beyond which the planner is believed', async () => {
    const database = await ownDatabase();
    const app = await TestApp.start({ database });
    const store = await app.store();
    const insert = (count: number) =>
      app.query(
        `insert into webhook_deliveries (store_id, id, next_attempt_at, created_at)
         select $1, gen_random_uuid(), now(), now() from generate_series(1, $2::int)`,
        [store.id, count],
      );
    const pending = () => app.nest.get(DeliveryQueue).pendingCount();
    await insert(1_234);
    expect(await pending()).toBe(1_234);
    await insert(150_000);
    expect(await pending()).toBeGreaterThanOrEqual(100_000);
    await app.query('analyze webhook_deliveries');
    expect(await pending()).toBeCloseTo(151_234, -5);
    expect(await pending()).toBeGreaterThan(140_000);
    await app.stop();
  });
});
