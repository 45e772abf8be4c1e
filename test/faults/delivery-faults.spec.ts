import { createHash } from 'node:crypto';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { answersAfter, paced } from '../support/waiting/paced.mjs';
import { answers, Receiver } from '../support/servers/receiver.js';
import { ServiceProcess } from '../support/servers/service-process.js';
import { TestApp, type TestStore } from '../support/test-app.js';

/**
 * Real processes, killed at the worst moments (docs/behaviour.md §7.5): a crash may repeat a delivery, never
 * lose one.
 */
describe('deliveries survive', () => {
  let web: TestApp;
  let store: TestStore;
  let receiver: Receiver;
  let env: Record<string, string>;
  let orderId: number;
  const started: ServiceProcess[] = [];

  const deliverer = async (extra: Record<string, string> = {}) => {
    const service = await ServiceProcess.start({ ...env, SHOP_ROLES: 'deliver', ...extra });
    started.push(service);
    return service;
  };
  const change = (status: string) => store.data('set_order_status', { orderId, status });
  const ids = () => receiver.received.map(({ json }) => json.id as string);
  const unsettled = async () => {
    const [{ count }] = await web.query<{ count: number }>(
      `select count(*)::int from webhook_deliveries where status = 'pending'`,
    );
    return count;
  };
  const settled = () => eventually('no delivery is pending', async () => (await unsettled()) === 0);

  beforeAll(async () => {
    const database = await preparedDatabase();
    web = await TestApp.start({ database });
    env = {
      DATABASE_URL: database.ownerUrl,
      ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
      LOG_LEVEL: 'silent',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      WEBHOOK_TIMEOUT: '1',
      WEBHOOK_RETRY_DELAYS: '1,1,1,1,1',
    };
  });
  beforeEach(async () => {
    store = await web.store();
    receiver = await Receiver.start();
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
    await store.inside((ctx) => web.nest.get(WebhookEndpoints).save(ctx, receiver.url));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((service) => service.kill()));
    await receiver.stop();
  });
  afterAll(() => web.stop());

  it('a doorbell that never rang: the sweep finds what was committed', async () => {
    await change('PROCESSING');
    await change('SHIPPED');
    await deliverer();
    await receiver.waitFor(2);
    await settled();
  });

  it('a worker killed between POST and result: the same bytes once more, by another worker', async () => {
    const worker = await deliverer();
    receiver.next((response) => {
      worker.child.kill('SIGKILL');
      answers.status(200)(response, receiver.received[0]);
    });
    await change('PROCESSING');
    await receiver.waitFor(1);
    await deliverer();
    const [first, second] = await receiver.waitFor(2);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-shop-signature']).toBe(first.headers['x-shop-signature']);
    await settled();
    expect(receiver.received).toHaveLength(2);
  });

  it('workers killed again and again under load: nothing lost, few repeats, equal bytes', async () => {
    const changes = 200;
    const kills = 3;
    let worker = await deliverer();
    const killing = (async () => {
      for (let i = 0; i < kills; i++) {
        await paced(400);
        await worker.kill();
        worker = await deliverer();
      }
    })();
    for (let i = 0; i < changes; i++) await change(i % 2 === 0 ? 'PROCESSING' : 'SHIPPED');
    await killing;
    await settled();
    const bodies = new Map<string, Set<string>>();
    for (const { json, body } of receiver.received) {
      const digest = createHash('sha256').update(body).digest('hex');
      bodies.set(json.id, (bodies.get(json.id) ?? new Set()).add(digest));
    }
    expect(bodies.size).toBe(changes);
    expect([...bodies.values()].every((digests) => digests.size === 1)).toBe(true);
    // Of one store at most 16 are under way at once (DeliverySlots).
    expect(receiver.received.length - changes).toBeLessThanOrEqual(kills * 16);
  });

  it('a worker asked to stop under load: it finishes its work, exits 0, and nothing repeats', async () => {
    receiver.always(answersAfter(100));
    // On a busy machine too, no attempt is given up for its time.
    const worker = await deliverer({ WEBHOOK_TIMEOUT: '10' });
    for (let i = 0; i < 40; i++) await change(i % 2 === 0 ? 'PROCESSING' : 'SHIPPED');
    const stoppedAt = Date.now();
    expect(await worker.stop()).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(12_000);
    await deliverer();
    await settled();
    expect(ids()).toHaveLength(40);
    expect(new Set(ids()).size).toBe(40);
  });

  it('a rollback: no delivery exists for a change that was not committed', async () => {
    await deliverer();
    const attempt = store.inside(async (ctx) => {
      const { OrderChanges } = await import('../../src/groups/orders/changing/order-changes.service.js');
      await web.nest.get(OrderChanges).changeStatus(ctx, orderId, 'SHIPPED');
      throw new Error('the caller failed after the change');
    });
    await expect(attempt).rejects.toThrow('the caller failed');
    expect(await store.data('get_order', { orderId })).toMatchObject({ status: 'PENDING' });
    await change('PROCESSING');
    await receiver.waitFor(1);
    await settled();
    expect(receiver.received.map(({ json }) => json.data.status)).toEqual(['PROCESSING']);
  });
});

describe('an order under many writers', () => {
  it('has an updatedAt that rises strictly with every change, so that the newest version wins', async () => {
    const app = await TestApp.start({ database: await preparedDatabase() });
    const receiver = await Receiver.start();
    const store = await app.store();
    const { productId } = await store.product();
    const { id: orderId, updatedAt } = await store.place({ items: [{ productId, quantity: 1 }] });
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, receiver.url));
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let i = 0; i < 20; i++)
        await store.data('ship_order', { orderId, trackingNumber: `${writer}-${i}` });
    });
    await Promise.all(writers);
    const rows = await app.query<{ data: { updatedAt: string } }>(
      `select convert_from(body, 'UTF8')::json -> 'data' as data from webhook_deliveries join order_events
        using (store_id, id) where store_id = $1`,
      [store.id],
    );
    const times = rows.map(({ data }) => data.updatedAt).sort();
    expect(times).toHaveLength(400);
    expect(new Set([updatedAt, ...times]).size).toBe(401);
    const newest = rows.find(({ data }) => data.updatedAt === times[times.length - 1])!;
    expect(newest.data).toEqual(await store.data('get_order', { orderId }));
    await Promise.all([app.stop(), receiver.stop()]);
  });
});
