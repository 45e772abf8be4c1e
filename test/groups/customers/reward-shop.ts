import { ownerQuery, type TestApp, type TestStore } from '../../support/test-app.js';

export const LEVEL = { minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' };
/** 10 % of every order, when it is paid. */
export const CASHBACK = {
  enabled: true,
  levels: [LEVEL],
  categoryRates: [],
  promotions: [],
  maxCashbackPerOrder: null,
  cashbackTrigger: 'on_payment',
};

/** A store with one product of 100.00, and what places an order of it. */
export async function rewardShop(
  app: TestApp,
  blocks: object,
  options: { currency?: string; plan?: string } = {},
) {
  const store = await app.store(options);
  const { id, productId } = await store.product({ price: '100' });
  await store.data('update_monetization', blocks);
  const place = (customerId = '1', paid = false) =>
    store.place({ items: [{ productId, quantity: 1 }] }, { id: customerId }, paid);
  return { store, product: { id, productId }, place };
}

export const balance = async (store: TestStore, id: string): Promise<number> =>
  (await store.data('get_customer', { id })).bonusBalance;

export const setStatus = (store: TestStore, order: { id: number }, status: string) =>
  store.data('set_order_status', { orderId: order.id, status });

/** The store's ledger, oldest first. */
export const ledger = (store: TestStore) =>
  ownerQuery<any>(
    `select customer_id, delta, kind, order_id, referred_id, rules from bonus_entries where store_id = $1
      order by id`,
    [store.id],
  );
