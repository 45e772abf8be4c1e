import { type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

const DAY = 86_400_000;

/** Deliveries whose outcomes the test writes itself: nothing is sent. */
describe('the deliveries page', () => {
  let store: TestStore;
  let owner: StorePage;
  let productId: string;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    await owner.data('PUT', 'webhook', { url: 'http://127.0.0.1:1/hook' });
    ({ productId } = await store.product());
  });

  const place = async (): Promise<number> => (await store.place({ items: [{ productId, quantity: 1 }] })).id;
  const list = async (query: string): Promise<any[]> =>
    (await owner.data('GET', `webhook/deliveries?${query}`)).items;
  const settle = (orderId: number, status: string) =>
    app.query(
      `update webhook_deliveries d set status = $3, next_attempt_at = null, finished_at = now()
        from order_events e
       where d.store_id = $1 and e.store_id = $1 and e.id = d.id and e.order_id = $2`,
      [store.id, orderId, status],
    );
  const attempt = (orderId: number, durationMs: number) =>
    app.query(
      `insert into webhook_attempts (store_id, delivery_id, id, at, duration_ms, status_code)
       select $1, e.id, gen_random_uuid(), now(), $3, 200 from order_events e where e.store_id = $1
         and e.order_id = $2`,
      [store.id, orderId, durationMs],
    );
  /** Moves what was delivered about an order back in time, as its id and its times say it. */
  const age = async (orderId: number, days: number) => {
    const at = new Date(Date.now() - days * DAY).toISOString();
    const values = [store.id, orderId, at];
    const older = `overlay(e.id::text placing left(order_event_id_at($3)::text, 13) from 1 for 13)::uuid`;
    await app.query(
      `with moved as (
         delete from webhook_deliveries d using order_events e where d.store_id = $1 and e.store_id = $1
           and e.id = d.id and e.order_id = $2
         returning d.*, ${older} as older
       ) insert into webhook_deliveries (store_id, id, status, next_attempt_at, created_at)
         select store_id, older, status, next_attempt_at, $3 from moved`,
      values,
    );
    await app.query(
      `update order_events e set id = ${older}, created_at = $3 where e.store_id = $1 and e.order_id = $2`,
      values,
    );
  };
  const orders = (items: any[]) => items.map(({ orderId }) => orderId);

  describe('filters', () => {
    it('select deliveries by status, event, order and time, alone and combined', async () => {
      const [failed, delivered, pending] = [await place(), await place(), await place()];
      await settle(failed, 'failed');
      await settle(delivered, 'delivered');
      await store.data('set_order_status', { orderId: delivered, status: 'SHIPPED' });
      expect(orders(await list('status=failed'))).toEqual([failed]);
      expect(orders(await list('status=delivered'))).toEqual([delivered]);
      expect(orders(await list('status=pending'))).toEqual([delivered, pending]);
      expect(orders(await list('event=order.updated'))).toEqual([delivered]);
      expect(orders(await list('event=order.created'))).toEqual([pending, delivered, failed]);
      expect((await list(`orderId=${delivered}`)).map(({ event }) => event)).toEqual([
        'order.updated',
        'order.created',
      ]);
      expect((await list(`orderId=${delivered}&status=delivered`)).map(({ event }) => event)).toEqual([
        'order.created',
      ]);
      expect((await list(`orderId=${delivered}&event=order.updated`)).map(({ event }) => event)).toEqual([
        'order.updated',
      ]);
      expect(await list(`orderId=${delivered}&event=order.updated&status=failed`)).toEqual([]);
      expect(await list('orderId=999999999')).toEqual([]);
      expect((await list('status=failed'))[0]).toEqual(
        (await list('')).find(({ orderId }) => orderId === failed),
      );
    });

    it('leave out deliveries created before a time', async () => {
      const [old, young] = [await place(), await place()];
      await age(old, 3);
      await settle(young, 'failed');
      await settle(old, 'failed');
      const since = (days: number) => `since=${new Date(Date.now() - days * DAY).toISOString()}`;
      for (const more of ['', '&status=failed', '&event=order.created']) {
        expect(orders(await list(since(2) + more))).toEqual([young]);
        expect(orders(await list(since(4) + more))).toEqual([young, old]);
      }
      const [{ createdAt }] = await list(`orderId=${old}`);
      expect(orders(await list(`since=${createdAt}&orderId=${old}`))).toEqual([old]);
      expect(await list(`since=${new Date(Date.parse(createdAt) + 1).toISOString()}&orderId=${old}`)).toEqual(
        [],
      );
    });

    it('apply to all pages', async () => {
      const failed: number[] = [];
      for (let i = 0; i < 3; i++) {
        failed.unshift(await place());
        await settle(failed[0], 'failed');
        await place();
      }
      const first = await owner.data('GET', 'webhook/deliveries?status=failed&take=2');
      const second = await owner.data(
        'GET',
        `webhook/deliveries?status=failed&take=2&cursor=${first.nextCursor}`,
      );
      expect(orders([...first.items, ...second.items])).toEqual(failed);
      expect([first.items.length, second.nextCursor]).toEqual([2, null]);
    });

    it("find nothing of another store's", async () => {
      const orderId = await place();
      const other = await StorePage.ofOwner(await app.store());
      for (const query of [
        `orderId=${orderId}`,
        'status=pending',
        'event=order.created',
        'since=2020-01-01T00:00:00Z',
      ]) {
        expect((await other.data('GET', `webhook/deliveries?${query}`)).items).toEqual([]);
      }
    });

    it.each([
      'status=lost',
      'event=order.deleted',
      'orderId=0',
      'orderId=x',
      'since=yesterday',
      'since=2026-01-01',
    ])('refuse %s', async (query) => {
      const answer = await owner.send('GET', `webhook/deliveries?${query}`);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(query.split('=')[0])).toBe(true);
    });
  });

  describe('figures', () => {
    const stats = (query = '') => owner.data('GET', `webhook/stats${query}`);

    it('count deliveries and attempts by day, with the time of 95 % of them', async () => {
      const [old, ...today] = [await place(), await place(), await place(), await place()];
      await age(old, 6);
      await settle(old, 'failed');
      await attempt(old, 10_000);
      await settle(today[0], 'delivered');
      await settle(today[1], 'failed');
      for (let i = 1; i <= 20; i++) await attempt(today[0], i * 10);
      const { daily, ...totals } = await stats();
      expect(totals).toEqual({ period: '7d', delivered: 1, failed: 2, pending: 1, attempts: 21 });
      const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
      expect(daily.map(({ date }: { date: string }) => date)).toEqual([6, 5, 4, 3, 2, 1, 0].map(day));
      expect(daily[0]).toEqual({
        date: day(6),
        delivered: 0,
        failed: 1,
        pending: 0,
        attempts: 1,
        p95Ms: 10_000,
      });
      expect(daily[1]).toEqual({
        date: day(5),
        delivered: 0,
        failed: 0,
        pending: 0,
        attempts: 0,
        p95Ms: null,
      });
      expect(daily[6]).toEqual({
        date: day(0),
        delivered: 1,
        failed: 1,
        pending: 1,
        attempts: 20,
        p95Ms: 190,
      });
    });

    it('reach 30 days back, and are of this store only', async () => {
      await age(await place(), 20);
      const { daily, pending } = await stats('?period=30d');
      expect([daily.length, pending, (await stats()).pending]).toEqual([30, 1, 0]);
      const other = await StorePage.ofOwner(await app.store());
      expect(await other.data('GET', 'webhook/stats?period=30d')).toMatchObject({ pending: 0, attempts: 0 });
    });

    it('accept no other periods', async () => {
      const answer = await owner.send('GET', 'webhook/stats?period=90d');
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^period must be one of 7d, 30d/);
    });
  });

  it('sends all failed deliveries since a time again, except for deleted orders', async () => {
    const [a, b, gone] = [await place(), await place(), await place()];
    for (const orderId of [a, b, gone]) await settle(orderId, 'failed');
    await store.data('delete_order', { orderId: gone, confirm: true });
    await age(a, 5);
    const again = (days: number) =>
      owner.data('POST', 'webhook/deliveries/redeliver-failed', {
        since: new Date(Date.now() - days * DAY).toISOString(),
      });
    expect(await again(4)).toEqual({ redelivered: 1 });
    expect(orders(await list('status=pending'))).toEqual([b]);
    expect(await again(6)).toEqual({ redelivered: 1 });
    expect(await again(6)).toEqual({ redelivered: 0 });
  });
});
