import { Invoices } from '../../src/groups/billing/invoices.service.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { exampleOf } from '../../src/platform/schema/example.js';
import { eventually } from './eventually.js';
import { BotApiServer } from './servers/bot-api-server.js';
import { BOT_SECRET, TestApp, type TestAppOptions, type TestStore } from './test-app.js';

/**
 * Prepares what a call needs, and returns an input with which it succeeds. For two stores with equal
 * histories, only ids differ.
 */
export type Example = (store: TestStore) => Promise<Record<string, any>>;

const IMAGE = 'https://images.example/a.jpg';

/** Part of every text that the examples store. It names the store, so that a leak is visible. */
export const words = (store: TestStore) => `Business-of-${store.id}`;

const counts = new WeakMap<TestStore, number>();
/** The next number of the store, from 1. */
function next(store: TestStore): number {
  const count = (counts.get(store) ?? 0) + 1;
  counts.set(store, count);
  return count;
}

/** A webhook, to an address that nobody answers at. */
const hook = (store: TestStore) =>
  store.app.query(
    `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
     values ($1, 'https://hook.invalid/', '', now(), now()) on conflict do nothing`,
    [store.id],
  );

let lastShopper = 2n ** 60n;
/**
 * A new messenger user id, which no other store uses, and which a JavaScript number cannot represent exactly.
 */
const newShopper = () => String(++lastShopper);

const made = async (store: TestStore, operation: string, input: object): Promise<any> =>
  store.data(operation, input);

const brand = (store: TestStore) =>
  made(store, 'create_brand', { name: words(store), slug: `brand-${next(store)}` });
const category = (store: TestStore) =>
  made(store, 'create_category', { name: words(store), slug: `category-${next(store)}` });
const contest = (store: TestStore) =>
  made(store, 'create_contest', {
    title: words(store),
    slug: `contest-${next(store)}`,
    startDate: '2026-03-01T00:00:00Z',
    endDate: '2026-04-01T00:00:00Z',
  });
const promocode = (store: TestStore) =>
  made(store, 'create_promocode', {
    code: `${words(store)}-${next(store)}`,
    discountType: 'PERCENTAGE',
    discountValue: 10,
  });
const product = (store: TestStore) =>
  made(store, 'create_product', {
    productId: `sku-${next(store)}`,
    title: words(store),
    description: words(store),
    images: [IMAGE],
    price: 12.5,
    itemAmount: 100,
    variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 10, itemAmount: 5 }] }],
  });
const provider = (store: TestStore) =>
  made(store, 'create_payment_provider', {
    providerName: words(store),
    providerToken: 'tok-live-1234567890',
    isTestMode: true,
    isActive: true,
    supportedCurrencies: ['USD'],
    metadata: { keyId: words(store), apiKey: 'api-key-1234567890' },
  });
const variantOf = async (store: TestStore) => {
  const { id: productId, variants } = await product(store);
  return { productId, variantId: variants[0].values[0].id as string };
};
const orderOf = async (store: TestStore, shopper = newShopper()): Promise<any> => {
  const { productId } = await product(store);
  const input = {
    items: [{ productId, optionTitle: 'Size', variantValue: 'S', quantity: 1 }],
    shippingAddress: { name: words(store) },
  };
  return store.place(input, { id: shopper, firstName: words(store) });
};
const customer = async (store: TestStore): Promise<string> => (await orderOf(store)).messengerUserId;
const withBot = (store: TestStore) => store.data('connect_bot', { token: store.botToken });

const sentCampaign = async (store: TestStore) => {
  await withBot(store);
  const audience = { customerIds: [await customer(store)] };
  return made(store, 'send_campaign', { name: words(store), text: words(store), audience, confirm: true });
};

/** The second page of a list of at least two. */
const secondPage = async (
  store: TestStore,
  operation: string,
  make: Example | ((store: TestStore) => Promise<unknown>),
) => {
  await make(store);
  await make(store);
  const { nextCursor } = await store.data(operation, { take: 1 });
  return { take: 1, cursor: nextCursor };
};

const byId = (
  make: (store: TestStore) => Promise<any>,
  others: object | ((store: TestStore) => object) = {},
) => {
  return async (store: TestStore) => ({
    id: (await make(store)).id,
    ...(typeof others === 'function' ? others(store) : others),
  });
};
/** An example that reads what another operation's example has stored. */
const afterOf =
  (operation: string, input: object = {}): Example =>
  async (store) => {
    await store.data(operation, await EXAMPLES[operation](store));
    return input;
  };

/**
 * What an operation's documented example needs in addition to succeed in a store: the ids of existing
 * records, and the store's words. The rest of each input is the example of its DTO class, which is also in
 * the OpenAPI document. The secrets are in SECRETS.
 */
const PREPARED: Record<string, Example> = {
  list_brands: (store) => secondPage(store, 'list_brands', brand),
  get_brand: byId(brand),
  create_brand: async (store) => ({
    name: words(store),
    slug: `brand-${next(store)}`,
    description: words(store),
    logoUrl: IMAGE,
    websiteUrl: 'https://brand.example/',
    isActive: false,
  }),
  update_brand: byId(brand, (store) => ({
    name: `${words(store)} 2`,
    slug: `brand-${next(store)}`,
    description: words(store),
  })),
  delete_brand: byId(brand),

  list_categories: async (store) => {
    const parent = await category(store);
    await store.data('create_category', {
      name: words(store),
      slug: `category-${next(store)}`,
      parentId: parent.id,
    });
    return { parentId: parent.id, take: 1 };
  },
  get_category: byId(category),
  create_category: async (store) => ({
    name: words(store),
    slug: `category-${next(store)}`,
    description: words(store),
    imageUrl: IMAGE,
    parentId: (await category(store)).id,
    sortOrder: 3,
    isActive: true,
  }),
  update_category: async (store) => ({
    id: (await category(store)).id,
    name: `${words(store)} 2`,
    parentId: (await category(store)).id,
    sortOrder: -1,
  }),
  delete_category: byId(category),

  list_contests: (store) => secondPage(store, 'list_contests', contest),
  get_contest: byId(contest),
  create_contest: async (store) => ({
    title: words(store),
    slug: `contest-${next(store)}`,
    description: words(store),
    promoCode: words(store),
  }),
  update_contest: byId(contest, (store) => ({ title: `${words(store)} 2` })),
  delete_contest: byId(contest),

  list_promocodes: (store) => secondPage(store, 'list_promocodes', promocode),
  create_promocode: async (store) => ({
    code: `${words(store)}-${next(store)}`,
    expiresAt: '2030-01-01T00:00:00Z',
  }),
  update_promocode: byId(promocode, { discountValue: 20, maxUses: null }),
  toggle_promocode: byId(promocode),
  delete_promocode: byId(promocode),

  list_products: (store) => secondPage(store, 'list_products', product),
  get_product: byId(product),
  create_product: async (store) => ({
    productId: `sku-${next(store)}`,
    title: words(store),
    description: words(store),
    images: [IMAGE],
    price: 12.5,
    salePrice: 10,
    brandId: (await brand(store)).id,
    categoryId: (await category(store)).id,
    variants: [
      { optionTitle: 'Size', values: [{ variantValue: 'S', price: 10, salePrice: null, sortOrder: 1 }] },
    ],
  }),
  update_product: async (store) => ({
    id: (await product(store)).id,
    title: `${words(store)} 2`,
    brandId: (await brand(store)).id,
    categoryId: (await category(store)).id,
  }),
  delete_product: byId(product),
  update_stock: variantOf,
  list_variants: async (store) => ({ productId: (await product(store)).id }),
  update_variant: async (store) => ({ id: (await variantOf(store)).variantId, variantValue: words(store) }),

  update_stocks: async (store) => ({
    items: [
      { ...(await variantOf(store)), delta: 3 },
      { productId: (await product(store)).productId, absolute: 7 },
    ],
  }),
  update_prices: async (store) => ({
    items: [
      { ...(await variantOf(store)), price: 11.5, salePrice: 9 },
      { productId: (await product(store)).productId, price: 13 },
    ],
    preview: false,
  }),
  create_promocodes: async (store) => ({
    items: [await EXAMPLES.create_promocode(store), await EXAMPLES.create_promocode(store)],
  }),
  create_products: async (store) => {
    const { productId } = await product(store);
    const existing = await EXAMPLES.create_product(store);
    return { items: [await EXAMPLES.create_product(store), { ...existing, productId }], upsert: true };
  },
  update_products: async (store) => ({
    items: [await EXAMPLES.update_product(store), { id: (await product(store)).id, title: words(store) }],
  }),
  find_products: async (store) => {
    const { categoryId } = await made(store, 'create_product', await EXAMPLES.create_product(store));
    return {
      text: words(store),
      categoryId,
      maxStock: 1000,
      updatedFrom: '2001-01-01T00:00:00Z',
      sort: 'oldest',
    };
  },
  create_variant: async (store) => ({ productId: (await product(store)).id, variantValue: words(store) }),
  delete_variant: async (store) => ({ id: (await variantOf(store)).variantId }),

  list_orders: async (store) => ({ ...(await secondPage(store, 'list_orders', orderOf)), status: 'PENDING' }),
  find_orders: async (store) => {
    const { messengerUserId: customerId, items } = await orderOf(store);
    return { text: words(store), customerId, productId: items[0].productId, take: 5 };
  },
  get_order: async (store) => ({ orderId: (await orderOf(store)).id }),
  set_order_status: async (store) => ({ orderId: (await orderOf(store)).id }),
  ship_order: async (store) => {
    await withBot(store);
    return { orderId: (await orderOf(store)).id, carrier: words(store), notify: true };
  },
  set_order_statuses: async (store) => ({
    orderIds: [(await orderOf(store)).id, (await orderOf(store)).id],
    status: 'CANCELLED',
  }),
  ship_orders: async (store) => ({
    items: [await EXAMPLES.ship_order(store), { orderId: (await orderOf(store)).id, carrier: words(store) }],
  }),
  add_order_note: async (store) => ({ orderId: (await orderOf(store)).id, note: words(store) }),
  refund_order: async (store) => ({ orderId: (await orderOf(store)).id, reason: words(store) }),
  set_order_reference: async (store) => ({ orderId: (await orderOf(store)).id, externalId: words(store) }),
  set_customer_reference: async (store) => ({ id: await customer(store), externalId: words(store) }),
  get_order_timeline: async (store) => {
    const input = await EXAMPLES.set_order_status(store);
    await store.data('set_order_status', input);
    return { orderId: input.orderId };
  },
  get_order_pricing: async (store) => ({ orderId: (await orderOf(store)).id }),
  list_sales: async (store) => {
    await orderOf(store);
    return { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', take: 5 };
  },
  list_order_notes: async (store) => {
    const { id: orderId } = await orderOf(store);
    await made(store, 'add_order_note', { orderId, note: words(store) });
    return { orderId, take: 5 };
  },
  delete_order: async (store) => ({ orderId: (await orderOf(store)).id }),
  list_webhook_deliveries: async (store) => {
    await hook(store);
    return secondPage(store, 'list_webhook_deliveries', orderOf);
  },
  resend_webhook_deliveries: async (store) => {
    await hook(store);
    await orderOf(store);
    const { items } = await store.data('list_webhook_deliveries');
    return { ids: [items[0].id] };
  },
  list_events: async (store) => {
    await orderOf(store);
    // Before the feed shows the event, a cursor names none, and is anybody's.
    let nextCursor = '';
    await eventually('the feed shows the event', async () => {
      const page = await store.data('list_events', { take: 1 });
      ({ nextCursor } = page);
      return page.items.length > 0;
    });
    await orderOf(store);
    return { take: 5, waitSeconds: 0, cursor: nextCursor };
  },
  list_changes: async (store) => {
    await brand(store);
    const { nextCursor } = await store.data('list_changes', { take: 1 });
    await brand(store);
    return { take: 5, waitSeconds: 0, kinds: ['brand'], cursor: nextCursor };
  },

  list_customers: async (store) => ({
    ...(await secondPage(store, 'list_customers', customer)),
    search: words(store),
  }),
  find_customers: async (store) => {
    const { messengerUserId, items } = await orderOf(store);
    await made(store, 'update_customer', { id: messengerUserId, firstName: words(store) });
    return { text: words(store), minOrders: 1, boughtProductId: items[0].productId, take: 5 };
  },
  get_customer: async (store) => ({ id: await customer(store) }),
  update_customer: async (store) => ({ id: await customer(store), username: words(store) }),
  adjust_bonus: async (store) => ({ customerId: await customer(store), reason: words(store) }),
  list_bonus_history: async (store) => {
    const customerId = await customer(store);
    await made(store, 'adjust_bonus', { customerId, delta: 12.5, reason: words(store) });
    return { customerId, take: 5 };
  },
  send_campaign: async (store) => {
    await withBot(store);
    const customerIds = [await customer(store), await customer(store)];
    return {
      name: words(store),
      text: words(store),
      buttonUrl: 'tg://resolve',
      audience: { customerIds },
      confirm: true,
    };
  },

  send_messages: async (store) => {
    await withBot(store);
    const messages = [
      { customerId: await customer(store), text: words(store) },
      { customerId: await customer(store), text: words(store) },
    ];
    return { name: words(store), messages, confirm: true };
  },

  list_campaigns: async (store) => {
    await sentCampaign(store);
    return { take: 5 };
  },
  get_campaign: async (store) => ({ id: (await sentCampaign(store)).campaignId }),

  get_monetization: afterOf('update_monetization'),
  update_monetization: async (store) => ({
    bonus: { maxPercentage: 30, mutualExclusivityWithPromocode: true },
    referral: { referralJoinBonus: 1, referrerOrderBonus: 2, referrerBonusFrequency: 'once' },
    cashback: {
      enabled: true,
      description: words(store),
      levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 5, levelName: 'All' }],
      categoryRates: [{ categoryKey: 'shoes', cashbackPercentage: 7 }],
      promotions: [
        {
          id: 'p1',
          label: 'May',
          startsAt: '2026-05-01',
          endsAt: null,
          mode: 'add',
          cashbackPercentage: 1,
          enabled: false,
        },
      ],
      maxCashbackPerOrder: 100,
      cashbackTrigger: 'on_status',
      cashbackTriggerStatus: 'DELIVERED',
    },
  }),
  get_checkout: afterOf('update_checkout'),
  update_checkout: async (store) => ({
    mode: 'manual',
    fields: [
      {
        id: 'note',
        label: words(store),
        type: 'text',
        required: false,
        defaultVisible: true,
        conditions: [
          {
            dependsOn: 'gift',
            operator: 'equals',
            value: 'yes',
            action: 'increase_price',
            priceAdjustment: { operator: 'add', value: 2.5 },
          },
        ],
      },
      {
        id: 'pay',
        label: words(store),
        type: 'payment_button',
        required: false,
        defaultVisible: true,
        options: 'button-options-1234567890',
        content: JSON.stringify({ providerName: words(store), providerToken: 'button-token-1234567890' }),
      },
    ],
    filters: [{ id: 'brand', label: words(store), enabled: true, order: 1, visibilityMode: 'always' }],
  }),
  get_invoice_field_config: afterOf('update_invoice_field_config'),
  update_invoice_field_config: async () => ({}),
  get_settings: afterOf('update_general'),
  update_general: async (store) => ({
    title: words(store),
    description: words(store),
    logoUrl: IMAGE,
    darkLogoUrl: '',
  }),

  list_payment_providers: async (store) => {
    await provider(store);
    return {};
  },
  get_payment_provider: byId(provider),
  create_payment_provider: async (store) => ({
    providerName: words(store),
    providerToken: 'tok-live-1234567890',
    isTestMode: false,
    isActive: true,
    supportedCurrencies: ['USD', 'EUR'],
    metadata: {
      merchantId: words(store),
      apiKey: 'api-key-1234567890',
      deeper: [{ password: 'password-1234567890' }],
    },
  }),
  update_payment_provider: byId(provider, {
    providerToken: 'tok-live-0987654321',
    metadata: { apiKey: 'api-key-0987654321' },
  }),
  delete_payment_provider: byId(provider),
  test_payment_provider: async (store) => {
    await withBot(store);
    return { id: (await provider(store)).id };
  },

  get_bot: afterOf('connect_bot'),
  connect_bot: async (store) => {
    await withBot(store);
    return { token: store.botToken };
  },
  get_welcome_message: afterOf('update_welcome_message'),
  update_welcome_message: async (store) => ({ text: words(store) }),
  get_analytics: afterOf('set_order_status'),
  get_sales_report: async (store) => {
    await orderOf(store);
    return { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', groupBy: 'product' };
  },
  get_billing_status: async () => ({}),
  get_store_overview: async () => ({}),
  preview_change: async (store) => ({
    operation: 'update_brand',
    input: { id: (await brand(store)).id, name: `${words(store)} 2` },
  }),
  // Only the token that previewed may apply: the admin token, as in most tests.
  apply_change: async (store) => {
    const input = await EXAMPLES.preview_change(store);
    return { previewId: (await made(store, 'preview_change', input)).previewId };
  },
  // Of the token of scope write, so that it and the admin token may undo it.
  undo_change: async (store) => {
    const { id } = await brand(store);
    await store.data('update_brand', { id, name: `${words(store)} 2` }, { scope: 'write' });
    const { items } = await store.data('list_activity', { target: `brand:${id}`, take: 1 });
    return { activityId: items[0].id };
  },
  list_activity: async (store) => {
    const { id } = await brand(store);
    await store.data('update_brand', { id, name: `${words(store)} 2` });
    return { target: `brand:${id}`, operation: 'update_brand', mine: false, take: 5 };
  },
  list_invoices: async (store) => {
    // Only a past period has an invoice.
    await store.app.query(`update stores set created_at = created_at - interval '40 days' where id = $1`, [
      store.id,
    ]);
    await store.inside((ctx) => store.app.nest.get(Invoices).issue(ctx));
    return {};
  },
};

/** For each operation, an input with which it succeeds. */
export const EXAMPLES: Record<string, Example> = Object.fromEntries(
  Object.entries(PREPARED).map(([name, prepare]) => [
    name,
    async (store) => {
      const { input } = store.app.nest.get(OperationRegistry).find(name)!;
      return { ...exampleOf(input), ...(await prepare(store)) };
    },
  ]),
);

/** Run other operations, whose audit rows are written instead of their own. */
export const RELAYS = ['apply_change', 'preview_change', 'undo_change'];

/** The operations that change something by themselves. */
export const CHANGES = Object.keys(EXAMPLES).filter(
  (name) => !/^(get|list|find)_/.test(name) && !RELAYS.includes(name),
);

/** The secrets in the examples, which must never appear in an answer or an audit row. */
export const SECRETS = [
  BOT_SECRET,
  'tok-live-1234567890',
  'tok-live-0987654321',
  'api-key-1234567890',
  'api-key-0987654321',
  'password-1234567890',
  'button-options-1234567890',
  'button-token-1234567890',
];

/** The application with a messenger that accepts every message. */
export async function startWithMessenger(options: TestAppOptions = {}) {
  const messenger = await BotApiServer.start();
  const app = await TestApp.start({
    ...options,
    env: { MESSENGER_API_ROOT: messenger.apiRoot, ...options.env },
  });
  const stop = async () => {
    await app.stop();
    await messenger.close();
  };
  return { app, messenger, stop };
}

/**
 * What a call for many records is called for one of them: the audit has a row under that name for each
 * record, beside that of the call.
 */
export const PARTS: Record<string, string> = {
  set_order_statuses: 'set_order_status',
  ship_orders: 'ship_order',
};
