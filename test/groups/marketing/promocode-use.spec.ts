import { LOCK_PROMOCODE } from '../../../src/groups/promocodes/promocode.statements.js';
import { PromocodeUse } from '../../../src/groups/promocodes/promocode-use.service.js';
import type { Statement } from '../../../src/platform/database/statement.js';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

describe('the use of promocodes', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  let last = 0;
  const create = (values: object = {}) =>
    store.data('create_promocode', {
      code: `SAVE${++last}`,
      discountType: 'PERCENTAGE',
      discountValue: 10,
      ...values,
    });
  const read = async (id: string) =>
    (await store.data('list_promocodes', { take: 100 })).items.find(
      (promocode: { id: string }) => promocode.id === id,
    );
  const use = (code: string, subtotalMinor = 1000n, of = store) =>
    of.inside((ctx) => app.nest.get(PromocodeUse).apply(ctx, code, subtotalMinor));
  const refusal = (message: string) => ({ code: 'invalid_input', message });

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  it.each<[object, bigint, bigint]>([
    [{ discountType: 'PERCENTAGE', discountValue: 10 }, 999n, 99n],
    [{ discountType: 'PERCENTAGE', discountValue: 100 }, 999n, 999n],
    [{ discountType: 'FIXED_AMOUNT', discountValue: 2.5 }, 999n, 250n],
    [{ discountType: 'FIXED_AMOUNT', discountValue: 50 }, 999n, 999n],
  ])('%j reduces %p by %p', async (discount, subtotal, expected) => {
    const { id, code } = await create(discount);
    const { discountType, discountValue } = discount as { discountType: string; discountValue: number };
    expect(await use(code.toLowerCase(), subtotal)).toEqual({
      discountMinor: expected,
      promocodeId: id,
      code,
      discountType,
      discountValue: String(discountValue),
    });
    expect(await read(id)).toMatchObject({ usedCount: 1 });
  });

  it.each([
    ['ΚΩΔΙΚΟΣ', 'κωδικος'],
    ['ПРОМО', 'промо'],
    ['Straße', 'STRASSE'],
    ['İNDİRİM', 'indirim'],
    ['ΤΕΛΟΣ', 'τελος'],
    ['SALE77', '\u00a0sale77'],
    ['ЗИМА’5', "зима'5"],
    ['ЁЛКА', 'елка'],
  ])('finds %s by %s', async (code, entered) => {
    const { id } = await create({ code });
    expect(await use(entered)).toMatchObject({ promocodeId: id, code });
    await store.data('update_promocode', { id, code: `${code}1` });
    expect(await use(`${entered}1`)).toMatchObject({ promocodeId: id });
    await expect(use(entered)).rejects.toMatchObject(refusal('promocode is not one of this store'));
  });

  it('is refused with the reason, and then counts nothing', async () => {
    const expiresAt = new Date(clock.now().getTime() + 1000).toISOString();
    const off = await create({ isActive: false });
    const ending = await create({ expiresAt });
    const single = await create({ maxUses: 1 });
    await use(single.code);
    await use(ending.code);
    clock.advance(1000);
    await expect(use('NO-SUCH')).rejects.toMatchObject(refusal('promocode is not one of this store'));
    await expect(use(off.code)).rejects.toMatchObject(refusal('promocode is not active'));
    await expect(use(ending.code)).rejects.toMatchObject(refusal('promocode has expired'));
    await expect(use(single.code)).rejects.toMatchObject(refusal('promocode has been used up'));
    await expect(use(single.code, 1000n, await app.store())).rejects.toMatchObject(
      refusal('promocode is not one of this store'),
    );
    const counts = [off, ending, single].map(async ({ id }) => (await read(id)).usedCount);
    expect(await Promise.all(counts)).toEqual([0, 1, 1]);
  });

  it('is given back when the order fails', async () => {
    const { id, code } = await create({ maxUses: 1 });
    const failing = store.inside(async (ctx) => {
      await app.nest.get(PromocodeUse).apply(ctx, code, 1000n);
      throw new Error('the order fails');
    });
    await expect(failing).rejects.toThrow('the order fails');
    expect(await read(id)).toMatchObject({ usedCount: 0 });
    await use(code);
    expect(await read(id)).toMatchObject({ usedCount: 1 });
  });

  it.each([1, 7])('with %i left is given to no more of 50 concurrent orders', async (maxUses) => {
    const { id, code } = await create({ maxUses });
    const uses = await Promise.allSettled(Array.from({ length: 50 }, () => use(code)));
    const refusals = uses.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(50 - maxUses);
    for (const reason of refusals) expect(reason).toMatchObject(refusal('promocode has been used up'));
    expect(await read(id)).toMatchObject({ usedCount: maxUses });
  });

  it('counts each of 50 concurrent orders when it has no limit', async () => {
    const { id, code } = await create();
    await Promise.all(Array.from({ length: 50 }, () => use(code)));
    expect(await read(id)).toMatchObject({ usedCount: 50 });
  });

  it('finds its code by index among many, under row-level security too', async () => {
    const own = await app.store();
    await app.query(
      `insert into promocodes (store_id, id, code, code_key, discount_type, discount_value, created_at,
        updated_at)
         select $1, gen_random_uuid(), 'BULK' || n, 'bulk' || n, 'PERCENTAGE', 10, now(), now()
           from generate_series(1, 4000) n`,
      [own.id],
    );
    await app.query('analyze promocodes');
    const text = `explain (format text) ${LOCK_PROMOCODE.text}`;
    const explained = { ...LOCK_PROMOCODE, name: 'test_explain', text } as unknown as Explained;
    const plan = await own.inside((ctx) => ctx.session.query(explained, { codeKey: 'bulk77' }));
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Index Scan using promocodes_(?:code_key|by_code)[^]*Index Cond: .*code_key = /,
    );
  });

  it('survives a concurrent update that sets the limit below the uses', async () => {
    const { id, code } = await create({ maxUses: 5 });
    await Promise.all([use(code), use(code), use(code)]);
    expect(await store.data('update_promocode', { id, maxUses: 2 })).toMatchObject({
      maxUses: 2,
      usedCount: 3,
    });
    await expect(use(code)).rejects.toMatchObject(refusal('promocode has been used up'));
    expect(await store.data('update_promocode', { id, maxUses: null })).toMatchObject({
      maxUses: null,
      usedCount: 3,
    });
    await use(code);
    expect(await read(id)).toMatchObject({ usedCount: 4 });
  });
});

type Explained = Statement<{ parameters: { codeKey: string }; row: { 'QUERY PLAN': string } }>;
