import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { type TestStore, useShop } from '../../support/test-app.js';
import { envelopeOf, RawClient } from './raw-client.js';

const PRODUCTS = 80;
const LOW = 40;
const ORDERS = 60;
const MOST_CALLS = 5;
const MOST_TOKENS = 10_000;

/**
 * What a shop owner asks an agent for, as the calls that a model makes. Each costs few calls and few tokens.
 */
describe('a task of a shop owner over MCP', () => {
  const encoder = new Tiktoken(cl100k);
  let store: TestStore;
  let client: RawClient;
  let brandId: string;
  let spent: { calls: number; tokens: number };

  const tokensOf = (value: unknown) => encoder.encode(JSON.stringify(value)).length;

  /** One call of the task: what the model writes and what it reads are counted. */
  const ask = async (name: string, input: object = {}): Promise<any> => {
    const envelope = envelopeOf(await client.call(name, input));
    expect([name, envelope.ok, envelope.error]).toEqual([name, true, undefined]);
    spent.calls++;
    spent.tokens += tokensOf({ name, input }) + tokensOf(envelope);
    return envelope.data;
  };

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    client = new RawClient(app, store.tokens.admin, 'modern');
    brandId = (await store.data('create_brand', { name: 'Nordwind', slug: 'nordwind' })).id;
    for (let i = 0; i < PRODUCTS; i++) {
      await store.data('create_product', {
        productId: `SKU-${1000 + i}`,
        title: `Nordwind cotton shirt number ${i}`,
        description: 'Organic cotton, printed front. '.repeat(20),
        images: ['https://cdn.shop.example/images/shirt-front.jpg'],
        price: 20 + i,
        itemAmount: i < LOW ? i % 4 : 500,
        ...(i < LOW ? { brandId } : {}),
      });
    }
    for (let i = 0; i < ORDERS; i++) {
      const [id, firstName] = [String(7_000_000_000 + (i % 30)), `Shopper${i % 30}`];
      const items = [{ productId: `SKU-${1000 + LOW + (i % 20)}`, quantity: 1 }];
      await store.place({ items }, { id, firstName, lastName: 'Kovalenko', username: `shopper_${i % 30}` });
    }
    await store.data('adjust_bonus', {
      customerId: '7000000003',
      delta: 37,
      reason: 'Apology for a late parcel',
    });
  });
  beforeEach(() => (spent = { calls: 0, tokens: 0 }));
  afterEach(() => {
    const { calls, tokens } = spent;
    expect({ calls, tokens, fits: calls <= MOST_CALLS && tokens <= MOST_TOKENS }).toEqual({
      calls,
      tokens,
      fits: true,
    });
  });

  it('reorders everything that is low on stock', async () => {
    const { items, nextCursor } = await ask('find_products', { maxStock: 3, take: 100 });
    expect([items.length, nextCursor]).toEqual([LOW, null]);
    const changes = items.map(({ productId }: { productId: string }) => ({ productId, delta: 20 }));
    expect((await ask('update_stocks', { items: changes })).updated).toBe(LOW);
  });

  it('explains why a customer has 37 bonus', async () => {
    const { items } = await ask('list_customers', { search: '@shopper_3', take: 5 });
    expect(items[0]).toMatchObject({ id: '7000000003', bonusBalance: 37 });
    const history = await ask('list_bonus_history', { customerId: items[0].id });
    expect(history.items[0]).toMatchObject({ delta: 37, reason: 'Apology for a late parcel' });
  });

  it('raises the prices of a brand by 5 %', async () => {
    const { items: brands } = await ask('list_brands');
    const { items } = await ask('find_products', { brandId: brands[0].id, take: 100 });
    const prices = items.map(({ productId, price }: { productId: string; price: number }) => ({
      productId,
      price: Math.round(price * 105) / 100,
    }));
    expect((await ask('update_prices', { items: prices })).updated).toBe(LOW);
  });

  it('refunds the last order of @name', async () => {
    const { items } = await ask('find_orders', { text: '@shopper_5', take: 1 });
    const { order } = await ask('refund_order', { orderId: items[0].id, reason: 'Damaged on arrival' });
    expect(order).toMatchObject({ status: 'CANCELLED', messengerUserId: '7000000005' });
  });

  it('lists whom to win back', async () => {
    const { items } = await ask('find_orders', { sort: 'least_recently_updated', take: 60 });
    const audience = {
      customerIds: [...new Set(items.map(({ customerId }: { customerId: string }) => customerId))],
    };
    expect(audience.customerIds).toHaveLength(30);
  });

  it('answers a caller who only knows a name and a product', async () => {
    const { items } = await ask('find_orders', {
      text: 'Kovalenko',
      productId: `SKU-${1000 + LOW}`,
      take: 5,
    });
    const order = await ask('get_order', { orderId: items[0].id });
    expect(order.items[0].productId).toBe(`SKU-${1000 + LOW}`);
    await ask('get_order_timeline', { orderId: order.id });
  });

  it('ships an order by its number', async () => {
    const { items } = await ask('find_orders', { statuses: ['PENDING'], sort: 'oldest', take: 1 });
    const shipped = await ask('ship_order', {
      orderId: items[0].id,
      carrier: 'DHL',
      trackingNumber: 'JD0146000001',
    });
    expect(shipped.order.status).toBe('SHIPPED');
  });

  it('takes a product off sale by its external id', async () => {
    const { items } = await ask('find_products', { text: 'SKU-1079', take: 1 });
    expect(await ask('update_product', { id: items[0].id, isHidden: true })).toMatchObject({
      isHidden: true,
    });
  });

  it('gives a customer a promocode and a bonus', async () => {
    await ask('create_promocode', {
      code: 'SORRY10',
      discountType: 'PERCENTAGE',
      discountValue: 10,
      maxUses: 1,
    });
    const { items } = await ask('list_customers', { search: 'Shopper7 Kovalenko', take: 1 });
    expect((await ask('adjust_bonus', { customerId: items[0].id, delta: 5 })).balance).toBe(5);
  });

  it('can be answered: a summary of the week', async () => {
    expect((await ask('get_analytics', { period: '7d' })).orderCount).toBe(ORDERS);
    await ask('find_orders', { statuses: ['PENDING'], sort: 'oldest', take: 20 });
  });

  it('says what is missing before the shop can sell, and mends what an agent can', async () => {
    const missing = async () => {
      const { checklist } = await ask('get_store_overview');
      return checklist.filter(({ ok }: { ok: boolean }) => !ok).map(({ item }: { item: string }) => item);
    };
    await store.data('update_checkout', { mode: 'native_payments' });
    const before = await missing();
    expect(before).toEqual(['The store bot is connected', 'Shoppers can pay', 'Orders reach the shop']);
    await ask('create_payment_provider', {
      providerName: 'Stripe',
      supportedCurrencies: [store.currency],
      providerToken: '284685063:TEST:NzdiZWQ5ZTk2MDQw',
      isTestMode: false,
      isActive: true,
    });
    expect(await missing()).toEqual(['The store bot is connected', 'Orders reach the shop']);
  });

  it('cancels stale orders, one call each, at a few hundred tokens an order', async () => {
    const { items } = await ask('find_orders', { statuses: ['PENDING'], sort: 'oldest', take: 20 });
    for (const { id } of items) await ask('set_order_status', { orderId: id, status: 'CANCELLED' });
    expect(spent.calls).toBe(21);
    expect(spent.tokens).toBeLessThan(21 * 400);
    spent = { calls: 0, tokens: 0 };
  });
});
