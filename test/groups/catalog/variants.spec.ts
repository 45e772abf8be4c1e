import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { expectInvalid, expectNotFound, walk } from './catalog-fields.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('variants', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
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

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  it('are listed flat, newest first, by internal id or external productId', async () => {
    const { id, productId } = await create([{ variantValue: 'S', price: 10 }, M]);
    await create([{ variantValue: 'XXL', price: 10 }]);
    const expected = {
      items: [
        {
          id: expect.stringMatching(UUID_V7),
          productId,
          optionTitle: 'Size',
          ...M,
          saleUntil: null,
          updatedAt: clock.now().toISOString(),
        },
        {
          id: expect.stringMatching(UUID_V7),
          productId,
          optionTitle: 'Size',
          variantValue: 'S',
          price: 10,
          salePrice: null,
          saleUntil: null,
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

  it('are an empty page for a product without any, and not_found without a product', async () => {
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
    expect(await store.data('list_variants', { productId: id, cursor: nextCursor })).toEqual({
      items: [],
      nextCursor: null,
    });
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
    expect((await store.data('list_variants', { productId: id, take })).items).toHaveLength(
      Math.min(take, 2),
    );
  });

  it('have prices with no more decimals than the currency', async () => {
    const own = await app.store({ currency: 'XTR' });
    const { id } = (
      await own.data('list_variants', {
        productId: (await create([{ variantValue: 'S', price: 250 }], own)).id,
      })
    ).items[0];
    const { body } = await own.call('update_variant', { id, salePrice: 0.5 });
    expect(body.error).toEqual({
      code: 'invalid_input',
      message: 'salePrice has more decimals than XTR has (0)',
    });
  });
});
