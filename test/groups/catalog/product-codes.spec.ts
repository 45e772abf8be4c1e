import { type TestStore, useShop } from '../../support/test-app.js';

type Found = Record<string, any>;

/** docs/behaviour.md §13.15 */
describe('sku and barcode', () => {
  let store: TestStore;
  let tee: Found;

  const product = (productId: string, more: object = {}) => ({
    ...{ productId, title: productId, description: '', images: ['https://images.example/a.png'], price: 10 },
    ...more,
  });
  const get = (id: string) => store.data('get_product', { id });
  const valuesOf = ({ variants }: Found): Found[] => variants.flatMap(({ values }: Found) => values);
  const codesOf = ({ sku, barcode }: Found) => [sku, barcode];
  /** Of a product and its variants. get_product has none: the specification names what it returns. */
  const codesIn = async (productId: string) => {
    const [found] = (await store.data('find_products', { text: productId })).items;
    return [found, ...found.variants].map(codesOf);
  };
  const errorsOf = (items: Found[]) => items.map(({ error }) => error && `${error.code}: ${error.message}`);

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    const values = [
      { variantValue: 'M', price: 20, itemAmount: 5, sku: 'TEE-M', barcode: '4820000000017' },
      { variantValue: 'L', price: 20, itemAmount: 6 },
    ];
    const { items } = await store.data('create_products', {
      items: [
        product('mug', { sku: 'MUG-01', barcode: '4820000000000', itemAmount: 3 }),
        product('tee', { sku: 'TEE', variants: [{ optionTitle: 'Size', values }] }),
        product('plain'),
      ],
    });
    expect(errorsOf(items)).toEqual([undefined, undefined, undefined]);
    tee = await get('tee');
  });

  it('are returned by find_products', async () => {
    const { items } = await store.data('find_products', { sort: 'oldest' });
    expect(items.map(codesOf)).toEqual([
      ['MUG-01', '4820000000000'],
      ['TEE', null],
      [null, null],
    ]);
    expect(items[1].variants.map(codesOf)).toEqual([
      ['TEE-M', '4820000000017'],
      [null, null],
    ]);
  });

  it.each<[string, string[]]>([
    ['MUG-01', ['mug']],
    ['mug-01', ['mug']],
    [' tee-m ', ['tee']],
    ['4820000000017', ['tee']],
    ['48200000000', ['tee', 'mug']],
    ['MUG-0', ['mug']],
    ['UG-0', ['mug']],
    ['0000017', ['tee']],
    ['4820000000018', []],
  ])('find a product by the text %j', async (text, found) => {
    for (const sort of ['newest', 'recently_updated']) {
      const { items, total } = await store.data('find_products', { text, sort });
      expect([items.map(({ productId }: Found) => productId), total]).toEqual([found, found.length]);
    }
  });

  it('are changed by update_products, of variants too, and by upsert', async () => {
    await store.data('create_products', { items: [product('cap', { sku: 'CAP', barcode: '1' })] });
    const { id } = await store.data('create_variant', {
      ...{ productId: 'cap', optionTitle: 'Size', variantValue: 'S', price: 1 },
    });
    const update = (item: object) => store.data('update_products', { items: [{ id: 'cap', ...item }] });
    await update({ sku: 'CAP-2', variants: [{ id, sku: 'CAP-S' }] });
    const codes = () => codesIn('cap');
    expect(await codes()).toEqual([
      ['CAP-2', '1'],
      ['CAP-S', null],
    ]);
    const { updatedAt } = await get('cap');
    await update({ sku: 'CAP-2', variants: [{ id, sku: 'CAP-S' }] });
    expect((await get('cap')).updatedAt).toBe(updatedAt);
    await update({ barcode: null, variants: [{ id, barcode: '2' }] });
    expect(await codes()).toEqual([
      ['CAP-2', null],
      ['CAP-S', '2'],
    ]);
    const values = [{ variantValue: 'S', price: 1, sku: null }];
    const given = product('cap', { sku: 'CAP-3', variants: [{ optionTitle: 'Size', values }] });
    await store.data('create_products', { items: [given], upsert: true });
    expect(await codes()).toEqual([
      ['CAP-3', null],
      [null, '2'],
    ]);
    const { items } = await store.data('list_activity', { operation: 'update_products', take: 1 });
    expect(items[0].changes).toMatchObject({ [`variant:${id}.barcode`]: [null, '2'] });
  });

  it('refuse what is not 1 to 100 characters, and a variant of another product', async () => {
    const { items, failed } = await store.data('update_products', {
      items: [
        { id: 'plain', sku: '' },
        { id: 'plain', barcode: '1'.repeat(101) },
        { id: 'plain', variants: [{ id: valuesOf(tee)[0].id, sku: 'X' }] },
      ],
    });
    expect([failed, ...errorsOf(items)]).toEqual([
      3,
      expect.stringMatching(
        /^invalid_input: items\[0\]\.sku must be a string of 1 to 100 characters, or null/,
      ),
      expect.stringMatching(/^invalid_input: items\[1\]\.barcode must be/),
      expect.stringMatching(/^not_found: items\[2\]\.variants\[0\]\.id: variant/),
    ]);
    expect(await codesIn('plain')).toEqual([[null, null]]);
    const { body } = await store.call('update_product', { id: 'plain', sku: 'X' });
    expect(body.error!.message).toMatch(/^sku/);
  });

  it('name products and variants in update_stocks, and their stock can be put back', async () => {
    const [m] = valuesOf(tee);
    await store.data('create_products', {
      items: [
        product('same-a', { sku: 'SAME', itemAmount: 1 }),
        product('same-b', { sku: 'SAME', itemAmount: 1 }),
      ],
    });
    const { items, updated } = await store.data('update_stocks', {
      items: [
        { sku: 'MUG-01', delta: 2 },
        { barcode: '4820000000017', absolute: 9 },
        { sku: 'TEE-M', delta: 1 },
        { sku: 'NONE', delta: 1 },
        { sku: 'mug-01', delta: 1 },
        { sku: 'SAME', delta: 1 },
        { sku: 'TEE', delta: 1 },
        { sku: 'MUG-01', productId: 'mug', delta: 1 },
        { sku: 'TEE-M', variantId: m.id, delta: 1 },
        { delta: 1 },
        { productId: 'plain', absolute: 4 },
      ],
    });
    expect([updated, items.slice(0, 3), items[10]]).toEqual([
      4,
      [
        { index: 0, productId: 'mug', itemAmount: 5, previousItemAmount: 3 },
        { index: 1, productId: 'tee', variantId: m.id, itemAmount: 9, previousItemAmount: 5 },
        { index: 2, productId: 'tee', variantId: m.id, itemAmount: 10, previousItemAmount: 9 },
      ],
      { index: 10, productId: 'plain', itemAmount: 4, previousItemAmount: null },
    ]);
    expect(errorsOf(items.slice(3, 10))).toEqual([
      expect.stringMatching(/^not_found: items\[3\]\.sku: product or variant NONE/),
      expect.stringMatching(/^not_found: items\[4\]\.sku/),
      expect.stringMatching(
        /^invalid_input: items\[5\]\.sku SAME is that of several: product .* \(same-a\), /,
      ),
      expect.stringMatching(/^invalid_input: items\[6\]\.sku must be that of a variant/),
      expect.stringMatching(/^invalid_input: items\[7\]\.productId: exactly one of productId, sku, barcode/),
      expect.stringMatching(/^invalid_input: items\[8\]\.variantId may only be given with productId/),
      expect.stringMatching(/^invalid_input: items\[9\]\.productId: exactly one of/),
    ]);
    const amounts = async () => [
      (await get('mug')).itemAmount,
      valuesOf(await get('tee'))[0].itemAmount,
      (await get('plain')).itemAmount,
    ];
    expect(await amounts()).toEqual([5, 10, 4]);
    const { items: done } = await store.data('list_activity', { operation: 'update_stocks', take: 1 });
    await store.data('undo_change', { activityId: done[0].id });
    expect(await amounts()).toEqual([3, 5, null]);
  });

  it('name products and variants in update_prices', async () => {
    const items = [
      { barcode: '4820000000000', price: 11 },
      { sku: 'TEE-M', price: 21 },
    ];
    const asked = await store.data('update_prices', { items, preview: true });
    expect(asked.items).toMatchObject([
      { productId: 'mug', price: 11, previousPrice: 10 },
      { productId: 'tee', variantId: valuesOf(tee)[0].id, price: 21, previousPrice: 20 },
    ]);
    expect((await get('mug')).price).toBe(10);
    await store.data('update_prices', { items });
    expect([(await get('mug')).price, valuesOf(await get('tee')).map(({ price }) => price)]).toEqual([
      11,
      [21, 20],
    ]);
  });

  it('name the variant where its product has the same', async () => {
    const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 1, sku: 'ONE' }] }];
    await store.data('create_products', { items: [product('one', { sku: 'ONE', variants })] });
    const { items } = await store.data('update_stocks', { items: [{ sku: 'ONE', absolute: 2 }] });
    expect(items).toMatchObject([{ productId: 'one', itemAmount: 2 }]);
    expect(valuesOf(await get('one')).map(({ itemAmount }) => itemAmount)).toEqual([2]);
  });

  it('are unknown to another store', async () => {
    const other = await app.store();
    const { items } = await other.data('update_stocks', { items: [{ sku: 'MUG-01', delta: 1 }] });
    expect(errorsOf(items)).toEqual([expect.stringMatching(/^not_found/)]);
    expect((await other.data('find_products', { text: 'MUG-01' })).items).toEqual([]);
  });
});
