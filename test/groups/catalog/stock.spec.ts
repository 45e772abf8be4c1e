import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { auditRows, expectInvalid, expectNotFound } from './catalog-fields.js';

const MAX = Number.MAX_SAFE_INTEGER;

describe('stock', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  let last = 0;
  /** A product and its one variant, which have the same stock. */
  const create = async (itemAmount?: number, of = store) => {
    const amount = itemAmount === undefined ? {} : { itemAmount };
    const product = await of.data('create_product', {
      productId: `sku-${++last}`,
      title: 'Tee',
      description: '',
      images: ['https://images.example/a.png'],
      price: 10,
      ...amount,
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 10, ...amount }] }],
    });
    return { id: product.id, productId: product.productId, variantId: product.variants[0].values[0].id };
  };
  const stockOf = async (id: string, of = store) => {
    const product = await of.data('get_product', { id });
    return { product: product.itemAmount, variant: product.variants[0].values[0].itemAmount };
  };

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  it.each<[number | undefined, object, number]>([
    [10, { delta: 5 }, 15],
    [10, { delta: -10 }, 0],
    [10, { delta: 0 }, 10],
    [10, { absolute: 3 }, 3],
    [10, { absolute: 0 }, 0],
    [10, { absolute: MAX }, MAX],
    [10, { delta: MAX - 10 }, MAX],
    [undefined, { delta: 4 }, 4],
    [undefined, { delta: 0 }, 0],
    [undefined, { absolute: 0 }, 0],
  ])('%p changed by %j becomes %p', async (before, change, after) => {
    const { id, productId, variantId } = await create(before);
    const amounts = { itemAmount: after, previousItemAmount: before ?? null };
    clock.advance(1000);
    expect(await store.data('update_stock', { productId, ...change }, { scope: 'write' })).toEqual({
      productId,
      ...amounts,
      warnings: [expect.stringContaining(`${variantId} (Size: M)`)],
    });
    expect(await stockOf(id)).toEqual({ product: after, variant: before ?? null });
    expect((await store.data('get_product', { id })).updatedAt).toBe(clock.now().toISOString());
    // Named by its internal id, and the answer keeps to that.
    const ofVariant = await store.data('update_stock', { productId: id, variantId, ...change });
    expect(ofVariant).toEqual({ productId: id, variantId, ...amounts });
    expect(await stockOf(id)).toEqual({ product: after, variant: after });
  });

  it.each<[number | undefined, number]>([
    [10, -11],
    [0, -1],
    [undefined, -1],
    [10, MAX - 9],
    [MAX, 1],
    [1, MAX],
    [MAX - 1, -MAX],
  ])('%p refuses the delta %p and stays', async (before, delta) => {
    const { id, productId, variantId } = await create(before);
    const audits = (await auditRows(store)).length;
    expectInvalid(await store.call('update_stock', { productId, delta }), 'delta');
    expectInvalid(await store.call('update_stock', { productId, variantId, delta }), 'delta');
    expect(await stockOf(id)).toEqual({ product: before ?? null, variant: before ?? null });
    expect(await auditRows(store)).toHaveLength(audits);
  });

  it.each<[string, object]>([
    ['delta', {}],
    ['delta', { delta: 1, absolute: 1 }],
    ['delta', { delta: null }],
    ['delta', { delta: 1.5 }],
    ['delta', { delta: '1' }],
    ['delta', { delta: Number.MAX_SAFE_INTEGER + 1 }],
    ['absolute', { absolute: -1 }],
    ['absolute', { absolute: 1.5 }],
    ['absolute', { absolute: null }],
    ['absolute', { absolute: MAX + 1 }],
    ['productId', { productId: undefined, delta: 1 }],
    ['productId', { productId: null, delta: 1 }],
    ['productId', { productId: 5, delta: 1 }],
    ['variantId', { variantId: null, delta: 1 }],
    ['itemAmount', { itemAmount: 5, delta: 1 }],
  ])('names %s for %j', async (field, input) => {
    const { id, productId } = await create(10);
    expectInvalid(await store.call('update_stock', { productId, ...input }), field);
    expect(await stockOf(id)).toEqual({ product: 10, variant: 10 });
  });

  it('of a variant changes only if its own product is named', async () => {
    const [one, other] = [await create(10), await create(10)];
    for (const variantId of [other.variantId, one.id, 'no-such', '0197f000-0000-7000-8000-000000000000']) {
      expectNotFound(await store.call('update_stock', { productId: one.productId, variantId, delta: 1 }));
    }
    expectNotFound(
      await store.call('update_stock', { productId: 'no-such', variantId: one.variantId, delta: 1 }),
    );
    expect([await stockOf(one.id), await stockOf(other.id)]).toEqual(
      Array(2).fill({ product: 10, variant: 10 }),
    );
  });

  it('cannot be changed for a product that is not in the store', async () => {
    const { id, productId, variantId } = await create(10);
    const other = await app.store();
    for (const name of [id, productId]) {
      expectNotFound(await other.call('update_stock', { productId: name, delta: 1 }));
      expectNotFound(await other.call('update_stock', { productId: name, variantId, delta: 1 }));
    }
    expectNotFound(await store.call('update_stock', { productId: 'no-such', absolute: 1 }));
    expect(await stockOf(id)).toEqual({ product: 10, variant: 10 });
  });

  it('changes for the internal id when another product has it as its external one', async () => {
    const first = await create(10);
    const second = await store.data('create_product', {
      productId: first.id,
      title: 'Trap',
      description: '',
      images: ['https://images.example/a.png'],
      price: 10,
      itemAmount: 50,
    });
    await store.data('update_stock', { productId: first.id, delta: 1 });
    expect(await stockOf(first.id)).toEqual({ product: 11, variant: 10 });
    expect((await store.data('get_product', { id: second.id })).itemAmount).toBe(50);
  });

  it('needs write scope', async () => {
    const { productId } = await create(10);
    expect((await store.call('update_stock', { productId, delta: 1 }, { scope: 'read' })).status).toBe(403);
  });

  it.each(['product', 'variant'] as const)('of a %s counts each of 100 concurrent deltas', async (kind) => {
    const { id, productId, variantId } = await create();
    const target = kind === 'product' ? { productId } : { productId, variantId };
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) => store.data('update_stock', { ...target, delta: (i % 3) + 1 })),
    );
    const sum = Array.from({ length: 100 }, (_, i) => (i % 3) + 1).reduce((total, delta) => total + delta, 0);
    expect((await stockOf(id))[kind]).toBe(sum);
    // Each saw the amount that one other left: the changes are one chain from untracked to the sum.
    const previous = results.map(({ previousItemAmount }) => previousItemAmount);
    expect(new Set(previous).size).toBe(100);
    expect(new Set([...results.map(({ itemAmount }) => itemAmount), null])).toEqual(
      new Set([...previous, sum]),
    );
  });

  it.each(['product', 'variant'] as const)(
    'of a %s is never taken below zero by 100 concurrent deltas',
    async (kind) => {
      const { id, productId, variantId } = await create(50);
      const target = kind === 'product' ? { productId } : { productId, variantId };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => store.call('update_stock', { ...target, delta: -1 })),
      );
      const taken = answers.filter(({ status }) => status === 200);
      expect(taken.map(({ body }) => body.data.itemAmount).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, i) => i),
      );
      for (const answer of answers) if (answer.status !== 200) expectInvalid(answer, 'delta');
      expect((await stockOf(id))[kind]).toBe(0);
    },
  );

  it('leaves an audit row for a change, with before and after', async () => {
    const own = await app.store();
    const { id, productId, variantId } = await create(10, own);
    await own.data('update_stock', { productId, delta: -3 });
    await own.data('update_stock', { productId, variantId, absolute: 8 });
    expect((await auditRows(own)).slice(-2)).toMatchObject([
      {
        operation: 'update_stock',
        target: `product:${id}`,
        changes: { itemAmount: [10, 7] },
        input: { productId, delta: -3 },
      },
      { operation: 'update_stock', target: `variant:${variantId}`, changes: { itemAmount: [10, 8] } },
    ]);
  });
});
