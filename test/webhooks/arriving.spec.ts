import { Dispatcher } from '../../src/webhooks/delivery/dispatcher.js';
import { StorePage } from '../doors/dashboard/browser.js';
import { eventually } from '../support/eventually.js';
import { DatabaseClock } from '../support/database/database-clock.js';
import { ownDatabase } from '../support/database/own-database.js';
import { answers, Receiver } from '../support/servers/receiver.js';
import { type TestStore, useShop } from '../support/test-app.js';

const MINUTE = 60_000;
const HEALTHY = { failingSince: null, lastError: null };

describe('whether webhooks arrive', () => {
  let clock: DatabaseClock;
  let store: TestStore;
  let receiver: Receiver;
  let owner: StorePage;

  const app = useShop(async () => {
    const database = await ownDatabase();
    clock = await DatabaseClock.of(database);
    return { clock, database, env: { SHOP_ROLES: 'web,deliver', WEBHOOK_TIMEOUT: '5' } };
  });
  beforeEach(async () => {
    store = await app.store();
    receiver = await Receiver.start();
    owner = await StorePage.ofOwner(store);
    await address(receiver.url);
  });
  afterEach(() => receiver.stop());

  /**
   * Attempts are of an address if they begin after it was set. Their beginning is counted back from the time
   * that stands still, by what they took.
   */
  const address = async (url: string) => {
    await owner.data('PUT', 'webhook', { url });
    await clock.pass(MINUTE / 2);
  };
  const order = async () =>
    store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
  const list = async (input = {}) => (await store.data('list_webhook_deliveries', input)).items;
  const overview = () => store.data('get_store_overview');
  const webhook = async () => (await overview()).webhook;
  const arrive = async () =>
    (await overview()).checklist.find(({ item }: any) => item === 'Webhook deliveries arrive');
  /** Waits until so many attempts of the store are on record. */
  const attempts = (count: number) =>
    eventually(`${count} attempts`, async () => {
      const all = await list({ take: 100 });
      return all.flatMap(({ attempts: made }: any) => made).length >= count;
    });
  /** Lets the next attempts come due. */
  const later = async (ms: number) => {
    await clock.pass(ms);
    await app.nest.get(Dispatcher).sweep();
  };

  it('is told from the third attempt in a row that failed on, until one succeeds', async () => {
    receiver.always(answers.status(503, 'down'));
    await order();
    await attempts(1);
    const [{ attempts: made }] = await list();
    await later(MINUTE + 1000);
    await attempts(2);
    expect(await webhook()).toMatchObject({ ...HEALTHY, lastSuccessAt: null });
    expect(await arrive()).toMatchObject({ ok: true });
    receiver.always(answers.status(500));
    await order();
    await attempts(3);
    const lastError = 'answered with status 500';
    const failing = { failingSince: made[0].at, lastError, lastSuccessAt: null };
    expect(await webhook()).toMatchObject(failing);
    expect(await arrive()).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`Failing since ${made[0].at}: answered with status 500.`),
    });
    expect(await owner.data('GET', 'webhook')).toMatchObject(failing);

    receiver.always(answers.status(204));
    await order();
    await attempts(4);
    expect(await webhook()).toMatchObject({ ...HEALTHY, lastSuccessAt: expect.any(String) });
    expect(await arrive()).toMatchObject({ ok: true });
  });

  it('is told of the present address alone', async () => {
    receiver.always(answers.status(503));
    await Promise.all([order(), order(), order()]);
    await attempts(3);
    expect((await webhook()).failingSince).not.toBeNull();
    const other = await Receiver.start();
    try {
      await address(other.url);
      expect(await webhook()).toMatchObject({ ...HEALTHY, lastSuccessAt: null });
      await address(other.url);
      await order();
      await attempts(4);
      const { lastSuccessAt } = await webhook();
      expect(lastSuccessAt).not.toBeNull();
      await address(other.url);
      expect(await webhook()).toMatchObject({ ...HEALTHY, lastSuccessAt });
    } finally {
      await other.stop();
    }
  });

  describe('list_webhook_deliveries', () => {
    it('shows each with its attempts, by status and order, newest first', async () => {
      receiver.next(answers.status(503));
      const failed = await order();
      await attempts(1);
      const delivered = await order();
      await attempts(2);
      expect(await list({ orderId: failed.id })).toEqual([
        {
          ...{ id: expect.any(String), event: 'order.created', orderId: failed.id, status: 'pending' },
          attempts: [
            {
              ...{ at: expect.any(String), durationMs: expect.any(Number) },
              ...{ statusCode: 503, error: 'answered with status 503' },
            },
          ],
          ...{ nextAttemptAt: expect.any(String), createdAt: expect.any(String) },
        },
      ]);
      expect((await list()).map(({ orderId }: any) => orderId)).toEqual([delivered.id, failed.id]);
      expect((await list({ status: 'delivered' })).map(({ orderId }: any) => orderId)).toEqual([
        delivered.id,
      ]);
    });
  });

  describe('resend_webhook_deliveries', () => {
    const resend = (input: object) => store.call('resend_webhook_deliveries', input);
    const fail = () =>
      app.query(
        `update webhook_deliveries set status = 'failed', next_attempt_at = null, finished_at = now()
         where store_id = $1`,
        [store.id],
      );

    it('sends these again, and skips those whose order is deleted', async () => {
      const [kept, deleted] = [await order(), await order()];
      await attempts(2);
      await fail();
      await store.data('delete_order', { orderId: deleted.id, confirm: true });
      const ids = (await list({ take: 100 })).map(({ id }: any) => id);
      expect(ids).toHaveLength(2);
      const { body } = await resend({ ids: [...ids, ids[0].toUpperCase()] });
      expect(body.data).toEqual({ resent: 1, skipped: 1 });
      await attempts(3);
      expect(await list({ orderId: kept.id })).toMatchObject([{ status: 'delivered', attempts: [{}, {}] }]);
    });

    it('sends the newest that failed since a time again', async () => {
      await order();
      await attempts(1);
      await fail();
      const at = clock.now().getTime();
      const since = (ms: number) => ({ failedSince: new Date(at + ms).toISOString() });
      expect((await resend(since(-MINUTE))).body.data).toEqual({ resent: 1, skipped: 0 });
      await attempts(2);
      expect((await resend(since(-MINUTE))).body.data).toEqual({ resent: 0, skipped: 0 });
      for (const failedSince of [since(-31 * 24 * 60 * MINUTE), since(60 * MINUTE)])
        expect(await resend(failedSince)).toMatchObject({
          status: 400,
          body: { error: { message: 'failedSince must be a date-time of the last 30 days' } },
        });
    });

    it('refuses what it cannot do, and does nothing then', async () => {
      await order();
      await attempts(1);
      const [{ id }] = await list();
      const other = await app.store();
      const strange = ['x', '01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30'];
      for (const wrong of strange)
        expect(await resend({ ids: [id, wrong] })).toMatchObject({
          status: 400,
          body: { error: { message: 'ids[1] is not a delivery of this store' } },
        });
      expect((await list())[0].attempts).toHaveLength(1);
      for (const input of [{}, { ids: [id], failedSince: new Date().toISOString() }, { ids: [] }])
        expect(await resend(input)).toMatchObject({ status: 400 });
      expect(await other.call('resend_webhook_deliveries', { ids: [id] })).toMatchObject({ status: 404 });
      await owner.data('DELETE', 'webhook');
      expect(await resend({ ids: [id] })).toMatchObject({ status: 404 });
    });
  });
});
