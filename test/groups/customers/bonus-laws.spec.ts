import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { CASHBACK, ledger, rewardShop, setStatus } from './reward-shop.js';

const BLOCKS = {
  bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
  cashback: CASHBACK,
};
const referral = { referralJoinBonus: 0, referrerOrderBonus: 2.5, referrerBonusFrequency: 'once' };

describe('bonus is conserved (docs/behaviour.md §6.5)', () => {
  const app = useShop();

  const account = async (store: TestStore, id = '1') => {
    const { bonusBalance, bonusOwed } = await store.data('get_customer', { id });
    return [bonusBalance, bonusOwed];
  };

  /** Order A earns 100.00; order B is paid with them. */
  async function twoOrders() {
    const { store, product } = await rewardShop(app, BLOCKS);
    const buy = (quantity: number, bonusToSpend: number, paid = false) =>
      store.place({ items: [{ productId: product.productId, quantity }], bonusToSpend }, { id: '1' }, paid);
    const a = await buy(10, 0, true);
    const b = await buy(1, 100);
    expect(await account(store)).toEqual([0, 0]);
    return { store, a, b, buy };
  }

  it.each(['the earning order first', 'the spending order first'])(
    'leaves nothing when both orders are cancelled, %s',
    async (which) => {
      const { store, a, b } = await twoOrders();
      const orders = which === 'the earning order first' ? [a, b] : [b, a];
      await store.data('refund_order', { orderId: orders[0].id });
      expect(await account(store)).toEqual(which === 'the earning order first' ? [0, 100] : [100, 0]);
      await setStatus(store, orders[1], 'CANCELLED');
      expect(await account(store)).toEqual([0, 0]);
      for (const order of orders) await setStatus(store, order, 'PROCESSING');
      expect(await account(store)).toEqual([0, 0]);
    },
  );

  it('lets one bonus discount one order only: the other is owed', async () => {
    const { store, b, buy } = await twoOrders();
    await setStatus(store, b, 'CANCELLED');
    const c = await buy(1, 100);
    expect(c.totalPrice).toBe(0);
    await setStatus(store, b, 'PENDING');
    expect(await account(store)).toEqual([0, 100]);
    await setStatus(store, c, 'CANCELLED');
    expect(await account(store)).toEqual([0, 0]);
  });

  it('settles a debt first, by every credit: an adjustment, cashback, a refund', async () => {
    const { store, a, b, buy } = await twoOrders();
    await setStatus(store, a, 'CANCELLED');
    const adjusted = await store.data('adjust_bonus', { customerId: '1', delta: 30 });
    expect(adjusted).toEqual({
      customerId: '1',
      delta: 30,
      balance: 0,
      warnings: ['30.00 of delta settled what the customer owed; 70.00 is still owed'],
    });
    await buy(1, 0, true);
    expect(await account(store)).toEqual([0, 60]);
    const refusal = await store.call('adjust_bonus', { customerId: '1', delta: -1 });
    expect(refusal.body.error?.message).toBe(
      'delta must not take the balance, which is 0.00 (the customer owes 60.00), below 0',
    );
    await setStatus(store, b, 'CANCELLED');
    expect(await account(store)).toEqual([40, 0]);
    const rows = (await ledger(store)).map(({ kind, delta }) => [kind, delta]);
    expect(rows.slice(2)).toEqual([
      ['debt', '100.00'],
      ['cashback_reversal', '-100.00'],
      ['adjustment', '30.00'],
      ['debt_settled', '-30.00'],
      ['cashback', '10.00'],
      ['debt_settled', '-10.00'],
      ['refund', '100.00'],
      ['debt_settled', '-60.00'],
    ]);
  });

  it('tells in the result of a refund what was given and taken back, and what of it is owed', async () => {
    const { store, a, b } = await twoOrders();
    const first = await store.data('refund_order', { orderId: a.id });
    expect(first.givenBack).toBeUndefined();
    expect(first.takenBack).toEqual({ stock: [], bonus: 0, promocode: null, cashback: 100, owed: 100 });
    const again = await store.data('refund_order', { orderId: a.id });
    expect([again.givenBack, again.takenBack]).toEqual([undefined, undefined]);
    const second = await store.data('refund_order', { orderId: b.id });
    expect(second.givenBack).toEqual({ stock: [], bonus: 100, promocode: null, cashback: 0, owed: 0 });
    expect(second.takenBack).toBeUndefined();
    const { entries } = await store.data('get_order_timeline', { orderId: a.id });
    expect(entries.find(({ kind }: any) => kind === 'refund').text).toContain(
      'Took back 100.00 of cashback, of which 100.00 is owed',
    );
  });

  describe('a referrer’s reward', () => {
    const shop = async (frequency: string) => {
      const { store, place } = await rewardShop(app, {
        referral: { ...referral, referrerBonusFrequency: frequency },
      });
      await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: '1' }));
      await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: '2' }, '1'));
      return { store, place };
    };

    it('goes and comes with its order', async () => {
      const { store, place } = await shop('every_order');
      const orders = [await place('2', true), await place('2', true)];
      expect(await account(store)).toEqual([5, 0]);
      await store.data('adjust_bonus', { customerId: '1', delta: -5 });
      for (const order of orders) await setStatus(store, order, 'CANCELLED');
      expect(await account(store)).toEqual([0, 5]);
      for (const order of orders) await setStatus(store, order, 'PENDING');
      expect(await account(store)).toEqual([0, 0]);
    });

    it('given once, goes to the next order that is paid, and does not come back twice', async () => {
      const { store, place } = await shop('once');
      const first = await place('2', true);
      await setStatus(store, first, 'CANCELLED');
      expect(await account(store)).toEqual([0, 0]);
      const second = await place('2', true);
      expect(await account(store)).toEqual([2.5, 0]);
      await setStatus(store, first, 'PROCESSING');
      expect(await account(store)).toEqual([2.5, 0]);
      await setStatus(store, second, 'CANCELLED');
      expect(await account(store)).toEqual([0, 0]);
      await setStatus(store, second, 'DELIVERED');
      expect(await account(store)).toEqual([2.5, 0]);
    });

    it('goes with an order that is deleted, and stays with one that was shipped', async () => {
      const { store, place } = await shop('once');
      const first = await place('2', true);
      await store.data('delete_order', { orderId: first.id, confirm: true });
      expect(await account(store)).toEqual([0, 0]);
      const second = await place('2', true);
      await setStatus(store, second, 'SHIPPED');
      await store.data('delete_order', { orderId: second.id, confirm: true });
      await place('2', true);
      expect(await account(store)).toEqual([2.5, 0]);
    });
  });

  it.each([
    ['JPY', 10, 10.5, 'delta must have at most 0 decimals in a store of JPY'],
    ['XTR', 10, 0.1, 'delta must have at most 0 decimals in a store of XTR'],
    ['USD', 0.01, 0.001, 'delta must be other than 0 and have at most 2 decimals'],
    ['KWD', 0.01, 0.001, 'delta must be other than 0 and have at most 2 decimals'],
  ])('has as many decimals as the currency, at most two: %s', async (currency, right, wrong, message) => {
    const { store, place } = await rewardShop(app, { cashback: CASHBACK }, { currency });
    await place('1');
    await store.data('adjust_bonus', { customerId: '1', delta: right });
    const { body } = await store.call('adjust_bonus', { customerId: '1', delta: wrong });
    expect(body.error).toMatchObject({ code: 'invalid_input', message });
    expect((await account(store))[0]).toBe(right);
  });
});
