import { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import type { RedisThrottlerStorage } from '../../src/platform/rate-limit/redis-storage.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { byBellAlone } from '../support/waiting/deliveries.js';
import { eventually } from '../support/eventually.js';
import { paced } from '../support/waiting/paced.mjs';
import { preparedDatabase } from '../support/database/own-database.js';
import { Receiver } from '../support/servers/receiver.js';
import { RedisServer } from '../support/servers/redis-server.js';
import { freePort, ServiceProcess } from '../support/servers/service-process.js';
import { RawClient } from '../doors/mcp/raw-client.js';
import { TestApp, type TestStore } from '../support/test-app.js';

/** The Redis mode: Bull rings, budgets are shared; and nothing depends on it. */
describe('with Redis', () => {
  let redis: RedisServer;
  let web: TestApp;
  let worker: TestApp;
  let store: TestStore;
  let receiver: Receiver;
  let orderId: number;
  let statuses = 0;

  const change = async () => {
    const started = performance.now();
    const status = statuses++ % 2 === 0 ? 'PROCESSING' : 'PENDING';
    await store.data('set_order_status', { orderId, status });
    return performance.now() - started;
  };

  const storageOf = (app: TestApp) => app.nest.get<RedisThrottlerStorage>(ThrottlerStorage);
  /**
   * A process that has just started counts alone until it is connected. From then on these wait for Redis as
   * long as it takes on a busy machine, instead of counting alone.
   */
  const countInRedis = (...apps: TestApp[]) => {
    for (const app of apps)
      (storageOf(app) as unknown as { redis: Redis }).redis.options.commandTimeout = 60_000;
    return eventually('budgets are counted in Redis', () => apps.every((app) => storageOf(app).isConnected));
  };

  beforeAll(async () => {
    redis = await RedisServer.start();
    const database = await preparedDatabase();
    const env = { REDIS_URL: redis.url };
    web = await TestApp.start({ database, env: { ...env, SHOP_ROLES: 'web' } });
    worker = await TestApp.start({ database, env: { ...env, SHOP_ROLES: 'deliver' } });
    store = await web.store();
    receiver = await Receiver.start();
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
    await store.inside((ctx) => web.nest.get(WebhookEndpoints).save(ctx, receiver.url));
  });
  afterAll(async () => {
    await Promise.all([web.stop(), worker.stop(), receiver.stop()]);
    await redis.kill();
  });
  beforeEach(() => void (receiver.received.length = 0));

  /** Changes until one is announced: what rings before Redis is connected is lost. */
  const bellRings = () =>
    byBellAlone(worker, () =>
      eventually('a change is announced', async () => {
        await change();
        await paced(200);
        return receiver.received.length > 0;
      }),
    );

  it('delivers a change of another process when it is announced, before the next look', () => bellRings());

  it('loses nothing when Redis is emptied under load', async () => {
    const flushing = setInterval(() => void redis.command('flushall'), 100);
    for (let i = 0; i < 100; i++) await change();
    clearInterval(flushing);
    await receiver.waitFor(100);
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(100);
  });

  it('loses nothing and delays nobody while Redis is frozen and after it died', async () => {
    const before = await change();
    redis.signal('SIGSTOP');
    const frozen = [];
    for (let i = 0; i < 5; i++) frozen.push(await change());
    redis.signal('SIGCONT');
    await redis.kill();
    const dead = [];
    for (let i = 0; i < 20; i++) dead.push(await change());
    await receiver.waitFor(26);
    // The budget's script is given 250 ms to answer a frozen Redis, then this process counts alone.
    for (const milliseconds of [...frozen, ...dead]) expect(milliseconds).toBeLessThan(before + 5_000);
  });

  it('announces deliveries again after Redis has come back empty', async () => {
    await redis.restart();
    await bellRings();
  });

  it('makes a process that only delivers answer its probes and nothing else', async () => {
    expect((await fetch(`${worker.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${worker.url}/metrics`)).status).toBe(200);
    const refused = await fetch(`${worker.url}/v1/list_orders`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.tokens.read}` },
    });
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('reports the state of Redis in its readiness', async () => {
    expect(await (await fetch(`${web.url}/health/ready`)).json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', key: 'ok', redis: 'ok' },
    });
  });

  it('shares budgets between instances', async () => {
    const env = { REDIS_URL: redis.url, RATE_LIMIT_WRITE: '10' };
    const apps = [
      await TestApp.start({ database: web.database, env }),
      await TestApp.start({ database: web.database, env }),
    ];
    await countInRedis(...apps);
    const statusesSeen: number[] = [];
    for (let i = 0; i < 11; i++) {
      const { status } = await apps[i % 2].post(
        '/v1/set_order_status',
        {},
        { Authorization: `Bearer ${store.tokens.write}` },
      );
      statusesSeen.push(status);
    }
    await Promise.all(apps.map((app) => app.stop()));
    expect(statusesSeen).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });

  it('takes a repeat out of the writes that instances share, whichever of them answers it', async () => {
    const env = { REDIS_URL: redis.url };
    const one = await TestApp.start({ database: web.database, env });
    const other = await TestApp.start({ database: web.database, env });
    await countInRedis(one, other);
    const fresh = await one.store();
    const create = (app: TestApp, key: string) =>
      app.post(
        '/v1/create_brand',
        { name: key, slug: key },
        { Authorization: `Bearer ${fresh.tokens.write}`, 'Idempotency-Key': key },
      );
    const left = async (app: TestApp, key: string) =>
      Number((await create(app, key)).headers.get('ratelimit-remaining'));
    const first = await left(one, 'a');
    expect([await left(other, 'a'), await left(one, 'a'), await left(one, 'a')]).toEqual([
      first,
      first,
      first,
    ]);
    expect([await left(other, 'b'), await left(other, 'a')]).toEqual([first - 1, first - 1]);
    expect(await redis.command('zcard', `shop:budget:store:${fresh.id}:write`)).toBe(2);
    expect(await redis.command('zcard', `shop:budget:store:${fresh.id}:read`)).toBe(4);
    await Promise.all([one.stop(), other.stop()]);
  });

  it('refuses in each process by what it remembers, once Redis has said that a budget is spent', async () => {
    const env = { REDIS_URL: redis.url, RATE_LIMIT_BAD_TOKENS: '2' };
    const apps = [
      await TestApp.start({ database: web.database, env }),
      await TestApp.start({ database: web.database, env }),
    ];
    await countInRedis(...apps);
    const bad = async (app: TestApp) =>
      (await app.post('/v1/list_orders', {}, { Authorization: 'Bearer nonsense' })).status;
    const [first, second] = apps;
    expect([await bad(first), await bad(second), await bad(first)]).toEqual([401, 401, 429]);
    await redis.command('flushall');
    expect([await bad(first), await bad(second)]).toEqual([429, 401]);
    await Promise.all(apps.map((app) => app.stop()));
  });

  it('reports a shared budget without using it', async () => {
    const app = await TestApp.start({ database: web.database, env: { REDIS_URL: redis.url } });
    await countInRedis(app);
    const fresh = await app.store();
    const client = new RawClient(app, fresh.tokens.read);
    const told = async (method: string, name?: string) => {
      const { headers } = await client.send(method, name === undefined ? {} : { name });
      return ['remaining', 'reset'].map((what) => Number(headers.get(`ratelimit-${what}`)));
    };
    expect(await told('ping')).toEqual([100_000, 60]);
    expect((await told('tools/call', 'list_orders'))[0]).toBe(99_999);
    const [remaining, reset] = await told('ping');
    expect(remaining).toBe(99_999);
    expect(reset).toBeGreaterThan(30);
    expect((await told('tools/call', 'list_orders'))[0]).toBe(99_998);
    await app.stop();
  });

  it('starts and serves even if Redis is unavailable from the beginning', async () => {
    const app = await TestApp.start({
      database: web.database,
      env: { REDIS_URL: `redis://127.0.0.1:${await freePort()}` },
    });
    const answer = await app.post('/v1/list_orders', {}, { Authorization: `Bearer ${store.tokens.read}` });
    expect(answer.status).toBe(200);
    const ready = await fetch(`${app.url}/health/ready`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', key: 'ok', redis: 'unavailable' },
      warnings: [expect.stringContaining('Redis')],
    });
    expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(/^shop_redis_connected 0$/m);
    await app.stop();
  });

  it('waits only once for a Redis that hangs, and shares budgets again when it answers', async () => {
    const storage = storageOf(web);
    const key = `hanging-${Date.now()}`;
    redis.signal('SIGSTOP');
    const slow = [];
    for (let i = 0; i < 50; i++) {
      const started = performance.now();
      const { totalHits } = await storage.increment(key, 60_000, 100);
      const milliseconds = performance.now() - started;
      if (milliseconds > 200) slow.push({ i, milliseconds });
      expect(totalHits).toBe(i + 1);
      await paced(100);
    }
    expect(storage.isConnected).toBe(false);
    redis.signal('SIGCONT');
    // Asked once a second it would be slow five times; one more than the first is what a busy machine may
    // add.
    expect(slow.length).toBeLessThanOrEqual(2);
    expect(slow[0]).toMatchObject({ i: 0 });
    await eventually('it is connected again', () => storage.isConnected);
    expect((await storage.increment(`${key} anew`, 60_000, 100)).totalHits).toBe(1);
    expect(await redis.command('exists', `shop:budget:${key} anew`)).toBe(1);
  });

  it.each(['running', 'frozen', 'dead'])('stops at once and cleanly while Redis is %s', async (state) => {
    const own = await RedisServer.start();
    const service = await ServiceProcess.start({
      DATABASE_URL: web.database.ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
      REDIS_URL: own.url,
      LOG_LEVEL: 'silent',
    });
    if (state === 'frozen') own.signal('SIGSTOP');
    if (state === 'dead') await own.kill();
    const started = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(8_000);
    await own.kill();
  });
});
