import { ownerQuery, type TestStore, useShop } from '../../support/test-app.js';

const bonus = { maxPercentage: 30, mutualExclusivityWithPromocode: true };
const referral = { referralJoinBonus: 5, referrerOrderBonus: 2.5, referrerBonusFrequency: 'every_order' };
const level = { minOrders: 0, maxOrders: null, cashbackPercentage: 5, levelName: 'All' };
const rate = { categoryKey: 'shirts', cashbackPercentage: 10 };
const promotion = {
  id: 'p',
  label: 'P',
  startsAt: '2026-01-01',
  endsAt: null,
  mode: 'add',
  cashbackPercentage: 1,
};
const cashback = {
  enabled: true,
  levels: [level],
  categoryRates: [rate],
  promotions: [promotion],
  maxCashbackPerOrder: null,
  cashbackTrigger: 'on_payment',
};
const defaults = {
  bonus: { maxPercentage: 0, mutualExclusivityWithPromocode: false },
  referral: { referralJoinBonus: 0, referrerOrderBonus: 0, referrerBonusFrequency: 'once' },
  cashback: {
    enabled: false,
    levels: [],
    categoryRates: [],
    promotions: [],
    maxCashbackPerOrder: null,
    cashbackTrigger: 'on_payment',
  },
};

describe('monetization', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('has defaults that give and take nothing', async () => {
    const fresh = await app.store();
    expect(await fresh.data('get_monetization', {}, { scope: 'read' })).toEqual({
      ...defaults,
      updatedAt: null,
    });
    expect(await fresh.data('update_monetization', {}, { scope: 'write' })).toEqual({
      ...defaults,
      updatedAt: null,
    });
  });

  it('replaces each given block whole and keeps the others', async () => {
    const shop = await app.store();
    await shop.data('create_category', { name: 'Shirts', slug: rate.categoryKey });
    const filled = {
      ...cashback,
      promotions: [{ ...promotion, maxCashbackPerOrder: null, enabled: true }],
    };
    const first = await shop.data('update_monetization', {
      bonus,
      cashback: { ...cashback, description: 'Hi', cashbackTriggerStatus: 'SHIPPED' },
    });
    expect(first).toEqual({
      ...defaults,
      bonus,
      cashback: { ...filled, description: 'Hi', cashbackTriggerStatus: 'SHIPPED' },
      updatedAt: expect.stringMatching(/Z$/),
    });
    const second = await shop.data('update_monetization', { referral, cashback });
    expect(second).toEqual({ bonus, referral, cashback: filled, updatedAt: expect.any(String) });
    expect(await shop.data('get_monetization')).toEqual(second);
    const [, audit] = await ownerQuery<any>(
      `select changes from audit_log where store_id = $1 and operation = 'update_monetization' order by id`,
      [shop.id],
    );
    expect(audit.changes.referral).toEqual([defaults.referral, referral]);
    expect(Object.keys(audit.changes)).toEqual(['referral', 'cashback']);
  });

  it('keeps concurrent updates of different blocks', async () => {
    const shop = await app.store();
    await Promise.all(
      [{ bonus }, { referral }, { cashback }].map((input) => shop.data('update_monetization', input)),
    );
    expect(await shop.data('get_monetization')).toMatchObject({
      bonus,
      referral,
      cashback: { enabled: true },
    });
  });

  it('is stored separately for each store', async () => {
    const [one, other] = [await app.store(), await app.store()];
    await one.data('update_monetization', { bonus });
    expect(await other.data('get_monetization')).toEqual({ ...defaults, updatedAt: null });
  });

  const percent = { accepted: [0, 100, 2.5], refused: [-0.01, 100.01, '5', null] };
  const amount = { accepted: [0, 0.01, 1e9], refused: [-0.01, '5'] };
  const flag = { accepted: [true, false], refused: [null, 'true', 1] };
  type Bounds = { accepted: unknown[]; refused: unknown[] };
  const or = ({ accepted, refused }: Bounds, ...more: unknown[]) => ({
    accepted: [...accepted, ...more],
    refused,
  });
  const not = ({ accepted, refused }: Bounds, ...more: unknown[]) => ({
    accepted,
    refused: [...refused, ...more],
  });
  const words = (min: number, max: number) => ({
    accepted: ['x'.repeat(min), '😀'.repeat(max)],
    refused: [...(min ? [''] : []), 'x'.repeat(max + 1), 5, null],
  });
  const day = {
    accepted: ['2026-02-28', '2024-02-29'],
    refused: ['2026-02-29', '2026-2-1', '2026-01-01T00:00:00Z', '', 5],
  };

  const TABLE: [path: string, input: (value: unknown) => object, bounds: Bounds, required: boolean][] = [
    ...(
      [
        ['maxPercentage', percent],
        ['mutualExclusivityWithPromocode', flag],
      ] as const
    ).map(([field, bounds]) =>
      row(`bonus.${field}`, (value) => ({ bonus: { ...bonus, [field]: value } }), bounds, true),
    ),
    ...(
      [
        ['referralJoinBonus', not(amount, null)],
        ['referrerOrderBonus', not(amount, null)],
        ['referrerBonusFrequency', { accepted: ['once', 'every_order'], refused: ['never', null, 1] }],
      ] as const
    ).map(([field, bounds]) =>
      row(
        `referral.${field}`,
        (value) => ({ referral: { ...referral, [field]: value } }),
        bounds as Bounds,
        true,
      ),
    ),
    ...(
      [
        ['enabled', flag, true],
        [
          'description',
          { accepted: ['', 'x'.repeat(20_000)], refused: [null, 5, 'x'.repeat(20_001)] },
          false,
        ],
        [
          'levels',
          {
            accepted: [[], Array(100).fill(level)],
            refused: [null, Array(101).fill(level), {}, [5], [null]],
          },
          true,
        ],
        [
          'categoryRates',
          { accepted: [[], Array(200).fill(rate)], refused: [null, Array(201).fill(rate)] },
          true,
        ],
        [
          'promotions',
          { accepted: [[], Array(100).fill(promotion)], refused: [null, Array(101).fill(promotion)] },
          true,
        ],
        ['maxCashbackPerOrder', or(amount, null), true],
        [
          'cashbackTrigger',
          { accepted: ['on_order_place', 'on_payment', 'on_status'], refused: ['on_ship', null] },
          true,
        ],
        [
          'cashbackTriggerStatus',
          {
            accepted: ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
            refused: ['PAID', 'pending', null],
          },
          false,
        ],
      ] as const
    ).map(([field, bounds, required]) =>
      row(
        `cashback.${field}`,
        (value) => ({ cashback: { ...cashback, [field]: value } }),
        bounds as Bounds,
        required,
      ),
    ),
    ...inList('levels', level, [
      ['minOrders', not(amount, null), true],
      ['maxOrders', or(amount, null), true],
      ['cashbackPercentage', percent, true],
      ['levelName', { accepted: ['', 'Gold'], refused: [null, 5] }, true],
    ]),
    ...inList('categoryRates', rate, [
      ['categoryKey', words(1, 200), true],
      ['cashbackPercentage', percent, true],
    ]),
    ...inList('promotions', promotion, [
      ['id', words(1, 64), true],
      ['label', words(0, 120), true],
      ['startsAt', not(day, null), true],
      ['endsAt', or(day, null), true],
      ['mode', { accepted: ['add', 'override'], refused: ['replace', null] }, true],
      ['cashbackPercentage', percent, true],
      ['maxCashbackPerOrder', or(amount, null), false],
      ['enabled', flag, false],
    ]),
  ];

  function row(
    path: string,
    input: (value: unknown) => object,
    bounds: Bounds,
    required: boolean,
  ): (typeof TABLE)[number] {
    return [path, input, bounds, required];
  }
  function inList(list: string, item: object, fields: [string, Bounds, boolean][]): typeof TABLE {
    return fields.map(([field, bounds, required]) =>
      row(
        `cashback.${list}[1].${field}`,
        (value) => ({ cashback: { ...cashback, [list]: [item, { ...item, [field]: value }] } }),
        bounds,
        required,
      ),
    );
  }

  it.each(TABLE)('holds %s to its bounds', async (path, input, { accepted, refused }, required) => {
    for (const value of [...accepted, ...(required ? [] : [undefined])]) {
      const { status, body } = await store.call('update_monetization', input(value));
      expect([value, status, body.error]).toEqual([value, 200, undefined]);
      if (value !== undefined) expect(body.data).toMatchObject(input(value));
    }
    const before = await store.data('get_monetization');
    for (const value of [...refused, ...(required ? [undefined] : [])]) {
      const { status, body } = await store.call('update_monetization', input(value));
      expect([value, status, body.error?.code]).toEqual([value, 400, 'invalid_input']);
      expect(body.error?.message.startsWith(path)).toBe(true);
    }
    expect(await store.data('get_monetization')).toEqual(before);
  });

  it.each([
    ['bonus', { bonus: null }],
    ['referral', { referral: [] }],
    ['cashback', { cashback: 'none' }],
    ['loyalty', { loyalty: {} }],
    ['bonus.extra', { bonus: { ...bonus, extra: 1 } }],
    ['cashback.levels[0].extra', { cashback: { ...cashback, levels: [{ ...level, extra: 1 }] } }],
    [
      'cashback.promotions[0].updatedAt',
      { cashback: { ...cashback, promotions: [{ ...promotion, updatedAt: 1 }] } },
    ],
  ])('refuses %s', async (path, input) => {
    const { status, body } = await store.call('update_monetization', input);
    expect([status, body.error?.code, body.error?.message.startsWith(path)]).toEqual([
      400,
      'invalid_input',
      true,
    ]);
  });
});
