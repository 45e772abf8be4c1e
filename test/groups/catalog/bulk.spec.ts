import { TestApp, type TestStore, useShop } from '../../support/test-app.js';

const MAX = Number.MAX_SAFE_INTEGER;

describe('bulk changes', () => {
  let store: TestStore;
  let last = 0;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const create = async (itemAmount: number | null = 10, of = store, fields: object = {}) => {
    const { id, productId, variants } = await of.data('create_product', {
      productId: `bulk-${++last}`,
      title: 'Tee',
      description: '',
      images: ['https://images.example/a.png'],
      price: 20,
      ...(itemAmount === null ? {} : { itemAmount }),
      ...fields,
    });
    return {
      id: id as string,
      productId: productId as string,
      variantId: variants[0]?.values[0].id as string,
    };
  };
  const createTee = (itemAmount = 5, of = store) =>
    create(null, of, {
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 10, itemAmount }] }],
    });
  const stockOf = async (id: string) => {
    const { itemAmount, variants } = await store.data('get_product', { id });
    return variants[0]?.values[0].itemAmount ?? itemAmount;
  };
  const auditOf = async (requestId: string) =>
    (
      await app.query<any>('select * from audit_log where store_id = $1 and request_id = $2', [
        store.id,
        requestId,
      ])
    )[0];

  describe('update_stocks', () => {
    it('handles each item separately, in order, and says why an item is refused', async () => {
      const [a, b, stranger] = [await create(), await create(null), await create(1, await app.store())];
      const tee = await createTee();
      const items = [
        { productId: a.id, delta: -3 },
        { productId: tee.productId, variantId: tee.variantId, absolute: 8 },
        { productId: b.productId, delta: 4 },
        { productId: a.id, delta: -100 },
        { productId: b.id, variantId: tee.variantId, delta: 1 },
        { productId: stranger.id, delta: 1 },
        { productId: 'nothing', absolute: 1 },
        { productId: tee.id, variantId: 'no id', delta: 1 },
        { productId: a.productId, delta: 1 },
        { productId: tee.id, variantId: tee.variantId, delta: MAX },
        { productId: tee.id, absolute: 20 },
      ];
      const { body } = await store.call(
        'update_stocks',
        { items },
        { scope: 'write', headers: { 'X-Request-Id': 'bulk-stock' } },
      );
      const error = (code: string, field: string, rest: string) => ({
        code,
        message: expect.stringMatching(new RegExp(`^items\\[\\d+\\]\\.${field}${rest}`)),
      });
      expect(body.data).toEqual({
        updated: 4,
        failed: 7,
        items: [
          { index: 0, productId: a.id, itemAmount: 7, previousItemAmount: 10 },
          {
            ...{ index: 1, productId: tee.productId, variantId: tee.variantId },
            ...{ itemAmount: 8, previousItemAmount: 5 },
          },
          { index: 2, productId: b.productId, itemAmount: 4, previousItemAmount: null },
          { index: 3, error: error('invalid_input', 'delta', ' would make the stock -93, from 7') },
          { index: 4, error: error('not_found', 'variantId', '') },
          { index: 5, error: error('not_found', 'productId', '') },
          { index: 6, error: error('not_found', 'productId', ': product nothing was not found') },
          { index: 7, error: error('not_found', 'variantId', '') },
          { index: 8, productId: a.productId, itemAmount: 8, previousItemAmount: 7 },
          { index: 9, error: error('invalid_input', 'delta', ` would make the stock ${BigInt(MAX) + 8n}`) },
          {
            index: 10,
            error: error('invalid_input', 'variantId', ` is required, .*: ${tee.variantId} \\(Size: S\\)$`),
          },
        ],
      });
      expect([await stockOf(a.id), await stockOf(tee.id), await stockOf(b.id)]).toEqual([8, 8, 4]);
      const { changes, target } = await auditOf('bulk-stock');
      expect(target).toBe(`store:${store.id}`);
      expect(changes).toEqual({
        [`product:${a.id}.itemAmount`]: [10, 8],
        [`variant:${tee.variantId}.itemAmount`]: [5, 8],
        [`product:${b.id}.itemAmount`]: [null, 4],
      });
    });

    it('makes a new version only of products that it changed', async () => {
      const [a, b] = [await create(), await create()];
      const before = await Promise.all([a, b].map(({ id }) => store.data('get_product', { id })));
      await store.data('update_stocks', {
        items: [
          { productId: a.id, delta: 1 },
          { productId: b.id, delta: -11 },
        ],
      });
      const after = await Promise.all([a, b].map(({ id }) => store.data('get_product', { id })));
      expect(after[0].updatedAt > before[0].updatedAt).toBe(true);
      expect(after[1]).toEqual(before[1]);
    });

    it.each<[unknown, string]>([
      [[], 'items must be an array of 1 to 200 objects'],
      [Array(201).fill({ productId: 'a', delta: 1 }), 'items must be an array of 1 to 200 objects'],
      ['a', 'items must be an array of 1 to 200 objects'],
      [undefined, 'items is required and must be an array of 1 to 200 objects'],
    ])('refuses %j as a whole', async (items, message) => {
      const { status, body } = await store.call('update_stocks', { items });
      expect([status, body.error?.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toContain(message);
    });

    it.each<[unknown, string]>([
      [{ productId: 'a' }, 'items[1].delta: exactly one of delta, absolute is required'],
      [{ productId: 'a', delta: 1, absolute: 1 }, 'items[1].delta: exactly one of'],
      [{ productId: 'a', absolute: -1 }, 'items[1].absolute must be'],
      [{ productId: 'a', delta: 1, note: '' }, 'items[1].note is not a known property'],
      [{ productId: 'a\u0000', delta: 1 }, 'items[1].productId must not contain NUL'],
      [{ delta: '1' }, 'items[1].delta must be an integer'],
      [null, 'items[1] must be an object'],
      [[1], 'items[1] must be an object'],
      [{ note: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown }, 'must not be nested deeper'],
    ])('answers the item %j with its error, and does the others', async (bad, message) => {
      const { id } = await create(1);
      const item = { productId: id, delta: 1 };
      const { updated, failed, items } = await store.data('update_stocks', { items: [item, bad, item] });
      expect([updated, failed]).toEqual([2, 1]);
      expect(items[1]).toEqual({
        index: 1,
        error: { code: 'invalid_input', message: expect.stringContaining(message) },
      });
      expect(await stockOf(id)).toBe(3);
    });

    it('finds unknown properties also among very many values', async () => {
      const bad = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`x${i}`, 1]));
      const { id } = await create(0);
      const items = Array.from({ length: 200 }, () => ({ productId: id, delta: 1, ...bad(120) }));
      expect(await store.data('update_stocks', { items })).toMatchObject({ updated: 0, failed: 200 });
    });

    it('takes 200 items as one write of the budget', async () => {
      const strict = await TestApp.start({ env: { RATE_LIMIT_WRITE: '30' } });
      try {
        const shop = await strict.store();
        const products = await Promise.all(Array.from({ length: 20 }, () => shop.product({ itemAmount: 0 })));
        const items = Array.from({ length: 200 }, (_, i) => ({
          productId: products[i % 20].productId,
          delta: 1,
        }));
        const { headers, body } = await shop.call('update_stocks', { items });
        expect([body.data.updated, headers.get('ratelimit-remaining')]).toEqual([200, '29']);
        const rows = await app.query('select distinct item_amount::int from products where store_id = $1', [
          shop.id,
        ]);
        expect(rows).toEqual([{ item_amount: 10 }]);
      } finally {
        await strict.stop();
      }
    });
  });

  it('neither deadlock with orders and other bulk changes, nor lose a unit', async () => {
    const shop = await app.store();
    const products = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 ? create(1000, shop) : createTee(1000, shop))),
    );
    const shuffled = <Item>(items: Item[]) =>
      items.map((item) => ({ item, at: Math.random() })).sort((x, y) => x.at - y.at);
    const sum = async () =>
      (
        await app.query<{ sum: number }>(
          `select (select sum(coalesce(item_amount, 0)) from products where store_id = $1)::int
             + (select sum(item_amount) from variants where store_id = $1)::int as sum`,
          [shop.id],
        )
      )[0].sum;
    const before = await sum();
    const bulk = (delta: number) => {
      const items = products.flatMap(({ id, productId, variantId }) => [
        { productId, variantId, delta },
        { productId: id, variantId, delta },
      ]);
      return shop.data('update_stocks', { items: shuffled(items).map(({ item }) => item) });
    };
    const order = (id: string) => {
      const items = shuffled(products)
        .slice(0, 4)
        .map(({ item: { productId, variantId } }) => ({ productId, variantId, quantity: 1 }));
      return shop.place({ items }, { id });
    };
    const work: Promise<{ failed?: number; items?: unknown[] }>[] = [];
    for (let round = 0; round < 8; round++) {
      work.push(bulk(2), order(String(2000 + round)), bulk(1), order(String(3000 + round)));
      work.push(
        shop.data('update_prices', {
          items: shuffled(products).map(({ item: { id, variantId } }) => ({
            ...{ productId: id, variantId },
            price: 10 + round,
          })),
        }),
      );
    }
    const done = await Promise.all(work);
    expect(done.filter(({ failed }) => failed !== undefined && failed > 0)).toEqual([]);
    expect(await sum()).toBe(before + 8 * 3 * 24 - 16 * 4);
  });

  describe('update_prices', () => {
    it('takes a percentage off the price, rounded to the currency', async () => {
      const [a, tee] = [await create(), await createTee()];
      const items = [
        { productId: a.productId, price: 10.5, salePercent: 15 },
        { productId: a.id, salePercent: 10 },
        { productId: tee.id, variantId: tee.variantId, price: 0.05, salePercent: 50 },
        { productId: a.id, salePercent: 10, salePrice: 9 },
        { productId: a.id, salePercent: 100 },
      ];
      const { updated, failed, items: done } = await store.data('update_prices', { items });
      expect([updated, failed]).toEqual([3, 2]);
      expect(done.slice(0, 3).map(({ salePrice }: any) => salePrice)).toEqual([8.93, 9.45, 0.03]);
      expect(done[3].error.message).toContain('exclude each other');
      expect(done[4].error.message).toContain('salePercent');
    });

    it('sets prices and sale prices, and previews them', async () => {
      const [a, tee] = [await create(), await createTee()];
      const items = [
        { productId: a.productId, price: 21.5 },
        { productId: tee.id, variantId: tee.variantId, price: 9, salePrice: 0 },
        { productId: a.id, price: 0 },
        { productId: a.id, salePrice: 0.001 },
        { productId: 'nothing', price: 1 },
        { productId: a.id, salePrice: 19.99 },
      ];
      const noEnd = { saleUntil: null, previousSaleUntil: null };
      const expected = {
        updated: 3,
        failed: 3,
        items: [
          {
            index: 0,
            productId: a.productId,
            price: 21.5,
            previousPrice: 20,
            salePrice: null,
            previousSalePrice: null,
            ...noEnd,
          },
          {
            ...{ index: 1, productId: tee.id, variantId: tee.variantId },
            ...{ price: 9, previousPrice: 10, salePrice: 0, previousSalePrice: null, ...noEnd },
            warnings: ['salePrice is 0: shoppers get it free'],
          },
          {
            index: 2,
            error: { code: 'invalid_input', message: 'items[2].price must be a number greater than 0' },
          },
          {
            index: 3,
            error: {
              code: 'invalid_input',
              message: expect.stringContaining('items[3].salePrice has more decimals'),
            },
          },
          { index: 4, error: { code: 'not_found', message: expect.stringContaining('items[4].productId') } },
          {
            index: 5,
            productId: a.id,
            price: 21.5,
            previousPrice: 21.5,
            salePrice: 19.99,
            previousSalePrice: null,
            ...noEnd,
          },
        ],
      };
      const before = await store.data('get_product', { id: a.id });
      expect(await store.data('update_prices', { items, preview: true })).toEqual({
        preview: true,
        ...expected,
      });
      expect(await store.data('get_product', { id: a.id })).toEqual(before);
      expect(await store.data('update_prices', { items })).toEqual(expected);
      const after = await store.data('get_product', { id: a.id });
      expect(after).toMatchObject({
        price: 21.5,
        salePrice: 19.99,
      });
      expect(await store.data('get_product', { id: tee.id })).toMatchObject({
        variants: [{ values: [{ price: 9, salePrice: 0 }] }],
      });
      // The same again changes nothing, so it makes no new version.
      await store.data('update_prices', { items: [{ productId: a.id, price: 21.5 }] });
      expect(await store.data('get_product', { id: a.id })).toEqual(after);
      expect(
        await store.data('update_prices', { items: [{ productId: a.id, salePrice: null }] }),
      ).toMatchObject({
        items: [{ salePrice: null, previousSalePrice: 19.99 }],
      });
    });

    it('warns on the item of prices that nobody means, also in a preview', async () => {
      const [a, b] = [await create(), await create()];
      const items = [
        { productId: a.id, price: 2 },
        { productId: b.id, salePrice: 20 },
        { productId: b.id, price: 199, salePrice: null },
      ];
      const expected = [
        {
          index: 0,
          warnings: ['price: shoppers were charged 20 and are now charged 2; prices are in major units'],
        },
        {
          index: 1,
          warnings: ['salePrice 20 is not below price 20: shoppers are charged 20'],
        },
        { index: 2 },
      ];
      for (const preview of [true, false]) {
        const { items: done } = await store.data('update_prices', { items, preview });
        expect(done).toMatchObject(expected);
        expect(done[2]).not.toHaveProperty('warnings');
      }
    });

    it('refuses an item without the variant of a product that is sold by variants', async () => {
      const [a, tee] = [await create(), await createTee()];
      const before = await store.data('get_product', { id: tee.id });
      const items = [
        { productId: tee.productId, salePrice: 5 },
        { productId: a.id, price: 21 },
      ];
      expect(await store.data('update_prices', { items })).toMatchObject({
        updated: 1,
        failed: 1,
        items: [
          {
            error: { code: 'invalid_input', message: expect.stringContaining(`${tee.variantId} (Size: S)`) },
          },
          { price: 21 },
        ],
      });
      expect(await store.data('get_product', { id: tee.id })).toEqual(before);
    });

    it('refuses an item without a price', async () => {
      const { items } = await store.data('update_prices', { items: [{ productId: 'a' }] });
      expect(items[0].error.message).toBe(
        'items[0].price: at least one of price, salePrice, salePercent, saleUntil is required',
      );
    });
  });
});
