import { Visits } from '../../../src/groups/analytics/visits.service.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

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

    it('accept no other query', async () => {
      const answer = await owner.send('GET', 'orders/counts?status=PENDING');
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^status /);
    });
  });

  describe('figures of a time', () => {
    const window = { from: '2026-06-09T00:00:00+03:00', to: '2026-06-16T00:00:00+03:00' };
    const query = `from=${encodeURIComponent(window.from)}&to=${encodeURIComponent(window.to)}`;
    const figures = (more = '') => owner.data('GET', `figures?${query}${more}`);

    beforeEach(() => owner.data('PUT', 'profile', { timeZone: 'Europe/Kyiv' }));

    it("are those of the sales report, by the store's days, and multiply", async () => {
      clock.set(new Date('2026-06-08T21:30:00Z'));
      await buy(2, true);
      clock.set(new Date('2026-06-12T10:00:00Z'));
      await buy(1, true);
      await buy();
      const { id } = await buy(1, true);
      await store.data('refund_order', { orderId: id });
      const { total, statusCounts, days, ...rest } = await figures();
      const report = await store.data('get_sales_report', { ...window, groupBy: 'day' });
      expect(total).toEqual({ revenue: 3000, orders: 2, placed: 4, average: 1500, visitors: 0 });
      expect([report.total.revenue, report.total.orders]).toEqual([total.revenue, total.placed]);
      expect(statusCounts).toEqual({ PENDING: 1, PROCESSING: 2, SHIPPED: 0, DELIVERED: 0, CANCELLED: 1 });
      expect(days.map(({ date }: { date: string }) => date)).toEqual(
        ['09', '10', '11', '12', '13', '14', '15'].map((day) => `2026-06-${day}`),
      );
      expect(days[0]).toEqual({ date: '2026-06-09', revenue: 2000, orderCount: 1, visitors: 0 });
      expect(days[3]).toEqual({ date: '2026-06-12', revenue: 1000, orderCount: 3, visitors: 0 });
      expect(rest).toEqual({
        ...{ from: '2026-06-08T21:00:00.000Z', to: '2026-06-15T21:00:00.000Z', timeZone: 'Europe/Kyiv' },
      });
    });

    it("count visitors once, by the store's days, and compare with the time before", async () => {
      const visits = app.nest.get(Visits);
      await buy();
      await store.place({ items: [{ productId, quantity: 1 }] }, { id: '1002' });
      const visit = async (at: string, id: string) => {
        clock.set(new Date(at));
        await store.inside((ctx) => visits.record(ctx, id));
      };
      await visit('2026-06-03T12:00:00Z', '1001');
      // Still the ninth in Kyiv, and another day in UTC.
      await visit('2026-06-08T21:30:00Z', '1001');
      await visit('2026-06-09T20:30:00Z', '1001');
      await visit('2026-06-09T22:00:00Z', '1002');
      await visit('2026-06-12T12:00:00Z', '1001');
      const { total, comparedTotal, days } = await figures('&compareWith=previous_period');
      expect([total.visitors, comparedTotal.visitors]).toEqual([2, 1]);
      expect(days.map(({ visitors }: { visitors: number }) => visitors)).toEqual([1, 1, 0, 1, 0, 0, 0]);
      clock.set(new Date('2026-06-12T13:00:00Z'));
      const { daily } = await store.data('get_analytics', { period: '7d' });
      const utc = daily.map(({ date, visitors }: any) => [date.slice(8), visitors]);
      expect(utc.filter(([, count]: [string, number]) => count > 0)).toEqual([
        ['08', 1],
        ['09', 2],
        ['12', 1],
      ]);
    });

    it('of years have no days, and orders are counted in windows of their own', async () => {
      await buy();
      const years = await owner.data('GET', 'figures?from=2020-01-01T00:00:00Z&to=2027-01-01T00:00:00Z');
      expect([years.total.placed, years.days]).toEqual([1, []]);
      const wrong = await owner.send('GET', 'figures?from=2026-01-01T00:00:00Z&to=2020-01-01T00:00:00Z');
      expect(wrong).toMatchObject(refusal(400, 'invalid_input'));
      const counts = async (from: string, to: string) =>
        (await owner.data('GET', `orders/counts?createdFrom=${from}&createdTo=${to}`)).total;
      expect(await counts('2026-06-15T00:00:00Z', '2026-06-15T10:30:00.250Z')).toBe(1);
      expect(await counts('2026-06-15T00:00:00Z', '2026-06-15T10:30:00.249Z')).toBe(0);
      expect(await counts('2026-06-16T00:00:00Z', '2026-06-17T00:00:00Z')).toBe(0);
    });
  });
});
