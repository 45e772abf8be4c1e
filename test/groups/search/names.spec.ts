import { nameKey } from '../../../src/platform/text/name-key.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const IMAGES = ['https://images.example/a.png'];
const COMPOSED = 'Größe';
const DECOMPOSED = 'Gro\u0308ße';

describe('names of products, options and codes', () => {
  const app = useShop();
  let store: TestStore;

  beforeEach(async () => {
    store = await app.store();
  });

  const item = (productId: string, more: object = {}) => ({
    ...{ productId, title: productId, description: '', images: IMAGES, price: 10, ...more },
  });
  const variant = (variantValue: string, more: object = {}) => ({ variantValue, price: 9, ...more });

  it.each([
    ['Tee-1', ' Tee-1\u00a0'],
    [COMPOSED, DECOMPOSED],
    ['ab', 'a\u00adb'],
    ['می\u200cخواهم', 'میخواهم'],
    ['a b', 'a\u00a0 b'],
  ])('%j and %j are one external id', async (one, other) => {
    const { id } = await store.data('create_product', item(one));
    const { status, body } = await store.call('create_product', item(other));
    expect([status, body.error!.message]).toEqual([
      400,
      'productId is already used by another product of this store',
    ]);
    expect((await store.data('get_product', { id: other })).id).toBe(id);
    const { items } = await store.data('create_products', { items: [item(other), item(one)] });
    expect(items.map((row: { error?: object }) => row.error !== undefined)).toEqual([true, true]);
    await store.data('create_products', { upsert: true, items: [{ productId: other, title: 'Upserted' }] });
    expect((await store.data('list_products')).items).toMatchObject([{ id, title: 'Upserted' }]);
    await store.data('update_stock', { productId: other, absolute: 5 });
    const order = await store.place({ items: [{ productId: other, quantity: 2 }] });
    expect(order.items[0].productId).toBe(one);
    expect((await store.data('get_product', { id })).itemAmount).toBe(3);
    expect((await store.data('find_orders', { productId: other })).items).toHaveLength(1);
  });

  it('are stored without what nobody sees, and as they were written otherwise', async () => {
    const { id, productId } = await store.data(
      'create_product',
      item(` ${DECOMPOSED}\u200b`, {
        variants: [{ optionTitle: '\ufeffSize ', values: [variant(' می\u200cخواهم')] }],
      }),
    );
    expect(productId).toBe(DECOMPOSED);
    const { variants } = await store.data('get_product', { id });
    expect([variants[0].optionTitle, variants[0].values[0].variantValue]).toEqual(['Size', 'می\u200cخواهم']);
  });

  it.each([' ', '\u200b', '\u00a0\ufeff'])('are something that can be seen: %j', async (nothing) => {
    expect((await store.call('create_product', item(nothing))).status).toBe(400);
    const { items } = await store.data('create_products', { items: [item('p', { sku: nothing })] });
    expect(items[0].error.message).toMatch(/^items\[0\]\.sku must be a string of 1/);
    const given = { ...variant(nothing), productId: 'p', optionTitle: 'Size' };
    expect((await store.call('create_variant', given)).body.error!.message).toMatch(/^variantValue must be/);
  });

  it('of an option and a value are compared as a pair', async () => {
    const values = [variant('b\nc')];
    const { id } = await store.data(
      'create_product',
      item('pair', { variants: [{ optionTitle: 'a', values }] }),
    );
    await store.data('create_products', {
      upsert: true,
      items: [{ productId: 'pair', variants: [{ optionTitle: 'a\nb', values: [variant('c')] }] }],
    });
    const { variants } = await store.data('get_product', { id });
    expect(variants.map(({ optionTitle }: { optionTitle: string }) => optionTitle)).toEqual(['a', 'a\nb']);
  });

  it('of a variant are one in every form', async () => {
    const variants = [{ optionTitle: COMPOSED, values: [variant('Weiß Blau', { itemAmount: 9 })] }];
    const { id } = await store.data('create_product', item('twin', { variants }));
    const other = { optionTitle: ` ${DECOMPOSED}`, variantValue: 'Weiß\u00a0Blau' };
    const refused = await store.call('create_variant', { productId: 'twin', price: 9, ...other });
    expect(refused.body.error!.message).toMatch(/^variantValue is already a value of the option/);
    const twice = [{ ...variants[0], values: [variant('S'), variant('S\u200b')] }];
    expect(
      (await store.call('create_product', item('other', { variants: twice }))).body.error!.message,
    ).toMatch(/^variants\[0\]\.values\[1\]\.variantValue repeats/);
    await store.data('create_products', {
      upsert: true,
      items: [
        {
          productId: 'twin',
          variants: [
            {
              optionTitle: DECOMPOSED,
              values: [variant('Weiß Blau ', { itemAmount: 7, sku: ' S-1\u200b' })],
            },
          ],
        },
      ],
    });
    const [{ values }, ...more] = (await store.data('get_product', { id })).variants;
    expect([values.length, values[0].itemAmount, more]).toEqual([1, 7, []]);
    const order = await store.place({ items: [{ productId: 'twin', quantity: 1, ...other }] });
    expect(order.items[0]).toMatchObject({ variantOptionTitle: COMPOSED, variantValue: 'Weiß Blau' });
    const { items } = await store.data('update_stocks', { items: [{ sku: 'S\u00ad-1 ', absolute: 3 }] });
    expect(items[0]).toMatchObject({ variantId: values[0].id, itemAmount: 3 });
  });

  it('are compared by the database as by the service', async () => {
    const texts: string[] = [];
    for (let point = 1; point <= 0x2fff; point++) texts.push(`a${String.fromCodePoint(point)}b `);
    for (let point = 0xe0000; point <= 0xe0fff; point += 7) texts.push(` ${String.fromCodePoint(point)}c`);
    texts.push(
      'a\ufeff\ufffa\u3164b',
      DECOMPOSED,
      'e\u00ad\u0301',
      'x \u00a0\u2003 y',
      '\ufe0fz',
      '한글',
      '\u1112\u1161',
    );
    const rows = await app.query<{ key: string }>(
      'select name_key(t.text) as key from unnest($1::text[]) with ordinality t (text, nth) order by t.nth',
      [texts],
    );
    expect(rows.map(({ key }) => key)).toEqual(texts.map(nameKey));
  });
});
