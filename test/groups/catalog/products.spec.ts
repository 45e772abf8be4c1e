import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { expectInvalid, expectNotFound } from './catalog-fields.js';
import { leastProduct, UUID_V7 } from './product-inputs.js';

describe('products', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.123Z'));
  let store: TestStore;

  const create = (values: object = {}, of = store) => of.data('create_product', leastProduct(values));
  const productCount = async (of = store) =>
    (
      await app.query<{ n: number }>('select count(*)::integer as n from products where store_id = $1', [
        of.id,
      ])
    )[0].n;

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  it('come with their variants, grouped in the order of their first value', async () => {
    const size = (variantValue: string, values: object = {}) => ({ variantValue, price: 10, ...values });
    const { warnings: _, ...product } = await create({
      variants: [
        {
          optionTitle: 'Size',
          values: [size('L', { sortOrder: 3 }), size('S', { sortOrder: 1 }), size('M', { sortOrder: 2 })],
        },
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
      saleUntil: null,
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
    expect(product.variants).toEqual([
      { optionTitle: 'Size', values: values.map((value) => expect.objectContaining(value)) },
    ]);
  });

  it('have a productId of their own in the store, which other stores may use too', async () => {
    const input = leastProduct();
    const product = await store.data('create_product', input);
    expectInvalid(await store.call('create_product', { ...input, title: 'Other' }), 'productId');
    expect(await store.data('get_product', { id: input.productId })).toEqual(product);
    const other = await app.store();
    expectNotFound(await other.call('get_product', { id: input.productId }));
    expect(await other.data('create_product', input)).toMatchObject({ productId: input.productId });
    // As long as the field allows, in the widest characters there are: the unique index must hold it.
    const wide = Array.from({ length: 500 }, (_, i) =>
      String.fromCodePoint(0x20000 + ((i * 7919) % 40_000)),
    ).join('');
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
      expect(await create({ brandId: null, categoryId: null })).toMatchObject({
        brandId: null,
        categoryId: null,
      });
    });

    it('go when the brand or category goes', async () => {
      const brand = await store.data('create_brand', { name: 'Gone', slug: 'gone' });
      const product = await create({ brandId: brand.id, categoryId });
      await store.data('delete_brand', { id: brand.id, confirm: true });
      expect(await store.data('get_product', { id: product.id })).toMatchObject({
        brandId: null,
        categoryId,
      });
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
        expectInvalid(await store.call('create_product', leastProduct({ [field]: id })), field);
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
    expect(await store.data('delete_product', { id: gone.id, confirm: true })).toEqual({
      id: gone.id,
      deleted: true,
    });
    expectNotFound(await store.call('get_product', { id: gone.id }));
    expectNotFound(await store.call('delete_product', { id: gone.id, confirm: true }));
    const left = await app.query('select product_id from variants where product_id = any($1)', [
      [gone.id, stays.id],
    ]);
    expect(left).toEqual([{ product_id: stays.id }, { product_id: stays.id }]);
  });

  it('are deleted by the internal id alone', async () => {
    const product = await create();
    expectNotFound(await store.call('delete_product', { id: product.productId, confirm: true }));
    expect(await store.data('get_product', { id: product.id })).toEqual(product);
  });
});
