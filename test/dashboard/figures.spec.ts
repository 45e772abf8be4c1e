import { TestClock, type TestStore, useShop } from '../support/test-app.js';
import { refusal, StorePage } from './browser.js';

const DAY = 86_400_000;

describe('figures of the dashboard', () => {
  const clock = new TestClock();
  let store: TestStore;
  let owner: StorePage;
  let productId: string;

  const app = useShop({ clock });
  beforeEach(async () => {
    clock.set(new Date('2026-06-15T10:30:00.250Z'));
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    ({ productId } = await store.product({ price: '10' }));
  });

  const buy = (quantity = 1, paid = false) =>
    store.place({ items: [{ productId, quantity }] }, { id: '1001' }, paid);

  describe('orders by status', () => {
    it('are counted over all time, as they are now', async () => {
      const statuses = { PENDING: 0, PROCESSING: 0, SHIPPED: 0, DELIVERED: 0, CANCELLED: 0 };
      expect(await owner.data('GET', 'orders/counts')).toEqual({ total: 0, statusCounts: statuses });
      clock.set(new Date('2019-01-01T00:00:00Z'));
      const { id } = await buy();
      clock.set(new Date('2026-06-15T10:30:00.250Z'));
      const gone = await buy();
      await buy(1, true);
      await store.data('set_order_status', { orderId: id, status: 'DELIVERED' });
      await store.data('delete_order', { orderId: gone.id, confirm: true });
      expect(await owner.data('GET', 'orders/counts')).toEqual({
        total: 2,
        statusCounts: { ...statuses, PROCESSING: 1, DELIVERED: 1 },
      });
    });

    it('leave out orders of another store', async () => {
      await buy();
      const other = await StorePage.ofOwner(await app.store());
      expect(await other.data('GET', 'orders/counts')).toMatchObject({ total: 0 });
    });

    it('accept no query', async () => {
      const answer = await owner.send('GET', 'orders/counts?status=PENDING');
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^status /);
    });
  });

  describe('analytics compared with the previous period', () => {
    it('return both periods and the change in percent', async () => {
      const now = clock.now();
      clock.set(new Date(now.getTime() - 10 * DAY));
      await buy(2, true);
      await buy(1, true);
      clock.set(now);
      for (let i = 0; i < 4; i++) await buy(1, true);
      const { current, previous, change } = await owner.data('GET', 'analytics/compare');
      expect(current).toEqual(await store.data('get_analytics'));
      expect(previous).toMatchObject({
        period: '7d',
        from: '2026-06-01T10:30:00.249Z',
        to: '2026-06-08T10:30:00.249Z',
        revenue: 3000,
        averageOrderValue: 1500,
        orderCount: 2,
      });
      expect(previous.daily).toHaveLength(8);
      expect(change).toEqual({
        revenue: 33.3,
        averageOrderValue: -33.3,
        orderCount: 100,
        uniqueVisitors: null,
      });
    });

    it('count an order in one period only', async () => {
      const now = clock.now();
      clock.set(new Date(now.getTime() - 7 * DAY));
      await buy();
      clock.advance(-1);
      await buy();
      clock.set(now);
      const { current, previous } = await owner.data('GET', 'analytics/compare?period=7d');
      expect([current.orderCount, previous.orderCount]).toEqual([1, 1]);
    });

    it('accept the documented periods, and no others', async () => {
      expect((await owner.data('GET', 'analytics/compare?period=90d')).previous.daily).toHaveLength(91);
      const answer = await owner.send('GET', 'analytics/compare?period=1d');
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^period must be one of 7d, 30d, 90d/);
    });
  });
});
