import { TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { accepted, type Bounds, expectInvalid, type FieldCase, refused } from './catalog-fields.js';
import { leastProduct } from './product-inputs.js';

const notText = [5, true, ['x'], {}, 'nul \u0000'];
const someText: Bounds = { accepted: ['x', '😀'.repeat(500)], refused: ['', 'x'.repeat(501), ...notText] };
const amount: Bounds = {
  accepted: [0, 1, 2_147_483_648, Number.MAX_SAFE_INTEGER],
  refused: [-1, 1.5, Number.MAX_SAFE_INTEGER + 1, '1', true],
};
/** Where a value of a variant group stands in create_product's input. */
const VALUE: FieldCase[] = [
  ['variantValue', someText],
  ['price', { accepted: [0, 0.01, 90071992547409.91], refused: [-0.01, 0.001, 90071992547409.92, '1'] }],
  ['salePrice', { accepted: [0, 9.99], refused: [-0.01, 0.001, '1'] }, 'nullable'],
  ['itemAmount', amount, 'nullable'],
  ['sortOrder', amount],
];

describe('fields of products', () => {
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
      const answer = await store.call(
        'create_product',
        leastProduct({ variants: [{ optionTitle: 'Size', values }] }),
      );
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
    expectInvalid(
      await store.call('create_product', leastProduct({ variants: [group] })),
      `variants\\[0\\]\\.${field}`,
    );
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
    expect(await refusal('create_product', leastProduct({ price: tooFine }))).toEqual({
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
    expect(
      await refusal('create_product', leastProduct({ variants: [{ optionTitle: 'Size', values }] })),
    ).toEqual({
      code: 'invalid_input',
      message: `variants[0].values[1].price ${has}`,
    });
    expect(await productCount(own)).toBe(1);
  });
});
