import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { findPlan } from '../../src/stores/plans.js';
import { ownerQuery, TestApp, type TestStore } from '../support/test-app.js';

const level = { minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' };
const cashback = {
  enabled: true,
  levels: [level],
  categoryRates: [] as object[],
  promotions: [] as object[],
  maxCashbackPerOrder: null as number | null,
  cashbackTrigger: 'on_payment',
};
const referral = { referralJoinBonus: 5, referrerOrderBonus: 2.5, referrerBonusFrequency: 'every_order' };

describe('rewards of orders', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const contact = (store: TestStore, id: string, referrerId?: string) =>
    store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }, referrerId));
  const balance = async (store: TestStore, id: string) => (await store.data('get_customer', { id })).bonusBalance;
  const setStatus = (store: TestStore, order: { id: number }, status: string) =>
    store.data('set_order_status', { orderId: order.id, status });
  const ledger = (store: TestStore) =>
    ownerQuery<any>(
      `select customer_id, delta, kind, order_id, referred_id, rules from bonus_entries where store_id = $1 order by id`,
      [store.id],
    );

  /** A store with one product of 100.00, and what places an order of it. */
  async function shop(blocks: object, options: { currency?: string; plan?: string } = {}) {
    const store = await app.store(options);
    const product = await store.product({ price: '100' });
    await store.data('update_monetization', blocks);
    const place = (id = '1', paid = false) => store.place({ items: [{ ...only(product), quantity: 1 }] }, { id }, paid);
    return { store, product, place };
  }
  const only = ({ productId }: { productId: string }) => ({ productId });

  describe('when cashback is awarded (contract.md §6.3)', () => {
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
      const { store, place } = await shop({ cashback: { ...cashback, cashbackTrigger, cashbackTriggerStatus } });
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

    it('not while the block is off, nor in a plan without cashback', async () => {
      const off = await shop({ cashback: { ...cashback, enabled: false } });
      await off.place('1', true);
      expect(await balance(off.store, '1')).toBe(0);

      const features = findPlan('growth')!.features;
      const without = await shop({ cashback }, { plan: 'growth' });
      features.cashback = false;
      try {
        await without.place('1', true);
      } finally {
        features.cashback = true;
      }
      expect(await ledger(without.store)).toEqual([]);
    });

    it('not by an order that is refused', async () => {
      const { store, product } = await shop({ cashback: { ...cashback, cashbackTrigger: 'on_order_place' } });
      await expect(
        store.place(
          {
            items: [
              { ...only(product), quantity: 1 },
              { productId: 'none', quantity: 1 },
            ],
          },
          { id: '1' },
        ),
      ).rejects.toThrow('items[1].productId');
      expect(await ledger(store)).toEqual([]);
    });
  });

  describe('once per order, ever', () => {
    it('however many change its status at once', async () => {
      const { store, place } = await shop({ cashback });
      const orders = await Promise.all([place('1'), place('1'), place('2')]);
      const statuses = ['PROCESSING', 'PENDING', 'SHIPPED', 'CANCELLED', 'DELIVERED', 'PENDING', 'PROCESSING', 'PROCESSING'];
      await Promise.all(orders.flatMap((order) => statuses.map((status) => setStatus(store, order, status))));
      for (const order of orders) await setStatus(store, order, 'DELIVERED');
      expect([await balance(store, '1'), await balance(store, '2')]).toEqual([20, 10]);
      expect((await ledger(store)).map(({ order_id }) => Number(order_id)).sort()).toEqual(orders.map(({ id }) => id).sort());
    });

    it('also when the store changes what triggers it', async () => {
      const { store, place } = await shop({ cashback: { ...cashback, cashbackTrigger: 'on_order_place' } });
      const order = await place();
      await store.data('update_monetization', { cashback: { ...cashback, levels: [{ ...level, cashbackPercentage: 50 }] } });
      await setStatus(store, order, 'PROCESSING');
      expect(await balance(store, '1')).toBe(10);
    });

    it('and the row outlives the order', async () => {
      const { store, place } = await shop({ cashback });
      const order = await place('1', true);
      await store.data('delete_order', { orderId: order.id, confirm: true });
      expect(await ledger(store)).toMatchObject([{ kind: 'cashback', delta: '10.00', order_id: null }]);
      expect(await balance(store, '1')).toBe(10);
    });
  });

  describe('how much, and why', () => {
    it('by the level of earlier orders that are not cancelled', async () => {
      const levels = [
        { minOrders: 0, maxOrders: 1, cashbackPercentage: 1, levelName: 'New' },
        { minOrders: 2, maxOrders: null, cashbackPercentage: 20, levelName: 'Regular' },
      ];
      const { store, place } = await shop({ cashback: { ...cashback, levels } });
      const first = await place('1', true);
      await setStatus(store, await place('1'), 'CANCELLED');
      const third = await place('1');
      const fourth = await place('1');
      await setStatus(store, fourth, 'PROCESSING');
      await setStatus(store, third, 'PROCESSING');
      await place('2', true);
      expect((await ledger(store)).map(({ order_id, delta, rules }) => [Number(order_id), delta, rules.earlierOrders])).toEqual([
        [first.id, '1.00', 0],
        [fourth.id, '20.00', 2],
        [third.id, '1.00', 1],
        [expect.any(Number), '1.00', 0],
      ]);
    });

    it.each(['id', 'slug', 'name', 'text'] as const)("by the category's %s", async (key) => {
      const { store, product } = await shop({});
      const category = await store.data('create_category', { name: 'Warm Hats', slug: 'hats' });
      await ownerQuery(`update products set category_id = $1, category = 'Headwear' where id = $2`, [category.id, product.id]);
      const categoryKey = { id: category.id, slug: 'hats', name: 'Warm Hats', text: 'Headwear' }[key];
      await store.data('update_monetization', {
        cashback: { ...cashback, categoryRates: [{ categoryKey, cashbackPercentage: 30 }] },
      });
      await store.place(
        {
          items: [
            { ...only(product), quantity: 2 },
            { ...only(await store.product()), quantity: 1 },
          ],
        },
        { id: '1' },
        true,
      );
      const [{ delta, rules }] = await ledger(store);
      expect(delta).toBe('61.00');
      expect(rules.rules.map(({ rule, label, percentage, amount }: any) => [rule, label, percentage, amount])).toEqual([
        ['category', categoryKey, 30, '60'],
        ['level', 'All', 10, '1'],
      ]);
    });

    it('with the promotion and the caps told', async () => {
      const promotion = {
        id: 'always',
        label: 'Always',
        startsAt: '2020-01-01',
        endsAt: null,
        mode: 'add',
        cashbackPercentage: 40,
        maxCashbackPerOrder: 45,
      };
      const { store, place } = await shop({ cashback: { ...cashback, promotions: [promotion], maxCashbackPerOrder: 37 } });
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
            { productId: expect.any(String), rule: 'level', id: null, label: 'All', percentage: 10, amount: '10' },
            { productId: expect.any(String), rule: 'promotion', id: 'always', label: 'Always', percentage: 40, amount: '40' },
          ],
          caps: [
            { by: 'promotion', id: 'always', label: 'Always', limit: '45' },
            { by: 'order', id: null, label: null, limit: '37' },
          ],
        },
      });
    });

    it('in whole stars', async () => {
      const { store, product } = await shop(
        { cashback: { ...cashback, levels: [{ ...level, cashbackPercentage: 1.99 }] } },
        { currency: 'XTR' },
      );
      await store.place({ items: [{ ...only(product), quantity: 1 }] }, { id: '1' }, true);
      expect(await balance(store, '1')).toBe(1);
    });

    it('of a product that is gone', async () => {
      const { store, product, place } = await shop({ cashback });
      const order = await place();
      await ownerQuery(`delete from products where id = $1`, [product.id]);
      await setStatus(store, order, 'PROCESSING');
      expect(await balance(store, '1')).toBe(10);
    });
  });

  describe('referral (contract.md §6.4)', () => {
    it('welcomes a newcomer once and links them', async () => {
      const { store } = await shop({ referral });
      await contact(store, '9223372036854775806');
      const first = await contact(store, '2', '9223372036854775806');
      expect(first).toMatchObject({ isNew: true, bonusBalance: '5.00' });
      await contact(store, '2', '9223372036854775806');
      expect(await store.data('get_customer', { id: '2' })).toMatchObject({ referrerId: '9223372036854775806', bonusBalance: 5 });
      expect(await ledger(store)).toMatchObject([
        { kind: 'referral_join', delta: '5.00', rules: { referrerId: '9223372036854775806', referralJoinBonus: 5 } },
      ]);
    });

    it('links nobody who was a customer before', async () => {
      const { store } = await shop({ referral });
      await contact(store, '1');
      await contact(store, '2');
      await contact(store, '2', '1');
      expect(await store.data('get_customer', { id: '2' })).toMatchObject({ referrerId: null, bonusBalance: 0 });
    });

    it.each(['3', '77', 'abc', '', '-1', '0', '9223372036854775808', "1' or true"])(
      'ignores the link of %j',
      async (referrer) => {
        const { store } = await shop({ referral });
        await contact(await app.store(), '77');
        await contact(store, '3', referrer);
        expect(await store.data('get_customer', { id: '3' })).toMatchObject({ referrerId: null, bonusBalance: 0 });
      },
    );

    it.each([
      ['nothing configured', undefined, 0],
      ['a bonus of 0', 0, 0],
      ['a bonus below what can be held', 0.009, 0],
      ['more decimals than can be held', 1.239, 1.23],
    ])('links with %s', async (_, referralJoinBonus, expected) => {
      const { store } = await shop(referralJoinBonus === undefined ? {} : { referral: { ...referral, referralJoinBonus } });
      await contact(store, '1');
      await contact(store, '2', '1');
      expect(await store.data('get_customer', { id: '2' })).toMatchObject({ referrerId: '1', bonusBalance: expected });
    });

    it('welcomes once when the first contacts race', async () => {
      const { store } = await shop({ referral });
      await contact(store, '1');
      await Promise.all(Array.from({ length: 10 }, () => contact(store, '2', '1')));
      expect([await balance(store, '2'), (await ledger(store)).length]).toEqual([5, 1]);
    });

    it.each([
      ['once', [2.5, 2.5, 2.5, 2.5, 2.5]],
      ['every_order', [2.5, 2.5, 5, 5, 7.5]],
    ])('rewards the referrer %s', async (referrerBonusFrequency, expected) => {
      const { store, place } = await shop({ referral: { ...referral, referrerBonusFrequency } });
      await contact(store, '1');
      await contact(store, '2', '1');
      const balances = [];
      const note = async () => balances.push(await balance(store, '1'));
      const first = await place('2');
      expect(await balance(store, '1')).toBe(0);
      await setStatus(store, first, 'SHIPPED');
      await note();
      await setStatus(store, first, 'CANCELLED');
      await setStatus(store, first, 'PROCESSING');
      await note();
      await place('2', true);
      await note();
      await place('1', true);
      await note();
      await setStatus(store, await place('2'), 'DELIVERED');
      await note();
      expect(balances).toEqual(expected);
      expect((await ledger(store))[1]).toMatchObject({
        customer_id: '1',
        kind: 'referral_order',
        order_id: String(first.id),
        referred_id: '2',
        rules: { referredId: '2', referrerOrderBonus: 2.5, referrerBonusFrequency },
      });
      expect(await balance(store, '2')).toBe(5);
    });

    it('rewards once for one referred customer, though orders are paid at the same moment, and once for each customer', async () => {
      const { store, place } = await shop({ referral: { ...referral, referrerBonusFrequency: 'once' } });
      for (const id of ['1', '2', '3']) await contact(store, id, '1');
      const orders = await Promise.all(['2', '2', '2', '2', '3', '3'].map((id) => place(id)));
      await Promise.all([...orders.map((order) => setStatus(store, order, 'PROCESSING')), place('2', true), place('3', true)]);
      expect(await balance(store, '1')).toBe(5);
    });

    it('never makes two orders wait for each other', async () => {
      const { store, place } = await shop({ cashback, referral });
      await contact(store, '1');
      await contact(store, '2', '1');
      const pending = await Promise.all([place('1'), place('2')]);
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          Promise.all([
            place('1', true),
            place('2', true),
            setStatus(store, pending[i % 2], i % 4 < 2 ? 'PROCESSING' : 'PENDING'),
            store.data('adjust_bonus', { customerId: '1', delta: 1 }),
          ]),
        ),
      );
      for (const order of pending) await setStatus(store, order, 'DELIVERED');
      const mine = 21 * 10 + 21 * 2.5 + 20;
      expect([await balance(store, '1'), await balance(store, '2')]).toEqual([mine, 21 * 10 + 5]);
    });
  });
});
