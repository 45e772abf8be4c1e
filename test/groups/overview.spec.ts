import { useShopWithMessenger } from '../support/test-app.js';

describe('get_store_overview', () => {
  const { app } = useShopWithMessenger({ env: { RATE_LIMIT_READ: '50', RATE_LIMIT_WRITE: '20' } });

  it('says that shoppers can pay only if a live provider takes their money', async () => {
    const store = await app.store();
    const canPay = async () =>
      (await store.data('get_store_overview')).checklist.find(({ item }: any) => item === 'Shoppers can pay');
    const make = (values: object) =>
      store.data('create_payment_provider', {
        ...{ providerName: 'card', providerToken: 't', isTestMode: false, isActive: true },
        ...{ supportedCurrencies: ['USD'], ...values },
      });
    expect(await canPay()).toMatchObject({ ok: true });
    await store.data('update_checkout', { mode: 'native_payments' });
    await make({ providerName: 'stars', providerToken: '', supportedCurrencies: ['XTR'] });
    await make({ providerToken: '' });
    expect(await canPay()).toMatchObject({ ok: false, hint: expect.stringContaining('and a token') });
    const { id } = await make({ isTestMode: true });
    expect(await canPay()).toMatchObject({ ok: false, hint: expect.stringContaining('in test mode') });
    await store.data('update_payment_provider', { id, isTestMode: false });
    expect(await canPay()).toMatchObject({ ok: true });
    await store.data('update_payment_provider', { id, isActive: false });
    await make({ providerName: 'cash', providerToken: '', metadata: { kind: 'agreement' } });
    expect(await canPay()).toMatchObject({ ok: true });
  });

  it('names what a new store lacks, and nothing for a store that is ready', async () => {
    const store = await app.store({ name: 'Shop' });
    const deliveries = ({ checklist }: any) =>
      checklist.find(({ item }: any) => item === 'Webhook deliveries arrive');
    const open = ({ checklist }: any) => checklist.filter(({ ok }: any) => !ok).map(({ item }: any) => item);
    const first = await store.data('get_store_overview', {}, { scope: 'read' });
    expect(first).toMatchObject({
      store: { id: store.id, name: 'Shop', currency: 'USD', plan: 'pro' },
      token: {
        name: 'test read',
        scope: 'read',
        read: { limit: 50, left: 49 },
        write: { limit: 20, left: 20 },
      },
      bot: { connected: false, username: null },
      checkout: { mode: 'manual', fields: 0, activeProviders: 0 },
      counts: {
        products: 0,
        hiddenProducts: 0,
        categories: 0,
        brands: 0,
        customers: 0,
        orders: 0,
        pendingOrders: 0,
        paidNotReturned: 0,
      },
      webhook: { url: null, paused: false, pending: 0, failed: 0 },
    });
    expect(open(first)).toEqual([
      'A product is on sale',
      'The store bot is connected',
      'Orders reach the shop',
    ]);
    expect(deliveries(first)).toBeUndefined();

    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('connect_bot', { token: store.botToken });
    await store.data('update_checkout', { mode: 'crypto' });
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
    const second = await store.data('get_store_overview');
    expect(second).toMatchObject({
      token: { scope: 'admin', write: { limit: 20, left: 18 } },
      bot: { connected: true },
      counts: { products: 1, customers: 1, orders: 1, pendingOrders: 1 },
      webhook: { url: 'https://hook.example/' },
    });
    expect(open(second)).toEqual(['Shoppers can pay']);
    expect(deliveries(second)).toMatchObject({ ok: true });
  });
});
