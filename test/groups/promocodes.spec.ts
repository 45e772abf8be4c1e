import { TestApp, TestClock, type TestStore } from '../support/test-app.js';
import {
  accepted,
  auditRows,
  type Bounds,
  expectInvalid,
  expectNotFound,
  type FieldCase,
  FLAG,
  refused,
  text,
  walk,
} from './catalog-fields.js';

const PERCENT: Bounds = { accepted: [1, 100, 0.5, 33.333333], refused: [0, -1, 100.01, 101, '10', true] };
const INSTANT: Bounds = {
  accepted: ['2026-12-31T23:59:59.000Z'],
  refused: ['2026-12-31', '2026-12-31T23:59:59', '2026-02-30T00:00:00Z', 'tomorrow', '', 1767225600],
};
const USES: Bounds = {
  accepted: [1, Number.MAX_SAFE_INTEGER],
  refused: [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1', true],
};
const TYPE: Bounds = { accepted: ['PERCENTAGE', 'FIXED_AMOUNT'], refused: ['percentage', 'FREE', '', 1] };
const FIELDS: FieldCase[] = [
  ['code', { ...text(1, 64), accepted: ['x', '漢'.repeat(64), 'a b'] }],
  ['discountType', TYPE],
  ['discountValue', PERCENT],
  ['expiresAt', INSTANT, 'nullable'],
  ['maxUses', USES, 'nullable'],
  ['isActive', FLAG],
];

describe('promocodes', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let app: TestApp;
  let store: TestStore;

  let last = 0;
  const input = (values: object = {}) => ({ code: `SAVE${++last}`, discountType: 'PERCENTAGE', discountValue: 10, ...values });
  const create = (values: object = {}, of = store) => of.data('create_promocode', input(values));
  const read = async (id: string, of = store) =>
    (await walk(of, 'list_promocodes', { take: 100 })).find((code) => code.id === id);
  const codeCount = async (of = store) =>
    (await app.query<{ n: number }>('select count(*)::integer as n from promocodes where store_id = $1', [of.id]))[0].n;

  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());

  beforeAll(async () => {
    store = await app.store();
  });

  it('are returned whole, with defaults for what is not given', async () => {
    const values = input();
    const promocode = await store.data('create_promocode', values, { scope: 'write' });
    expect(promocode).toEqual({
      ...values,
      id: expect.stringMatching(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/),
      expiresAt: null,
      maxUses: null,
      usedCount: 0,
      isActive: true,
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
    });
    const full = { code: 'Spring', discountType: 'FIXED_AMOUNT', discountValue: 5.25, maxUses: 3, isActive: false };
    const other = await store.data('create_promocode', { ...full, expiresAt: '2026-04-01T02:00:00+02:00' });
    expect(other).toMatchObject({ ...full, expiresAt: '2026-04-01T00:00:00.000Z' });
    expect([await read(promocode.id), await read(other.id)]).toEqual([promocode, other]);
  });

  it.each(accepted(FIELDS))('create_promocode takes %s %j', async (field, value) => {
    const own = field === 'code' ? await app.store() : store;
    const promocode = await create({ [field]: value }, own);
    expect(promocode[field]).toEqual(value);
    expect(await read(promocode.id, own)).toEqual(promocode);
  });

  it.each([
    ...refused(FIELDS),
    ['code', undefined],
    ['discountType', undefined],
    ['discountValue', undefined],
    ['usedCount', 0],
    ['id', 'x'],
  ])('create_promocode refuses %s %.80j', async (field, value) => {
    const before = await codeCount();
    const audits = (await auditRows(store)).length;
    expectInvalid(await store.call('create_promocode', input({ [field as string]: value })), field as string);
    expect(await codeCount()).toBe(before);
    expect(await auditRows(store)).toHaveLength(audits);
  });

  it.each(accepted(FIELDS))('update_promocode takes %s %j, and changes nothing else', async (field, value) => {
    const own = field === 'code' ? await app.store() : store;
    const before = await create({ expiresAt: '2026-06-01T00:00:00Z', maxUses: 5 }, own);
    clock.advance(1000);
    const after = await own.data('update_promocode', { id: before.id, [field]: value });
    const updatedAt = value === before[field] ? before.updatedAt : clock.now().toISOString();
    expect(after).toEqual({ ...before, [field]: value, updatedAt });
    expect(await read(before.id, own)).toEqual(after);
  });

  it.each([...refused(FIELDS), ['usedCount', 0]])('update_promocode refuses %s %.80j', async (field, value) => {
    const before = await create({ expiresAt: '2026-06-01T00:00:00Z', maxUses: 5 });
    clock.advance(1000);
    expectInvalid(await store.call('update_promocode', { id: before.id, [field as string]: value }), field as string);
    expect(await read(before.id)).toEqual(before);
  });

  it('update_promocode needs something to change', async () => {
    const { id } = await create();
    const { status, body } = await store.call('update_promocode', { id });
    expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toMatch(/at least one of code, discountType, .* is required/);
    expectInvalid(await store.call('update_promocode', { code: 'X' }), 'id');
  });

  it.each([
    { discountType: 'PERCENTAGE', discountValue: 100.5 },
    { discountType: 'FIXED_AMOUNT', discountValue: 0.001 },
    { discountType: 'FIXED_AMOUNT', discountValue: 90071992547409.92 },
  ])('are not created with %j', async (discount) => {
    const before = await codeCount();
    expectInvalid(await store.call('create_promocode', input(discount)), 'discountValue');
    expect(await codeCount()).toBe(before);
  });

  it.each<[change: object, made: object]>([
    [{ discountType: 'PERCENTAGE' }, { discountType: 'FIXED_AMOUNT', discountValue: 250 }],
    [{ discountValue: 250 }, { discountType: 'PERCENTAGE', discountValue: 50 }],
    [{ discountType: 'FIXED_AMOUNT' }, { discountType: 'PERCENTAGE', discountValue: 33.333 }],
    [{ discountValue: 1.999 }, { discountType: 'FIXED_AMOUNT', discountValue: 1.99 }],
  ])('are not given %j over %j: the result of the update is what counts', async (change, made) => {
    const before = await create(made);
    expectInvalid(await store.call('update_promocode', { id: before.id, ...change }), 'discountValue');
    expect(await read(before.id)).toEqual(before);
    const both = { discountType: 'FIXED_AMOUNT', discountValue: 250 };
    expect(await store.data('update_promocode', { id: before.id, ...both })).toMatchObject(both);
  });

  it('have fixed amounts with no more decimals than the currency', async () => {
    const own = await app.store({ currency: 'XTR' });
    const { body } = await own.call('create_promocode', input({ discountType: 'FIXED_AMOUNT', discountValue: 0.5 }));
    expect(body.error).toEqual({ code: 'invalid_input', message: 'discountValue has more decimals than XTR has (0)' });
    expect(await create({ discountType: 'PERCENTAGE', discountValue: 0.5 }, own)).toMatchObject({ discountValue: 0.5 });
  });

  it.each([
    ['Summer', 'sUMMER'],
    ['ÄPFEL', 'äpfel'],
    ['ΚΩΔΙΚΟΣ', 'κωδικος'],
    ['Скидка', 'СКИДКА'],
  ])('have a code of their own in the store, without case: %s, %s', async (code, same) => {
    const first = await create({ code });
    const second = await create();
    expectInvalid(await store.call('create_promocode', input({ code: same })), 'code');
    expectInvalid(await store.call('update_promocode', { id: second.id, code: same }), 'code');
    expect(await read(second.id)).toEqual(second);
    expect(await store.data('update_promocode', { id: first.id, code: same })).toMatchObject({ code: same });
    expect(await create({ code }, await app.store())).toMatchObject({ code });
  });

  it('are toggled, audited as enable or disable', async () => {
    const own = await app.store();
    const before = await create({}, own);
    clock.advance(1000);
    const disabled = await own.data('toggle_promocode', { id: before.id, active: false }, { scope: 'write' });
    expect(disabled).toEqual({ ...before, isActive: false, updatedAt: clock.now().toISOString() });
    clock.advance(1000);
    expect(await own.data('toggle_promocode', { id: before.id, active: false })).toEqual(disabled);
    expect(await own.data('toggle_promocode', { id: before.id, active: true })).toMatchObject({ isActive: true });
    const rows = await app.query(
      `select action, target, changes from audit_log where store_id = $1 and operation = 'toggle_promocode' order by id`,
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
    expectInvalid(await store.call('toggle_promocode', { id: before.id, active: false, [field]: value }), field);
    expect(await read(before.id)).toEqual(before);
  });

  it('are deleted with confirm: true alone', async () => {
    const promocode = await create();
    const { id } = promocode;
    for (const confirm of [undefined, null, false, 'true', 1]) {
      expectInvalid(await store.call('delete_promocode', { id, confirm }), 'confirm');
    }
    expect(await read(id)).toEqual(promocode);
    expect(await store.data('delete_promocode', { id, confirm: true })).toEqual({ id, deleted: true });
    expect(await read(id)).toBeUndefined();
    expectNotFound(await store.call('delete_promocode', { id, confirm: true }));
  });

  it('of other stores, and ids that name none, are not found', async () => {
    const promocode = await create();
    const other = await app.store();
    for (const [of, id] of [
      [other, promocode.id],
      [store, 'no-such'],
      [store, '0197f000-0000-7000-8000-000000000000'],
    ] as const) {
      expectNotFound(await of.call('update_promocode', { id, isActive: false }));
      expectNotFound(await of.call('toggle_promocode', { id, active: false }));
      expectNotFound(await of.call('delete_promocode', { id, confirm: true }));
    }
    expect(await other.data('list_promocodes')).toEqual({ items: [], nextCursor: null });
    expect(await read(promocode.id)).toEqual(promocode);
  });

  it('need the scopes of the specification', async () => {
    const { id } = await create();
    const status = async (operation: string, values: object, scope: 'read' | 'write') =>
      (await store.call(operation, values, { scope })).status;
    expect(await status('create_promocode', input(), 'read')).toBe(403);
    expect(await status('update_promocode', { id, isActive: true }, 'read')).toBe(403);
    expect(await status('toggle_promocode', { id, active: true }, 'read')).toBe(403);
    expect(await status('delete_promocode', { id, confirm: true }, 'write')).toBe(403);
    expect(await status('update_promocode', { id, isActive: true }, 'write')).toBe(200);
    expect(await status('list_promocodes', {}, 'read')).toBe(200);
  });

  it('are listed newest first, and stay so while others come and go', async () => {
    const own = await app.store();
    const made: string[] = [];
    for (let i = 0; i < 7; i++) made.unshift((await create({}, own)).id);
    const passing = made.pop()!;
    let left = false;
    const seen = await walk(own, 'list_promocodes', { take: 2 }, async () => {
      await create({}, own);
      if (!left) await own.data('delete_promocode', { id: passing, confirm: true });
      left = true;
    });
    expect(seen.map(({ id }) => id)).toEqual(made);
    expectInvalid(await own.call('list_promocodes', { take: 101 }), 'take');
    expectInvalid(await own.call('list_promocodes', { cursor: 'x' }), 'cursor');
  });

  it('leave an audit row for each change, with before and after', async () => {
    const own = await app.store();
    const values = input({ expiresAt: '2026-06-01T00:00:00Z' });
    const { id } = await own.data('create_promocode', values);
    const updated = await own.data('update_promocode', {
      id,
      discountValue: 15,
      expiresAt: '2026-06-01T02:00:00+02:00',
      maxUses: 9,
    });
    await own.data('delete_promocode', { id, confirm: true });
    const rows = await auditRows(own);
    expect(rows.map(({ operation, target }) => [operation, target])).toEqual([
      ['create_promocode', `promocode:${id}`],
      ['update_promocode', `promocode:${id}`],
      ['delete_promocode', `promocode:${id}`],
    ]);
    expect(rows[0].changes).toMatchObject({ code: [null, values.code], discountValue: [null, 10] });
    expect(rows[1].changes).toEqual({ discountValue: [10, 15], maxUses: [null, 9] });
    expect(rows[2].changes).toEqual(Object.fromEntries(Object.entries(updated).map(([name, value]) => [name, [value, null]])));
  });
});
