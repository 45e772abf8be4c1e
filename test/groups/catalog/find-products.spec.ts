import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { TestClock, type TestStore, useShop } from '../../support/test-app.js';

type Found = Record<string, any>;

const NO_CODES = { sku: null, barcode: null };

describe('find_products', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.000Z'));
  let store: TestStore;
  let brandId: string;
  const categories: Record<string, string> = {};
  const made: Record<string, Found> = {};

  const category = async (slug: string, parentId?: string) =>
    (categories[slug] = (
      await store.data('create_category', { name: slug, slug, ...(parentId ? { parentId } : {}) })
    ).id);
  const create = async (name: string, title: string, more: object = {}, amounts: (number | null)[] = []) => {
    clock.advance(60_000);
    const values = amounts.map((itemAmount, i) => ({ variantValue: `V${i}`, price: 5, itemAmount }));
    made[name] = await store.data('create_product', {
      ...{
        productId: `sku-${name}`,
        title,
        description: '',
        images: ['https://images.example/a.png'],
        price: 10,
        ...more,
      },
      ...(values.length > 0 ? { variants: [{ optionTitle: 'Size', values }] } : {}),
    });
  };
  const names = (items: Found[]) =>
    items.map(({ id }) => Object.keys(made).find((name) => made[name].id === id));
  /** The names of what is found. Its total is the same where it is counted, which it is if there are more. */
  const find = async (input: object) => {
    const { items, total } = await store.data('find_products', input, { scope: 'read' });
    const first = await store.data('find_products', { ...input, take: 1 }, { scope: 'read' });
    expect([total, first.total]).toEqual([items.length, items.length]);
    return names(items);
  };

  const app = useShop({ clock });
  beforeAll(async () => {
    store = await app.store();
    brandId = (await store.data('create_brand', { name: 'Brand', slug: 'brand' })).id;
    const parent = await category('parent');
    await category('child', parent);
    await category('other');
    await create('a', 'Enamel Kettle', {
      itemAmount: 3,
      brandId,
      tags: 'весна, SALE',
      categoryId: categories.parent,
    });
    await create('b', '绿茶 Зелений чай', { itemAmount: 50, categoryId: categories.child });
    await create('c', 'Kettle 100%_big', { itemAmount: 0, brandId, categoryId: categories.other });
    await create('d', 'Tee', { itemAmount: 500 }, [7, 200]);
    await create('e', 'Mug', {}, [null, 2]);
    await create('f', 'Straße', {});
    await store.data('update_product', { id: made.f.id, isHidden: true });
    // Such a product comes from elsewhere: create_product wants a picture.
    await app.query(`update products set images = '{}' where store_id = $1 and id = $2`, [
      store.id,
      made.e.id,
    ]);
    clock.advance(60_000);
    await store.data('update_stock', { productId: made.b.id, delta: 1 });
  });

  it('counts products of a category that is not active as not on sale', async () => {
    await store.data('update_category', { id: categories.other, isActive: false });
    expect([await find({ onSale: false }), await find({ onSale: true })]).toEqual([
      ['f', 'c'],
      ['e', 'd', 'b', 'a'],
    ]);
    await store.data('update_category', { id: categories.other, isActive: true });
  });

  it('returns only the fields that are asked for, of all that get_product has, with both ids', async () => {
    const whole = await store.data('get_product', { id: made.a.id });
    const all = Object.keys(whole).filter((name) => name !== 'variants');
    const one = async (fields: string[]) =>
      (await store.data('find_products', { text: 'sku-a', fields })).items[0];
    expect(await one(['title'])).toEqual({ id: made.a.id, productId: 'sku-a', title: 'Enamel Kettle' });
    expect(await one(['description', 'itemAmount', 'sku'])).toEqual({
      ...{ id: made.a.id, productId: 'sku-a', description: '', itemAmount: 3, sku: null },
    });
    const { variants: _, ...rest } = whole;
    expect(await one(all)).toEqual(rest);
    expect((await one(['variants', 'images'])).variants).toEqual([]);
    const { body } = await store.call('find_products', { fields: ['secret'] });
    expect(body.error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/^fields/) });
  });

  it('ends a page of long descriptions before it exceeds a page, and skips none', async () => {
    const own = await app.store();
    const description = 'x'.repeat(20_000);
    const images = Array.from(
      { length: 80 },
      (_, i) => `https://images.example/${'y'.repeat(1_900)}${i}.png`,
    );
    const items = Array.from({ length: 8 }, (_, i) => ({
      ...{ productId: `long-${i}`, title: 'Long', description, images, price: 1 },
    }));
    for (const item of items) await own.data('create_product', item);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await own.data('find_products', { fields: ['description', 'images'], cursor });
      expect(JSON.stringify(page).length).toBeLessThan(1.1 * 1024 * 1024);
      seen.push(...page.items.map(({ productId }: Found) => productId));
      cursor = page.nextCursor ?? undefined;
      expect(seen.length === items.length || cursor !== undefined).toBe(true);
    } while (cursor !== undefined);
    expect(seen).toEqual(items.map(({ productId }) => productId).reverse());
  });

  it('returns compact rows with every variant', async () => {
    const { items } = await store.data('find_products', { text: 'sku-d' });
    const { updatedAt, variants } = await store.data('get_product', { id: made.d.id });
    const [{ values }] = variants;
    expect(items).toEqual([
      {
        ...{ id: made.d.id, productId: 'sku-d', title: 'Tee', price: 10, salePrice: null, itemAmount: 500 },
        ...{ isHidden: false, onSale: true, brandId: null, categoryId: null, ...NO_CODES, updatedAt },
        variants: [
          { id: values[0].id, name: 'Size: V0', price: 5, salePrice: null, itemAmount: 7, ...NO_CODES },
          { id: values[1].id, name: 'Size: V1', price: 5, salePrice: null, itemAmount: 200, ...NO_CODES },
        ],
      },
    ]);
  });

  it.each<[object, string[]]>([
    [{}, ['f', 'e', 'd', 'c', 'b', 'a']],
    [{ sort: 'oldest' }, ['a', 'b', 'c', 'd', 'e', 'f']],
    [{ text: 'KETTLE' }, ['c', 'a']],
    [{ text: 'kettle enamel' }, ['a']],
    [{ text: '%_' }, []],
    [{ text: '%_b' }, ['c']],
    [{ text: 'no' }, []],
    [{ text: 'en' }, ['a']],
    [{ text: 'SKU-B' }, ['b']],
    [{ text: 'Весна' }, ['a']],
    [{ text: 'sale' }, ['a']],
    [{ text: '茶' }, ['b']],
    [{ text: 'STRASSE' }, ['f']],
    [{ text: 'kettles' }, []],
    [{ text: 'kettle', sort: 'oldest' }, ['a', 'c']],
    [{ text: 'kettle', maxStock: 1 }, ['c']],
    [{ text: 'kettle', sort: 'least_recently_updated' }, ['a', 'c']],
    [{ categoryId: null }, ['f', 'e', 'd']],
    [{ categoryId: null, text: 'tee' }, ['d']],
    [{ categoryId: null, sort: 'recently_updated', maxStock: 2 }, ['e']],
    [{ onSale: true, sort: 'oldest' }, ['a', 'b', 'c', 'd', 'e']],
    [{ onSale: false, categoryId: null }, ['f']],
    [{ hasImage: false }, ['e']],
    [{ hasImage: true, sort: 'oldest' }, ['a', 'b', 'c', 'd', 'f']],
    [{ maxStock: 0 }, ['c']],
    [{ maxStock: 2 }, ['e', 'c']],
    [{ maxStock: 3 }, ['e', 'c', 'a']],
    [{ maxStock: 7, sort: 'oldest' }, ['a', 'c', 'd', 'e']],
    [{ maxStock: 51 }, ['e', 'd', 'c', 'b', 'a']],
    [{ maxStock: 50 }, ['e', 'd', 'c', 'a']],
    [{ maxStock: 500 }, ['e', 'd', 'c', 'b', 'a']],
    [{ maxStock: 7, sort: 'recently_updated' }, ['e', 'd', 'c', 'a']],
    [{ isHidden: true }, ['f']],
    [{ isHidden: false, sort: 'oldest' }, ['a', 'b', 'c', 'd', 'e']],
    [{ sort: 'recently_updated' }, ['b', 'f', 'e', 'd', 'c', 'a']],
    [{ sort: 'least_recently_updated', isHidden: false }, ['a', 'c', 'd', 'e', 'b']],
    [{ updatedFrom: '2026-03-01T10:06:00Z' }, ['b', 'f']],
    [{ updatedFrom: '2026-03-01T10:06:00Z', sort: 'newest' }, ['f', 'b']],
    [{ updatedFrom: '2026-03-01T10:06:00Z', maxStock: 100 }, ['b']],
  ])('finds %j', async (input, found) => {
    expect(await find(input)).toEqual(found);
  });

  it('finds by brand, and by category with those below it', async () => {
    expect(await find({ brandId })).toEqual(['c', 'a']);
    expect(await find({ brandId, sort: 'recently_updated' })).toEqual(['c', 'a']);
    expect(await find({ categoryId: categories.parent })).toEqual(['b', 'a']);
    expect(await find({ categoryId: categories.parent, sort: 'oldest', brandId })).toEqual(['a']);
    expect(await find({ categoryId: categories.child, maxStock: 60 })).toEqual(['b']);
    expect(await find({ categoryId: categories.other, text: 'kettle' })).toEqual(['c']);
  });

  it('follows every change of text and stock', async () => {
    const shop = await app.store();
    const { id, productId } = await shop.product({ productId: 'Plain-1', itemAmount: 30 });
    const found = async (input: object) => (await shop.data('find_products', input)).items.length;
    // A row that SQL wrote, and then the service's own.
    expect([
      await found({ text: 'plain' }),
      await found({ maxStock: 30 }),
      await found({ maxStock: 29 }),
    ]).toEqual([1, 1, 0]);
    await shop.data('update_product', { id, title: 'Grüße', tags: 'Нове' });
    expect([
      await found({ text: 'GRÜSSE' }),
      await found({ text: 'нове' }),
      await found({ text: 'plain-1' }),
    ]).toEqual([1, 1, 1]);
    await shop.data('update_product', { id, tags: null });
    expect(await found({ text: 'нове' })).toBe(0);
    await shop.place({ items: [{ productId, quantity: 29 }] });
    expect([await found({ maxStock: 1 }), await found({ maxStock: 0 })]).toEqual([1, 0]);
    await shop.data('update_stock', { productId, absolute: 1000 });
    expect(await found({ maxStock: 100 })).toBe(0);
    await shop.data('update_product', { id, itemAmount: null });
    const variant = await shop.data('create_variant', {
      productId,
      optionTitle: 'Size',
      variantValue: 'S',
      price: 1,
      itemAmount: 4,
    });
    expect(await found({ maxStock: 4 })).toBe(1);
    await shop.data('update_variant', { id: variant.id, itemAmount: 400 });
    expect(await found({ maxStock: 100 })).toBe(0);
    await shop.data('update_variant', { id: variant.id, itemAmount: 0 });
    expect(await found({ maxStock: 0 })).toBe(1);
    await shop.data('delete_variant', { id: variant.id, confirm: true });
    expect(await found({ maxStock: 100 })).toBe(0);
    await shop.data('delete_product', { id, confirm: true });
    expect(await app.query('select * from product_marks where store_id = $1', [shop.id])).toEqual([]);
  });

  it.each<[string, object]>([
    ['all', {}],
    ['all by change', { sort: 'recently_updated' }],
    ['all by change, oldest first', { sort: 'least_recently_updated' }],
    ['what is low', { maxStock: 60 }],
    ['what has a text', { text: 'kettle' }],
    ['what has a text, by change', { text: 'kettle', sort: 'recently_updated' }],
    ['what changed', { updatedFrom: '2026-03-01T10:01:00Z', sort: 'oldest' }],
  ])('pages through %s, one by one', async (_, input) => {
    const walked: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: Found = await store.data('find_products', {
        ...input,
        take: 1,
        ...(cursor ? { cursor } : {}),
      });
      walked.push(...names(page.items));
      cursor = page.nextCursor;
    } while (cursor);
    expect(walked).toEqual(await find(input));
  });

  it('finds common and rare words in a larger store', async () => {
    const large = await app.store();
    await app.query(
      `insert into products (store_id, id, product_id, title, description, images, price, item_amount,
        created_at, updated_at)
       select $1, gen_random_uuid(), 'p-' || n, case when n % 1000 = 0 then 'Rare' else 'Often'
         end, '', '{https://images.example/a.png}', 1,
         case when n % 500 = 0 then 1 else 1000 end, now(), now() + n * interval '1 second'
         from generate_series(1, 6000) n`,
      [large.id],
    );
    await large.index();
    const count = async (input: object) =>
      (await large.data('find_products', { take: 100, ...input })).items.length;
    expect(await count({ text: 'rare' })).toBe(6);
    expect(await count({ text: 'often' })).toBe(100);
    expect(await count({ text: 'p-5999' })).toBe(1);
    expect(await count({ maxStock: 5 })).toBe(12);
    const { items } = await large.data('find_products', { sort: 'recently_updated', take: 2 });
    expect(items.map(({ productId }: Found) => productId)).toEqual(['p-6000', 'p-5999']);
    const totalOf = async (input: object) => {
      const { total, totalIsAtLeast } = await large.data('find_products', { ...input, take: 1 });
      return totalIsAtLeast ? `at least ${total}` : total;
    };
    expect([await totalOf({}), await totalOf({ text: 'often' })]).toEqual([6000, 5994]);
    await app.query(
      `insert into products (store_id, id, product_id, title, description, images, price, created_at,
        updated_at)
       select $1, gen_random_uuid(), 'q-' || n, 'Often', '', '{https://images.example/a.png}', 1, now(), now()
       from generate_series(1, 4007) n`,
      [large.id],
    );
    await large.index();
    const counted = [{}, { text: 'often' }, { isHidden: false }, { updatedFrom: '2020-01-01T00:00:00Z' }];
    for (const input of counted) expect([input, await totalOf(input)]).toEqual([input, 'at least 10000']);
    expect([await totalOf({ maxStock: 5 }), await totalOf({ text: 'rare' })]).toEqual([12, 6]);
    expect(await totalOf({ maxStock: 1000 })).toBe(6000);
  });

  it.each<[object, RegExp]>([
    [{ brandId: 'nothing' }, /^brandId is not a brand of this store: give its id, which list_brands has$/],
    [{ categoryId: '0198f3c2-7a51-7c3e-9b40-5d2e8f6a1c07' }, /^categoryId is not a category of this store$/],
    [{ maxStock: -1 }, /^maxStock must be/],
    [{ text: '' }, /^text must be/],
    [{ cursor: 'x' }, /^cursor is not one/],
  ])('refuses %j', async (input, message) => {
    const { status, body } = await store.call('find_products', input);
    expect([status, body.error!.code, body.error!.message]).toEqual([
      400,
      'invalid_input',
      expect.stringMatching(message),
    ]);
  });

  it('returns rows that cost a model few tokens', async () => {
    const encoder = new Tiktoken(cl100k);
    const { items } = await store.data('find_products', {});
    const each = items.map(
      (row: Found) => encoder.encode(JSON.stringify(row)).length - row.variants.length * 60,
    );
    expect(Math.max(...each)).toBeLessThanOrEqual(156);
  });
});
