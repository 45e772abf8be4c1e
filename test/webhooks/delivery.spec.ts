import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Retention } from '../../src/platform/database/retention.service.js';
import { Deliveries } from '../../src/webhooks/delivery/deliveries.service.js';
import { Dispatcher } from '../../src/webhooks/delivery/dispatcher.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { atRest } from '../support/waiting/deliveries.js';
import { eventually } from '../support/eventually.js';
import { DatabaseClock } from '../support/database/database-clock.js';
import { ownDatabase } from '../support/database/own-database.js';
import { answers, type Received, Receiver } from '../support/servers/receiver.js';
import { TestApp, type TestStore, useShop } from '../support/test-app.js';

const MINUTE = 60_000;
/** docs/behaviour.md §7.3: after 1 min, 5 min, 30 min, 2 h and 6 h. */
const DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 360 * MINUTE];

describe('order webhooks', () => {
  let store: TestStore;
  let receiver: Receiver;
  let secret: string;
  let clock: DatabaseClock;

  // What is answered at once is answered in this time on a busy machine too.
  const env = { SHOP_ROLES: 'web,deliver', WEBHOOK_TIMEOUT: '5' };
  const app = useShop(async () => {
    const database = await ownDatabase();
    clock = await DatabaseClock.of(database);
    return { clock, database, env };
  });
  const endpoints = () => app.nest.get(WebhookEndpoints);
  const deliveries = () => store.inside((ctx) => app.nest.get(Deliveries).list(ctx, { take: 100 }));
  const sweep = () => app.nest.get(Dispatcher).sweep();
  const order = async () =>
    store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });

  beforeEach(async () => {
    store = await app.store();
    receiver = await Receiver.start();
    secret = (await store.inside((ctx) => endpoints().save(ctx, receiver.url))).secret!;
  });
  afterEach(() => receiver.stop());

  /** Waits until the newest delivery has so many attempts on record. */
  async function attempts(count: number) {
    const newest = async () => (await deliveries()).items[0];
    await eventually(`${count} attempts`, async () => (await newest()).attempts.length >= count);
    return newest();
  }

  it('sends a new order as get_order returns it, signed over the raw bytes', async () => {
    const placed = await order();
    const [request] = await receiver.waitFor(1);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Shop-Webhooks/1',
      'x-shop-event': 'order.created',
      'x-shop-delivery': request.json.id,
      'x-shop-signature': createHmac('sha256', secret).update(request.body).digest('hex'),
    });
    expect(request.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'order.created',
      createdAt: clock.now().toISOString(),
      data: await store.data('get_order', { orderId: placed.id }),
    });
    expect(await attempts(1)).toMatchObject({
      status: 'delivered',
      orderId: placed.id,
      nextAttemptAt: null,
      attempts: [{ statusCode: 204, error: null }],
    });
  });

  it('sends order.updated for every change and nothing for a status the order has', async () => {
    const { id: orderId } = await order();
    await receiver.waitFor(1);
    const { order: processing } = await store.data('set_order_status', { orderId, status: 'PROCESSING' });
    await store.data('set_order_status', { orderId, status: 'PROCESSING' });
    const { order: shipped } = await store.data('ship_order', { orderId, carrier: 'DHL' });
    const { order: again } = await store.data('ship_order', { orderId, carrier: 'DHL' });
    const { order: cancelled } = await store.data('refund_order', { orderId, amount: 100, reason: 'broken' });
    await store.data('refund_order', { orderId });
    await store.data('add_order_note', { orderId, note: 'quiet' });
    await receiver.waitFor(5);
    await atRest(app);
    const updates = receiver.received.filter(({ json }) => json.event === 'order.updated');
    const byTime = updates.map(({ json }) => json.data).sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
    expect(byTime).toEqual([processing, shipped, again, cancelled]);
    expect(new Set(byTime.map(({ updatedAt }) => updatedAt)).size).toBe(4);
  });

  it('keeps nothing for a store without a webhook', async () => {
    const other = await app.store();
    const { productId } = await other.product();
    await other.place({ items: [{ productId, quantity: 1 }] });
    expect(await app.query('select 1 from webhook_deliveries where store_id = $1', [other.id])).toEqual([]);
  });

  it('tries six times on the schedule, each time the same bytes, then gives up', async () => {
    receiver.always(answers.status(500, 'no'));
    await order();
    await receiver.waitFor(1);
    let delivery = await attempts(1);
    for (const [i, delay] of DELAYS.entries()) {
      expect(delivery).toMatchObject({ status: 'pending' });
      expect(delivery.nextAttemptAt!.getTime() - clock.now().getTime()).toBe(delay);
      await clock.pass(delay - 1);
      await atRest(app);
      expect(receiver.received).toHaveLength(i + 1);
      await clock.pass(1);
      await sweep();
      await receiver.waitFor(i + 2);
      delivery = await attempts(i + 2);
    }
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(delivery.attempts).toHaveLength(6);
    expect(delivery.attempts.every(({ statusCode }) => statusCode === 500)).toBe(true);
    await clock.pass(1000 * MINUTE);
    await atRest(app);
    expect(receiver.received).toHaveLength(6);
    expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-shop-delivery'])).size).toBe(1);
  });

  it('treats a redirect and a late answer as failures, and any 2xx as success', async () => {
    receiver.next(answers.redirect(receiver.url), answers.hang(), answers.status(299));
    await order();
    let delivery = await attempts(1);
    expect(delivery.attempts[0]).toMatchObject({
      statusCode: 302,
      error: expect.stringContaining('redirect'),
    });
    await clock.pass(DELAYS[0]);
    await sweep();
    delivery = await attempts(2);
    expect(delivery.attempts[1]).toMatchObject({
      statusCode: null,
      error: expect.stringContaining('timed out'),
    });
    expect(delivery.attempts[1].durationMs).toBeGreaterThanOrEqual(1_990);
    await clock.pass(DELAYS[1]);
    await sweep();
    delivery = await attempts(3);
    expect(delivery).toMatchObject({ status: 'delivered' });
    expect(receiver.received).toHaveLength(3);
  });

  it('signs with the current secret: a rotation applies from the next attempt on', async () => {
    receiver.next(answers.status(500));
    await order();
    await attempts(1);
    const rotated = (await store.inside((ctx) => endpoints().rotateSecret(ctx))).secret;
    expect(rotated).toMatch(/^whsec_/);
    expect(rotated).not.toBe(secret);
    await clock.pass(DELAYS[0]);
    await sweep();
    const [first, second] = await receiver.waitFor(2);
    const signed = (key: string, body: Buffer) => createHmac('sha256', key).update(body).digest('hex');
    expect(first.headers['x-shop-signature']).toBe(signed(secret, first.body));
    expect(second.headers['x-shop-signature']).toBe(signed(rotated, second.body));
    expect(second.body.equals(first.body)).toBe(true);
  });

  it('signs with both secrets for 24 hours after a rotation that asks for it', async () => {
    const rotated = await store.inside((ctx) => endpoints().rotateSecret(ctx, { overlap: true }));
    expect(rotated.previousUntil!.getTime() - clock.now().getTime()).toBe(24 * 60 * MINUTE);
    const accepts = (key: string, { body, headers }: Received) => {
      try {
        // The library compares the time of the attempt with its own clock.
        jest.spyOn(Date, 'now').mockReturnValue(Number(headers['webhook-timestamp']) * 1000);
        return Boolean(new Webhook(key).verify(body, headers as Record<string, string>));
      } catch {
        return false;
      } finally {
        jest.restoreAllMocks();
      }
    };
    await order();
    // An attempt that is still under way when its lease ends is made again.
    await attempts(1);
    await clock.pass(24 * 60 * MINUTE - 1);
    await order();
    await attempts(1);
    const [first, during] = await receiver.waitFor(2);
    for (const request of [first, during])
      expect([accepts(secret, request), accepts(rotated.secret, request)]).toEqual([true, true]);
    await clock.pass(1);
    await order();
    const after = (await receiver.waitFor(3))[2];
    expect([accepts(secret, after), accepts(rotated.secret, after)]).toEqual([false, true]);
    expect(after.headers['webhook-id']).toBe(after.json.id);
    const again = await store.inside((ctx) => endpoints().rotateSecret(ctx));
    expect(again.previousUntil).toBeUndefined();
    await order();
    const last = (await receiver.waitFor(4))[3];
    expect([accepts(rotated.secret, last), accepts(again.secret, last)]).toEqual([false, true]);
  });

  it('keeps the secret encrypted and shows it on the first save only', async () => {
    expect(await store.inside((ctx) => endpoints().save(ctx, `${receiver.url}/moved`))).toEqual({
      url: `${receiver.url}/moved`,
    });
    const [row] = await app.query(
      'select row_to_json(e)::text as text from webhook_endpoints e where store_id = $1',
      [store.id],
    );
    expect(row.text).not.toContain(secret);
    expect(row.text).not.toContain(secret.slice('whsec_'.length));
  });

  it('holds deliveries while paused and sends them when resumed', async () => {
    await store.inside((ctx) => endpoints().pause(ctx, true));
    await order();
    await atRest(app);
    expect(receiver.received).toHaveLength(0);
    await store.inside((ctx) => endpoints().pause(ctx, false));
    await receiver.waitFor(1);
  });

  it('sends a delivery again by hand, with the same id and bytes', async () => {
    await order();
    const { id } = await attempts(1);
    await store.inside((ctx) => app.nest.get(Deliveries).redeliver(ctx, id));
    const [first, second] = await receiver.waitFor(2);
    expect(second.body.equals(first.body)).toBe(true);
    expect(await attempts(2)).toMatchObject({ status: 'delivered' });
  });

  it('sends all failed ones since a time again', async () => {
    receiver.always(answers.status(500));
    await order();
    await attempts(1);
    for (const [i, delay] of DELAYS.entries()) {
      await clock.pass(delay);
      await sweep();
      await attempts(i + 2);
    }
    receiver.always(answers.status(200));
    // Ids are made by the real clock, which the test's is ahead of.
    const since = new Date(Date.now() - 10 * 60 * MINUTE);
    expect(await store.inside((ctx) => app.nest.get(Deliveries).redeliverFailed(ctx, since))).toEqual({
      redelivered: 1,
    });
    expect(await attempts(7)).toMatchObject({ status: 'delivered' });
  });

  it('drops pending deliveries with a deleted order, and with a removed webhook', async () => {
    receiver.always(answers.status(500));
    const { id: orderId } = await order();
    await attempts(1);
    await store.data('delete_order', { orderId, confirm: true });
    expect((await deliveries()).items).toEqual([]);
    await order();
    await attempts(1);
    await store.inside((ctx) => endpoints().remove(ctx));
    expect((await deliveries()).items).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
  });

  it('deletes deliveries after 30 days, pending ones excepted', async () => {
    await order();
    await attempts(1);
    receiver.always(answers.status(500));
    await order();
    await attempts(1);
    await clock.pass(31 * 24 * 60 * MINUTE);
    await app.nest.get(Retention).purge();
    expect((await deliveries()).items.map(({ status }) => status)).toEqual(['pending']);
  });

  it('takes over a delivery whose worker died, once its lease has ended', async () => {
    await store.inside((ctx) => endpoints().pause(ctx, true));
    await order();
    const leaseUntil = new Date(clock.now().getTime() + 5_500);
    await app.query(
      `update webhook_deliveries set lease_until = $2, lease_token = gen_random_uuid() where store_id = $1`,
      [store.id, leaseUntil],
    );
    await store.inside((ctx) => endpoints().pause(ctx, false));
    await clock.pass(5_499);
    await atRest(app);
    expect(receiver.received).toHaveLength(0);
    await clock.pass(1);
    await sweep();
    await receiver.waitFor(1);
  });

  it('lets only the holder of the lease settle a delivery: a late result only adds its attempt', async () => {
    let answer: (() => void) | undefined;
    receiver.next((response) => void (answer = () => response.writeHead(500).end()));
    await order();
    await receiver.waitFor(1);
    await app.query(
      `update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = $2 where store_id = $1`,
      [store.id, new Date(clock.now().getTime() + 60_000)],
    );
    answer!();
    const delivery = await attempts(1);
    expect(delivery).toMatchObject({ status: 'pending' });
    const [row] = await app.query(
      'select failed_attempts, lease_token from webhook_deliveries where store_id = $1',
      [store.id],
    );
    expect(row).toMatchObject({ failed_attempts: 0, lease_token: expect.any(String) });
  });

  it("does not let one store's hanging endpoint delay another's", async () => {
    const env = { SHOP_ROLES: 'web,deliver', WEBHOOK_TIMEOUT: '60' };
    const patient = await TestApp.start({ database: await ownDatabase(), env });
    const storeWith = async (target: Receiver, orders: number) => {
      const one = await patient.store();
      await one.inside((ctx) => patient.nest.get(WebhookEndpoints).save(ctx, target.url));
      const { productId } = await one.product();
      for (let i = 0; i < orders; i++) await one.place({ items: [{ productId, quantity: 1 }] });
    };
    receiver.always(answers.hang());
    await storeWith(receiver, 30);
    const target = await Receiver.start();
    await storeWith(target, 10);
    await target.waitFor(10);
    // The attempts that hang have not ended by then.
    expect(await patient.query('select from webhook_attempts where status_code is null')).toEqual([]);
    expect(receiver.received.length).toBeGreaterThan(0);
    await Promise.all([receiver.stop(), target.stop()]);
    await patient.stop();
  });
});
