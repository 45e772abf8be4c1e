import { BotWebhook, MiniApp } from './mini-app.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

/** Whether shoppers see a product, as every door says it, and warnings of calls after which they do not. */
describe('what is on sale', () => {
  let store: TestStore;
  let last = 0;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store();
  });

  const category = (name: string, fields: object = {}) =>
    store.data('create_category', { name, slug: `${name.toLowerCase()}-${++last}`, ...fields });
  const product = (fields: object = {}) =>
    store.data('create_product', {
      ...{ productId: `p-${++last}`, title: 'Candle', description: '', price: 5 },
      images: ['https://images.example/a.png'],
      ...fields,
    });
  const catalog = async (): Promise<any> => {
    await BotWebhook.connect(store, messenger);
    return new MiniApp(store).data('GET', 'catalog');
  };
  const shelves = async () => {
    const closed = await category('Gifts', { isActive: false });
    const below = await category('Small', { parentId: closed.id });
    return { closed, below, open: await category('Home') };
  };
  const unseen = (which: string, id: string) =>
    `categoryId: category ${which}: shoppers do not see this product until update_category makes ` +
    `${id} active`;

  it('is said by every operation that shows products, with the reason', async () => {
    const { closed, below, open } = await shelves();
    const made = {
      onSale: await product({ categoryId: open.id }),
      ofClosed: await product({ categoryId: closed.id }),
      belowClosed: await product({ categoryId: below.id }),
      hidden: await product({ categoryId: below.id }),
    };
    const hidden = await store.data('update_product', { id: made.hidden.id, isHidden: true });
    const expected = {
      [made.onSale.id]: [true, undefined],
      [made.ofClosed.id]: [false, 'category_inactive'],
      [made.belowClosed.id]: [false, 'category_inactive'],
      [hidden.id]: [false, 'hidden'],
    };
    const said = (rows: any[]) =>
      Object.fromEntries(rows.map(({ id, onSale, notOnSaleBecause }) => [id, [onSale, notOnSaleBecause]]));
    const { items: listed } = await store.data('list_products', {});
    const { items: found } = await store.data('find_products', {});
    const got = await Promise.all(listed.map(({ id }: any) => store.data('get_product', { id })));
    expect([said(listed), said(found), said(got)]).toEqual([expected, expected, expected]);
    expect(listed.filter(({ onSale }: any) => onSale)[0]).not.toHaveProperty('notOnSaleBecause');
    // The storefront decides by the same rule.
    const { items } = await catalog();
    expect(items.map(({ id }: any) => id)).toEqual([made.onSale.id]);
    await store.data('update_category', { id: closed.id, isActive: true });
    expect((await store.data('get_product', { id: made.belowClosed.id })).onSale).toBe(true);
  });

  it('is warned of where a product is put into a category that shoppers do not see', async () => {
    const { closed, below, open } = await shelves();
    const ofClosed = unseen('"Gifts" is not active', closed.id);
    const ofBelow = unseen('"Small" is below "Gifts", which is not active', closed.id);
    const { id, productId, warnings } = await product({ categoryId: below.id });
    expect(warnings).toEqual([ofBelow]);
    const update = async (fields: object) => (await store.data('update_product', { id, ...fields })).warnings;
    expect(await update({ categoryId: closed.id })).toEqual([ofClosed]);
    expect(await update({ title: 'Pine' })).toBeUndefined();
    expect(await update({ categoryId: below.id, isHidden: true })).toBeUndefined();
    // Showing it again leaves it where nobody sees it.
    expect(await update({ isHidden: false })).toEqual([ofBelow]);
    expect(await update({ categoryId: open.id })).toBeUndefined();
    const many = async (operation: string, item: object, rest: object = {}) =>
      (await store.data(operation, { items: [item], ...rest })).items[0].warnings;
    expect(await many('update_products', { id, categoryId: closed.id })).toEqual([ofClosed]);
    expect(
      await many('create_products', { productId, categoryId: below.id.toUpperCase() }, { upsert: true }),
    ).toEqual([ofBelow]);
    const whole = { title: 'T', description: '', price: 5, images: ['https://images.example/a.png'] };
    expect(
      await many('create_products', { productId: `p-${++last}`, ...whole, categoryId: closed.id }),
    ).toEqual([ofClosed]);
  });

  it('is counted where a category takes products off sale or brings them back', async () => {
    const { closed, below, open } = await shelves();
    for (const categoryId of [below.id, below.id, open.id]) await product({ categoryId });
    const { id } = await product({ categoryId: below.id });
    await store.data('update_product', { id, isHidden: true });
    const update = async (category: string, fields: object) =>
      (await store.data('update_category', { id: category, ...fields })).warnings;
    expect(await update(closed.id, { name: 'Presents' })).toBeUndefined();
    expect(await update(closed.id, { isActive: true })).toEqual([
      'products that come back on sale by this: 2',
    ]);
    expect(await update(closed.id, { isActive: true })).toBeUndefined();
    expect(await update(open.id, { isActive: false })).toEqual(['products that go off sale by this: 1']);
    expect(await update(below.id, { parentId: open.id })).toEqual(['products that go off sale by this: 2']);
    expect(await update(below.id, { parentId: null })).toEqual([
      'products that come back on sale by this: 2',
    ]);
    const { answer } = await store.data('preview_change', {
      operation: 'update_category',
      input: { id: below.id, isActive: false },
    });
    expect(answer.warnings).toEqual(['products that go off sale by this: 2']);
  });

  it('is not changed by the text of a brand or category: the record that it names is told', async () => {
    const home = await category('Home');
    const gifts = await category('Gifts');
    const brand = await store.data('create_brand', { name: 'House label', slug: 'house' });
    const alone = (kind: string, text: string, id: string) =>
      `${kind} "${text}" is a text alone: give ${kind}Id ${id} to put the product into the ` +
      `${kind} of that name`;
    const still = 'category still says "Home": shoppers see "Gifts", which categoryId links';
    const made = await product({ category: ' home ', brand: 'House label' });
    expect(made.warnings).toEqual([
      alone('brand', 'House label', brand.id),
      alone('category', ' home ', home.id),
    ]);
    const linked = await product({ category: 'Home', categoryId: home.id, brand: 'A maker of no record' });
    expect(linked).not.toHaveProperty('warnings');
    const update = async (fields: object) =>
      (await store.data('update_product', { id: linked.id, ...fields })).warnings;
    expect(await update({ title: 'Fir' })).toBeUndefined();
    expect(await update({ categoryId: gifts.id })).toEqual([still]);
    expect(await update({ brand: 'House label' })).toEqual([alone('brand', 'House label', brand.id)]);
    const items = [
      { id: linked.id, categoryId: gifts.id },
      { id: linked.id, category: 'Gifts' },
    ];
    const { items: results } = await store.data('update_products', { items });
    expect(results.map(({ warnings }: any) => warnings)).toEqual([[still], undefined]);
  });

  it('shows shoppers the name of the linked record, and tells of the text that a rename leaves', async () => {
    const home = await category('Home');
    const brand = await store.data('create_brand', { name: 'North', slug: 'north' });
    const links = { categoryId: home.id, brandId: brand.id };
    await product({ ...links, category: 'Home', brand: 'North' });
    await product({ ...links, category: 'Another text' });
    const rename = async (kind: string, id: string, name: string) =>
      (await store.data(`update_${kind}`, { id, name })).warnings;
    expect(await rename('category', home.id, 'House')).toEqual([
      'products whose category text still says "Home": 1; shoppers see "House", and ' +
        'update_products changes the text',
    ]);
    expect(await rename('brand', brand.id, 'South')).toEqual([
      'products whose brand text still says "North": 1; shoppers see "South", and ' +
        'update_products changes the text',
    ]);
    expect(await rename('category', home.id, 'Home again')).toBeUndefined();
    const { items } = await catalog();
    expect(items.map(({ brand: b, category: c }: any) => [b, c])).toEqual([
      ['South', 'Home again'],
      ['South', 'Home again'],
    ]);
  });

  it('is one value of all options, which a second option is warned of', async () => {
    const value = (variantValue: string) => ({ variantValue, price: 5 });
    const both = ['Size', 'Colour'].map((optionTitle) => ({ optionTitle, values: [value('One')] }));
    const two = ['the product has 2 options: shoppers choose one value of all'];
    const made = await product({ variants: both });
    expect(made.warnings).toEqual(two);
    const one = await product({ variants: both.slice(0, 1) });
    expect(one).not.toHaveProperty('warnings');
    const add = async (optionTitle: string, variantValue: string) =>
      store.data('create_variant', { productId: one.id, optionTitle, ...value(variantValue) });
    expect(await add('Size', 'Two')).not.toHaveProperty('warnings');
    const colour = await add('Colour', 'Red');
    expect(colour.warnings).toEqual(two);
    expect((await add('Colour', 'Blue')).warnings).toBeUndefined();
    const upsert = async (variants: object[]) =>
      (await store.data('create_products', { items: [{ productId: one.productId, variants }], upsert: true }))
        .items[0].warnings;
    expect(await upsert([{ optionTitle: 'Size', values: [value('Three')] }])).toBeUndefined();
    expect(await upsert([{ optionTitle: 'Cut', values: [value('A')] }])).toEqual([
      'the product has 3 options: shoppers choose one value of all',
    ]);
    const renamed = await store.data('update_variant', { id: colour.id, optionTitle: 'Shade' });
    expect(renamed.warnings).toEqual(['the product has 4 options: shoppers choose one value of all']);
  });

  it('is sold by its variants, which stock given beside them does not change', async () => {
    const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 5 }] }];
    const { warnings } = await product({ variants, itemAmount: 40 });
    expect(warnings).toEqual([expect.stringMatching(/^itemAmount has no effect on orders: shoppers buy/)]);
    const item = {
      ...{ productId: `p-${++last}`, title: 'T', description: '', price: 5, itemAmount: 40, variants },
      images: ['https://images.example/a.png'],
    };
    const { items } = await store.data('create_products', { items: [item] });
    expect(items[0].warnings).toEqual([expect.stringMatching(/^itemAmount has no effect on orders/)]);
  });
});
