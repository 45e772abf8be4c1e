import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { expectInvalid, expectNotFound, walk } from '../catalog/catalog-fields.js';

describe('promocodes', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  let last = 0;
  const input = (values: object = {}) => ({
    code: `SAVE${++last}`,
    discountType: 'PERCENTAGE',
    discountValue: 10,
    ...values,
  });
  const create = (values: object = {}, of = store) => of.data('create_promocode', input(values));
  const read = async (id: string, of = store) =>
    (await walk(of, 'list_promocodes', { take: 100 })).find((code) => code.id === id);
  const codeCount = async (of = store) =>
    (
      await app.query<{ n: number }>('select count(*)::integer as n from promocodes where store_id = $1', [
        of.id,
      ])
    )[0].n;

  const app = useShop({ clock });

  beforeAll(async () => {
    store = await app.store();
  });

  it('update_promocode needs something to change', async () => {
    const { id } = await create();
    const { status, body } = await store.call('update_promocode', { id });
    expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toMatch(/at least one of code, discountType, .* is required/);
    expectInvalid(await store.call('update_promocode', { code: 'X' }), 'id');
  });

  it.each([
    { discountType: 'FIXED_AMOUNT', discountValue: 0.001 },
    { discountType: 'FIXED_AMOUNT', discountValue: 90071992547409.92 },
  ])('are not created with %j', async (discount) => {
    const before = await codeCount();
    expectInvalid(await store.call('create_promocode', input(discount)), 'discountValue');
    expect(await codeCount()).toBe(before);
  });

  it.each<[change: object, made: object]>([
    [{ discountType: 'FIXED_AMOUNT' }, { discountType: 'PERCENTAGE', discountValue: 33.333 }],
    [{ discountValue: 1.999 }, { discountType: 'FIXED_AMOUNT', discountValue: 1.99 }],
  ])('refuse the update %j of %j: its result counts', async (change, made) => {
    const before = await create(made);
    expectInvalid(await store.call('update_promocode', { id: before.id, ...change }), 'discountValue');
    expect(await read(before.id)).toEqual(before);
    const both = { discountType: 'FIXED_AMOUNT', discountValue: 250 };
    expect(await store.data('update_promocode', { id: before.id, ...both })).toMatchObject(both);
  });

  it('have fixed amounts with no more decimals than the currency', async () => {
    const own = await app.store({ currency: 'XTR' });
    const { body } = await own.call(
      'create_promocode',
      input({ discountType: 'FIXED_AMOUNT', discountValue: 0.5 }),
    );
    expect(body.error).toEqual({
      code: 'invalid_input',
      message: 'discountValue has more decimals than XTR has (0)',
    });
    expect(await create({ discountType: 'PERCENTAGE', discountValue: 0.5 }, own)).toMatchObject({
      discountValue: 0.5,
    });
  });

  it('are toggled, audited as enable or disable', async () => {
    const own = await app.store();
    const before = await create({}, own);
    clock.advance(1000);
    const disabled = await own.data('toggle_promocode', { id: before.id, active: false }, { scope: 'write' });
    expect(disabled).toEqual({ ...before, isActive: false, updatedAt: clock.now().toISOString() });
    clock.advance(1000);
    expect(await own.data('toggle_promocode', { id: before.id, active: false })).toEqual(disabled);
    expect(await own.data('toggle_promocode', { id: before.id, active: true })).toMatchObject({
      isActive: true,
    });
    const rows = await app.query(
      `select action, target, changes from audit_log where store_id = $1 and operation = 'toggle_promocode'
        order by id`,
      [own.id],
    );
    expect(rows).toEqual([
      { action: 'promocode.disable', target: `promocode:${before.id}`, changes: { isActive: [true, false] } },
      { action: 'promocode.disable', target: `promocode:${before.id}`, changes: {} },
      { action: 'promocode.enable', target: `promocode:${before.id}`, changes: { isActive: [false, true] } },
    ]);
  });

  it.each([
    ['active', undefined],
    ['active', null],
    ['active', 'true'],
    ['active', 1],
    ['id', undefined],
    ['isActive', true],
  ])('toggle_promocode refuses %s %j', async (field, value) => {
    const before = await create();
    expectInvalid(
      await store.call('toggle_promocode', { id: before.id, active: false, [field]: value }),
      field,
    );
    expect(await read(before.id)).toEqual(before);
  });

  it.each([
    [' TIDY1\u200b', 'TIDY1'],
    ['\u00a0TIDY 2 ', 'TIDY 2'],
  ])('store %j without what nobody sees', async (code, stored) => {
    const { id } = await create({ code });
    expect((await read(id)).code).toBe(stored);
    expectInvalid(await store.call('create_promocode', input({ code: stored.toLowerCase() })), 'code');
  });

  it.each([' ', '\u200b', '\u034f', '\u3164\u00a0'])('need a code that can be seen: %j', async (code) => {
    const before = await codeCount();
    expectInvalid(await store.call('create_promocode', input({ code })), 'code');
    const { items } = await store.data('create_promocodes', { items: [input({ code })] });
    expect(items[0].error.message).toMatch(/^items\[0\]\.code must be a string of 1 to 64 characters/);
    expect(await codeCount()).toBe(before);
  });

  it('toggle_promocode finds none of other stores, and none by an id that names none', async () => {
    const promocode = await create();
    for (const [of, id] of [
      [await app.store(), promocode.id],
      [store, 'no-such'],
      [store, '0197f000-0000-7000-8000-000000000000'],
    ] as const)
      expectNotFound(await of.call('toggle_promocode', { id, active: false }));
    expect(await read(promocode.id)).toEqual(promocode);
  });

  it('toggle_promocode needs the scope write', async () => {
    const { id } = await create();
    const { status } = await store.call('toggle_promocode', { id, active: true }, { scope: 'read' });
    expect(status).toBe(403);
  });
});
