import { dereferenced } from '../../support/openapi.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp, refusal } from './mini-app.js';

describe('the catalog of the storefront', () => {
  let store: TestStore;
  let shopper: MiniApp;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store({ currency: 'EUR' });
    await BotWebhook.connect(store, messenger);
    shopper = new MiniApp(store);
  });

  const field = { id: 'mail', label: 'E-mail', type: 'email', required: true, defaultVisible: true };
  const image = 'https://images.example/a.jpg';

  it('is empty, with defaults, for a new store', async () => {
    expect(await shopper.data('GET', 'catalog')).toEqual({
      currency: 'EUR',
      settings: {
        title: '',
        name: 'Test store',
        description: '',
        keywords: '',
        logoUrl: '',
        darkLogoUrl: '',
        currency: 'EUR',
        updatedAt: null,
      },
      checkout: { mode: 'manual', fields: [], filters: [] },
      invoiceFields: expect.objectContaining({
        needName: false,
        maxTipAmount: null,
        suggestedTipAmounts: [],
      }),
      bonus: { maxPercentage: 0, mutualExclusivityWithPromocode: false },
      brands: [],
      categories: [],
      items: [],
      nextCursor: null,
    });
  });

  it('shows products on sale with variants, active brands and categories, settings, the form', async () => {
    const brand = await store.data('create_brand', { name: 'Acme', slug: 'acme', logoUrl: image });
    await store.data('create_brand', { name: 'Old', slug: 'old', isActive: false });
    const category = await store.data('create_category', { name: 'Clothes', slug: 'clothes' });
    const child = await store.data('create_category', {
      name: 'Shirts',
      slug: 'shirts',
      parentId: category.id,
    });
    await store.data('create_category', { name: 'Off', slug: 'off', isActive: false });
    const values = [
      { variantValue: 'S', price: 9.99, salePrice: 8, itemAmount: 3, sortOrder: 1 },
      { variantValue: 'M', price: 10, sortOrder: 0 },
    ];
    const made = await store.data('create_product', {
      productId: 'tee',
      title: 'Tee',
      description: 'Cotton',
      images: [image],
      price: 12.5,
      brandId: brand.id,
      categoryId: child.id,
      variants: [
        { optionTitle: 'Size', values },
        { optionTitle: 'Color', values: [{ variantValue: 'Red', price: 0, sortOrder: 5 }] },
      ],
    });
    const hidden = await store.product();
    await store.data('update_product', { id: hidden.id, isHidden: true });
    await store.data('update_general', { title: 'Corner shop' });
    await store.data('update_checkout', { mode: 'native_payments', fields: [field] });

    const catalog = await shopper.data('GET', 'catalog');
    const {
      isHidden: _1,
      createdAt: _2,
      updatedAt: _3,
      onSale: _4,
      ...product
    } = await store.data('get_product', { id: made.id });
    // What is linked is called by its name.
    // A product is on sale with its variants.
    const sale = { salePrice: 8, saleUntil: null };
    expect(catalog.items).toEqual([{ ...product, ...sale, brand: 'Acme', category: 'Shirts' }]);
    expect(
      catalog.items[0].variants.map((group: any) => [
        group.optionTitle,
        group.values.map((v: any) => v.variantValue),
      ]),
    ).toEqual([
      ['Size', ['M', 'S']],
      ['Color', ['Red']],
    ]);
    expect(catalog.brands).toEqual([
      { id: brand.id, name: 'Acme', slug: 'acme', description: null, logoUrl: image, websiteUrl: null },
    ]);
    expect(catalog.categories.map(({ name, parentId }: any) => [name, parentId])).toEqual([
      ['Shirts', category.id],
      ['Clothes', null],
    ]);
    expect(catalog.settings.title).toBe('Corner shop');
    expect(catalog.checkout).toEqual({ mode: 'native_payments', fields: [field], filters: [] });
  });

  it('does not show the settings of the provider of a payment button', async () => {
    const button = { ...field, id: 'pay', label: 'Pay', type: 'payment_button', required: false };
    await store.data('update_checkout', {
      fields: [{ ...button, content: '{"token":"s3cret"}', options: 's3cret' }, field],
    });
    const { body } = await shopper.get('catalog');
    expect(body.data.checkout.fields).toEqual([button, field]);
    expect(JSON.stringify(body)).not.toContain('s3cret');
  });

  it('leaves out inactive categories, those below, and their products, which cannot be ordered', async () => {
    const category = (slug: string, values: object = {}) =>
      store.data('create_category', { name: slug, slug, ...values });
    const [open, shut] = [await category('open'), await category('shut', { isActive: false })];
    const below = await category('below', { parentId: (await category('middle', { parentId: shut.id })).id });
    const brand = await store.data('create_brand', { name: 'Off', slug: 'off', isActive: false });
    const links = {
      free: {},
      open: { categoryId: open.id },
      branded: { brandId: brand.id },
      shut: { categoryId: shut.id },
    };
    for (const [productId, link] of Object.entries({ ...links, below: { categoryId: below.id } })) {
      await store.data('create_product', {
        productId,
        title: productId,
        description: '',
        images: [image],
        price: 1,
        ...link,
      });
    }
    const seen = async () => {
      const { items, categories } = await shopper.data('GET', 'catalog');
      const slugs = categories.map(({ slug }: any) => slug).sort();
      return [items.map(({ productId }: any) => productId).sort(), slugs];
    };
    expect(await seen()).toEqual([['branded', 'free', 'open'], ['open']]);
    for (const productId of ['shut', 'below']) {
      const items = ['free', productId].map((id) => ({ productId: id, quantity: 1 }));
      const answer = await shopper.order({ items });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toBe('items[1].productId is not a product on sale in this store');
    }
    expect((await shopper.order({ items: [{ productId: 'branded', quantity: 1 }] })).status).toBe(200);
    await store.data('update_category', { id: shut.id, isActive: true });
    expect(await seen()).toEqual([
      ['below', 'branded', 'free', 'open', 'shut'],
      ['below', 'middle', 'open', 'shut'],
    ]);
    expect((await shopper.order({ items: [{ productId: 'below', quantity: 1 }] })).status).toBe(200);
  });

  it('is paged by cursor and take', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await store.product({ productId: `p${i}` })).productId);
    await app.query('delete from search_documents where store_id = $1', [store.id]);
    await app.query(
      `update products set id = (substr(id::text, 1, 0) || '019a0000-0000-7000-8000-00000000000' ||
        right(product_id, 1))::uuid where store_id = $1`,
      [store.id],
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    const pages: number[] = [];
    do {
      const page: any = await shopper.data(
        'GET',
        `catalog?take=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      pages.push(page.items.length);
      seen.push(...page.items.map(({ productId }: any) => productId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect([seen, pages]).toEqual([ids, [2, 2, 1]]);
  });

  it.each([
    ['take=0', 'take'],
    ['take=101', 'take'],
    ['take=x', 'take'],
    ['take=1.5', 'take'],
    ['cursor=', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['page=1', 'page'],
  ])('refuses ?%s', async (query, name) => {
    const answer = await shopper.get(`catalog?${query}`);
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toMatch(new RegExp(`^${name} `));
  });

  it.each(['take=1', 'take=100'])('accepts ?%s', async (query) => {
    expect((await shopper.get(`catalog?${query}`)).status).toBe(200);
  });

  it('is in the description, like every route of the storefront', async () => {
    const document = dereferenced(await (await fetch(`${app.url}/storefront/openapi.json`)).json());
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Storefront API' } });
    const routes = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replace('/storefront/{storeId}/', '')}`,
      ),
    );
    expect(routes.sort()).toEqual([
      'GET bonus',
      'GET catalog',
      'GET me',
      'GET orders',
      'GET orders/{orderId}',
      'GET products',
      'GET products/{id}',
      'GET shop',
      'POST orders',
      'POST orders/quote',
      'POST orders/{orderId}/invoice',
      'POST visits',
    ]);
    const { get, post } = document.paths['/storefront/{storeId}/orders'];
    expect(get.parameters.map(({ name }: any) => name)).toEqual(['storeId', 'take', 'cursor']);
    expect(post.parameters.map(({ name }: any) => name)).toEqual(['storeId', 'Idempotency-Key']);
    expect(post.requestBody.content['application/json'].schema.required).toEqual(['items', 'paymentMethod']);
    const page = get.responses[200].content['application/json'].schema.properties.data.properties.items;
    const { invoiceUrl, ...placed } =
      post.responses[200].content['application/json'].schema.properties.data.properties;
    expect(page.items.properties).toEqual(placed);
    expect(invoiceUrl).toBeDefined();
    expect(Object.keys(page.items.properties)).not.toContain('notes');
    // The document says exactly what comes.
    const { properties } =
      document.paths['/storefront/{storeId}/catalog'].get.responses[200].content['application/json'].schema;
    expect(Object.keys(properties.data.properties).sort()).toEqual(
      Object.keys(await shopper.data('GET', 'catalog')).sort(),
    );
  });
});
