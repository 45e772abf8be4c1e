import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { balance, CASHBACK, ledger, rewardShop, setStatus } from './reward-shop.js';

const referral = { referralJoinBonus: 5, referrerOrderBonus: 2.5, referrerBonusFrequency: 'every_order' };

describe('referral (docs/behaviour.md §6.4)', () => {
  const app = useShop();

  const contact = (store: TestStore, id: string, referrerId?: string) =>
    store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }, referrerId));

  it('welcomes a newcomer once and links them', async () => {
    const { store } = await rewardShop(app, { referral });
    await contact(store, '9223372036854775806');
    const first = await contact(store, '2', '9223372036854775806');
    expect(first).toMatchObject({ isNew: true, bonusBalance: '5.00' });
    await contact(store, '2', '9223372036854775806');
    expect(await store.data('get_customer', { id: '2' })).toMatchObject({
      referrerId: '9223372036854775806',
      bonusBalance: 5,
    });
    expect(await ledger(store)).toMatchObject([
      {
        kind: 'referral_join',
        delta: '5.00',
        rules: { referrerId: '9223372036854775806', referralJoinBonus: 5 },
      },
    ]);
  });

  it('links nobody who was a customer before', async () => {
    const { store } = await rewardShop(app, { referral });
    await contact(store, '1');
    await contact(store, '2');
    await contact(store, '2', '1');
    expect(await store.data('get_customer', { id: '2' })).toMatchObject({
      referrerId: null,
      bonusBalance: 0,
    });
  });

  it.each(['3', '77', 'abc', '', '-1', '0', '9223372036854775808', "1' or true"])(
    'ignores the link of %j',
    async (referrer) => {
      const { store } = await rewardShop(app, { referral });
      await contact(await app.store(), '77');
      await contact(store, '3', referrer);
      expect(await store.data('get_customer', { id: '3' })).toMatchObject({
        referrerId: null,
        bonusBalance: 0,
      });
    },
  );

  it.each([
    ['nothing configured', undefined, 0],
    ['a bonus of 0', 0, 0],
    ['a bonus below what can be held', 0.009, 0],
    ['more decimals than can be held', 1.239, 1.23],
  ])('links with %s', async (_, referralJoinBonus, expected) => {
    const { store } = await rewardShop(
      app,
      referralJoinBonus === undefined ? {} : { referral: { ...referral, referralJoinBonus } },
    );
    await contact(store, '1');
    await contact(store, '2', '1');
    expect(await store.data('get_customer', { id: '2' })).toMatchObject({
      referrerId: '1',
      bonusBalance: expected,
    });
  });

  it('makes a customer of the newcomer though their balance has no room for the bonus', async () => {
    const { store } = await rewardShop(app, { referral: { ...referral, referralJoinBonus: 1e14 } });
    await contact(store, '1');
    expect(await contact(store, '2', '1')).toMatchObject({ isNew: true, bonusBalance: '0.00' });
    expect(await store.data('get_customer', { id: '2' })).toMatchObject({ referrerId: '1', bonusBalance: 0 });
  });

  it('rewards the referrer in whole units in a currency without decimals', async () => {
    const { store, place } = await rewardShop(
      app,
      { referral: { ...referral, referrerOrderBonus: 1.5 } },
      { currency: 'XTR' },
    );
    await contact(store, '1');
    await contact(store, '2', '1');
    await place('2', true);
    expect(await balance(store, '1')).toBe(1);
  });

  it('welcomes once when the first contacts race', async () => {
    const { store } = await rewardShop(app, { referral });
    await contact(store, '1');
    await Promise.all(Array.from({ length: 10 }, () => contact(store, '2', '1')));
    expect([await balance(store, '2'), (await ledger(store)).length]).toEqual([5, 1]);
  });

  it.each([
    ['once', [2.5, 2.5, 2.5, 2.5, 2.5]],
    ['every_order', [2.5, 2.5, 5, 5, 7.5]],
  ])('rewards the referrer %s', async (referrerBonusFrequency, expected) => {
    const { store, place } = await rewardShop(app, { referral: { ...referral, referrerBonusFrequency } });
    await contact(store, '1');
    await contact(store, '2', '1');
    const balances: number[] = [];
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

  it('rewards once for each referred customer, also if several orders of one are paid at once', async () => {
    const { store, place } = await rewardShop(app, {
      referral: { ...referral, referrerBonusFrequency: 'once' },
    });
    for (const id of ['1', '2', '3']) await contact(store, id, '1');
    const orders = await Promise.all(['2', '2', '2', '2', '3', '3'].map((id) => place(id)));
    await Promise.all([
      ...orders.map((order) => setStatus(store, order, 'PROCESSING')),
      place('2', true),
      place('3', true),
    ]);
    expect(await balance(store, '1')).toBe(5);
  });

  it('never makes two orders wait for each other in a circle', async () => {
    const { store, place } = await rewardShop(app, { cashback: CASHBACK, referral });
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
