import { useShop } from '../../support/test-app.js';
import { CASHBACK, ledger, LEVEL, rewardShop, setStatus } from '../customers/reward-shop.js';

describe('what an order remembers (docs/behaviour.md §6.3)', () => {
  const app = useShop();

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
});
