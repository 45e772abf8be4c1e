import { TestApp, type TestStore, useShop } from '../../support/test-app.js';

const IMAGES = ['https://images.example/a.png'];

describe('many products at once', () => {
  let store: TestStore;
  let last = 0;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const input = (fields: object = {}) => ({
    productId: `many-${++last}`,
    title: 'Tee',
    description: '',
    images: IMAGES,
    price: 20,
    ...fields,
  });
  const made = (fields: object = {}, of = store) => of.data('create_product', input(fields));
  const size = (...values: object[]) => [{ optionTitle: 'Size', values }];
  const get = (id: string, of = store) => of.data('get_product', { id });
  const error = (message: string, code = 'invalid_input') => ({
    code,
    message: expect.stringContaining(message),
  });
  const auditOf = async (requestId: string) =>
    app.query<any>('select * from audit_log where store_id = $1 and request_id = $2', [store.id, requestId]);

  describe('create_products', () => {
    it('creates each product as create_product does', async () => {
      const brand = await store.data('create_brand', { name: 'B', slug: 'many-b' });
      const category = await store.data('create_category', { name: 'C', slug: 'many-c' });
      const full = input({
        ...{ description: 'Text', salePrice: 15.5, itemAmount: 4, brand: 'B', category: 'C' },
        ...{ subCategory: 'D', tags: 'a, b', shippingTime: '1 day', season: 'all' },
        ...{ brandId: brand.id, categoryId: category.id },
        variants: [
          ...size({ variantValue: 'S', price: 10, salePrice: 9.5, itemAmount: 3, sortOrder: 2 }),
          { optionTitle: 'Colour', values: [{ variantValue: 'Red', price: 1, itemAmount: null }] },
        ],
      });
      const least = input();
      const one = { ...full, productId: 'many-one' };
      const { items, ...counts } = await store.data('create_products', { items: [full, least] });
      const single = await store.data('create_product', one);
      expect(counts).toEqual({ updated: 2, failed: 0 });
      expect(items).toEqual([
        {
          ...{ index: 0, id: expect.any(String), productId: full.productId, created: true },
          warnings: [
            expect.stringContaining('2 options'),
            expect.stringContaining('itemAmount has no effect'),
          ],
        },
        { index: 1, id: expect.any(String), productId: least.productId, created: true },
      ]);
      const withoutOwn = ({
        id: _i,
        productId: _p,
        createdAt: _c,
        updatedAt: _u,
        warnings: _w,
        ...rest
      }: any) => JSON.parse(JSON.stringify(rest), (key, value) => (key === 'id' ? undefined : value));
      expect(withoutOwn(await get(items[0].id))).toEqual(withoutOwn(single));
      expect(await get(items[1].id)).toMatchObject({ ...least, isHidden: false, variants: [] });
      const found = await store.data('find_products', { text: full.productId });
      expect(found.items.map(({ id }: any) => id)).toEqual([items[0].id]);
    });

    it('answers each refused item with its error, and creates the others', async () => {
      const existing = await made();
      const strange = await (await app.store()).data('create_brand', { name: 'B', slug: 'strange' });
      const twice = input();
      const bad: [object, string][] = [
        [input({ price: 0 }), 'items[0].price must be'],
        [input({ price: 1.001 }), 'items[1].price has more decimals'],
        [input({ brandId: strange.id }), 'items[2].brandId is not a brand of this store'],
        [
          input({ categoryId: 'none' }),
          'items[3].categoryId is not a category of this store: give its id, which list_categories has',
        ],
        [input({ productId: existing.productId }), 'items[4].productId is already used'],
        [{ productId: 'many-x' }, 'items[5].title is required'],
        [
          input({ variants: size({ variantValue: 'S', price: 1 }, { variantValue: 'S', price: 2 }) }),
          'items[6].variants[0].values[1].variantValue repeats',
        ],
        [
          input({ variants: size({ variantValue: 'S', price: 0.001 }) }),
          'items[7].variants[0].values[0].price has more decimals',
        ],
      ];
      const items = [...bad.map(([item]) => item), twice, { ...twice, title: 'Other' }];
      const done = await store.data('create_products', { items });
      expect([done.updated, done.failed]).toEqual([1, 9]);
      expect(done.items.slice(0, 8)).toEqual(
        bad.map(([, message], index) => ({ index, error: error(message) })),
      );
      expect(done.items[8]).toMatchObject({ created: true });
      expect(done.items[9]).toEqual({ index: 9, error: error('items[9].productId is already used') });
      expect(await get(twice.productId)).toMatchObject({ title: 'Tee' });
      expect(await get(existing.id)).toEqual(existing);
    });

    it('with upsert gives an existing product the fields given, and matches variants', async () => {
      const before = await made({
        ...{ tags: 'old', itemAmount: 5 },
        variants: size(
          { variantValue: 'S', price: 10, itemAmount: 1 },
          { variantValue: 'M', price: 11, itemAmount: 2, sortOrder: 3 },
        ),
      });
      const item = input({
        ...{ productId: before.productId, title: 'New', price: 20, salePrice: 19 },
        variants: size({ variantValue: 'M', price: 12, itemAmount: 7 }, { variantValue: 'L', price: 13 }),
      });
      const fresh = input();
      const { items, updated } = await store.data('create_products', { items: [item, fresh], upsert: true });
      expect(updated).toBe(2);
      expect(items).toMatchObject([{ id: before.id, created: false }, { created: true }]);
      const after = await get(before.id);
      expect(after).toMatchObject({ title: 'New', salePrice: 19, tags: 'old', itemAmount: 5 });
      const [s, m] = before.variants[0].values;
      expect(after.variants[0].values).toEqual([
        s,
        expect.objectContaining({ variantValue: 'L', price: 13, itemAmount: null }),
        { ...m, price: 12, itemAmount: 7 },
      ]);
      expect(after.updatedAt > before.updatedAt).toBe(true);
      const changedRows = await store.data('find_products', { text: 'New', sort: 'recently_updated' });
      expect(changedRows.items.map(({ id }: any) => id)).toContain(before.id);
      // The same again changes nothing, so it makes no new version.
      await store.data('create_products', { items: [item], upsert: true });
      expect(await get(before.id)).toEqual(after);
    });

    it('with upsert requires of a product that exists its id alone, of a new one all', async () => {
      const before = await made({ variants: size({ variantValue: 'S', price: 10 }) });
      const { productId } = before;
      const added = { productId, variants: size({ variantValue: 'M', price: 12 }) };
      const fresh = input();
      const early = { productId: fresh.productId, tags: 'early' };
      const late = { productId: fresh.productId, tags: 'late' };
      const unknown = { productId: 'many-unknown', price: 5 };
      const given = [added, { productId, price: 21 }, early, fresh, late, unknown];
      const { items } = await store.data('create_products', { items: given, upsert: true });
      expect(items).toEqual([
        { index: 0, id: before.id, productId, created: false },
        expect.objectContaining({ index: 1, id: before.id, productId, created: false }),
        { index: 2, error: error('items[2].title is required') },
        { index: 3, id: expect.any(String), productId: fresh.productId, created: true },
        { index: 4, id: items[3].id, productId: fresh.productId, created: false },
        { index: 5, error: error('items[5].title is required') },
      ]);
      for (const name of ['title', 'description', 'images'])
        expect(items[5].error.message).toContain(`items[5].${name} is required`);
      expect(items[5].error.message).not.toContain('price');
      const { title, description, images, price, variants } = await get(before.id);
      expect({ title, description, images, price }).toEqual({
        title: 'Tee',
        description: '',
        images: IMAGES,
        price: 21,
      });
      expect(variants[0].values.map(({ variantValue }: any) => variantValue)).toEqual(['S', 'M']);
      expect(await get(fresh.productId)).toMatchObject({ tags: 'late' });
      expect((await store.call('get_product', { id: 'many-unknown' })).status).toBe(404);
      // Without upsert every item is a new product.
      const alone = await store.data('create_products', { items: [added] });
      expect(alone.items).toEqual([{ index: 0, error: error('items[0].title is required') }]);
    });

    it('with upsert takes a product twice, in order, and keeps to the bounds of a product', async () => {
      const item = input({ variants: size({ variantValue: 'S', price: 1 }) });
      const many = Array.from({ length: 200 }, (_, i) => ({ variantValue: `v${i}`, price: 1 }));
      const { items } = await store.data('create_products', {
        items: [
          item,
          { ...item, title: 'Second', variants: size({ variantValue: 'S', price: 2, itemAmount: 3 }) },
          { ...item, title: 'Third', variants: [{ optionTitle: 'Size', values: many }] },
        ],
        upsert: true,
      });
      expect(items).toMatchObject([{ created: true }, { created: false }, { index: 2 }]);
      expect(items[2].error).toEqual(error('items[2].variants: an option has at most 200 values'));
      expect(await get(item.productId)).toMatchObject({
        title: 'Second',
        variants: [{ values: [{ variantValue: 'S', price: 2, itemAmount: 3 }] }],
      });
    });

    it('warns on the item', async () => {
      const before = await made({ price: 20 });
      const { items } = await store.data('create_products', {
        items: [
          input({ salePrice: 30 }),
          input({ productId: before.productId, price: 200 }),
          input({ variants: size({ variantValue: 'S', price: 1, salePrice: 2 }) }),
          input(),
        ],
        upsert: true,
      });
      expect(items.map(({ warnings }: any) => warnings)).toEqual([
        [expect.stringContaining('salePrice 30 is not below price 20')],
        [expect.stringContaining('price: shoppers were charged 20 and are now charged 200')],
        [expect.stringContaining('variants[0].values[0].salePrice 2 is not below')],
        undefined,
      ]);
    });

    it('is done once for a key, and is one audit row with its items', async () => {
      const [existing, item] = [await made({ title: 'Old' }), input()];
      const items = [
        item,
        input({ productId: existing.productId, title: 'New', price: 20 }),
        { title: 'Bad' },
      ];
      const headers = { 'Idempotency-Key': 'many-once', 'X-Request-Id': 'many-audit' };
      const call = () => store.call('create_products', { items, upsert: true }, { scope: 'write', headers });
      const first = await call();
      const again = await call();
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      const rows = await auditOf('many-audit');
      expect(rows).toHaveLength(1);
      const [{ id }] = first.body.data.items;
      expect(rows[0].changes).toMatchObject({
        [`product:${id}`]: [null, item],
        [`product:${existing.id}.title`]: ['Old', 'New'],
      });
      expect(rows[0].target).toBe(`store:${store.id}`);
    });

    it('makes one of two products that two calls create at once', async () => {
      const items = Array.from({ length: 30 }, () => input());
      const calls = [items, [...items].reverse(), items, [...items].reverse()];
      for (const upsert of [false, true]) {
        const results = await Promise.all(
          calls.map((each) => store.data('create_products', { items: each, upsert })),
        );
        const created = results.flatMap(({ items: done }) => done).filter((item: any) => item.created);
        expect(created).toHaveLength(upsert ? 0 : 30);
      }
    });

    it('ends what orders hold of stock that is no longer tracked', async () => {
      const product = await made({ variants: size({ variantValue: 'S', price: 1, itemAmount: 5 }) });
      const [{ id: variantId }] = product.variants[0].values;
      const order = await store.place({
        items: [{ productId: product.productId, variantId, quantity: 2 }],
      });
      const item = input({
        productId: product.productId,
        variants: size({ variantValue: 'S', price: 1, itemAmount: null }),
      });
      await store.data('create_products', { items: [item], upsert: true });
      const [held] = await app.query<any>(
        'select stock_taken from order_items where store_id = $1 and order_id = $2',
        [store.id, order.id],
      );
      expect(held.stock_taken).toBe('0');
    });

    it('cannot see or change products of other stores', async () => {
      const other = await app.store();
      const theirs = await made({}, other);
      const item = input({ productId: theirs.productId });
      const { items } = await store.data('create_products', { items: [item], upsert: true });
      expect(items).toMatchObject([{ created: true }]);
      expect(await get(theirs.id, other)).toEqual(theirs);
    });

    it.each([[[]], [Array(101).fill({})]])('refuses %j as a whole', async (items) => {
      const { status, body } = await store.call('create_products', { items });
      expect([status, body.error!.message]).toEqual([400, 'items must be an array of 1 to 100 objects']);
    });

    it('is one write of the budget', async () => {
      const strict = await TestApp.start({ env: { RATE_LIMIT_WRITE: '30' } });
      try {
        const shop = await strict.store();
        const items = Array.from({ length: 100 }, () => input());
        const { headers, body } = await shop.call('create_products', { items });
        expect([body.data.updated, headers.get('ratelimit-remaining')]).toEqual([100, '29']);
      } finally {
        await strict.stop();
      }
    });
  });

  describe('update_products', () => {
    it('changes each product as update_product does, by internal or external id', async () => {
      const [a, b] = [await made({ tags: 'x', itemAmount: 3 }), await made()];
      const other = await made({}, await app.store());
      const { items, ...counts } = await store.data('update_products', {
        items: [
          { id: a.id, title: 'Changed', tags: null, itemAmount: null, isHidden: true },
          { id: b.productId, salePrice: 12.5 },
          { id: other.id, title: 'Theirs' },
          { id: b.id, price: 0.001 },
          { id: b.id },
          { id: a.id, categoryId: 'none' },
        ],
      });
      expect(counts).toEqual({ updated: 3, failed: 3 });
      expect(items).toEqual([
        { index: 0, id: a.id, productId: a.productId },
        { index: 1, id: b.id, productId: b.productId },
        { index: 2, error: error(`items[2].id: product ${other.id} was not found`, 'not_found') },
        { index: 3, error: error('items[3].price has more decimals') },
        { index: 4, id: b.id, productId: b.productId },
        {
          index: 5,
          error: error(
            'items[5].categoryId is not a category of this store: give its id, which list_categories has',
          ),
        },
      ]);
      const after = await get(a.id);
      expect(after).toEqual({
        ...a,
        ...{ title: 'Changed', tags: null, itemAmount: null, isHidden: true },
        ...{ onSale: false, notOnSaleBecause: 'hidden' },
        updatedAt: expect.any(String),
      });
      expect(after.updatedAt > a.updatedAt).toBe(true);
      expect(await get(b.id)).toMatchObject({ salePrice: 12.5, title: b.title });
      const found = await store.data('find_products', { text: 'Changed' });
      expect(found.items.map(({ id }: any) => id)).toEqual([a.id]);
    });

    it('warns on the item, as update_product does', async () => {
      const tee = await made({ variants: size({ variantValue: 'S', price: 1 }) });
      const plain = await made({ price: 20, tags: 'a', season: 'b', shippingTime: 'c' });
      const { items } = await store.data('update_products', {
        items: [
          { id: tee.id, itemAmount: 3 },
          { id: plain.id, price: 2, tags: null, season: null, shippingTime: null },
        ],
      });
      const [{ id }] = tee.variants[0].values;
      expect(items.map(({ warnings }: any) => warnings)).toEqual([
        [`itemAmount has no effect on orders: shoppers buy its variants ${id} (Size: S)`],
        [
          'price: shoppers were charged 20 and are now charged 2; prices are in major units',
          expect.stringMatching(/^null has cleared .*tags/),
        ],
      ]);
    });

    it('audits the changes of all products, and none for equal values', async () => {
      const [a, b] = [await made({ price: 20 }), await made({ title: 'Same' })];
      const items = [
        { id: a.id, price: 21 },
        { id: b.id, title: 'Same' },
      ];
      await store.call('update_products', { items }, { headers: { 'X-Request-Id': 'many-updates' } });
      const rows = await auditOf('many-updates');
      expect(rows.map(({ changes }) => changes)).toEqual([{ [`product:${a.id}.price`]: [20, 21] }]);
      expect(await get(b.id)).toEqual(b);
    });
  });
});
