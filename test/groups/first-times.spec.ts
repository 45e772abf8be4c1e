import pg from 'pg';
import { OrderHistory1763700000161 } from '../../migrations/1763700000161-order-history.js';
import { ownDatabase } from '../support/own-database.js';
import { TestApp } from '../support/test-app.js';
import { balance, CASHBACK, ledger, LEVEL, rewardShop, setStatus } from './reward-shop.js';

describe('what an order remembers (docs/behaviour.md §6.3)', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('prevents cashback that is switched on only after the order was paid', async () => {
    for (const [cashbackTrigger, cashbackTriggerStatus] of [
      ['on_payment', undefined],
      ['on_status', 'DELIVERED'],
    ]) {
      const { store, place } = await rewardShop(app, { cashback: { ...CASHBACK, enabled: false } });
      const order = await place();
      for (const status of ['PROCESSING', 'DELIVERED']) await setStatus(store, order, status);
      await store.data('update_monetization', {
        cashback: { ...CASHBACK, cashbackTrigger, cashbackTriggerStatus },
      });
      for (const status of ['PENDING', 'PROCESSING', 'DELIVERED']) await setStatus(store, order, status);
      expect(await ledger(store)).toEqual([]);
    }
  });

  it('includes what was paid for each item', async () => {
    const { store, product } = await rewardShop(app, {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      cashback: { ...CASHBACK, levels: [{ ...LEVEL, cashbackPercentage: 10 }] },
    });
    const cheap = await store.product({ price: '50' });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await store.place({ items: [{ productId: cheap.productId, quantity: 1 }] }, { id: '1' });
    await store.data('adjust_bonus', { customerId: '1', delta: 15 });
    const items = [product, cheap].map(({ productId }) => ({ productId, quantity: 1 }));
    // 150.00, less 15.00 by the code and 15.00 of bonus: 80.00 and 40.00 were paid.
    const order = await store.place({ items, promocode: 'TEN', bonusToSpend: 15 }, { id: '1' }, true);
    expect(order.totalPrice).toBe(12_000);
    const award = (await ledger(store)).find(({ kind }) => kind === 'cashback');
    expect(award.delta).toBe('12.00');
    expect(award.rules.rules.map(({ paid, amount }: any) => [paid, amount])).toEqual([
      ['80', '8'],
      ['40', '4'],
    ]);
  });

  it('is read from the audit log for orders of an earlier version', async () => {
    const database = await ownDatabase();
    const old = await TestApp.start({ database });
    const { store, place } = await rewardShop(old, { cashback: { ...CASHBACK, enabled: false } });
    const untouched = await place();
    const paidOnce = await place();
    for (const status of ['PROCESSING', 'PENDING']) await setStatus(store, paidOnce, status);
    const shipped = await place();
    await store.data('ship_order', { orderId: shipped.id, carrier: 'Post' });
    await store.data('refund_order', { orderId: shipped.id });
    await old.query('update orders set entered = null, pricing = null where store_id = $1', [store.id]);
    await old.query('update order_items set category_keys = null, stock_taken = null where store_id = $1', [
      store.id,
    ]);

    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const runner = {
      query: async (text: string, values?: unknown[]) => (await owner.query(text, values)).rows,
    } as never;
    await new OrderHistory1763700000161().up(runner);
    await owner.end();

    const rows = await old.query<any>('select entered from orders where store_id = $1 order by id', [
      store.id,
    ]);
    expect(rows.map(({ entered }) => entered && [...entered].sort())).toEqual([
      null,
      ['PENDING', 'PROCESSING'],
      ['CANCELLED', 'PENDING', 'SHIPPED'],
    ]);
    await store.data('update_monetization', { cashback: CASHBACK });
    for (const order of [untouched, paidOnce, shipped]) await setStatus(store, order, 'DELIVERED');
    const awards = await old.query<any>(
      'select kind, order_id, delta from bonus_entries where store_id = $1',
      [store.id],
    );
    expect(awards).toEqual([{ kind: 'cashback', order_id: String(untouched.id), delta: '10.00' }]);
    expect(await balance(store, '1')).toBe(10);
    const forced = await old.query<any>(
      `select relname from pg_class where relname in ('orders', 'audit_log') and relforcerowsecurity`,
    );
    expect(forced).toHaveLength(2);
    await old.stop();
  });
});
