import { GET_PRODUCT, LIST_PRODUCTS, productNamed } from '../../src/groups/products/product.statements.js';
import { ProductsService } from '../../src/groups/products/products.service.js';
import { type Statement, statement } from '../../src/platform/database/statement.js';
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

const IMAGE = 'https://images.example/a.png';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const notText = [5, true, ['x'], {}, 'nul \u0000'];
const anyText: Bounds = { accepted: ['', 'x', ' ä 漢 😀 ', 'x'.repeat(10_000)], refused: notText };
const someText: Bounds = { accepted: ['x', 'x'.repeat(10_000)], refused: ['', ...notText] };
const positive: Bounds = {
  accepted: [0.01, 1, 10.5, 90071992547409.91],
  refused: [0, -1, 0.001, 90071992547409.92, 1e300, '1', true],
};
const images: Bounds = {
  accepted: [[IMAGE], ['http://images.example', `${IMAGE}?w=1`]],
  refused: [[], IMAGE, [''], ['a.png'], ['ftp://images.example/a'], ['javascript:alert(1)'], [5], [IMAGE, null]],
};
const amount: Bounds = { accepted: [0, 1, 2_147_483_647], refused: [-1, 1.5, 2_147_483_648, '1', true] };
const isHidden: Bounds = { accepted: [true, false], refused: ['true', 0, 1] };

const CREATE: FieldCase[] = [
  ['title', someText],
  ['description', anyText],
  ['images', images],
  ['price', positive],
  ['salePrice', positive],
  ['itemAmount', amount],
  ['brand', anyText],
  ['category', anyText],
  ['subCategory', anyText],
  ['tags', anyText],
  ['shippingTime', anyText],
  ['season', anyText],
  ['variants', { accepted: [[]], refused: [{}, 'Size', [5]] }],
];
const UPDATE: FieldCase[] = [
  ['title', someText],
  ['description', anyText],
  ['images', images],
  ['price', positive],
  ['salePrice', positive, 'nullable'],
  ['itemAmount', amount, 'nullable'],
  ['isHidden', isHidden],
  ['brand', anyText, 'nullable'],
  ['category', anyText, 'nullable'],
  ['subCategory', anyText, 'nullable'],
  ['tags', anyText, 'nullable'],
  ['shippingTime', anyText, 'nullable'],
  ['season', anyText, 'nullable'],
  ['brandId', { accepted: [], refused: [5, true, {}] }, 'nullable'],
  ['categoryId', { accepted: [], refused: [5, true, {}] }, 'nullable'],
];
/** Where a value of a variant group stands in create_product's input. */
const VALUE: FieldCase[] = [
  ['variantValue', someText],
  ['price', { accepted: [0, 0.01, 90071992547409.91], refused: [-0.01, 0.001, 90071992547409.92, '1'] }],
  ['salePrice', { accepted: [0, 9.99], refused: [-0.01, 0.001, '1'] }, 'nullable'],
  ['itemAmount', amount, 'nullable'],
  ['sortOrder', amount],
];
const FULL = {
  title: 'Mug',
  description: 'Stoneware',
  images: [IMAGE],
  price: 12.5,
  salePrice: 9.99,
  itemAmount: 40,
  brand: 'Acme',
  category: 'Kitchen',
  subCategory: 'Mugs',
  tags: 'mug,stoneware',
  shippingTime: '2 days',
  season: 'winter',
};

let last = 0;
const freshProductId = () => `sku-${++last}`;

describe('products', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let app: TestApp;
  let store: TestStore;

  const least = (values: object = {}) => ({
    productId: freshProductId(),
    title: 'Mug',
    description: '',
    images: [IMAGE],
    price: 10,
    ...values,
  });
  const create = (values: object = {}, of = store) => of.data('create_product', least(values));
  const productCount = async (of = store) =>
    (await app.query<{ n: number }>('select count(*)::integer as n from products where store_id = $1', [of.id]))[0].n;

  beforeAll(async () => {
    app = await TestApp.start({ clock });
    store = await app.store();
  });
  afterAll(() => app.stop());

  it('are returned whole, with null for what is not given', async () => {
    const input = least();
    const product = await store.data('create_product', input, { scope: 'write' });
    expect(product).toEqual({
      ...input,
      id: expect.stringMatching(UUID_V7),
      salePrice: null,
      itemAmount: null,
      isHidden: false,
      brand: null,
      category: null,
      subCategory: null,
      tags: null,
      shippingTime: null,
      season: null,
      brandId: null,
      categoryId: null,
      variants: [],
      createdAt: '2026-03-01T10:00:00.123Z',
      updatedAt: '2026-03-01T10:00:00.123Z',
    });
    const full = await create(FULL);
    expect(full).toMatchObject(FULL);
    expect(await store.data('get_product', { id: full.id }, { scope: 'read' })).toEqual(full);
  });

  it('come with their variants, grouped in the order of their first value', async () => {
    const size = (variantValue: string, values: object = {}) => ({ variantValue, price: 10, ...values });
    const product = await create({
      variants: [
        { optionTitle: 'Size', values: [size('L', { sortOrder: 3 }), size('S', { sortOrder: 1 }), size('M', { sortOrder: 2 })] },
        {
          optionTitle: 'Colour',
          values: [size('Red', { salePrice: 0, itemAmount: 7, sortOrder: 1 }), size('Blue', { price: 0.5 })],
        },
        { optionTitle: 'Size', values: [size('XL', { sortOrder: 4, salePrice: null, itemAmount: null })] },
      ],
    });
    const value = (variantValue: string, values: object = {}) => ({
      id: expect.stringMatching(UUID_V7),
      variantValue,
      price: 10,
      salePrice: null,
      itemAmount: null,
      sortOrder: 0,
      ...values,
    });
    expect(product.variants).toEqual([
      {
        optionTitle: 'Colour',
        values: [value('Blue', { price: 0.5 }), value('Red', { salePrice: 0, itemAmount: 7, sortOrder: 1 })],
      },
      {
        optionTitle: 'Size',
        values: [
          value('S', { sortOrder: 1 }),
          value('M', { sortOrder: 2 }),
          value('L', { sortOrder: 3 }),
          value('XL', { sortOrder: 4 }),
        ],
      },
    ]);
    expect(await store.data('get_product', { id: product.productId })).toEqual(product);
  });

  it('keep their variants in the order given where sortOrder does not tell', async () => {
    const values = Array.from({ length: 100 }, (_, i) => ({ variantValue: `v${i}`, price: i }));
    const product = await create({ variants: [{ optionTitle: 'Size', values }] });
    expect(product.variants).toEqual([{ optionTitle: 'Size', values: values.map((value) => expect.objectContaining(value)) }]);
  });

  it.each(accepted(CREATE))('create_product takes %s %.40j', async (field, value) => {
    const product = await create({ [field]: value });
    expect(product[field]).toEqual(value);
    expect(await store.data('get_product', { id: product.id })).toEqual(product);
  });

  it.each([
    ...refused(CREATE),
    ...['productId', 'title', 'description', 'images', 'price'].map((field): [string, unknown] => [field, undefined]),
    ['productId', null],
    ['productId', ''],
    ['productId', 5],
    ['productId', 'x'.repeat(501)],
    ['brandId', 5],
    ['categoryId', 5],
    ['isHidden', true],
    ['id', 'x'],
  ])('create_product refuses %s %.40j', async (field, value) => {
    const before = await productCount();
    const audits = (await auditRows(store)).length;
    expectInvalid(await store.call('create_product', least({ [field as string]: value })), field as string);
    expect(await productCount()).toBe(before);
    expect(await auditRows(store)).toHaveLength(audits);
  });

  it.each(accepted(VALUE))('create_product takes a variant with %s %.40j', async (field, value) => {
    const values = [{ variantValue: 'S', price: 1, [field]: value }];
    const product = await create({ variants: [{ optionTitle: 'Size', values }] });
    expect(product.variants[0].values[0][field]).toEqual(value);
  });

  it.each([...refused(VALUE), ['variantValue', undefined], ['price', undefined], ['id', 'x']])(
    'create_product refuses a variant with %s %.40j',
    async (field, value) => {
      const before = await productCount();
      const values = [
        { variantValue: 'S', price: 1 },
        { variantValue: 'M', price: 1, [field as string]: value },
      ];
      const answer = await store.call('create_product', least({ variants: [{ optionTitle: 'Size', values }] }));
      expectInvalid(answer, `variants\\[0\\]\\.values\\[1\\]\\.${field}`);
      expect(await productCount()).toBe(before);
    },
  );

  it.each([
    ['optionTitle', { values: [{ variantValue: 'S', price: 1 }] }],
    ['optionTitle', { optionTitle: '', values: [{ variantValue: 'S', price: 1 }] }],
    ['values', { optionTitle: 'Size' }],
    ['values', { optionTitle: 'Size', values: [] }],
    ['values', { optionTitle: 'Size', values: null }],
    ['title', { optionTitle: 'Size', values: [{ variantValue: 'S', price: 1 }], title: 'Size' }],
  ])('create_product refuses a variant group for its %s', async (field, group) => {
    expectInvalid(await store.call('create_product', least({ variants: [group] })), `variants\\[0\\]\\.${field}`);
  });

  it.each(accepted(UPDATE))('update_product takes %s %.40j, and changes nothing else', async (field, value) => {
    const before = await create({ ...FULL, variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 1 }] }] });
    clock.advance(1000);
    const after = await store.data('update_product', { id: before.id, [field]: value });
    const updatedAt = JSON.stringify(value) === JSON.stringify(before[field]) ? before.updatedAt : clock.now().toISOString();
    expect(after).toEqual({ ...before, [field]: value, updatedAt });
    expect(await store.data('get_product', { id: before.id })).toEqual(after);
  });

  it.each([...refused(UPDATE), ['productId', 'other'], ['variants', []], ['createdAt', '2026-01-01T00:00:00Z']])(
    'update_product refuses %s %.40j',
    async (field, value) => {
      const before = await create(FULL);
      clock.advance(1000);
      expectInvalid(await store.call('update_product', { id: before.id, [field as string]: value }), field as string);
      expect(await store.data('get_product', { id: before.id })).toEqual(before);
    },
  );

  it('update_product without a field changes nothing', async () => {
    const before = await create(FULL);
    clock.advance(1000);
    expect(await store.data('update_product', { id: before.id })).toEqual(before);
  });

  it.each([
    ['USD', 10.55, 10.555, 2],
    ['JPY', 250, 250.5, 0],
    ['KWD', 1.234, 1.2345, 3],
    ['XTR', 250, 0.5, 0],
  ])('prices in %s may be %p and not %p', async (currency, fits, tooFine, decimals) => {
    const own = await app.store({ currency });
    const product = await create(
      { price: fits, variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: fits }] }] },
      own,
    );
    expect([product.price, product.variants[0].values[0].price]).toEqual([fits, fits]);
    const has = `has more decimals than ${currency} has (${decimals})`;
    const refusal = async (operation: string, input: object) => (await own.call(operation, input)).body.error;
    expect(await refusal('create_product', least({ price: tooFine }))).toEqual({
      code: 'invalid_input',
      message: `price ${has}`,
    });
    expect(await refusal('update_product', { id: product.id, salePrice: tooFine })).toEqual({
      code: 'invalid_input',
      message: `salePrice ${has}`,
    });
    const values = [
      { variantValue: 'S', price: 1 },
      { variantValue: 'M', price: tooFine },
    ];
    expect(await refusal('create_product', least({ variants: [{ optionTitle: 'Size', values }] }))).toEqual({
      code: 'invalid_input',
      message: `variants[0].values[1].price ${has}`,
    });
    expect(await productCount(own)).toBe(1);
  });

  it('have a productId of their own in the store, which other stores may use too', async () => {
    const input = least();
    const product = await store.data('create_product', input);
    expectInvalid(await store.call('create_product', { ...input, title: 'Other' }), 'productId');
    expect(await store.data('get_product', { id: input.productId })).toEqual(product);
    const other = await app.store();
    expect(await other.data('create_product', input)).toMatchObject({ productId: input.productId });
    // As long as the field allows, in the widest characters there are: the unique index must hold it.
    const wide = Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x20000 + ((i * 7919) % 40_000))).join('');
    expect(await create({ productId: wide })).toMatchObject({ productId: wide });
  });

  it('are found by internal id or external productId, and the internal one wins', async () => {
    const first = await create();
    const second = await create({ productId: first.id });
    expect(await store.data('get_product', { id: first.id })).toEqual(first);
    expect(await store.data('get_product', { id: first.productId })).toEqual(first);
    expect(await store.data('get_product', { id: second.id })).toEqual(second);
    await store.data('delete_product', { id: first.id, confirm: true });
    expect(await store.data('get_product', { id: first.id })).toEqual(second);
  });

  it.each(['no-such', '0197f000-0000-7000-8000-000000000000'])('an id that names nothing is not found: %s', async (id) => {
    expectNotFound(await store.call('get_product', { id }));
    expectNotFound(await store.call('update_product', { id, title: 'x' }));
    expectNotFound(await store.call('delete_product', { id, confirm: true }));
  });

  it('of other stores are not found', async () => {
    const product = await create(FULL);
    const other = await app.store();
    expectNotFound(await other.call('get_product', { id: product.id }));
    expectNotFound(await other.call('get_product', { id: product.productId }));
    expectNotFound(await other.call('update_product', { id: product.id, title: 'Theirs' }));
    expectNotFound(await other.call('delete_product', { id: product.id, confirm: true }));
    expect(await other.data('list_products')).toEqual({ items: [], nextCursor: null });
    expect(await store.data('get_product', { id: product.id })).toEqual(product);
  });

  it('need the scopes of the specification', async () => {
    const { id } = await create();
    expect((await store.call('create_product', least(), { scope: 'read' })).status).toBe(403);
    expect((await store.call('update_product', { id }, { scope: 'read' })).status).toBe(403);
    expect((await store.call('update_product', { id }, { scope: 'write' })).status).toBe(200);
    expect((await store.call('delete_product', { id, confirm: true }, { scope: 'write' })).status).toBe(403);
    expect((await store.call('list_products', {}, { scope: 'read' })).status).toBe(200);
  });

  describe('links', () => {
    let brandId: string;
    let categoryId: string;

    beforeAll(async () => {
      brandId = (await store.data('create_brand', { name: 'Acme', slug: 'acme' })).id;
      categoryId = (await store.data('create_category', { name: 'Mugs', slug: 'mugs' })).id;
    });

    it('to a brand and a category are kept, and emptied by null', async () => {
      const product = await create({ brandId, categoryId });
      expect(product).toMatchObject({ brandId, categoryId });
      const emptied = await store.data('update_product', { id: product.id, brandId: null, categoryId: null });
      expect(emptied).toMatchObject({ brandId: null, categoryId: null });
      expect(await create({ brandId: null, categoryId: null })).toMatchObject({ brandId: null, categoryId: null });
    });

    it('go when the brand or category goes', async () => {
      const brand = await store.data('create_brand', { name: 'Gone', slug: 'gone' });
      const product = await create({ brandId: brand.id, categoryId });
      await store.data('delete_brand', { id: brand.id, confirm: true });
      expect(await store.data('get_product', { id: product.id })).toMatchObject({ brandId: null, categoryId });
    });

    it.each(['brandId', 'categoryId'])('%s must be of this store', async (field) => {
      const product = await create({ brandId, categoryId });
      const other = await app.store();
      const theirs = {
        brandId: (await other.data('create_brand', { name: 'Acme', slug: 'acme' })).id,
        categoryId: (await other.data('create_category', { name: 'Mugs', slug: 'mugs' })).id,
      };
      const before = await productCount();
      for (const id of [theirs[field as 'brandId'], '0197f000-0000-7000-8000-000000000000', 'no-such', '']) {
        expectInvalid(await store.call('create_product', least({ [field]: id })), field);
        expectInvalid(await store.call('update_product', { id: product.id, [field]: id }), field);
      }
      expect(await productCount()).toBe(before);
      expect(await store.data('get_product', { id: product.id })).toEqual(product);
    });
  });

  it('take their variants with them when they are deleted', async () => {
    const variants = [
      {
        optionTitle: 'Size',
        values: [
          { variantValue: 'S', price: 1 },
          { variantValue: 'M', price: 1 },
        ],
      },
    ];
    const [gone, stays] = [await create({ variants }), await create({ variants })];
    expect(await store.data('delete_product', { id: gone.id, confirm: true })).toEqual({ id: gone.id, deleted: true });
    expectNotFound(await store.call('get_product', { id: gone.id }));
    expectNotFound(await store.call('delete_product', { id: gone.id, confirm: true }));
    const left = await app.query('select product_id from variants where product_id = any($1)', [[gone.id, stays.id]]);
    expect(left).toEqual([{ product_id: stays.id }, { product_id: stays.id }]);
  });

  it.each([{}, { confirm: false }, { confirm: 'true' }, { confirm: null }, { confirm: 1 }])(
    'are not deleted with %j in place of confirm: true',
    async (confirm) => {
      const product = await create();
      expectInvalid(await store.call('delete_product', { id: product.id, ...confirm }), 'confirm');
      // Deleted by the internal id alone.
      expectNotFound(await store.call('delete_product', { id: product.productId, confirm: true }));
      expect(await store.data('get_product', { id: product.id })).toEqual(product);
    },
  );

  it('leave an audit row for each change, with before and after', async () => {
    const own = await app.store();
    const input = least({ price: 10, salePrice: 5 });
    const { id } = await own.data('create_product', input);
    await own.data('update_product', { id, price: 10, salePrice: null, title: 'Cup', images: [IMAGE] });
    await own.data('delete_product', { id, confirm: true });
    const row = (operation: string) => expect.objectContaining({ operation, target: id, outcome: 'ok' });
    const rows = await auditRows(own);
    expect(rows).toEqual([row('create_product'), row('update_product'), row('delete_product')]);
    expect(rows[0]).toMatchObject({ input, changes: { productId: [null, input.productId], price: [null, 10] } });
    expect(rows[1].changes).toEqual({ title: ['Mug', 'Cup'], salePrice: [5, null] });
    expect(rows[2].changes).toEqual({ productId: [input.productId, null], title: ['Cup', null] });
  });

  describe('list_products', () => {
    it('gives pages, newest first, with the number of variants in place of the variants', async () => {
      const own = await app.store();
      const variants = [
        {
          optionTitle: 'Size',
          values: [
            { variantValue: 'S', price: 1 },
            { variantValue: 'M', price: 1 },
          ],
        },
        { optionTitle: 'Colour', values: [{ variantValue: 'Red', price: 1 }] },
      ];
      const made = [];
      for (let i = 0; i < 5; i++) made.unshift(await create(i === 2 ? { variants, ...FULL } : {}, own));
      const expected = made.map(({ variants: groups, ...product }) => ({
        ...product,
        variantCount: groups.length === 2 ? 3 : 0,
      }));
      expect(await own.data('list_products')).toEqual({ items: expected, nextCursor: null });
      const first = await own.data('list_products', { take: 2 });
      expect(first).toEqual({ items: expected.slice(0, 2), nextCursor: expect.any(String) });
      const fitting = await own.data('list_products', { take: 3, cursor: first.nextCursor });
      expect(fitting).toEqual({ items: expected.slice(2), nextCursor: null });
    });

    it('neither repeats nor skips a product while others come and go', async () => {
      const own = await app.store();
      const lasting: string[] = [];
      const passing: string[] = [];
      for (let i = 0; i < 12; i++) (i % 3 === 0 ? passing : lasting).unshift((await create({}, own)).id);
      const seen = await walk(own, 'list_products', { take: 2 }, async () => {
        await create({}, own);
        const id = passing.pop();
        if (id) await own.data('delete_product', { id, confirm: true });
      });
      const ids = seen.map(({ id }) => id);
      expect(ids.filter((id) => lasting.includes(id))).toEqual(lasting);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it.each([
      ['take', 0],
      ['take', 101],
      ['take', 1.5],
      ['take', '5'],
      ['take', null],
      ['cursor', ''],
      ['cursor', 'x'],
      ['cursor', 'WzFd'],
      ['cursor', null],
    ])('refuses %s %j', async (field, value) => {
      expectInvalid(await store.call('list_products', { [field]: value }), String(field));
    });

    it('is one statement, whatever is on the page', async () => {
      const own = await app.store();
      const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 1 }] }];
      for (let i = 0; i < 10; i++) await create({ variants }, own);
      const texts: string[] = [];
      const page = await own.inside(async (ctx) => {
        const run = ctx.session.run.bind(ctx.session);
        const read = ctx.session.read.bind(ctx.session);
        const noted = <Call extends typeof run>(call: Call) =>
          ((sql: typeof LIST_PRODUCTS, ...rest: unknown[]) => (texts.push(sql.name), call(sql, ...rest))) as Call;
        Object.assign(ctx.session, { run: noted(run), read: noted(read) });
        return app.nest.get(ProductsService).list(ctx, { take: 100 });
      });
      expect(page.items).toHaveLength(10);
      expect(texts).toEqual(['list_products']);
    });

    it('reads as much for a page far behind as for the first, and a product by either id no more', async () => {
      const own = await app.store();
      await app.query(
        `insert into products (store_id, id, product_id, title, description, images, price, created_at, updated_at)
         select $1, gen_random_uuid(), 'bulk-' || n, 'Mug', '', '{https://images.example/a.png}', 10, now(), now()
         from generate_series(1, 4000) n`,
        [own.id],
      );
      await app.query('analyze products');
      /** Pages of the database that a statement touches, run as the service runs it. */
      const blocks = async ({ name, carried }: Statement, ...parameters: unknown[]) => {
        const explained = statement(`explain_${name}_${++last}`, `explain (analyze, buffers, format json) ${carried} -- $1`);
        const [row] = await own.inside((ctx) => ctx.session.run<Explained>(explained, ...parameters));
        const { Plan: plan } = row['QUERY PLAN'][0];
        return { rows: plan['Actual Rows'], blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
      };
      await blocks(LIST_PRODUCTS, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21);
      const first = await blocks(LIST_PRODUCTS, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21);
      const far = await blocks(LIST_PRODUCTS, '08000000-0000-0000-0000-000000000000', 21);
      expect([first.rows, far.rows]).toEqual([21, 21]);
      expect(far.blocks).toBeLessThan(first.blocks * 1.5);

      const { items } = await own.data('list_products', { take: 1 });
      for (const name of [items[0].id, items[0].productId]) {
        const one = await blocks(GET_PRODUCT, ...productNamed(name));
        expect(one.rows).toBe(1);
        expect(one.blocks).toBeLessThan(20);
      }
    });
  });
});

interface Explained extends Record<string, unknown> {
  'QUERY PLAN': { Plan: Record<string, number> }[];
}
