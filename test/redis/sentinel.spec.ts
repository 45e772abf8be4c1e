import { ThrottlerStorage } from '@nestjs/throttler';
import { checkRedis } from '../../src/operator/cli/doctor/surroundings.js';
import { loadConfig } from '../../src/platform/config/config.js';
import type { RedisThrottlerStorage } from '../../src/platform/rate-limit/redis-storage.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { byBellAlone } from '../support/waiting/deliveries.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { paced } from '../support/waiting/paced.mjs';
import { Receiver } from '../support/servers/receiver.js';
import { RedisSentinels } from '../support/servers/redis-sentinels.js';
import { TestApp, type TestStore } from '../support/test-app.js';

/** A Redis whose master changes: webhooks go on, the bell rings again and budgets are shared again. */
describe('with sentinels', () => {
  let sentinels: RedisSentinels;
  let web: TestApp;
  let worker: TestApp;
  let store: TestStore;
  let receiver: Receiver;
  let orderId: number;
  let changes = 0;

  const change = () =>
    store.data('set_order_status', { orderId, status: changes++ % 2 === 0 ? 'PROCESSING' : 'PENDING' });

  /** Changes without pause while the work goes on, and then waits for every delivery. */
  async function under(work: Promise<void>): Promise<void> {
    const before = changes;
    receiver.received.length = 0;
    let isOver = false;
    const working = work.finally(() => (isOver = true));
    while (!isOver) {
      await change();
      await paced(50);
    }
    await working;
    await receiver.waitFor(changes - before);
    expect(new Set(receiver.received.map(({ json }) => json.id)).size).toBe(changes - before);
  }

  /** Waits until a change is delivered at the ring of the bell alone. */
  const bellRings = () =>
    byBellAlone(worker, () => {
      receiver.received.length = 0;
      return eventually('a change is announced', async () => {
        await change();
        await paced(200);
        return receiver.received.length > 0;
      });
    });

  /**
   * Waits until both processes count in the same Redis. Who has asked nothing of a master that stands still
   * does not know yet.
   */
  async function budgetsAreShared(): Promise<void> {
    const storages = [web, worker].map((app) => app.nest.get<RedisThrottlerStorage>(ThrottlerStorage));
    let tries = 0;
    await eventually('both count in the same Redis', async () => {
      const key = `sentinel-${changes}-${tries++}`;
      const counts: number[] = [];
      for (const storage of storages) counts.push((await storage.increment(key, 60_000, 100)).totalHits);
      return counts.join() === '1,2';
    });
  }

  beforeAll(async () => {
    sentinels = await RedisSentinels.start();
    const database = await preparedDatabase();
    const env = { REDIS_URL: sentinels.url };
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
    await sentinels.stop();
  });

  it('connects to the master', async () => {
    await bellRings();
    await budgetsAreShared();
    const config = loadConfig({ REDIS_URL: sentinels.url });
    expect(await checkRedis(config)).toMatchObject([{ check: 'redis', ok: true }]);
  });

  it('loses nothing when the master is killed, and follows the new one', async () => {
    const old = await sentinels.master();
    await under(old.kill().then(() => sentinels.failover(old)));
    await bellRings();
    await budgetsAreShared();
    await sentinels.bringBack(old);
  });

  it('loses nothing when the master hangs, and follows the new one', async () => {
    const old = await sentinels.master();
    old.signal('SIGSTOP');
    await under(sentinels.failover(old));
    await bellRings();
    await budgetsAreShared();
    old.signal('SIGCONT');
    await bellRings();
    await budgetsAreShared();
  });
});
