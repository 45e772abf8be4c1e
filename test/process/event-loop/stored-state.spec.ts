import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { type DtoClass, fields } from '../../../src/platform/schema/field-spec.js';
import { Browser } from '../../doors/dashboard/browser.js';
import { BotWebhook, MiniApp } from '../../doors/storefront/mini-app.js';
import { routesOf } from '../../support/routes.js';
import type { TestStore } from '../../support/test-app.js';
import { type Target, WatchedService } from './watched-service.js';

const letters = (count: number) => 'Ж'.repeat(count);
const many = <One>(count: number, one: (i: number) => One) => Array.from({ length: count }, (_, i) => one(i));
const SHOPPER = '7000000001';
/** A page of records has at most this many. */
const PAGE = 100;

/** docs/behaviour.md §1.6: what was stored before a request does not make it longer either. */
describe('a small request, whatever was stored before it', () => {
  let watched: WatchedService;
  let store: TestStore;
  let owner: Browser;
  let order: any;
  let product: any;
  let ids: Record<string, string | number>;
  /** Changes of the largest configuration. */
  const large: string[] = [];

  beforeAll(async () => {
    watched = await WatchedService.start();
    store = await watched.app.store();
    await BotWebhook.connect(store, watched.messenger);
    owner = await Browser.signedIn(watched.app, store.ownerEmail);
    await largeShop();
  }, 300_000);
  afterAll(() => watched.stop());

  /** Everything as large as it is accepted. */
  async function largeShop() {
    const brand = await last('create_brand', (i) => ({
      name: letters(200),
      slug: `b-${i}`,
      description: letters(2_000),
    }));
    const category = await last('create_category', (i) => ({
      name: letters(200),
      slug: `c-${i}`,
      description: letters(2_000),
    }));
    product = await last(
      'create_product',
      (i) => ({
        productId: `p${i}`,
        title: letters(500),
        description: letters(20_000),
        images: many(100, (n) => `https://images.example/${n}/${'x'.repeat(1_000)}`),
        price: 10,
        tags: letters(2_000),
        brandId: brand.id,
        categoryId: category.id,
        variants: many(5, (option) => ({
          optionTitle: `${letters(100)}${option}`,
          values: many(option === 4 ? 190 : 200, (value) => ({
            variantValue: `${letters(100)}${value}`,
            price: 10,
            itemAmount: 1_000_000,
          })),
        })),
      }),
      60,
    );
    const contest = await last('create_contest', (i) => ({
      title: letters(300),
      slug: `w-${i}`,
      startDate: '2026-03-01T00:00:00Z',
      endDate: '2026-04-01T00:00:00Z',
      description: letters(5_000),
      rules: letters(5_000),
    }));
    const promocode = await last('create_promocode', (i) => ({
      code: `${letters(50)}${i}`,
      discountType: 'PERCENTAGE',
      discountValue: 1,
    }));
    const provider = await last(
      'create_payment_provider',
      () => ({
        providerName: letters(500),
        providerToken: 'x'.repeat(2_000),
        isTestMode: true,
        isActive: true,
        supportedCurrencies: many(200, () => 'USD'),
        metadata: Object.fromEntries(many(1_000, (i) => [`apiKey${i}`, 'x'])),
      }),
      50,
    );
    await store.data('update_monetization', {
      cashback: {
        enabled: true,
        description: letters(20_000),
        levels: many(100, (i) => ({
          minOrders: i,
          maxOrders: i,
          cashbackPercentage: 1e-300,
          levelName: letters(500),
        })),
        categoryRates: many(200, (i) => ({ categoryKey: `${letters(190)}${i}`, cashbackPercentage: 1e-300 })),
        promotions: many(100, (i) => ({
          id: `${letters(60)}${i}`,
          label: letters(120),
          startsAt: '2020-01-01',
          endsAt: null,
          mode: 'add',
          cashbackPercentage: 1e-300,
        })),
        maxCashbackPerOrder: null,
        cashbackTrigger: 'on_order_place',
      },
    });
    await store.data('update_checkout', { mode: 'manual', fields: many(200, formField) });
    for (const operation of ['update_monetization', 'update_checkout'])
      large.push((await store.data('list_activity', { operation, take: 1 })).items[0].id);
    await placeOrders();
    for (let i = 0; i < PAGE; i++)
      await store.data('add_order_note', { orderId: order.id, note: letters(2_000) });
    const campaign = await store.data('send_campaign', {
      name: letters(200),
      text: letters(4_096),
      audience: { customerIds: [SHOPPER] },
      confirm: true,
    });
    ids = {
      brand: brand.id,
      categor: category.id,
      contest: contest.id,
      promocode: promocode.id,
      payment_provider: provider.id,
      product: product.id,
      variant: product.variants[0].values[0].id,
      campaign: campaign.campaignId,
    };
  }

  /** Stores a page of records. @returns the last one */
  async function last(operation: string, input: (i: number) => object, count = PAGE): Promise<any> {
    let made;
    for (let i = 0; i < count; i++) made = await store.data(operation, input(i));
    return made;
  }

  const formField = (i: number) => ({
    id: `f${i}`,
    label: letters(100),
    type: 'text',
    required: false,
    defaultVisible: true,
    conditions: many(5, (n) => ({
      dependsOn: `f${(i + n) % 30}`,
      operator: 'contains',
      value: `Ж${String.fromCharCode(0x400 + i)}${n}`,
      action: 'show',
    })),
  });

  const cart = () => ({
    items: many(200, (i) => ({
      productId: product.productId,
      variantId: product.variants[i % 5].values[i % 9].id,
      quantity: 1,
    })),
    paymentMethod: letters(200),
    shippingAddress: Object.fromEntries(many(500, (i) => [`key${i}`, 'Ж'])),
    checkoutData: many(30, (i) => ({
      id: `f${i}`,
      label: letters(100),
      type: 'text',
      value: letters(7_000),
    })),
  });

  async function placeOrders() {
    for (let i = 0; i < 20; i++) order = await store.place(cart(), { id: SHOPPER, firstName: letters(100) });
  }

  /** What of the store an operation is about, by the words in its name. */
  const idFor = (operation: string) => {
    const kind = Object.keys(ids).find((name) => operation.includes(name));
    return kind === undefined ? SHOPPER : ids[kind];
  };

  /** The smallest input with which an operation has most to do. */
  function inputOf({ name, input }: { name: string; input: DtoClass }): object {
    const asked = { take: PAGE, id: idFor(name), ...ABOUT[name]?.() };
    const known = new Set(fields(input).map((field) => field.name));
    return Object.fromEntries(Object.entries(asked).filter(([field]) => known.has(field)));
  }

  const ABOUT: Record<string, () => Record<string, unknown>> = {
    list_bonus_history: () => ({ customerId: SHOPPER }),
    list_order_notes: () => ({ orderId: order.id }),
    list_variants: () => ({ productId: product.id }),
    list_sales: () => ({ from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }),
    find_orders: () => ({ text: 'ЖЖЖ' }),
    find_products: () => ({ text: 'ЖЖЖ' }),
    find_customers: () => ({ text: 'ЖЖЖ' }),
    get_sales_report: () => ({
      from: '2025-06-01T00:00:00Z',
      to: '2026-06-01T00:00:00Z',
      groupBy: 'variant',
      compareWith: 'previous_year',
    }),
    get_analytics: () => ({ period: '90d' }),
    get_order: () => ({ orderId: order.id }),
    get_order_timeline: () => ({ orderId: order.id }),
    get_order_pricing: () => ({ orderId: order.id }),
    set_order_status: () => ({ orderId: order.id, status: flip('PROCESSING', 'CANCELLED') }),
    ship_order: () => ({ orderId: order.id, carrier: 'x' }),
    set_order_statuses: () => ({ orderIds: [order.id], status: flip('PENDING', 'CANCELLED') }),
    ship_orders: () => ({ items: [{ orderId: order.id, carrier: 'x' }] }),
    add_order_note: () => ({ orderId: order.id, note: 'x' }),
    set_order_reference: () => ({ orderId: order.id, externalId: 'x' }),
    set_customer_reference: () => ({ id: SHOPPER, externalId: 'x' }),
    refund_order: () => ({ orderId: order.id }),
    adjust_bonus: () => ({ customerId: SHOPPER, delta: 1, reason: 'x' }),
    update_brand: () => ({ id: ids.brand, isActive: false }),
    update_category: () => ({ id: ids.categor, sortOrder: 1 }),
    update_contest: () => ({ id: ids.contest, buttonText: 'x' }),
    update_promocode: () => ({ id: ids.promocode, discountValue: 2 }),
    toggle_promocode: () => ({ active: true }),
    update_product: () => ({ id: product.id, isHidden: false }),
    update_products: () => ({ items: [{ id: product.id, isHidden: false }] }),
    update_variant: () => ({ id: ids.variant, price: 11 }),
    update_stock: () => ({ productId: product.id, variantId: ids.variant, delta: 1 }),
    update_stocks: () => ({ items: [{ productId: product.id, variantId: ids.variant, delta: 1 }] }),
    update_prices: () => ({ items: [{ productId: product.id, variantId: ids.variant, price: 12 }] }),
    create_variant: () => ({
      productId: product.id,
      optionTitle: product.variants[4].optionTitle,
      variantValue: `x${turn++}`,
      price: 1,
    }),
    update_customer: () => ({ id: SHOPPER, username: 'x' }),
    update_payment_provider: () => ({ id: ids.payment_provider, isActive: false }),
    update_monetization: () => ({ bonus: { maxPercentage: 5, mutualExclusivityWithPromocode: false } }),
    update_checkout: () => ({ mode: 'manual' }),
    update_general: () => ({ title: 'x' }),
    update_invoice_field_config: () => ({ needName: true }),
    update_welcome_message: () => ({ text: 'x' }),
    send_campaign: () => ({ name: 'x', text: 'x', audience: { customerIds: [SHOPPER] } }),
    send_messages: () => ({ name: 'x', messages: [{ customerId: SHOPPER, text: 'x' }] }),
    preview_change: () => ({
      operation: 'set_order_status',
      input: { orderId: order.id, status: flip('PROCESSING', 'CANCELLED') },
    }),
    undo_change: () => ({ activityId: large.pop() }),
  };
  let turn = 0;
  const flip = (one: string, other: string) => (turn++ % 2 === 0 ? one : other);

  /** What is new, or goes, needs nothing that is stored; deletions come last. */
  const isAbout = (name: string) =>
    !/^(create_(brand|category|contest|promocode|product|payment)|connect_bot|apply_change)/.test(name);
  const operations = () =>
    watched.app.nest
      .get(OperationRegistry)
      .list()
      .filter(({ name }) => isAbout(name))
      .sort((a, b) => Number(a.name.startsWith('delete_')) - Number(b.name.startsWith('delete_')));

  const bearer = () => ({ Authorization: `Bearer ${store.tokens.admin}` });

  const inMcp = (name: string, input: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input, _meta: { progressToken: 1 } },
    });

  it('does not hold the event loop for more than 50 ms in a route of a page or the storefront', async () => {
    const shopper = { Authorization: `tma ${new MiniApp(store, { id: SHOPPER }).initData}` };
    const valueOf = (name: string, route: string) => {
      if (name === 'storeId') return store.id;
      if (name === 'orderId') return String(order.id);
      if (name === 'id' && route.includes('campaigns')) return String(ids.campaign);
      return '1';
    };
    const targets = routesOf(watched.app, valueOf)
      .filter(([method, at]) => method === 'GET' && /^\/(dashboard|storefront)\//.test(at))
      .flatMap(([method, at]) =>
        ['', '?take=100', '?text=ЖЖЖ&take=100'].map((query): Target => ({
          name: at.replace(store.id, ':storeId') + query,
          method,
          url: encodeURI(at + query),
          headers: at.startsWith('/storefront/') ? shopper : { Cookie: owner.cookie! },
          bodies: [['', undefined]],
        })),
      );
    const orders = (name: string): Target => ({
      name,
      url: `/storefront/${store.id}/${name}`,
      headers: shopper,
      bodies: [['the largest order', JSON.stringify(cart())]],
    });
    targets.push(orders('orders/quote'), orders('orders'));
    expect(targets.length).toBeGreaterThan(100);
    expect(await watched.tooLong(targets)).toEqual([]);
  }, 600_000);

  it('does not hold it in an operation, over HTTP and over MCP', async () => {
    const accept = { ...bearer(), Accept: 'application/json, text/event-stream' };
    const targets = operations().flatMap(({ name, input: type }): Target[] => {
      const isDelete = name.startsWith('delete_');
      const succeeds = !isDelete;
      const input = () => ({ ...inputOf({ name, input: type }), ...(isDelete ? { confirm: true } : {}) });
      return [
        { name: `mcp ${name}`, url: '/mcp', headers: accept, bodies: [['', inMcp(name, input())]], succeeds },
        { name, url: `/v1/${name}`, headers: bearer(), bodies: [['', JSON.stringify(input())]], succeeds },
      ];
    });
    expect(targets.length).toBeGreaterThan(120);
    expect(await watched.tooLong(targets)).toEqual([]);
  }, 600_000);
});
