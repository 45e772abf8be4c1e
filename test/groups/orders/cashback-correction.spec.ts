import { StorePage } from '../../doors/dashboard/browser.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const CASHBACK = {
  enabled: true,
  levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' }],
  categoryRates: [],
  promotions: [],
  maxCashbackPerOrder: null,
  cashbackTrigger: 'on_order_place',
};

describe('an award follows the items of its order', () => {
  let store: TestStore;
  let owner: StorePage;
  let productId: string;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    ({ productId } = await store.product({ price: '10' }));
    await monetize();
  });

  const monetize = (cashback: object = {}) =>
    store.data('update_monetization', { cashback: { ...CASHBACK, ...cashback } });
  const place = (quantity: number) => store.place({ items: [{ productId, quantity }] }, { id: '7' });
  const change = (orderId: number, quantity: number) =>
    owner.data('PUT', `orders/${orderId}/items`, { items: [{ productId, quantity }] });
  const account = async () => {
    const { bonusBalance, bonusOwed } = await store.data('get_customer', { id: '7' });
    return [bonusBalance, bonusOwed];
  };

  it('down and up, by a row of the ledger, and cancelling takes back what it comes to', async () => {
    const { id } = await place(100);
    expect(await account()).toEqual([100, 0]);
    await change(id, 1);
    expect(await account()).toEqual([1, 0]);
    await change(id, 30);
    expect(await account()).toEqual([30, 0]);
    const { items } = await store.data('list_bonus_history', { customerId: '7' });
    expect(items.map(({ kind, delta }: any) => [kind, delta])).toEqual([
      ['cashback_correction', 29],
      ['cashback_correction', -99],
      ['cashback', 100],
    ]);
    expect((await store.data('get_order_pricing', { orderId: id })).cashback).toBe(3000);
    await store.data('set_order_status', { orderId: id, status: 'CANCELLED' });
    expect(await account()).toEqual([0, 0]);
  });

  it('by what is owed, if the bonus has been spent', async () => {
    const { id } = await place(100);
    await store.data('adjust_bonus', { customerId: '7', delta: -60 });
    await change(id, 10);
    expect(await account()).toEqual([0, 50]);
  });

  it('by the rules and the count of orders of the award, with its caps, whatever they are now', async () => {
    await place(1);
    await monetize({
      levels: [
        { minOrders: 0, maxOrders: 0, cashbackPercentage: 1, levelName: 'First' },
        { minOrders: 1, maxOrders: 1, cashbackPercentage: 20, levelName: 'Second' },
      ],
      maxCashbackPerOrder: 5,
    });
    const { id } = await place(1);
    expect(await account()).toEqual([3, 0]);
    await monetize({ enabled: false });
    await change(id, 2);
    expect(await account()).toEqual([5, 0]);
    await change(id, 100);
    expect(await account()).toEqual([6, 0]);
  });

  it('by the rules of the award, though later ones had a trigger of their own', async () => {
    const { id } = await place(2);
    expect(await account()).toEqual([2, 0]);
    await monetize({
      levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 50, levelName: 'All' }],
      cashbackTrigger: 'on_payment',
    });
    await store.data('set_order_status', { orderId: id, status: 'PROCESSING' });
    expect(await account()).toEqual([2, 0]);
    await change(id, 1);
    expect(await account()).toEqual([1, 0]);
  });

  it('not if its rules were not kept, or nothing was awarded yet', async () => {
    const { id } = await place(10);
    await app.query('update orders set cashback_terms = null where store_id = $1', [store.id]);
    await change(id, 1);
    expect(await account()).toEqual([10, 0]);
    await monetize({ cashbackTrigger: 'on_payment' });
    const later = await place(10);
    await change(later.id, 1);
    expect(await account()).toEqual([10, 0]);
    await store.data('set_order_status', { orderId: later.id, status: 'PROCESSING' });
    expect(await account()).toEqual([11, 0]);
  });
});
