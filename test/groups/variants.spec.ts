import { TestApp, TestClock, type TestStore } from '../support/test-app.js';
import {
  accepted,
  auditRows,
  type Bounds,
  expectInvalid,
  expectNotFound,
  type FieldCase,
  refused,
  walk,
} from './catalog-fields.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const someText: Bounds = {
  accepted: ['x', ' ä 漢 😀 ', '😀'.repeat(500)],
  refused: ['', 'x'.repeat(501), 5, true, ['x'], {}, 'nul \u0000'],
};
const price: Bounds = {
  accepted: [0, 0.01, 10.5, 90071992547409.91],
  refused: [-0.01, 0.001, 90071992547409.92, '1', true],
};
const amount: Bounds = {
  accepted: [0, 1, 2_147_483_648, Number.MAX_SAFE_INTEGER],
  refused: [-1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1', true],
};
const UPDATE: FieldCase[] = [
  ['optionTitle', someText],
  ['variantValue', someText],
  ['price', price],
  ['salePrice', price, 'nullable'],
  ['itemAmount', amount, 'nullable'],
  ['sortOrder', amount],
];

describe('variants', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let app: TestApp;
  let store: TestStore;

  let last = 0;
  const create = (values: object[], of = store) =>
    of.data('create_product', {
      productId: `sku-${++last}`,
      title: 'Tee',
      description: '',
      images: ['https://images.example/a.png'],
      price: 10,
      ...(values.length > 0 ? { variants: [{ optionTitle: 'Size', values }] } : {}),
    });
  const M = { variantValue: 'M', price: 9.5, salePrice: 8.25, itemAmount: 3, sortOrder: 2 };
  /** A variant of a product of its own. */
  const variant = async (of = store) => (await of.data('list_variants', { productId: (await create([M], of)).id })).items[0];

  beforeAll(async () => {
    app = await TestApp.start({ clock });
    store = await app.store();
  });
  afterAll(() => app.stop());

  it('are listed flat, newest first, by internal id or external productId', async () => {
    const { id, productId } = await create([{ variantValue: 'S', price: 10 }, M]);
    await create([{ variantValue: 'XXL', price: 10 }]);
    const expected = {
      items: [
        { id: expect.stringMatching(UUID_V7), productId, optionTitle: 'Size', ...M, updatedAt: clock.now().toISOString() },
        {
          id: expect.stringMatching(UUID_V7),
          productId,
          optionTitle: 'Size',
          variantValue: 'S',
          price: 10,
          salePrice: null,
          itemAmount: null,
          sortOrder: 0,
          updatedAt: clock.now().toISOString(),
        },
      ],
      nextCursor: null,
    };
    expect(await store.data('list_variants', { productId: id }, { scope: 'read' })).toEqual(expected);
    expect(await store.data('list_variants', { productId }, { scope: 'read' })).toEqual(expected);
  });

  it('of a product that has none are an empty page; of no product, not found', async () => {
    const { id } = await create([]);
    expect(await store.data('list_variants', { productId: id })).toEqual({ items: [], nextCursor: null });
    for (const productId of ['no-such', '0197f000-0000-7000-8000-000000000000']) {
      expectNotFound(await store.call('list_variants', { productId }));
    }
    const other = await app.store();
    expectNotFound(await other.call('list_variants', { productId: id }));
  });

  it('come page by page, and a page past the last is empty', async () => {
    const values = Array.from({ length: 7 }, (_, i) => ({ variantValue: `v${i}`, price: i }));
    const { id } = await create(values);
    const seen = await walk(store, 'list_variants', { productId: id, take: 3 });
    expect(seen.map(({ variantValue }) => variantValue)).toEqual(['v6', 'v5', 'v4', 'v3', 'v2', 'v1', 'v0']);
    const { nextCursor } = await store.data('list_variants', { productId: id, take: 6 });
    await app.query('delete from variants where id = $1', [seen[6].id]);
    expect(await store.data('list_variants', { productId: id, cursor: nextCursor })).toEqual({ items: [], nextCursor: null });
  });

  it.each([
    ['productId', undefined],
    ['productId', null],
    ['productId', 5],
    ['take', 0],
    ['take', 101],
    ['take', '1'],
    ['cursor', ''],
    ['cursor', 'x'],
    ['id', 'x'],
  ])('list_variants refuses %s %j', async (field, value) => {
    const { id } = await create([M]);
    expectInvalid(await store.call('list_variants', { productId: id, [field]: value }), field);
  });

  it.each([1, 100])('list_variants takes %i at a time', async (take) => {
    const { id } = await create([M, { ...M, variantValue: 'L' }]);
    expect((await store.data('list_variants', { productId: id, take })).items).toHaveLength(Math.min(take, 2));
  });

  it.each(accepted(UPDATE))('update_variant takes %s %.40j, and changes nothing else', async (field, value) => {
    const before = await variant();
    const after = await store.data('update_variant', { id: before.id, [field]: value }, { scope: 'write' });
    expect(after).toEqual({ ...before, [field]: value, updatedAt: expect.any(String) });
    expect((await store.data('list_variants', { productId: before.productId })).items).toEqual([after]);
  });

  it.each([...refused(UPDATE), ['productId', 'other'], ['id', null]])('update_variant refuses %s %.40j', async (field, value) => {
    const before = await variant();
    expectInvalid(await store.call('update_variant', { id: before.id, [field as string]: value }), field as string);
    expect((await store.data('list_variants', { productId: before.productId })).items).toEqual([before]);
  });

  it('have prices with no more decimals than the currency', async () => {
    const own = await app.store({ currency: 'XTR' });
    const { id } = (await own.data('list_variants', { productId: (await create([{ variantValue: 'S', price: 250 }], own)).id }))
      .items[0];
    const { body } = await own.call('update_variant', { id, salePrice: 0.5 });
    expect(body.error).toEqual({ code: 'invalid_input', message: 'salePrice has more decimals than XTR has (0)' });
  });

  it('are not found by an id that names none, or one of another store', async () => {
    const theirs = await variant();
    const other = await app.store();
    expectNotFound(await other.call('update_variant', { id: theirs.id, price: 1 }));
    expectNotFound(await store.call('update_variant', { id: 'no-such', price: 1 }));
    expectNotFound(await store.call('update_variant', { id: '0197f000-0000-7000-8000-000000000000', price: 1 }));
    expect((await store.data('list_variants', { productId: theirs.productId })).items).toEqual([theirs]);
  });

  it('need write scope to change', async () => {
    const { id } = await variant();
    expect((await store.call('update_variant', { id, price: 1 }, { scope: 'read' })).status).toBe(403);
  });

  it('leave an audit row for a change, with before and after', async () => {
    const own = await app.store();
    const { id } = await variant(own);
    await own.data('update_variant', { id, price: 9.5, salePrice: null, sortOrder: 5 });
    expect((await auditRows(own)).at(-1)).toMatchObject({
      operation: 'update_variant',
      target: `variant:${id}`,
      changes: { salePrice: [8.25, null], sortOrder: [2, 5] },
    });
  });
});
