import { request as httpRequest } from 'node:http';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp, refusal } from './mini-app.js';

describe('the storefront for the pages of a shop', () => {
  let store: TestStore;
  let shopper: MiniApp;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store({ currency: 'EUR' });
    await BotWebhook.connect(store, messenger);
    shopper = new MiniApp(store);
  });

  const product = (productId: string, values: object = {}): Promise<any> =>
    store.data('create_product', {
      productId,
      title: productId,
      description: 'Long text',
      images: ['https://images.example/a.jpg', 'https://images.example/b.jpg'],
      price: 10,
      ...values,
    });
  const listed = async (query = '') => {
    const { items } = await shopper.data('GET', `products?${query}`);
    return items.map(({ productId }: { productId: string }) => productId).sort();
  };
  const provider = (providerName: string, values: object = {}) =>
    store.data('create_payment_provider', {
      providerName,
      providerToken: 'token',
      isTestMode: false,
      isActive: true,
      supportedCurrencies: ['EUR'],
      ...values,
    });
  const problemOf = (answer: { body: { error?: object } }) => {
    const { problem, values } = answer.body.error as { problem: string; values: object };
    return [problem, values];
  };

  it('lists the small size of a picture that was uploaded with one, and others as they are', async () => {
    const uploaded = `https://pictures.example/shop/${store.id}/${store.id}`;
    await product('ours', { images: [`${uploaded}/original.jpg`] });
    await product('theirs', { images: ['https://images.example/original.jpg'] });
    const { items } = await shopper.data('GET', 'products');
    expect(items.map(({ image }: { image: string }) => image).sort()).toEqual([
      'https://images.example/original.jpg',
      `${uploaded}/320`,
    ]);
  });

  it('says what a shop is: digits, ways to pay with their labels, no settings of a provider', async () => {
    const button = { id: 'pay', type: 'payment_button', label: 'Pay by card', required: false };
    await store.data('update_checkout', {
      mode: 'native_payments',
      fields: [{ ...button, defaultVisible: true, content: '{"token":"s3cret"}', options: 's3cret' }],
    });
    await provider('card', { metadata: { label: 'Bank card' }, isTestMode: true });
    await provider('cash', { providerToken: '', metadata: { kind: 'agreement', label: 'On delivery' } });
    await provider('tokenless', { providerToken: '' });
    await provider('stars', { supportedCurrencies: ['XTR'] });
    await provider('off', { isActive: false });
    const { body } = await shopper.get('shop');
    expect(body.data).toMatchObject({
      currency: 'EUR',
      digits: 2,
      botUsername: expect.any(String),
      settings: { name: 'Test store' },
      checkout: { mode: 'native_payments', fields: [{ id: 'pay', label: 'Pay by card' }] },
      bonus: { maxPercentage: 0 },
      cashback: null,
      referralJoinBonus: 0,
      paymentMethods: [
        { name: 'card', label: 'Bank card', kind: 'invoice', fieldId: null, isTest: true },
        { name: 'cash', label: 'On delivery', kind: 'agreement', fieldId: null, isTest: false },
      ],
      brands: [],
      categories: [],
    });
    expect(JSON.stringify(body)).not.toContain('s3cret');
  });

  it('lists products lightly, at the lowest price that is sold', async () => {
    const values = [
      { variantValue: 'S', price: 5, itemAmount: 0 },
      { variantValue: 'M', price: 9, salePrice: 7, itemAmount: 3 },
      { variantValue: 'L', price: 8 },
    ];
    await product('tee', { price: 1, variants: [{ optionTitle: 'Size', values }] });
    await product('gone', { itemAmount: 0 });
    const { items } = await shopper.data('GET', 'products');
    const id = expect.any(String);
    const image = 'https://images.example/a.jpg';
    expect(items).toEqual([
      {
        id,
        productId: 'gone',
        title: 'gone',
        image,
        price: 10,
        salePrice: null,
        isFrom: false,
        isSoldOut: true,
      },
      { id, productId: 'tee', title: 'tee', image, price: 9, salePrice: 7, isFrom: true, isSoldOut: false },
    ]);
  });

  it('filters by text, category with those below, brand, sub-category, sale and ids', async () => {
    const brand = await store.data('create_brand', { name: 'Acme', slug: 'acme' });
    const top = await store.data('create_category', { name: 'Top', slug: 'top' });
    const below = await store.data('create_category', { name: 'Below', slug: 'below', parentId: top.id });
    const shut = await store.data('create_category', { name: 'Shut', slug: 'shut', isActive: false });
    const variants = [
      {
        optionTitle: 'Size',
        values: [
          { variantValue: 'S', price: 5, salePrice: 4 },
          { variantValue: 'M', price: 5 },
        ],
      },
    ];
    const one = await product('one', { categoryId: top.id, brandId: brand.id });
    await product('two', { categoryId: below.id, subCategory: 'Mugs', salePrice: 9 });
    await product('three', { variants, brandId: brand.id });
    const hidden = await product('hidden', { categoryId: top.id, subCategory: 'Mugs', salePrice: 9 });
    await store.data('update_product', { id: hidden.id, isHidden: true });
    const closed = await product('closed', { categoryId: shut.id, brandId: brand.id, salePrice: 9 });
    expect(await listed()).toEqual(['one', 'three', 'two']);
    expect(await listed('text=TWO')).toEqual(['two']);
    expect(await listed('text=hidden')).toEqual([]);
    expect(await listed(`categoryId=${top.id}`)).toEqual(['one', 'two']);
    expect(await listed(`categoryId=${shut.id}`)).toEqual([]);
    expect(await listed(`brandId=${brand.id}`)).toEqual(['one', 'three']);
    expect(await listed('subCategory=Mugs')).toEqual(['two']);
    expect(await listed('onSale=true')).toEqual(['three', 'two']);
    expect(await listed('onSale=false')).toEqual(['one', 'three', 'two']);
    expect(await listed(`onSale=true&brandId=${brand.id}`)).toEqual(['three']);
    expect(await listed(`ids=${one.id},${hidden.id},${closed.id}`)).toEqual(['one']);
    for (const query of ['categoryId=none', 'brandId=none', 'ids=none', 'take=0', 'cursor=x', 'sort=price']) {
      const answer = await shopper.get(`products?${query}`);
      expect([query, answer]).toMatchObject([query, refusal(400, 'invalid_input')]);
      expect(answer.body.error!.message).toContain(query.split('=')[0]);
    }
    expect((await shopper.data('GET', `products/${one.id}`)).description).toBe('Long text');
    for (const id of [hidden.id, closed.id, 'none'])
      expect(await shopper.get(`products/${id}`)).toMatchObject(refusal(404, 'not_found'));
  });

  it('pages every list by the cursor, without repeating or leaving out a product', async () => {
    const top = await store.data('create_category', { name: 'Top', slug: 'top' });
    const below = await store.data('create_category', { name: 'Below', slug: 'below', parentId: top.id });
    const all = Array.from({ length: 7 }, (_, i) => `mug-${i}`);
    for (const [i, id] of all.entries())
      await product(id, { salePrice: 9, subCategory: 'Mugs', categoryId: (i % 2 ? top : below).id });
    for (const query of ['', 'text=mug', `categoryId=${top.id}`, 'onSale=true', 'subCategory=Mugs']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const after: string = cursor && `&cursor=${cursor}`;
        const page = await shopper.data('GET', `products?take=3&${query}${after}`);
        seen.push(...page.items.map(({ productId }: any) => productId));
        cursor = page.nextCursor;
      }
      expect([query, seen]).toEqual([query, [...all].reverse()]);
    }
  });

  it("shows the shopper's own orders with what their totals are made of, and the bonus", async () => {
    const { productId } = await product('mug');
    await store.data('create_promocode', { code: 'HALF', discountType: 'PERCENTAGE', discountValue: 50 });
    const { id } = (await shopper.order({ items: [{ productId, quantity: 2 }], promocode: 'half' })).body
      .data;
    const order = await shopper.data('GET', `orders/${id}`);
    expect(order).toMatchObject({
      id,
      status: 'PENDING',
      totalPrice: 1000,
      awaitsPayment: false,
      pricing: {
        lines: [{ productId, quantity: 2, price: 1000, discount: 1000, paid: 1000 }],
        adjustments: [],
        promocode: { code: 'HALF', amount: 1000 },
        ...{ bonus: 0, tip: 0, total: 1000, refunds: [] },
      },
    });
    await store.data('refund_order', { orderId: id, amount: 300, reason: 'not for shoppers' });
    const { pricing } = await shopper.data('GET', `orders/${id}`);
    expect(pricing.refunds).toEqual([{ at: expect.any(String), amount: 300 }]);
    const other = new MiniApp(store, { id: '1002', first_name: 'Eve' });
    for (const [who, which] of [
      [other, id],
      [shopper, 999],
      [shopper, 'x'],
    ] as const)
      expect(await who.get(`orders/${which}`)).toMatchObject(refusal(404, 'not_found'));
    await store.data('adjust_bonus', { customerId: '1001', delta: 3 });
    expect((await shopper.data('GET', 'bonus')).items).toMatchObject([
      { delta: 3, balance: 3, kind: 'adjustment' },
    ]);
    expect((await other.data('GET', 'bonus')).items).toEqual([]);
  });

  it('tells that an order waits for its payment in the messenger', async () => {
    await store.data('update_checkout', { mode: 'native_payments' });
    await provider('card');
    const { productId } = await product('mug');
    const { id } = (await shopper.order({ items: [{ productId, quantity: 1 }], paymentMethod: 'card' })).body
      .data;
    expect(await shopper.data('GET', `orders/${id}`)).toMatchObject({
      status: 'PENDING',
      awaitsPayment: true,
    });
    await store.data('set_order_status', { orderId: id, status: 'CANCELLED' });
    expect(await shopper.data('GET', `orders/${id}`)).toMatchObject({ awaitsPayment: false });
  });

  it('refuses with a problem and its values, which operations do not have', async () => {
    await product('mug', { itemAmount: 2 });
    await product('tee', {
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 5 }] }],
    });
    const name = { id: 'name', label: 'Name', type: 'text', required: true, defaultVisible: true };
    const mail = { ...name, id: 'mail', type: 'email', required: false };
    await store.data('update_monetization', {
      bonus: { maxPercentage: 50, mutualExclusivityWithPromocode: true },
    });
    await store.data('create_promocode', { code: 'ALL', discountType: 'PERCENTAGE', discountValue: 100 });
    const expiresAt = '2020-01-01T00:00:00Z';
    const old = { code: 'OLD', discountType: 'PERCENTAGE', discountValue: 5, expiresAt };
    await store.data('create_promocode', old);
    const refused = async (order: object) => problemOf(await shopper.order({ items: [mug(1)], ...order }));
    const mug = (quantity: number) => ({ productId: 'mug', quantity });
    const path = 'items[0].quantity';
    expect(await refused({ items: [mug(3)] })).toEqual(['out_of_stock', { path, left: 2 }]);
    expect(await refused({ items: [{ productId: 'none', quantity: 1 }] })).toEqual([
      'not_on_sale',
      { path: 'items[0].productId' },
    ]);
    expect(await refused({ items: [{ productId: 'tee', quantity: 1 }] })).toEqual([
      'choose_variant',
      { path: 'items[0].variantId' },
    ]);
    expect(await refused({ expectedTotal: 1 })).toEqual(['price_changed', { total: 1000 }]);
    expect(await refused({ promocode: 'none' })).toEqual(['promocode_unknown', {}]);
    expect(await refused({ promocode: 'old' })).toEqual(['promocode_expired', {}]);
    expect(await refused({ promocode: 'ALL', bonusToSpend: 1 })).toEqual(['promocode_or_bonus', {}]);
    expect(await refused({ bonusToSpend: 1 })).toEqual(['bonus_too_much', { most: 0 }]);
    expect(await refused({ tipAmount: 5 })).toEqual(['tip_too_much', { most: 0 }]);
    await store.data('update_checkout', { mode: 'native_payments', fields: [name, mail] });
    expect(await refused({})).toEqual(['no_orders_yet', {}]);
    await provider('card');
    expect(await refused({})).toEqual(['method_unknown', {}]);
    const card = { paymentMethod: 'card' };
    expect(await refused(card)).toEqual(['answer_missing', { path: 'checkoutData', fieldId: 'name' }]);
    const checkoutData = [
      { id: 'name', label: 'Name', type: 'text', value: 'Ann' },
      { id: 'mail', label: 'Name', type: 'email', value: 'ann' },
    ];
    expect(await refused({ ...card, checkoutData })).toEqual([
      'answer_wrong',
      { path: 'checkoutData[1].value', fieldId: 'mail' },
    ]);
    expect(await refused({ items: [] })).toEqual(['list', { path: 'items', min: 1, max: 200 }]);
    const signed = new MiniApp(store, undefined, { at: new Date(Date.now() - 25 * 3_600_000) });
    expect(problemOf(await signed.get('shop'))).toEqual(['signed_out', {}]);
    await shopper.get('me');
    await store.data('update_customer', { id: '1001', isBanned: true });
    expect(problemOf(await shopper.get('shop'))).toEqual(['banned', {}]);
    const { body } = await store.call('get_product', { id: 'none' });
    expect(Object.keys(body.error!).sort()).toEqual(['code', 'message']);
  });

  it('tells the most that bonus may pay with a quote', async () => {
    await product('mug');
    await store.data('update_monetization', {
      bonus: { maxPercentage: 50, mutualExclusivityWithPromocode: true },
    });
    await shopper.get('me');
    await store.data('adjust_bonus', { customerId: '1001', delta: 7 });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    const quote = (order: object) =>
      shopper.data('POST', 'orders/quote', {
        items: [{ productId: 'mug', quantity: 1 }],
        paymentMethod: 'x',
        ...order,
      });
    expect((await quote({})).mostBonus).toBe(5);
    expect((await quote({ bonusToSpend: 2 })).mostBonus).toBe(5);
    expect((await quote({ promocode: 'TEN' })).mostBonus).toBe(0);
  });

  it('quotes while others hold everything that an order locks', async () => {
    const { productId, variants } = await product('tee', {
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 5, itemAmount: 1 }] }],
    });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await shopper.get('me');
    const items = [{ productId, quantity: 1, variantId: variants[0].values[0].id }];
    const order = { items, paymentMethod: 'cash', promocode: 'TEN' };
    await store.inside(async (ctx) => {
      // An order that is not committed yet holds its product, variant, promocode and customer.
      const { OrderPlacing } = await import('../../../src/groups/orders/placing/order-placing.service.js');
      await app.nest.get(OrderPlacing).place(ctx, { id: '1001' }, order as never, false);
      expect(await shopper.data('POST', 'orders/quote', order)).toMatchObject({ total: 450 });
    });
    expect(await shopper.order({ ...order, promocode: 'TEN' })).toMatchObject(refusal(400, 'invalid_input'));
  });

  it('compresses answers above a kilobyte', async () => {
    for (let i = 0; i < 8; i++) await product(`mug-${i}`);
    const answer = (path: string) =>
      new Promise<string | undefined>((resolve, reject) => {
        const headers = { Authorization: `tma ${shopper.initData}`, 'Accept-Encoding': 'br' };
        httpRequest(`${app.url}/storefront/${store.id}/${path}`, { headers }, (response) => {
          response.resume();
          resolve(response.headers['content-encoding']);
        })
          .on('error', reject)
          .end();
      });
    expect(await answer('products')).toBe('br');
    expect(await answer('products?take=1')).toBeUndefined();
  });
});
