import { readFileSync } from 'node:fs';
import pg from 'pg';
import { seedDemo } from '../../../src/operator/demo/seed-demo.js';
import { OrderPlacing } from '../../../src/groups/orders/placing/order-placing.service.js';
import { StoreDatabase } from '../../../src/platform/store/store-context.js';
import { Stores } from '../../../src/stores/stores.service.js';
import { storeDump } from '../../support/database/store-dump.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { expectInvalid } from '../catalog/catalog-fields.js';
import { balance, CASHBACK, rewardShop, setStatus } from '../customers/reward-shop.js';

const PRODUCT = { title: 'Tee', description: '', images: ['https://images.example/a.png'], price: 10 };

describe('the lines of an order', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  let last = 0;
  const create = (variants: object[]) =>
    store.data('create_product', { ...PRODUCT, productId: `tee-${++last}`, itemAmount: 3, variants });
  const size = (variantValue: string, itemAmount = 2) => ({ variantValue, price: 12, itemAmount });
  const stockOf = async (productId: string) => {
    const { itemAmount, variants } = await store.data('get_product', { id: productId });
    return [
      itemAmount,
      ...variants.flatMap(({ values }: any) => values.map((value: any) => value.itemAmount)),
    ];
  };

  async function expectRefused(order: Record<string, unknown> & { items: object[] }, message: RegExp) {
    const before = await storeDump(app, store.id);
    const error: any = await store.place(order).catch((error: unknown) => error);
    expect(error.code).toBe('invalid_input');
    expect(error.message).toMatch(message);
    expect(await storeDump(app, store.id)).toEqual(before);
  }

  it('lock only the variants that they name, by either name', async () => {
    const variants = [{ optionTitle: 'Size', values: [size('S'), size('M'), size('L')] }];
    const product = await store.data('create_product', {
      ...PRODUCT,
      productId: 'tee-locked',
      itemAmount: 3,
      variants,
    });
    const [small, medium, large] = product.variants[0].values;
    const other = new pg.Client({ connectionString: app.database.ownerUrl });
    await other.connect();
    await other.query('begin');
    await other.query('select from variants where store_id = $1 and id = $2 for update', [
      store.id,
      large.id,
    ]);
    const line = { productId: product.productId, quantity: 1 };
    const items = [
      { ...line, variantId: small.id.toUpperCase() },
      { ...line, variantValue: 'M' },
      { ...line, optionTitle: 'Size', variantValue: 'S' },
    ];
    const order = await store.place({ items });
    await other.query('rollback').finally(() => other.end());
    expect(order.items.map(({ variantValue }: any) => variantValue)).toEqual(
      [small, medium, small].map((v) => v.variantValue),
    );
    expect(await stockOf(product.productId)).toEqual([3, 0, 1, 2]);
  });

  it.each(['0', '-1', '9223372036854775808', '99999999999999999999', '1e3', ' 7', ''])(
    'are refused for a shopper with the id %j',
    async (id) => {
      const before = await storeDump(app, store.id);
      const error: any = await store
        .place({ items: [{ productId: 'none', quantity: 1 }] }, { id })
        .catch((error: unknown) => error);
      expect([error.code, error.message]).toEqual([
        'invalid_input',
        "messengerUserId must be a messenger user's id: digits of an integer from 1 to 9223372036854775807",
      ]);
      expect(await storeDump(app, store.id)).toEqual(before);
    },
  );

  describe('for a product with variants', () => {
    it('must name one of its variants', async () => {
      const { productId } = await create([{ optionTitle: 'Size', values: [size('S'), size('M')] }]);
      await expectRefused(
        { items: [{ productId, quantity: 1 }] },
        new RegExp(
          '^items\\[0\\]\\.variantId must name a variant of product tee-1, ' +
            '.*give variantId, or optionTitle and variantValue$',
        ),
      );
      await store.place({ items: [{ productId, quantity: 1, variantValue: 'M' }] });
      expect(await stockOf(productId)).toEqual([3, 2, 1]);
    });

    it("may be named by the variant's id in any letter case", async () => {
      const { productId, variants } = await create([{ optionTitle: 'Size', values: [size('S'), size('M')] }]);
      const variantId = variants[0].values[1].id.toUpperCase();
      const { items } = await store.place({ items: [{ productId, quantity: 2, variantId }] });
      expect(items).toMatchObject([{ variantOptionTitle: 'Size', variantValue: 'M', price: 1200 }]);
      expect(await stockOf(productId)).toEqual([3, 2, 0]);
    });

    it('distinguish equal variants of an earlier version by variantId', async () => {
      const { productId, variants } = await create([{ optionTitle: 'Size', values: [size('S'), size('M')] }]);
      const [first, second] = variants[0].values;
      await app.query(`update variants set variant_value = 'S' where store_id = $1 and id = $2`, [
        store.id,
        second.id,
      ]);
      await expectRefused(
        { items: [{ productId, quantity: 1, optionTitle: 'Size', variantValue: 'S' }] },
        new RegExp(
          '^items\\[0\\]\\.variantValue fits several variants ' +
            `.*variantId of one \\(${first.id}, ${second.id}\\)$`,
        ),
      );
      await store.place({ items: [{ productId, quantity: 1, variantId: second.id }] });
      expect(await stockOf(productId)).toEqual([3, 2, 1]);
    });

    it('cannot be created with equal values of an option', async () => {
      const refusal = async (variants: object[]) =>
        store.call('create_product', { ...PRODUCT, productId: `tee-${++last}`, variants });
      const [S, M] = [size('S'), size('M')];
      const words = 'repeats a value of the option "Size';
      const twice = await refusal([{ optionTitle: 'Size', values: [S, M, S] }]);
      expectInvalid(twice, `variants\\[0\\]\\.values\\[2\\]\\.variantValue ${words}`);
      const apart = await refusal([
        { optionTitle: 'Size', values: [S] },
        { optionTitle: 'Colour', values: [M] },
        { optionTitle: 'Size', values: [M, S] },
      ]);
      expectInvalid(apart, `variants\\[2\\]\\.values\\[1\\]\\.variantValue ${words}`);
      expect(
        (
          await refusal([
            { optionTitle: 'Size', values: [S] },
            { optionTitle: 'Fit', values: [S, size('s')] },
          ])
        ).status,
      ).toBe(200);
    });

    it('refuse to give a variant the name of another', async () => {
      const { variants } = await create([{ optionTitle: 'Size', values: [size('S'), size('M')] }]);
      const { id } = variants[0].values[1];
      expectInvalid(
        await store.call('update_variant', { id, variantValue: 'S' }),
        'variantValue is already a value',
      );
      expect(await store.data('update_variant', { id, optionTitle: 'Fit', variantValue: 'S' })).toMatchObject(
        {
          optionTitle: 'Fit',
          variantValue: 'S',
        },
      );
      expectInvalid(
        await store.call('update_variant', { id, optionTitle: 'Size' }),
        'variantValue is already a value',
      );
    });

    it('give a name that two variants want at once to one of them', async () => {
      const { variants } = await create([{ optionTitle: 'Size', values: [size('S'), size('M')] }]);
      const answers = await Promise.all(
        variants[0].values.map(({ id }: { id: string }) =>
          store.call('update_variant', { id, variantValue: 'L' }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
  });

  describe('the payment method', () => {
    const provider = (providerName: string, isActive = true) =>
      store.data('create_payment_provider', {
        providerName,
        providerToken: 'token-of-it',
        isTestMode: true,
        isActive,
        supportedCurrencies: ['USD'],
      });
    const order = async (paymentMethod: string) => {
      const { productId } = await store.product();
      return { items: [{ productId, quantity: 1 }], paymentMethod };
    };

    it('is any text in mode manual, otherwise an active provider of the store', async () => {
      await provider('stripe');
      await provider('stars');
      await provider('liqpay', false);
      expect((await store.place(await order('by hand'))).paymentMethod).toBe('by hand');
      for (const mode of ['native_payments', 'crypto']) {
        await store.data('update_checkout', { mode });
        expect((await store.place(await order('stripe'))).paymentMethod).toBe('stripe');
        for (const refused of ['by hand', 'liqpay', 'Stripe'])
          await expectRefused(await order(refused), /^paymentMethod must be one of stars, stripe$/);
      }
    });

    it('is refused by name in mode native_payments if it cannot be paid', async () => {
      store = await app.store();
      const make = (providerName: string, values: object) =>
        store.data('create_payment_provider', {
          ...{ providerName, providerToken: 't', isTestMode: false, isActive: true },
          ...{ supportedCurrencies: ['USD'], ...values },
        });
      await store.data('update_checkout', { mode: 'native_payments' });
      await make('stars', { providerToken: '', supportedCurrencies: ['XTR'] });
      await make('bare', { providerToken: '' });
      const metadata = { kind: 'agreement' };
      await make('cash', { providerToken: '', metadata });
      await make('far', { metadata, supportedCurrencies: ['EUR'] });
      await expectRefused(await order('stars'), /^paymentMethod stars cannot be paid: it does not take USD$/);
      await expectRefused(await order('far'), /^paymentMethod far cannot be paid: it does not take USD$/);
      await expectRefused(await order('bare'), /^paymentMethod bare cannot be paid: it has no token$/);
      await expectRefused(await order('x'), /^paymentMethod must be one of cash$/);
      const placed = await store.place(await order('cash'));
      expect(placed.status).toBe('PENDING');
      const waiting = await app.query('select from awaited_payments where store_id = $1', [store.id]);
      expect(waiting).toEqual([]);
      await store.data('update_checkout', { mode: 'crypto' });
      expect((await store.place(await order('stars'))).paymentMethod).toBe('stars');
    });

    it('is refused with a sentence if the store has no provider', async () => {
      store = await app.store();
      await store.data('update_checkout', { mode: 'crypto' });
      await expectRefused(
        await order('cash'),
        /^paymentMethod must be an active payment provider, and this store has none$/,
      );
    });
  });

  describe('keep the category that the product had', () => {
    const RATE = { ...CASHBACK, levels: [] };
    async function ordered(key: 'id' | 'slug' | 'name') {
      const { store, product, place } = await rewardShop(app, {});
      const hats = await store.data('create_category', { name: 'Hats', slug: 'warm-hats' });
      const shoes = await store.data('create_category', { name: 'Shoes', slug: 'shoes' });
      const rate = (categoryKey: string, cashbackPercentage: number) => ({ categoryKey, cashbackPercentage });
      await store.data('update_monetization', {
        cashback: { ...RATE, categoryRates: [rate(hats[key], 30), rate(shoes[key], 1)] },
      });
      await store.data('update_product', { id: product.id, categoryId: hats.id });
      return { store, product, hats, shoes, order: await place() };
    }

    it.each(['id', 'slug', 'name'] as const)(
      'known by %s, even after product and category are deleted',
      async (key) => {
        const { store, product, hats, order } = await ordered(key);
        await store.data('delete_product', { id: product.id, confirm: true });
        await store.data('delete_category', { id: hats.id, confirm: true });
        await setStatus(store, order, 'PROCESSING');
        expect(await balance(store, '1')).toBe(30);
      },
    );

    it('even after the product is moved to another category', async () => {
      const { store, product, shoes, order } = await ordered('slug');
      await store.data('update_product', { id: product.id, categoryId: shoes.id });
      await setStatus(store, order, 'PROCESSING');
      expect(await balance(store, '1')).toBe(30);
    });

    it('without showing it in the order', async () => {
      const { order } = await ordered('id');
      expect(Object.keys(order.items[0])).toEqual([
        'productId',
        'title',
        'quantity',
        'price',
        'size',
        'variantOptionTitle',
        'variantValue',
      ]);
    });
  });

  it('of docs/example-order.json can be ordered in the demo store', async () => {
    const demo = await seedDemo(app.nest);
    const { messengerUserId, firstName, paid, ...order } = JSON.parse(
      readFileSync('docs/example-order.json', 'utf8'),
    );
    const principal = await app.nest.get(Stores).operator(demo.store.id);
    const placed = await app.nest
      .get(StoreDatabase)
      .inStore(principal, (ctx) =>
        app.nest.get(OrderPlacing).place(ctx, { id: messengerUserId, firstName }, order, paid),
      );
    expect(JSON.parse(placed.json.text)).toMatchObject({
      status: 'PROCESSING',
      totalPrice: 5330,
      tipAmount: 100,
    });
  });
});
