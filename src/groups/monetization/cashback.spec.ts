import { cashbackFor, shouldAward, type StatusEntry } from './cashback.js';
import type { CashbackBlock, CashbackItem, CashbackPromotion, CashbackTrigger } from './cashback.types.js';
import type { OrderStatus } from '../order-status.js';

const placedAt = new Date('2026-03-10T23:59:59.999Z');
const shirt: CashbackItem = {
  productId: 'shirt',
  categoryKeys: ['id-1', 'shirts', 'Shirts'],
  paidMinor: 3998n,
};
const mug: CashbackItem = { productId: 'mug', categoryKeys: [], paidMinor: 1050n };
const spring: CashbackPromotion = {
  id: 'spring',
  label: 'Spring',
  startsAt: '2026-03-01',
  endsAt: '2026-03-10',
  mode: 'add',
  cashbackPercentage: 5,
  maxCashbackPerOrder: null,
  enabled: true,
};
const block: CashbackBlock = {
  enabled: true,
  levels: [
    { minOrders: 0, maxOrders: 2, cashbackPercentage: 1, levelName: 'Bronze' },
    { minOrders: 3, maxOrders: null, cashbackPercentage: 2.5, levelName: 'Silver' },
  ],
  categoryRates: [{ categoryKey: 'shirts', cashbackPercentage: 10 }],
  promotions: [],
  maxCashbackPerOrder: null,
  cashbackTrigger: 'on_payment',
};

function award(change: Partial<CashbackBlock>, items = [shirt, mug], earlierOrders = 0, currency = 'USD') {
  return cashbackFor({ items, placedAt }, { earlierOrders }, { ...block, ...change }, currency);
}

describe('cashbackFor: the rate (docs/behaviour.md §6.3)', () => {
  const override: CashbackPromotion = {
    ...spring,
    id: 'o',
    label: 'Override',
    mode: 'override',
    cashbackPercentage: 3,
  };
  const mugs = [mug];
  const level = (cashbackPercentage: number, minOrders: number, maxOrders: number | null) => ({
    cashbackPercentage,
    minOrders,
    maxOrders,
    levelName: `${minOrders}+`,
  });

  it.each<[string, Partial<CashbackBlock>, CashbackItem[], number, string | undefined]>([
    ['category for the shirts, level for the mug', {}, [shirt, mug], 0, '4.10'],
    ['the level at its highest count', {}, mugs, 2, '0.10'],
    ['the next level at its lowest', {}, mugs, 3, '0.26'],
    ['an open level far up', {}, mugs, 10_000, '0.26'],
    ['no level reached', { levels: [level(50, 5, null)] }, mugs, 4, undefined],
    [
      'the level with the highest minOrders of two',
      { levels: [level(10, 0, 5), level(20, 5, 9)] },
      mugs,
      5,
      '2.10',
    ],
    [
      'a category by id',
      { categoryRates: [{ categoryKey: 'id-1', cashbackPercentage: 10 }] },
      [shirt],
      0,
      '3.99',
    ],
    [
      'a category by name',
      { categoryRates: [{ categoryKey: 'Shirts', cashbackPercentage: 10 }] },
      [shirt],
      0,
      '3.99',
    ],
    [
      'no category by another case',
      { categoryRates: [{ categoryKey: 'SHIRTS', cashbackPercentage: 10 }] },
      [shirt],
      0,
      '0.39',
    ],
    [
      'the rate of the earliest key',
      {
        categoryRates: [
          { categoryKey: 'Shirts', cashbackPercentage: 90 },
          { categoryKey: 'id-1', cashbackPercentage: 10 },
        ],
      },
      [shirt],
      0,
      '3.99',
    ],
    [
      'a category rate of 0 keeps the level out',
      { categoryRates: [{ categoryKey: 'shirts', cashbackPercentage: 0 }] },
      [shirt],
      0,
      undefined,
    ],
    ['a promotion added to both', { promotions: [spring] }, [shirt, mug], 0, '6.62'],
    [
      'adds added together',
      { promotions: [spring, { ...spring, id: 's2', cashbackPercentage: 4 }] },
      mugs,
      0,
      '1.05',
    ],
    ['an add on no rate', { promotions: [spring], levels: [] }, mugs, 0, '0.52'],
    ['an override in place of both', { promotions: [override] }, [shirt, mug], 0, '1.51'],
    ['an override beats an add', { promotions: [spring, override] }, mugs, 0, '0.31'],
    [
      'an override of 0',
      { promotions: [{ ...override, cashbackPercentage: 0 }] },
      [shirt, mug],
      0,
      undefined,
    ],
    [
      'the highest override',
      { promotions: [override, { ...override, id: 'p', cashbackPercentage: 7 }] },
      mugs,
      0,
      '0.73',
    ],
    [
      'no more than 100 percent',
      { promotions: [{ ...spring, cashbackPercentage: 100 }] },
      [shirt],
      0,
      '39.98',
    ],
    ['nothing of nothing', {}, [], 0, undefined],
    ['nothing when off', { enabled: false }, [shirt, mug], 0, undefined],
  ])('%s', (_, change, items, earlierOrders, amount) => {
    expect(award(change, items, earlierOrders)?.amount).toBe(amount);
  });

  it.each<[string, Partial<CashbackPromotion>, boolean]>([
    ['on its last day, to the last millisecond', {}, true],
    ['on its first day', { startsAt: '2026-03-10', endsAt: null }, true],
    ['on its only day', { startsAt: '2026-03-10' }, true],
    ['without an end', { endsAt: null }, true],
    ['the day before', { startsAt: '2026-03-11', endsAt: null }, false],
    ['the day after', { endsAt: '2026-03-09' }, false],
    ['switched off', { enabled: false }, false],
    ['with enabled left to its default', { enabled: undefined, maxCashbackPerOrder: undefined }, true],
  ])('a promotion %s', (_, change, inForce) => {
    expect(award({ promotions: [{ ...spring, ...change }] }, mugs)?.amount).toBe(inForce ? '0.63' : '0.10');
  });
});

describe('cashbackFor: rounding and caps', () => {
  const tenPercent = {
    levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' }],
  };
  const item = (paidMinor: bigint, productId = 'p'): CashbackItem => ({
    productId,
    categoryKeys: [],
    paidMinor,
  });

  it.each<[string, bigint, string]>([
    ['USD', 1999n, '1.99'],
    ['JPY', 1999n, '199'],
    ['XTR', 19n, '1'],
    ['KWD', 19999n, '1.99'],
    ['CLF', 199999n, '1.99'],
    ['USD', 10n, '0.01'],
  ])('an award in %s for %p minor units is %s', (currency, paidMinor, amount) => {
    expect(award(tenPercent, [item(paidMinor)], 0, currency)?.amount).toBe(amount);
  });

  it('rounds the sum, not the items', () => {
    expect(award(tenPercent, [item(5n, 'a'), item(5n, 'b')])?.amount).toBe('0.01');
  });

  it.each<[string, (number | null)[], number | null, string, [string | null, string][]]>([
    ['no cap', [null], null, '15.00', []],
    ['the order’s', [null], 12.5, '12.50', [[null, '12.5']]],
    ['an order cap finer than the cent', [], 3.999, '3.99', [[null, '3.999']]],
    ['the promotion’s, of its own part only', [2], 12.5, '12.00', [['p0', '2']]],
    [
      'the promotion’s, then the order’s',
      [2],
      11,
      '11.00',
      [
        ['p0', '2'],
        [null, '11'],
      ],
    ],
    [
      'two promotions’, each of its own part',
      [1, 2],
      null,
      '13.00',
      [
        ['p0', '1'],
        ['p1', '2'],
      ],
    ],
    ['only those that lower it', [8, 2], 15, '14.50', [['p1', '2']]],
    ['ones just reached lower nothing', [5], 15, '15.00', []],
  ])('limits the award: %s', (_, promotionCaps, maxCashbackPerOrder, amount, caps) => {
    const each = promotionCaps.length === 0 ? 0 : 5 / promotionCaps.length;
    const promotions = promotionCaps.map((cap, n) => ({
      ...spring,
      id: `p${n}`,
      cashbackPercentage: each,
      maxCashbackPerOrder: cap,
    }));
    const result = award({ ...tenPercent, promotions, maxCashbackPerOrder }, [item(10_000n)]);
    expect(result?.amount).toBe(amount);
    expect(result?.caps.map(({ id, limit }) => [id, limit])).toEqual(caps);
  });

  it('a cap of 0 leaves no award', () => {
    expect(award({ ...tenPercent, maxCashbackPerOrder: 0 }, [item(10_000n)])).toBeNull();
  });

  it('the cap of a promotion that an override replaces does not count', () => {
    const beaten = { ...spring, maxCashbackPerOrder: 1 };
    const winner: CashbackPromotion = { ...spring, id: 'w', mode: 'override', cashbackPercentage: 20 };
    expect(award({ promotions: [beaten, winner] }, [item(10_000n)])?.amount).toBe('20.00');
  });

  it('explains the award', () => {
    expect(award({ promotions: [{ ...spring, maxCashbackPerOrder: 2 }] })).toEqual({
      amount: '6.10',
      earned: '6.627',
      rules: [
        {
          productId: 'shirt',
          rule: 'category',
          id: 'shirts',
          label: 'shirts',
          paid: '39.98',
          percentage: 10,
          amount: '3.998',
        },
        {
          productId: 'shirt',
          rule: 'promotion',
          id: 'spring',
          label: 'Spring',
          paid: '39.98',
          percentage: 5,
          amount: '1.999',
        },
        {
          productId: 'mug',
          rule: 'level',
          id: null,
          label: 'Bronze',
          paid: '10.5',
          percentage: 1,
          amount: '0.105',
        },
        {
          productId: 'mug',
          rule: 'promotion',
          id: 'spring',
          label: 'Spring',
          paid: '10.5',
          percentage: 5,
          amount: '0.525',
        },
      ],
      caps: [{ by: 'promotion', id: 'spring', label: 'Spring', limit: '2' }],
    });
  });

  it('lists an item without any rule', () => {
    expect(award({ levels: [] })?.rules).toContainEqual({
      productId: 'mug',
      rule: 'none',
      id: null,
      label: null,
      paid: '10.5',
      percentage: 0,
      amount: '0',
    });
  });
});

describe('shouldAward', () => {
  const placed = (to: OrderStatus): StatusEntry => ({ event: 'placed', before: [], to });
  const entered = (...statuses: OrderStatus[]): StatusEntry => ({
    event: 'status',
    before: statuses.slice(0, -1),
    to: statuses[statuses.length - 1],
  });

  it.each<[CashbackTrigger, OrderStatus | undefined, StatusEntry, boolean]>([
    ['on_order_place', undefined, placed('PENDING'), true],
    ['on_order_place', undefined, placed('PROCESSING'), true],
    ['on_order_place', undefined, entered('PENDING', 'PROCESSING'), false],
    ['on_payment', undefined, placed('PENDING'), false],
    ['on_payment', undefined, placed('PROCESSING'), true],
    ['on_payment', undefined, entered('PENDING', 'PROCESSING'), true],
    ['on_payment', undefined, entered('PENDING', 'SHIPPED'), true],
    ['on_payment', undefined, entered('PENDING', 'DELIVERED'), true],
    ['on_payment', undefined, entered('PENDING', 'CANCELLED', 'PROCESSING'), true],
    ['on_payment', undefined, entered('PENDING', 'CANCELLED'), false],
    ['on_payment', undefined, entered('PROCESSING', 'SHIPPED'), false],
    ['on_payment', undefined, entered('PROCESSING', 'PENDING', 'PROCESSING'), false],
    ['on_payment', undefined, entered('PROCESSING', 'CANCELLED', 'DELIVERED'), false],
    ['on_payment', undefined, entered('PROCESSING', 'PENDING'), false],
    ['on_payment', 'DELIVERED', entered('SHIPPED', 'DELIVERED'), false],
    ['on_status', 'DELIVERED', entered('SHIPPED', 'DELIVERED'), true],
    ['on_status', 'DELIVERED', entered('DELIVERED', 'DELIVERED'), false],
    ['on_status', 'DELIVERED', entered('DELIVERED', 'PENDING', 'DELIVERED'), false],
    ['on_status', 'DELIVERED', entered('PENDING', 'PROCESSING'), false],
    ['on_status', 'PENDING', placed('PENDING'), true],
    ['on_status', 'PROCESSING', placed('PENDING'), false],
    ['on_status', 'CANCELLED', entered('PENDING', 'CANCELLED'), true],
    ['on_status', undefined, entered('SHIPPED', 'DELIVERED'), false],
  ])('%s %s, %j: %p', (trigger, status, entry, expected) => {
    expect(shouldAward(trigger, status, entry)).toBe(expected);
  });
});
