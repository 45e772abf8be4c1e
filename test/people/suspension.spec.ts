import { COMMANDS as STORE_COMMANDS } from '../../src/operator/cli/commands/store.commands.js';
import { COMMANDS as TOKEN_COMMANDS } from '../../src/operator/cli/commands/token.commands.js';
import { COMMANDS as USER_COMMANDS } from '../../src/operator/cli/commands/user.commands.js';
import { tableOf } from '../../src/operator/cli/table.js';
import { DeliveryQueue } from '../../src/webhooks/delivery/delivery-queue.js';
import { WebhookEndpoints } from '../../src/webhooks/endpoint/webhook-endpoints.service.js';
import { StorePage } from '../doors/dashboard/browser.js';
import { useOauth } from '../doors/oauth/oauth-app.js';
import { BotWebhook, MiniApp } from '../doors/storefront/mini-app.js';
import { BotApiServer } from '../support/servers/bot-api-server.js';
import type { TestStore } from '../support/test-app.js';

const COMMANDS = { ...STORE_COMMANDS, ...TOKEN_COMMANDS, ...USER_COMMANDS };
const REASON = 'unpaid since May';
const REFUSED = {
  status: 403,
  body: { ok: false, error: { code: 'forbidden', message: `This store is suspended: ${REASON}` } },
};

describe('a suspended store', () => {
  let messenger: BotApiServer;
  let store: TestStore;

  const oauth = useOauth(async () => {
    messenger = await BotApiServer.start();
    return { env: { MESSENGER_API_ROOT: messenger.apiRoot } };
  });
  afterAll(() => messenger.close());
  const { app } = oauth;
  beforeEach(async () => {
    store = await app.store({ name: `Shop ${Math.random()}` });
  });

  const mcp = (method: string, params: object = {}) =>
    app.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params },
      {
        Authorization: `Bearer ${store.tokens.read}`,
        Accept: 'application/json, text/event-stream',
      },
    );
  const run = (command: keyof typeof COMMANDS, options: Record<string, string>): Promise<any> =>
    COMMANDS[command].run({ app: app.nest, options, runtime: undefined as never }) as Promise<any>;
  const suspend = () => run('store suspend', { store: store.id, reason: REASON });
  const resume = () => run('store resume', { store: store.id });

  it('refuses its tokens, also cached ones, with the reason, at every instance', async () => {
    const twin = await oauth.twin();
    const ask = (url: string) =>
      fetch(`${url}/v1/list_orders`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${store.tokens.read}` },
      }).then(async (answer) => ({ status: answer.status, body: await answer.json() }));
    for (const url of [app.url, twin.url]) expect((await ask(url)).status).toBe(200);
    expect(await suspend()).toEqual({
      id: store.id,
      name: expect.any(String),
      suspendedAt: expect.any(Date),
      suspendedReason: REASON,
    });
    for (const url of [app.url, twin.url]) expect(await ask(url)).toEqual(REFUSED);
    expect(await store.call('create_brand', { name: 'Clay' })).toMatchObject(REFUSED);
    expect(await mcp('tools/list')).toMatchObject(REFUSED);
    expect(await resume()).toMatchObject({ suspendedAt: null, suspendedReason: null });
    for (const url of [app.url, twin.url]) expect((await ask(url)).status).toBe(200);
    await twin.stop();
  });

  it('refuses people on the dashboard and apps, and is no store that an app can be let into', async () => {
    const owner = await StorePage.ofOwner(store);
    const { access_token: token } = await oauth.tokens(oauth.person(store), {}, { scope: 'write' });
    expect(await oauth.status(token)).toBe(200);
    await suspend();
    expect(await owner.send('GET', 'audit')).toMatchObject(REFUSED);
    expect(await oauth.status(token)).toBe(403);
    await expect(oauth.tokens(oauth.person(store), {}, { scope: 'write' })).rejects.toThrow();
    await resume();
    const { items } = await owner.data('GET', 'audit');
    expect(items.slice(0, 2)).toMatchObject([
      { operation: 'store.resume', changes: { suspendedReason: [REASON, null] } },
      { operation: 'store.suspend', input: { reason: REASON }, changes: { suspendedReason: [null, REASON] } },
    ]);
    expect(await oauth.status(token)).toBe(200);
  });

  it('refuses shoppers and its bot, but records a payment that was made', async () => {
    const bot = await BotWebhook.connect(store, messenger);
    const { productId } = await store.product({ price: '25' });
    await store.data('update_checkout', { mode: 'native_payments' });
    await store.data('create_payment_provider', {
      providerName: 'card',
      providerToken: '284685063:TEST:NjQ3YzhkZWU',
      isTestMode: false,
      isActive: true,
      supportedCurrencies: [store.currency],
    });
    const shopper = new MiniApp(store);
    const placed = await shopper.data('POST', 'orders', {
      paymentMethod: 'card',
      items: [{ productId, quantity: 1 }],
    });
    await suspend();
    expect(await shopper.get('catalog')).toMatchObject(REFUSED);
    expect(
      await new MiniApp(store, { id: '77' }).order({ items: [{ productId, quantity: 1 }] }),
    ).toMatchObject(REFUSED);
    expect(await bot.message('1001', { text: '/start' })).toMatchObject(REFUSED);
    const paid = {
      currency: store.currency,
      total_amount: 2500,
      invoice_payload: `${placed.id}:2500`,
      telegram_payment_charge_id: 'charge-1',
      provider_payment_charge_id: 'provider-1',
    };
    const query = { pre_checkout_query: { id: '1', from: { id: 1001 }, ...paid } };
    expect(await bot.send(query)).toMatchObject(REFUSED);
    expect((await bot.message('1001', { successful_payment: paid })).status).toBe(200);
    await resume();
    expect(await store.data('get_order', { orderId: placed.id })).toMatchObject({ status: 'PROCESSING' });
    expect(await app.query('select id from customers where store_id = $1 and id = 77', [store.id])).toEqual(
      [],
    );
  });

  it('keeps its deliveries until it is resumed', async () => {
    await store.inside((ctx) => app.nest.get(WebhookEndpoints).save(ctx, 'https://partner.example/hook'));
    const { productId } = await store.product();
    await suspend();
    await store.place({ items: [{ productId, quantity: 1 }] });
    const queue = app.nest.get(DeliveryQueue, { strict: false });
    const isDue = async (within?: number) =>
      (await queue.dueStores(within)).some(({ storeId }) => storeId === store.id);
    const wanted = [{ storeId: store.id, free: 1 }];
    expect([await isDue(), await isDue(60_000), await queue.claim(wanted, 60_000)]).toEqual([
      false,
      false,
      [],
    ]);
    await resume();
    expect([await isDue(), await isDue(60_000)]).toEqual([true, true]);
    expect(await queue.claim(wanted, 60_000)).toHaveLength(1);
  });

  it('is found by a part of its name or id, or the address of a member, with its state', async () => {
    await suspend();
    const found = {
      id: store.id,
      name: expect.stringContaining('Shop 0.'),
      currency: 'USD',
      plan: 'pro',
      createdAt: expect.any(Date),
      suspendedAt: expect.any(Date),
      suspendedReason: REASON,
    };
    const [{ name }] = await run('store list', { email: store.ownerEmail.toUpperCase() });
    for (const search of [name.toUpperCase(), store.id.slice(-12)])
      expect(await run('store list', { search })).toEqual([found]);
    expect(await run('store list', { search: '%' })).toEqual([]);
    expect(await run('store list', { search: name, email: 'nobody@test.example' })).toEqual([]);
    const table = tableOf([{ ...found, name, createdAt: new Date(0), suspendedAt: null }])!.split('\n');
    expect(table[0]).toMatch(/^id +name +currency +plan +createdAt +suspendedAt +suspendedReason$/);
    expect(table[1]).toMatch(new RegExp(`^${store.id}  ${name} +USD +pro +1970-\\S+ +${REASON}$`));
    expect(tableOf([{ name: 'evil\u001b]0;title\u0007\u202eend' }])).toBe('name\nevil ]0;title end');
    expect(tableOf([])).toBe('none');
  });

  it('and any other: its tokens are listed, and an account shown, without secrets', async () => {
    const tokens = await run('token list', { store: store.id });
    expect(tokens.map(({ scope }: { scope: string }) => scope)).toEqual(['admin', 'write', 'read']);
    expect(JSON.stringify(tokens)).not.toMatch(/shop_live_|hash/i);
    const shown = await run('user show', { email: store.ownerEmail });
    expect(shown).toMatchObject({
      email: store.ownerEmail,
      secondFactor: false,
      sessions: 0,
      stores: [{ id: store.id, role: 'owner', suspendedAt: null }],
    });
    expect(JSON.stringify(shown)).not.toMatch(/hash|argon/i);
    await expect(run('user show', { email: 'nobody@test.example' })).rejects.toThrow('Nobody has');
    await expect(run('store suspend', { store: store.id, reason: ' ' })).rejects.toThrow('reason must be');
  });

  it('shows in the figures with its calls and refusals', async () => {
    await store.call('list_orders');
    const refused = await mcp('tools/call', { name: 'list_orders', arguments: { take: 0 } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      200,
      expect.stringContaining('invalid_input'),
    ]);
    await suspend();
    await store.call('list_orders');
    await mcp('tools/list');
    const figures = await (await fetch(`${app.url}/metrics`)).text();
    expect(figures).toContain(`shop_store_calls_total{store="${store.id}"} 4\n`);
    expect(figures).toContain(`shop_store_refusals_total{store="${store.id}"} 3\n`);
  });
});
