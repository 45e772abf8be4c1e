import { findPlan } from '../../../src/stores/plans.js';
import { ownerQuery, useShop } from '../../support/test-app.js';
import { balance, CASHBACK, ledger, LEVEL, rewardShop, setStatus } from './reward-shop.js';

describe('cashback', () => {
  const app = useShop();

  describe('the trigger (docs/behaviour.md §6.3)', () => {
    const PAID = 'paid at creation';
    it.each<[trigger: string, status: string | undefined, steps: string[], awardedAt: number | null]>([
      ['on_order_place', undefined, ['PENDING'], 0],
      ['on_order_place', undefined, [PAID], 0],
      ['on_order_place', undefined, ['PENDING', 'PROCESSING', 'DELIVERED'], 0],
      ['on_payment', undefined, ['PENDING', 'CANCELLED', 'PENDING'], null],
      ['on_payment', undefined, ['PENDING', 'PROCESSING'], 1],
      ['on_payment', undefined, ['PENDING', 'CANCELLED', 'DELIVERED'], 2],
      ['on_payment', undefined, ['PENDING', 'ship'], 1],
      ['on_payment', undefined, [PAID, 'PENDING', 'PROCESSING'], 0],
      ['on_payment', undefined, ['PENDING', 'PROCESSING', 'PENDING', 'SHIPPED', 'PENDING', 'DELIVERED'], 1],
      ['on_status', 'DELIVERED', ['PENDING', 'PROCESSING', 'ship', 'DELIVERED', 'PENDING', 'DELIVERED'], 3],
      ['on_status', 'SHIPPED', ['PENDING', 'ship', 'ship'], 1],
      ['on_status', 'PROCESSING', [PAID], 0],
      ['on_status', 'PENDING', ['PENDING', 'PROCESSING', 'PENDING'], 0],
      ['on_status', 'CANCELLED', ['PENDING', 'refund', 'PENDING', 'CANCELLED'], 1],
      ['on_status', undefined, ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'], null],
    ])('%s %s: %j', async (cashbackTrigger, cashbackTriggerStatus, steps, awardedAt) => {
      const { store, place } = await rewardShop(app, {
        cashback: { ...CASHBACK, cashbackTrigger, cashbackTriggerStatus },
      });
      const order = await place('1', steps[0] === PAID);
      const balances = [await balance(store, '1')];
      for (const step of steps.slice(1)) {
        if (step === 'ship') await store.data('ship_order', { orderId: order.id, carrier: 'Post' });
        else if (step === 'refund') await store.data('refund_order', { orderId: order.id });
        else await setStatus(store, order, step);
        balances.push(await balance(store, '1'));
      }
      expect(balances).toEqual(steps.map((_, i) => (awardedAt !== null && i >= awardedAt ? 10 : 0)));
    });

    it('awards nothing while the block is off, or in a plan without cashback', async () => {
      const off = await rewardShop(app, { cashback: { ...CASHBACK, enabled: false } });
      await off.place('1', true);
      expect(await balance(off.store, '1')).toBe(0);

      const features = findPlan('growth')!.features;
      const without = await rewardShop(app, { cashback: CASHBACK }, { plan: 'growth' });
      features.cashback = false;
      try {
        await without.place('1', true);
      } finally {
        features.cashback = true;
      }
      expect(await ledger(without.store)).toEqual([]);
    });

    it('awards nothing for an order that is refused', async () => {
      const { store, product } = await rewardShop(app, {
        cashback: { ...CASHBACK, cashbackTrigger: 'on_order_place' },
      });
      await expect(
        store.place(
          {
            items: [
              { productId: product.productId, quantity: 1 },
              { productId: 'none', quantity: 1 },
            ],
          },
          { id: '1' },
        ),
      ).rejects.toThrow('items[1].productId');
      expect(await ledger(store)).toEqual([]);
    });
  });

  describe('the award of an order', () => {
    it('is made once, however many calls change its status at once', async () => {
      const { store, place } = await rewardShop(app, { cashback: CASHBACK });
      const orders = await Promise.all([place('1'), place('1'), place('2')]);
      const statuses = [
        'PROCESSING',
        'PENDING',
        'SHIPPED',
        'CANCELLED',
        'DELIVERED',
        'PENDING',
        'PROCESSING',
        'PROCESSING',
      ];
      await Promise.all(orders.flatMap((order) => statuses.map((status) => setStatus(store, order, status))));
      for (const order of orders) await setStatus(store, order, 'DELIVERED');
      expect([await balance(store, '1'), await balance(store, '2')]).toEqual([20, 10]);
      // Cancelling takes the cashback back for as long as it lasts.
      const awards = (await ledger(store)).filter(({ kind }) => kind === 'cashback');
      expect(awards.map(({ order_id }) => Number(order_id)).sort()).toEqual(
        orders.map(({ id }) => id).sort(),
      );
    });

    it('is made once, even if the store changes the trigger', async () => {
      const { store, place } = await rewardShop(app, {
        cashback: { ...CASHBACK, cashbackTrigger: 'on_order_place' },
      });
      const order = await place();
      await store.data('update_monetization', {
        cashback: { ...CASHBACK, levels: [{ ...LEVEL, cashbackPercentage: 50 }] },
      });
      await setStatus(store, order, 'PROCESSING');
      expect(await balance(store, '1')).toBe(10);
    });

    it('stays in the ledger when the order is deleted after it was shipped', async () => {
      const { store, place } = await rewardShop(app, { cashback: CASHBACK });
      const order = await place('1', true);
      await setStatus(store, order, 'SHIPPED');
      await store.data('delete_order', { orderId: order.id, confirm: true });
      expect(await ledger(store)).toMatchObject([{ kind: 'cashback', delta: '10.00', order_id: null }]);
      expect(await balance(store, '1')).toBe(10);
    });
  });

  describe('the amount and its explanation', () => {
    it('follow the level of earlier orders that are not cancelled', async () => {
      const levels = [
        { minOrders: 0, maxOrders: 1, cashbackPercentage: 1, levelName: 'New' },
        { minOrders: 2, maxOrders: null, cashbackPercentage: 20, levelName: 'Regular' },
      ];
      const { store, place } = await rewardShop(app, { cashback: { ...CASHBACK, levels } });
      const first = await place('1', true);
      await setStatus(store, await place('1'), 'CANCELLED');
      const third = await place('1');
      const fourth = await place('1');
      await setStatus(store, fourth, 'PROCESSING');
      await setStatus(store, third, 'PROCESSING');
      await place('2', true);
      expect(
        (await ledger(store)).map(({ order_id, delta, rules }) => [
          Number(order_id),
          delta,
          rules.earlierOrders,
        ]),
      ).toEqual([
        [first.id, '1.00', 0],
        [fourth.id, '20.00', 2],
        [third.id, '1.00', 1],
        [expect.any(Number), '1.00', 0],
      ]);
    });

    it.each(['id', 'slug', 'name', 'text'] as const)("follow the category's %s", async (key) => {
      const { store, product } = await rewardShop(app, {});
      const other = await store.product();
      const category = await store.data('create_category', { name: 'Warm Hats', slug: 'hats' });
      await ownerQuery(`update products set category_id = $1, category = 'Headwear' where id = $2`, [
        category.id,
        product.id,
      ]);
      const categoryKey = { id: category.id, slug: 'hats', name: 'Warm Hats', text: 'Headwear' }[key];
      await store.data('update_monetization', {
        cashback: { ...CASHBACK, categoryRates: [{ categoryKey, cashbackPercentage: 30 }] },
      });
      await store.place(
        {
          items: [
            { productId: product.productId, quantity: 2 },
            { productId: other.productId, quantity: 1 },
          ],
        },
        { id: '1' },
        true,
      );
      const [{ delta, rules }] = await ledger(store);
      expect(delta).toBe('61.00');
      expect(
        rules.rules.map(({ rule, label, percentage, amount }: any) => [rule, label, percentage, amount]),
      ).toEqual([
        ['category', categoryKey, 30, '60'],
        ['level', 'All', 10, '1'],
      ]);
    });

    it('name the promotion and the limits', async () => {
      const promotion = {
        id: 'always',
        label: 'Always',
        startsAt: '2020-01-01',
        endsAt: null,
        mode: 'add',
        cashbackPercentage: 40,
        maxCashbackPerOrder: 35,
      };
      const { store, place } = await rewardShop(app, {
        cashback: { ...CASHBACK, promotions: [promotion], maxCashbackPerOrder: 37 },
      });
      const { id } = await place('1', true);
      expect(await balance(store, '1')).toBe(37);
      expect((await ledger(store))[0]).toEqual({
        customer_id: '1',
        delta: '37.00',
        kind: 'cashback',
        order_id: String(id),
        referred_id: null,
        rules: {
          trigger: 'on_payment',
          triggerStatus: null,
          earlierOrders: 0,
          earned: '50',
          rules: [
            {
              productId: expect.any(String),
              rule: 'level',
              id: null,
              label: 'All',
              paid: '100',
              percentage: 10,
              amount: '10',
            },
            {
              productId: expect.any(String),
              rule: 'promotion',
              id: 'always',
              label: 'Always',
              paid: '100',
              percentage: 40,
              amount: '40',
            },
          ],
          caps: [
            { by: 'promotion', id: 'always', label: 'Always', limit: '35' },
            { by: 'order', id: null, label: null, limit: '37' },
          ],
        },
      });
    });

    it('are in whole stars for XTR', async () => {
      const { store, product } = await rewardShop(
        app,
        { cashback: { ...CASHBACK, levels: [{ ...LEVEL, cashbackPercentage: 1.99 }] } },
        { currency: 'XTR' },
      );
      await store.place({ items: [{ productId: product.productId, quantity: 1 }] }, { id: '1' }, true);
      expect(await balance(store, '1')).toBe(1);
    });

    it('include a product that is deleted', async () => {
      const { store, product, place } = await rewardShop(app, { cashback: CASHBACK });
      const order = await place();
      await ownerQuery(`delete from products where id = $1`, [product.id]);
      await setStatus(store, order, 'PROCESSING');
      expect(await balance(store, '1')).toBe(10);
    });
  });
});
