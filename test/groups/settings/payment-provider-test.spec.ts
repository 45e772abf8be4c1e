import { botApi } from '../../support/servers/bot-api-server.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const CARD = {
  providerName: 'card',
  providerToken: '284685063:TEST:Zm9vYmFyYmF6',
  isTestMode: true,
  isActive: true,
  supportedCurrencies: ['USD', 'EUR'],
};

describe('test_payment_provider', () => {
  let store: TestStore;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    await store.data('connect_bot', { token: store.botToken });
  });

  const create = (values: object = {}) => store.data('create_payment_provider', { ...CARD, ...values });
  const test = (id: string) => store.call('test_payment_provider', { id }, { scope: 'write' });
  const invoices = () => messenger.callsOf('createInvoiceLink').map(({ body }) => body);

  it('makes an invoice for nobody, of what the newest product costs, and changes nothing', async () => {
    await store.product({ price: '249.50' });
    const { id } = await create();
    expect(await test(id)).toMatchObject({
      status: 200,
      body: { data: { ok: true, detail: 'the messenger made an invoice of 249.50 USD, which nobody gets' } },
    });
    expect(invoices()).toMatchObject([
      { provider_token: CARD.providerToken, currency: 'USD', payload: 'test' },
    ]);
    expect(messenger.calls.filter(({ method }) => method.startsWith('send'))).toEqual([]);
    expect(await store.data('list_orders')).toMatchObject({ items: [] });
    const { items } = await store.data('list_activity', { operation: 'test_payment_provider' });
    expect(items).toMatchObject([{ target: `payment_provider:${id}`, outcome: 'ok' }]);
    expect(JSON.stringify(items)).not.toContain('284685063');
  });

  it("says what the messenger said, without the provider's token", async () => {
    messenger.next('createInvoiceLink', botApi.error(400, `Bad Request: no ${CARD.providerToken}`));
    const { id } = await create();
    expect((await test(id)).body.data).toEqual({
      ...{ ok: false, detail: 'the messenger answered 400: Bad Request: no …' },
    });
  });

  it('takes stars and currencies of others than the store', async () => {
    const stars = await create({ providerName: 'stars', providerToken: '', supportedCurrencies: ['XTR'] });
    const euros = await create({ supportedCurrencies: ['EUR'] });
    for (const { id } of [stars, euros]) expect((await test(id)).body.data.ok).toBe(true);
    expect(invoices()).toMatchObject([
      { provider_token: '', currency: 'XTR', prices: [{ amount: 1 }] },
      { currency: 'EUR', prices: [{ amount: 10_000 }] },
    ]);
    const strange = await create({ supportedCurrencies: ['GOLD'] });
    expect((await test(strange.id)).body.data).toEqual({
      ...{ ok: false, detail: 'GOLD is neither ISO 4217 nor XTR' },
    });
  });

  it('is of no use to shoppers while a provider is in test mode, which the pages say', async () => {
    const owner = await StorePage.ofOwner(store);
    const methods = async () => (await owner.data('GET', 'payments/test-mode')).methods;
    const { id } = await create();
    await create({ providerName: 'elsewhere', supportedCurrencies: ['EUR'] });
    await create({ providerName: 'later', isActive: false });
    await create({ providerName: 'cash', metadata: { kind: 'agreement' } });
    expect(await methods()).toEqual([]);
    await store.data('update_checkout', { mode: 'native_payments' });
    expect(await methods()).toEqual(['card']);
    await app.query('delete from bots where store_id = $1', [store.id]);
    expect(await methods()).toEqual([]);
    await store.data('connect_bot', { token: store.botToken });
    await store.data('update_payment_provider', { id, isTestMode: false });
    expect(await methods()).toEqual([]);
    await store.data('update_checkout', { mode: 'manual' });
    await store.data('update_payment_provider', { id, isTestMode: true });
    expect(await methods()).toEqual([]);
  });

  it('is 400 for kinds without invoices and without a bot, and 404 for what is not there', async () => {
    const onDelivery = await create({ providerToken: '', metadata: { kind: 'agreement' } });
    const wallet = await create({ providerToken: '', metadata: { walletAddress: 'w' } });
    for (const { id } of [onDelivery, wallet])
      expect(await test(id)).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^id names a provider without invoices/) } },
      });
    expect(invoices()).toEqual([]);
    const stranger = await (await app.store()).data('create_payment_provider', CARD);
    for (const id of [stranger.id, 'nothing']) expect((await test(id)).status).toBe(404);
    const { id } = await create();
    await app.query('delete from bots where store_id = $1', [store.id]);
    expect(await test(id)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('connect one with connect_bot first') } },
    });
  });
});
