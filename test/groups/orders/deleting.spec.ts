import { type TestStore, useShop } from '../../support/test-app.js';
import { CASHBACK, setStatus } from '../customers/reward-shop.js';

describe('deleting an order (docs/behaviour.md §6.2)', () => {
  const app = useShop();

  /** Two mugs of 5 for 20.00, with the only use of a code, 5.00 of bonus, and cashback when placed. */
  async function shop() {
    const store = await app.store();
    await store.product({ productId: 'mug', price: '10', itemAmount: 5 });
    await store.data('create_promocode', {
      code: 'ONE',
      discountType: 'FIXED_AMOUNT',
      discountValue: 5,
      maxUses: 1,
    });
    await store.place({ items: [{ productId: 'mug', quantity: 1 }] }, { id: '1' });
    await store.data('update_stock', { productId: 'mug', absolute: 5 });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      cashback: { ...CASHBACK, cashbackTrigger: 'on_order_place' },
    });
    await store.data('adjust_bonus', { customerId: '1', delta: 5 });
    const order = await store.place(
      { items: [{ productId: 'mug', quantity: 2 }], promocode: 'ONE', bonusToSpend: 5 },
      { id: '1' },
    );
    expect(await held(store)).toEqual({ stock: 3, used: 1, bonus: 1, owed: 0 });
    return { store, order };
  }

  const held = async (store: TestStore) => {
    const { itemAmount } = await store.data('get_product', { id: 'mug' });
    const [{ usedCount }] = (await store.data('list_promocodes')).items;
    const { bonusBalance, bonusOwed } = await store.data('get_customer', { id: '1' });
    return { stock: itemAmount, used: usedCount, bonus: bonusBalance, owed: bonusOwed };
  };

  const deleted = ({ id }: { id: number }, store: TestStore) =>
    store.data('delete_order', { orderId: id, confirm: true });

  it('gives back what an order holds that was never shipped, and says what', async () => {
    const { store, order } = await shop();
    await store.data('adjust_bonus', { customerId: '1', delta: -1 });
    expect(await deleted(order, store)).toEqual({
      orderId: order.id,
      deleted: true,
      givenBack: {
        stock: [{ productId: 'mug', variantId: null, quantity: 2 }],
        bonus: 5,
        promocode: 'ONE',
        cashback: 0,
        owed: 0,
      },
      takenBack: { stock: [], bonus: 0, promocode: null, cashback: 1, owed: 0 },
    });
    expect(await held(store)).toEqual({ stock: 5, used: 0, bonus: 4, owed: 0 });
  });

  it.each(['SHIPPED', 'DELIVERED'])(
    'lets an order stand that was ever %s: only its record goes',
    async (status) => {
      const { store, order } = await shop();
      await setStatus(store, order, status);
      await setStatus(store, order, 'PENDING');
      expect(await deleted(order, store)).toEqual({ orderId: order.id, deleted: true });
      expect(await held(store)).toEqual({ stock: 3, used: 1, bonus: 1, owed: 0 });
    },
  );

  it('gives nothing back twice', async () => {
    const { store, order } = await shop();
    await setStatus(store, order, 'CANCELLED');
    const after = await held(store);
    expect(await deleted(order, store)).toEqual({ orderId: order.id, deleted: true });
    expect(await held(store)).toEqual(after);
  });
});
