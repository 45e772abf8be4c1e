import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

type Product = { id: string; productId: string; updatedAt: string; variants: any[] };

describe('versions of records', () => {
  const clock = new TestClock(new Date('2026-05-01T12:00:00.000Z'));
  let store: TestStore;
  let last = 0;

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  const create = (fields: object): Promise<Product> =>
    store.data('create_product', {
      ...{ productId: `versioned-${++last}`, title: 'Tee', description: '', price: 20 },
      images: ['https://images.example/a.png'],
      ...fields,
    });
  const createTee = () =>
    create({
      variants: [{ optionTitle: 'Size', values: ['S', 'M'].map((variantValue) => value(variantValue)) }],
    });
  const value = (variantValue: string) => ({ variantValue, price: 10, itemAmount: 10 });
  const get = (id: string): Promise<Product> => store.data('get_product', { id });
  const call = (operation: string, input: object, version: string) =>
    store.call(operation, input, { headers: { 'If-Match': version } });
  const statusOf = async (...args: Parameters<typeof call>) => (await call(...args)).status;
  const shifted = (version: string, ms: number) => new Date(Date.parse(version) + ms).toISOString();

  /** What changes what get_product returns, though not the product's own fields. */
  const CHANGES: Record<string, (tee: Product, variantId: string) => Promise<unknown>> = {
    create_variant: ({ id }) =>
      store.data('create_variant', { productId: id, optionTitle: 'Size', ...value('L') }),
    update_variant: (_, id) => store.data('update_variant', { id, price: 11 }),
    delete_variant: (_, id) => store.data('delete_variant', { id, confirm: true }),
    update_stock: ({ productId }, variantId) =>
      store.data('update_stock', { productId, variantId, delta: 1 }),
    update_stocks: ({ productId }, variantId) =>
      store.data('update_stocks', { items: [{ productId, variantId, delta: 1 }] }),
    update_prices: ({ productId }, variantId) =>
      store.data('update_prices', { items: [{ productId, variantId, price: 12 }] }),
    'an order': ({ productId }, variantId) => store.place({ items: [{ productId, variantId, quantity: 2 }] }),
  };

  it.each(Object.keys(CHANGES))('of a product rise with its variants by %s, and are found', async (name) => {
    const tee = await createTee();
    clock.advance(1000);
    const since = clock.now().toISOString();
    await CHANGES[name](tee, tee.variants[0].values[0].id);
    expect((await get(tee.id)).updatedAt).toBe(since);
    const { items } = await store.data('find_products', { updatedFrom: since });
    expect(items.map(({ id }: Product) => id)).toContain(tee.id);
  });

  it('of a product stay when a variant stays as it is', async () => {
    const tee = await createTee();
    clock.advance(1000);
    const { id } = tee.variants[0].values[0];
    await store.data('update_variant', { id, price: 10 });
    await store.data('update_prices', { items: [{ productId: tee.id, variantId: id, price: 10 }] });
    expect(await get(tee.id)).toEqual(tee);
  });

  it('of a product rise when an order gives stock of a variant back', async () => {
    const tee = await createTee();
    const variantId = tee.variants[0].values[0].id;
    const order = await store.place({ items: [{ productId: tee.productId, variantId, quantity: 1 }] });
    const { updatedAt } = await get(tee.id);
    await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
    const after = await get(tee.id);
    expect(after.updatedAt > updatedAt).toBe(true);
    expect(after.variants).toEqual(tee.variants);
  });

  it('of products rise when their brand or category goes, and those of child categories', async () => {
    const brand = await store.data('create_brand', { name: 'House', slug: 'house' });
    const category = await store.data('create_category', { name: 'Shirts', slug: 'shirts' });
    const child = await store.data('create_category', { name: 'Tees', slug: 'tees', parentId: category.id });
    const [branded, shirt] = [await create({ brandId: brand.id }), await create({ categoryId: category.id })];
    clock.advance(1000);
    const now = clock.now().toISOString();
    await store.data('delete_brand', { id: brand.id, confirm: true });
    await store.data('delete_category', { id: category.id, confirm: true });
    expect(await get(branded.id)).toMatchObject({ brandId: null, updatedAt: now });
    expect(await get(shirt.id)).toMatchObject({ categoryId: null, updatedAt: now });
    expect(await store.data('get_category', { id: child.id })).toMatchObject({
      parentId: null,
      updatedAt: now,
    });
    for (const product of [branded, shirt])
      expect(await statusOf('update_product', { id: product.id, title: 'New' }, product.updatedAt)).toBe(412);
  });

  it('in If-Match hold though orders moved stock since, unless the call sets that stock', async () => {
    for (const product of [await create({ itemAmount: 10 }), await createTee()]) {
      const { id, productId } = product;
      const variantId = product.variants[0]?.values[0].id as string | undefined;
      clock.advance(1000);
      const update = (version: string, fields: object = { title: `New ${++last}` }) =>
        statusOf('update_product', { id, ...fields }, version);
      await store.place({ items: [{ productId, variantId, quantity: 1 }] });
      await store.place({ items: [{ productId, variantId, quantity: 1 }] });
      const moved = await get(id);
      expect(moved.updatedAt > product.updatedAt).toBe(true);
      expect(await update(shifted(product.updatedAt, -1))).toBe(412);
      expect(await update(shifted(moved.updatedAt, 1))).toBe(412);
      expect(await update(product.updatedAt, { itemAmount: 7 })).toBe(412);
      expect(await update(product.updatedAt)).toBe(200);
      const edited = await get(id);
      await store.place({ items: [{ productId, variantId, quantity: 1 }] });
      expect(await update(moved.updatedAt)).toBe(412);
      expect(await update(edited.updatedAt)).toBe(200);
      await store.place({ items: [{ productId, variantId, quantity: 1 }] });
      expect(await update((await get(id)).updatedAt, { itemAmount: 7 })).toBe(200);
    }
  });

  it('of a variant hold in If-Match though orders moved its stock since', async () => {
    const tee = await createTee();
    const { id } = tee.variants[0].values[0];
    const versionOf = async () => (await store.data('update_variant', { id })).updatedAt as string;
    const before = await versionOf();
    clock.advance(1000);
    await store.place({ items: [{ productId: tee.productId, variantId: id, quantity: 1 }] });
    expect(await statusOf('update_variant', { id, itemAmount: 4 }, before)).toBe(412);
    expect(await statusOf('update_stock', { productId: tee.id, variantId: id, absolute: 4 }, before)).toBe(
      412,
    );
    expect(await statusOf('update_variant', { id, price: 9 }, before)).toBe(200);
    expect(await statusOf('update_variant', { id, price: 8 }, before)).toBe(412);
    expect(await statusOf('delete_variant', { id, confirm: true }, await versionOf())).toBe(200);
  });

  it('of a customer hold in If-Match though orders moved the bonus since', async () => {
    const { productId } = await create({});
    const customer = { id: '4711', firstName: 'Ann' };
    const spend = (bonusToSpend: number) =>
      store.place({ items: [{ productId, quantity: 1 }], bonusToSpend }, customer);
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
    });
    await spend(0);
    await store.data('adjust_bonus', { customerId: customer.id, delta: 50, reason: 'a test' });
    const { updatedAt } = await store.data('get_customer', { id: customer.id });
    clock.advance(1000);
    await spend(5);
    expect((await store.data('get_customer', { id: customer.id })).updatedAt > updatedAt).toBe(true);
    const update = (version: string) =>
      statusOf('update_customer', { id: customer.id, firstName: `Ann ${++last}` }, version);
    expect(await update(updatedAt)).toBe(200);
    const edited = await store.data('get_customer', { id: customer.id });
    await store.data('adjust_bonus', { customerId: customer.id, delta: 1, reason: 'a test' });
    await spend(5);
    expect(await update(edited.updatedAt)).toBe(412);
  });

  it('rise without deadlocks while variants are sold and changed in all ways', async () => {
    const tees = await Promise.all(Array.from({ length: 4 }, () => createTee()));
    const sizes = tees.flatMap(({ productId, variants }) =>
      variants[0].values.map(({ id }: { id: string }) => ({ productId, variantId: id })),
    );
    const shuffled = () => [...sizes].sort(() => Math.random() - 0.5);
    const work: Promise<any>[] = [];
    for (let round = 0; round < 6; round++) {
      const [first, second] = shuffled();
      work.push(
        store.data('update_stocks', { items: shuffled().map((item) => ({ ...item, delta: 2 })) }),
        store.data('update_stock', { ...first, delta: 1 }),
        store.data('update_variant', { id: second.variantId, price: 20 + round }),
        store.data('update_prices', { items: shuffled().map((item) => ({ ...item, price: 30 + round })) }),
        store.place(
          {
            items: shuffled()
              .slice(0, 3)
              .map((item) => ({ ...item, quantity: 1 })),
          },
          { id: `${9000 + round}` },
        ),
      );
    }
    const done = await Promise.all(work);
    expect(done.filter(({ failed }) => failed > 0)).toEqual([]);
    const left = (await Promise.all(tees.map(({ id }) => get(id)))).flatMap(({ variants }) =>
      variants[0].values.map(({ itemAmount }: { itemAmount: number }) => itemAmount),
    );
    expect(left.reduce((sum: number, n: number) => sum + n, 0)).toBe(8 * 10 + 6 * (8 * 2 + 1 - 3));
  });
});
