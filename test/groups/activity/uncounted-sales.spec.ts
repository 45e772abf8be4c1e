import pg from 'pg';
import { StorePage } from '../../doors/dashboard/browser.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { type TestStore, useShop } from '../../support/test-app.js';

/** docs/behaviour.md §13.11 */
describe('undoing that stock is no longer tracked', () => {
  let store: TestStore;
  let mugId: string;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
  });

  const mug = (quantity: number) => ({ productId: 'mug', quantity });
  const setStatus = ({ id }: { id: number }, status: string) =>
    store.data('set_order_status', { orderId: id, status });
  const stock = async () => (await store.data('get_product', { id: 'mug' })).itemAmount as number | null;

  /** Mugs, and a product that is always tracked. */
  const stocked = async (itemAmount: number | null) => {
    ({ id: mugId } = await store.product({ productId: 'mug', price: '10', itemAmount }));
    await store.product({ productId: 'tee', price: '10', itemAmount: 10 });
  };
  /** Ten mugs, of which each order takes some. */
  const sell = async (...quantities: number[]) => {
    await stocked(10);
    const orders: { id: number }[] = [];
    for (const quantity of quantities)
      orders.push(await store.place({ items: [mug(quantity), { productId: 'tee', quantity: 1 }] }));
    return orders;
  };
  const stopTracking = async () => {
    await store.data('update_product', { id: mugId, itemAmount: null });
    const { items } = await store.data('list_activity', { take: 1 });
    return items[0].id as string;
  };
  const undo = async (activityId: string) => {
    const { body } = await store.call('undo_change', { activityId });
    return body.error?.message ?? 'undone';
  };

  it('is refused once an older order has been given more of it', async () => {
    const [order, other] = await sell(2, 2);
    await setStatus(other, 'CANCELLED');
    const activityId = await stopTracking();
    const owner = await StorePage.ofOwner(store);
    await owner.data('PUT', `orders/${order.id}/items`, { items: [mug(5)] });
    expect(await undo(activityId)).toMatch(/it was sold while its stock was not tracked/);
    expect(await stock()).toBeNull();
    await owner.data('PUT', `orders/${order.id}/items`, { items: [mug(1)] });
    expect(await undo(activityId)).toBe('undone');
    expect(await stock()).toBe(9);
  });

  it('is refused once an order that was cancelled before is opened again', async () => {
    const [cancelled, reopened] = await sell(2, 2);
    await setStatus(cancelled, 'CANCELLED');
    const activityId = await stopTracking();
    await setStatus(cancelled, 'PENDING');
    await setStatus(reopened, 'CANCELLED');
    await setStatus(reopened, 'PENDING');
    expect(await undo(activityId)).toMatch(/it was sold while its stock was not tracked/);
    await setStatus(cancelled, 'CANCELLED');
    expect(await undo(activityId)).toBe('undone');
    expect(await stock()).toBe(8);
  });

  it('is possible though an order from before its stock was tracked needs some of it', async () => {
    await stocked(null);
    const order = await store.place({ items: [mug(3)] });
    await store.data('update_product', { id: mugId, itemAmount: 10 });
    const activityId = await stopTracking();
    await setStatus(order, 'PROCESSING');
    expect(await undo(activityId)).toBe('undone');
    expect(await stock()).toBe(10);
  });

  it('waits for an order that is being cancelled, and counts what it gives back', async () => {
    const [order] = await sell(3);
    const activityId = await stopTracking();
    const other = new pg.Client({ connectionString: app.database.ownerUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`update orders set status = 'CANCELLED' where store_id = $1 and id = $2`, [
        ...[store.id, order.id],
      ]);
      const answer = undo(activityId);
      await waitsForLock(other);
      await other.query('commit');
      expect(await answer).toBe('undone');
    } finally {
      await other.end();
    }
    expect(await stock()).toBe(10);
  });
});
