import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { useShop } from '../../support/test-app.js';
import { CASHBACK, ledger, rewardShop, setStatus } from './reward-shop.js';

describe('list_bonus_history', () => {
  const app = useShop();

  it('names the rule and the arithmetic of every kind of entry', async () => {
    const { store, place } = await rewardShop(app, {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      referral: { referralJoinBonus: 3, referrerOrderBonus: 2.5, referrerBonusFrequency: 'once' },
      cashback: { ...CASHBACK, maxCashbackPerOrder: 8 },
    });
    const history = async (customerId: string) =>
      (await store.data('list_bonus_history', { customerId })).items;
    await place('1');
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: '2' }, '1'));
    await store.data('adjust_bonus', { customerId: '2', delta: 7, reason: 'birthday' });
    const { productId } = await store.product({ price: '100' });
    const order = await store.place({ items: [{ productId, quantity: 1 }], bonusToSpend: 6 }, { id: '2' });
    await setStatus(store, order, 'PROCESSING');
    await setStatus(store, order, 'CANCELLED');
    await setStatus(store, order, 'PENDING');

    const of = `order ${order.id}`;
    const entries = await history('2');
    expect(
      entries
        .map(({ kind, delta, balance, orderId, explanation, reason, by }: any) => [
          kind,
          delta,
          balance,
          orderId,
          explanation,
          reason,
          by,
        ])
        .reverse(),
    ).toEqual([
      [
        ...['referral_join', 3, 3, null],
        'Welcome by referral: came by the link of customer 1, referralJoinBonus 3.00. ' +
          'Balance: 0.00 + 3.00 = 3.00.',
        ...[null, 'operator'],
      ],
      [
        'adjustment',
        7,
        10,
        null,
        'Adjusted by hand. Balance: 3.00 + 7.00 = 10.00.',
        'birthday',
        'test admin',
      ],
      ['spend', -6, 4, order.id, `Spent on ${of}. Balance: 10.00 - 6.00 = 4.00.`, null, 'operator'],
      [
        ...['cashback', 8, 12, order.id],
        `Cashback of ${of}: 10 % of 94 for ${productId} (level All) = 9.4, together 9.4, ` +
          `limit of the order 8, credited 8.00. Balance: 4.00 + 8.00 = 12.00.`,
        ...[null, 'test admin'],
      ],
      [
        ...['refund', 6, 18, order.id],
        `Bonus spent on ${of} given back when it was cancelled. Balance: 12.00 + 6.00 = 18.00.`,
        ...['the order was cancelled', 'test admin'],
      ],
      [
        ...['cashback_reversal', -8, 10, order.id],
        `Cashback of ${of} taken back when it was cancelled: all of the 8.00 earned. ` +
          `Balance: 18.00 - 8.00 = 10.00.`,
        ...['the order was cancelled', 'test admin'],
      ],
      [
        ...['cashback_return', 8, 18, order.id],
        `Cashback of ${of} given back when the order left CANCELLED: ` +
          `the 8.00 that cancelling had taken back. Balance: 10.00 + 8.00 = 18.00.`,
        ...['the cancelled order was taken up again', 'test admin'],
      ],
      [
        'spend',
        -6,
        12,
        order.id,
        `Spent on ${of}. Balance: 18.00 - 6.00 = 12.00.`,
        'the cancelled order was taken up again',
        'test admin',
      ],
    ]);
    expect((await history('1')).map(({ kind, explanation }: any) => [kind, explanation])).toEqual([
      [
        'referral_return',
        `Referral reward for ${of} given back when the order left CANCELLED. Balance: 0.00 + 2.50 = 2.50.`,
      ],
      [
        'referral_reversal',
        `Referral reward for ${of} taken back when it was cancelled. Balance: 2.50 - 2.50 = 0.00.`,
      ],
      [
        'referral_order',
        `Referral reward: ${of} of customer 2 was paid, referrerOrderBonus 2.50, ` +
          `once for each referred customer. Balance: 0.00 + 2.50 = 2.50.`,
      ],
    ]);
  });

  it('explains debts and their settlement, and says when the order is gone', async () => {
    const { store, place } = await rewardShop(app, { cashback: CASHBACK });
    const order = await place('1', true);
    await store.data('adjust_bonus', { customerId: '1', delta: -4 });
    await setStatus(store, order, 'CANCELLED');
    const { warnings } = await store.data('adjust_bonus', { customerId: '1', delta: 5 });
    expect(warnings).toEqual(['4.00 of delta settled what the customer owed; 0.00 is still owed']);
    const latest = async () =>
      (await store.data('list_bonus_history', { customerId: '1', take: 4 })).items.reverse();
    expect((await latest()).map(({ kind, explanation }: any) => [kind, explanation])).toEqual([
      [
        'debt',
        `Debt: of 10.00 of cashback taken back for order ${order.id} the balance lacked 4.00. ` +
          `Owed now: 4.00. Balance: 6.00 + 4.00 = 10.00.`,
      ],
      [
        'cashback_reversal',
        `Cashback of order ${order.id} taken back when it was cancelled: ` +
          `all of the 10.00 earned. Balance: 10.00 - 10.00 = 0.00.`,
      ],
      ['adjustment', 'Adjusted by hand. Balance: 0.00 + 5.00 = 5.00.'],
      [
        'debt_settled',
        'Debt settled first, out of the 5.00 just credited. Owed now: 0.00. Balance: 5.00 - 4.00 = 1.00.',
      ],
    ]);
    await store.data('delete_order', { orderId: order.id, confirm: true });
    expect((await latest())[0]).toMatchObject({
      orderId: null,
      explanation: expect.stringContaining('an order that was deleted since'),
    });
  });

  it('keeps the first of very many rules, and counts the others', async () => {
    const promotions = Array.from({ length: 40 }, (_, i) => ({
      ...{
        id: `p${i}`,
        label: `P${i}`,
        startsAt: '2020-01-01',
        endsAt: null,
        mode: 'add',
        cashbackPercentage: 0.1,
      },
    }));
    const { store, product } = await rewardShop(app, { cashback: { ...CASHBACK, promotions } });
    const line = { productId: product.productId, quantity: 1 };
    const order = await store.place({ items: [line, line] }, { id: '1' }, true);
    const [{ rules }] = await ledger(store);
    // Each of the two lines has the level's rule and those of 40 promotions.
    expect([rules.rules.length, rules.moreRules]).toEqual([50, 32]);
    const [entry] = (await store.data('list_bonus_history', { customerId: '1' })).items;
    expect(entry.delta).toBe(28);
    expect(entry.explanation).toMatch(
      new RegExp(`^Cashback of order ${order.id}: 10 % of 100 .*; 77 more lines, together 28\\.`),
    );
  });

  it('lists entries in the order in which the balance changed', async () => {
    const store = await app.store();
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: '1' }));
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => store.data('adjust_bonus', { customerId: '1', delta: i + 1 })),
    );
    const entries: any[] = (
      await store.data('list_bonus_history', { customerId: '1', take: 100 })
    ).items.reverse();
    let balance = 0;
    expect(entries.map((entry) => entry.balance)).toEqual(entries.map(({ delta }) => (balance += delta)));
    const times = entries.map(({ createdAt }) => createdAt);
    expect([...new Set(times)].sort()).toEqual(times);
    expect((await store.data('get_customer', { id: '1' })).bonusBalance).toBe(entries.at(-1).balance);
  });

  it('is paged, newest first, and answers not_found for an unknown customer', async () => {
    const { store, place } = await rewardShop(app, {});
    await place('1');
    await place('2');
    for (const delta of [1, 2, 3]) await store.data('adjust_bonus', { customerId: '1', delta });
    const first = await store.data('list_bonus_history', { customerId: '1', take: 2 }, { scope: 'read' });
    expect(first.items.map(({ delta }: any) => delta)).toEqual([3, 2]);
    const second = await store.data('list_bonus_history', {
      customerId: '1',
      take: 2,
      cursor: first.nextCursor,
    });
    expect([second.items.map(({ delta }: any) => delta), second.nextCursor]).toEqual([[1], null]);
    expect(await store.data('list_bonus_history', { customerId: '2' })).toEqual({
      items: [],
      nextCursor: null,
    });
    for (const customerId of ['3', 'olena', '']) {
      expect((await store.call('list_bonus_history', { customerId })).body.error!.code).toBe('not_found');
    }
  });
});
