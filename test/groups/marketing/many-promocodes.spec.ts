import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

describe('create_promocodes', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;
  let last = 0;

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  const input = (fields: object = {}) => ({
    code: `Many${++last}`,
    discountType: 'PERCENTAGE',
    discountValue: 10,
    ...fields,
  });
  const listed = async (of = store): Promise<any[]> =>
    (await of.data('list_promocodes', { take: 100 })).items;
  const error = (message: string) => ({ code: 'invalid_input', message: expect.stringContaining(message) });

  it('creates each promocode as create_promocode does', async () => {
    const least = input();
    const full = input({
      ...{ discountType: 'FIXED_AMOUNT', discountValue: 2.5, expiresAt: '2030-01-01T00:00:00.000Z' },
      ...{ maxUses: 3, isActive: false },
    });
    const { items, ...counts } = await store.data('create_promocodes', { items: [least, full] });
    expect(counts).toEqual({ updated: 2, failed: 0 });
    expect(items).toEqual([least, full].map(({ code }, index) => ({ index, id: expect.any(String), code })));
    for (const [index, given] of [least, full].entries()) {
      const single = await store.data('create_promocode', { ...given, code: `${given.code} alone` });
      const made = (await listed()).find(({ id }) => id === items[index].id);
      expect(made).toEqual({ ...single, id: items[index].id, code: given.code });
    }
  });

  it('answers each refused item with its error, and creates the others', async () => {
    const own = await app.store();
    const { code } = await own.data('create_promocode', input());
    // Another store's codes are of no concern.
    const others = (await (await app.store()).data('create_promocode', input())).code;
    const twice = input();
    const items = [
      input({ discountValue: 0 }),
      input({ discountType: 'FIXED_AMOUNT', discountValue: 1.001 }),
      input({ code: code.toUpperCase() }),
      { code: 'many-x' },
      input({ colour: 'red' }),
      twice,
      { ...twice, code: twice.code.toLowerCase(), discountValue: 50 },
      input({ code: others }),
    ];
    const done = await own.data('create_promocodes', { items });
    expect([done.updated, done.failed]).toEqual([2, 6]);
    expect(done.items.filter((item: any) => item.error)).toEqual(
      [
        'items[0].discountValue must be',
        'items[1].discountValue has more decimals than USD has',
        'items[2].code is already used by another promocode of this store',
        'items[3].discountType is required',
        'items[4].colour',
        'items[6].code is already used by another promocode of this store',
      ].map((message, nth) => ({ index: nth === 5 ? 6 : nth, error: error(message) })),
    );
    expect((await listed(own)).map((one) => one.code).sort()).toEqual([code, twice.code, others].sort());
    expect((await listed(own)).find((one) => one.code === twice.code)).toMatchObject({ discountValue: 10 });
  });

  it('warns by item, and refuses a call without valid items', async () => {
    const { items } = await store.data('create_promocodes', {
      items: [input({ discountValue: 100 }), input({ expiresAt: '2020-01-01T00:00:00Z' }), input()],
    });
    expect(items.map(({ warnings }: any) => warnings)).toEqual([
      [expect.stringContaining('100 % off')],
      [expect.stringContaining('expiresAt has passed')],
      undefined,
    ]);
    for (const bad of [[], Array.from({ length: 101 }, () => input()), 'all']) {
      const { status, body } = await store.call('create_promocodes', { items: bad });
      expect([status, body.error!.message]).toEqual([400, expect.stringMatching(/^items must/)]);
    }
  });

  it('is one write of the budget, once by key, with one audit row of what was created', async () => {
    const own = await app.store();
    const items = Array.from({ length: 100 }, () => input());
    const options = { headers: { 'Idempotency-Key': 'codes-of-spring' } };
    const left = ({ headers }: { headers: Headers }) => Number(headers.get('ratelimit-remaining'));
    const first = await own.call('create_promocodes', { items }, options);
    const again = await own.call('create_promocodes', { items }, options);
    expect(again.body).toEqual(first.body);
    expect(left(again) - left(await own.call('create_promocodes', { items: [input()] }))).toBe(1);
    expect((first.body as any).data.updated).toBe(100);
    const rows = await app.query<any>(
      'select changes, outcome from audit_log where store_id = $1 and request_id = $2',
      [own.id, first.headers.get('x-request-id')],
    );
    expect(rows).toHaveLength(1);
    expect(Object.keys(rows[0].changes).sort()).toEqual(
      (first.body as any).data.items.map(({ id }: any) => `promocode:${id}`).sort(),
    );
  });

  it('creates a code that two calls make at once for one of them', async () => {
    const own = await app.store();
    const items = Array.from({ length: 20 }, () => input());
    const results = await Promise.all([
      own.data('create_promocodes', { items }),
      own.data('create_promocodes', { items: [...items].reverse() }),
    ]);
    expect(results[0].updated + results[1].updated).toBe(20);
    expect(await listed(own)).toHaveLength(20);
  });
});
