import { JOBS } from '../../src/jobs/job-list.js';
import { Scheduler } from '../../src/jobs/scheduler.service.js';
import { BotWebhook, MiniApp } from '../doors/storefront/mini-app.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../support/test-app.js';
import { readFeed } from './feeds/read-feed.js';

const HOUR_MS = 3_600_000;
const job = JOBS.find(({ name }) => name === 'ended_sales')!;

/** docs/behaviour.md §13.4 */
describe('the end of a sale', () => {
  const clock = new TestClock();
  let store: TestStore;
  let shopper: MiniApp;
  let end: string;
  let mug: any;
  let tee: any;
  let size: any;

  // The job looks at all stores, so it has a database of its own.
  const { app, messenger } = useShopWithMessenger(async () => ({
    database: await preparedDatabase(),
    clock,
  }));
  beforeEach(async () => {
    store = await app.store();
    await BotWebhook.connect(store, messenger);
    shopper = new MiniApp(store, { id: '1001', first_name: 'Ann' }, { at: clock.now() });
    end = new Date(clock.now().getTime() + HOUR_MS).toISOString();
    const common = { description: '', images: ['https://images.example/a.jpg'], price: 20 };
    mug = await store.data('create_product', { ...common, productId: 'mug', title: 'Mug' });
    const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 30 }] }];
    tee = await store.data('create_product', { ...common, productId: 'tee', title: 'Tee', variants });
    size = tee.variants[0].values[0];
  });

  const ofMug = (values: object) => ({ productId: 'mug', ...values });
  const ofSize = (values: object) => ({ productId: 'tee', variantId: size.id, ...values });
  const set = (...items: object[]) => store.data('update_prices', { items });
  const begin = () =>
    set(ofMug({ salePercent: 10, saleUntil: end }), ofSize({ salePrice: 25, saleUntil: end }));
  const current = (id: string) => store.data('get_product', { id });
  const sales = async () => {
    const [one, other] = [await current('mug'), await current('tee')];
    return [one, other.variants[0].values[0]].map(({ salePrice, saleUntil }) => [salePrice, saleUntil]);
  };
  const changes = (count: number, cursor?: string) =>
    readFeed<any>((input) => store.data('list_changes', { kinds: ['product'], ...input }), count, cursor);
  const last = async () => (await store.data('list_activity', { take: 1 })).items[0];
  const total = async () => {
    const items = [
      { productId: 'mug', quantity: 1 },
      { productId: 'tee', variantId: size.id, quantity: 1 },
    ];
    return (await shopper.data('POST', 'orders/quote', { items, paymentMethod: 'cash' })).total;
  };
  /** The sale prices that every list and record shows. */
  const shown = async () => {
    const { items: found } = await store.data('find_products', {});
    const { items: listed } = await store.data('list_products', {});
    const { items: catalog } = await shopper.data('GET', 'catalog');
    const { items: cards } = await shopper.data('GET', 'products');
    const { items: onSale } = await shopper.data('GET', 'products?onSale=true');
    const one = await shopper.data('GET', `products/${tee.id}`);
    const { items: flat } = await store.data('list_variants', { productId: 'tee' });
    const ofProduct = (items: any[]) => items.find(({ productId }) => productId === 'mug').salePrice;
    const ofVariant = ({ variants }: any) => (variants[0].values?.[0] ?? variants[0]).salePrice;
    const teeOf = (items: any[]) => items.find(({ productId }) => productId === 'tee');
    return {
      mug: [ofProduct(found), ofProduct(listed), ofProduct(catalog), ofProduct(cards)],
      tee: [ofVariant(teeOf(found)), ofVariant(teeOf(catalog)), ofVariant(one), teeOf(cards).salePrice],
      flat: [flat[0].salePrice, flat[0].saleUntil],
      onSale: onSale.map(({ productId }: any) => productId).sort(),
    };
  };

  it('is kept with the sale price, and shown with it', async () => {
    const { items } = await begin();
    const before = { previousSalePrice: null, previousSaleUntil: null };
    expect(items).toEqual([
      { index: 0, productId: 'mug', price: 20, previousPrice: 20, salePrice: 18, saleUntil: end, ...before },
      {
        ...{ index: 1, productId: 'tee', variantId: size.id, price: 30, previousPrice: 30 },
        ...{ salePrice: 25, saleUntil: end, ...before },
      },
    ]);
    expect(await sales()).toEqual([
      [18, end],
      [25, end],
    ]);
    expect((await last()).changes).toMatchObject({ [`product:${mug.id}.saleUntil`]: [null, end] });
    expect(await shown()).toEqual({
      mug: [18, 18, 18, 18],
      tee: [25, 25, 25, 25],
      flat: [25, end],
      onSale: ['mug', 'tee'],
    });
    expect(await total()).toBe(4300);
  });

  it('ends what is charged and shown at once, and is then written as a change', async () => {
    await begin();
    const { items: before, nextCursor: cursor } = await changes(2);
    expect(before).toHaveLength(2);
    clock.set(new Date(Date.parse(end) - 1));
    expect(await total()).toBe(4300);
    clock.set(new Date(end));
    const nothing = {
      mug: [null, null, null, null],
      tee: [null, null, null, null],
      flat: [null, null],
      onSale: [],
    };
    expect([await total(), await shown()]).toEqual([5000, nothing]);
    expect(await sales()).toEqual([
      [null, null],
      [null, null],
    ]);
    const versions = async () => [(await current('mug')).updatedAt, (await current('tee')).updatedAt];
    const old = await versions();
    await app.nest.get(Scheduler).run(job);
    const now = await versions();
    expect(now.every((version, i) => version > old[i])).toBe(true);
    const stored = await app.query(
      `select sale_price, sale_until from products where store_id = $1
       union all select sale_price, sale_until from variants where store_id = $1`,
      [store.id],
    );
    expect(stored.every((row: object) => Object.values(row).every((value) => value === null))).toBe(true);
    const { items: after } = await changes(2, cursor);
    expect(after.map(({ productId, change }: any) => [productId, change]).sort()).toEqual([
      ['mug', 'updated'],
      ['tee', 'updated'],
    ]);
    expect(await last()).toMatchObject({
      operation: 'product.end_sale',
      changes: {
        [`product:${mug.id}.salePrice`]: [18, null],
        [`product:${mug.id}.saleUntil`]: [end, null],
        [`variant:${size.id}.salePrice`]: [25, null],
        [`variant:${size.id}.saleUntil`]: [end, null],
      },
    });
    await app.nest.get(Scheduler).run(job);
    expect(await versions()).toEqual(now);
  });

  it('can be moved, taken away and given to a sale that there is', async () => {
    await begin();
    const later = new Date(Date.parse(end) + HOUR_MS).toISOString();
    await set(ofMug({ saleUntil: later }), ofSize({ saleUntil: null }));
    expect(await sales()).toEqual([
      [18, later],
      [25, null],
    ]);
    await set(ofMug({ price: 21 }));
    expect((await sales())[0]).toEqual([18, later]);
  });

  it('is refused without a sale, and for a time that has passed, which changes nothing', async () => {
    const [none, past] = (
      await set(ofMug({ saleUntil: end }), ofSize({ salePrice: 1, saleUntil: clock.now() }))
    ).items;
    expect([none.error.code, past.error.code]).toEqual(['invalid_input', 'invalid_input']);
    expect(none.error.message).toMatch(/^items\[0\]\.saleUntil is the end of a sale, and there is none/);
    expect(past.error.message).toBe('items[1].saleUntil must be in the future');
    await begin();
    clock.set(new Date(end));
    const [over] = (await set(ofMug({ saleUntil: new Date(Date.parse(end) + HOUR_MS) }))).items;
    expect(over.error.message).toMatch(/there is none/);
    expect(await sales()).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['update_prices', () => set(ofMug({ salePrice: 17 }), ofSize({ salePercent: 50 }))],
    [
      'update_product and update_variant',
      async () => {
        await store.data('update_product', { id: mug.id, salePrice: 17 });
        await store.data('update_variant', { id: size.id, salePrice: 15 });
      },
    ],
    [
      'create_products',
      () =>
        store.data('create_products', {
          upsert: true,
          items: [
            { productId: 'mug', salePrice: 17 },
            {
              productId: 'tee',
              variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 30, salePrice: 15 }] }],
            },
          ],
        }),
    ],
  ])('is cleared by another write of the sale price: %s', async (_, write) => {
    await begin();
    await write();
    expect(await sales()).toEqual([
      [17, null],
      [15, null],
    ]);
    clock.set(new Date(end));
    expect(await total()).toBe(3200);
  });

  it('is cleared by update_products, and stays with any other change', async () => {
    await begin();
    await store.data('update_product', { id: mug.id, price: 22, title: 'Cup' });
    await store.data('update_products', { items: [{ id: 'mug', title: 'Mug' }] });
    await store.data('update_variant', { id: size.id, itemAmount: 4 });
    expect(await sales()).toEqual([
      [18, end],
      [25, end],
    ]);
    await store.data('update_products', { items: [{ id: 'mug', salePrice: null }] });
    expect((await sales())[0]).toEqual([null, null]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['update_prices', () => set(ofMug({ salePrice: 17 }), ofSize({ saleUntil: null }))],
    ['update_product', () => store.data('update_product', { id: mug.id, salePrice: null })],
    ['update_variant', () => store.data('update_variant', { id: size.id, salePrice: 15 })],
    ['update_products', () => store.data('update_products', { items: [{ id: 'mug', salePrice: 17 }] })],
  ])('comes back when %s is undone', async (_, write) => {
    await begin();
    const before = await sales();
    await write();
    expect(await sales()).not.toEqual(before);
    await store.data('undo_change', { activityId: (await last()).id });
    expect(await sales()).toEqual(before);
  });

  it('goes when the sale is undone, and cannot come back once there is no sale', async () => {
    await begin();
    await set(ofMug({ saleUntil: null }));
    const { id } = await last();
    await set(ofMug({ salePrice: null }));
    const { body } = await store.call('undo_change', { activityId: id });
    expect(body.error?.code).toBe('precondition_failed');
    expect((await sales())[0]).toEqual([null, null]);
  });

  it('is previewed, and applied as it was previewed', async () => {
    const { previewId, changes } = await store.data('preview_change', {
      operation: 'update_prices',
      input: { items: [ofMug({ salePrice: 15, saleUntil: end })] },
    });
    expect(changes[0].changes).toMatchObject({ [`product:${mug.id}.saleUntil`]: [null, end] });
    expect((await sales())[0]).toEqual([null, null]);
    await store.data('apply_change', { previewId });
    expect((await sales())[0]).toEqual([15, end]);
  });
});
