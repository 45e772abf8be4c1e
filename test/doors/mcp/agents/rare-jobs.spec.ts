import { Dispatcher } from '../../../../src/webhooks/delivery/dispatcher.js';
import { StorePage } from '../../dashboard/browser.js';
import { DatabaseClock } from '../../../support/database/database-clock.js';
import { ownDatabase } from '../../../support/database/own-database.js';
import { eventually } from '../../../support/eventually.js';
import { answers, Receiver } from '../../../support/servers/receiver.js';
import { TestApp, type TestStore, useShopWithMessenger } from '../../../support/test-app.js';
import { expectToFit } from './bounds.js';
import { own, ScriptedAgent } from './scripted-agent.js';

const MINUTE_MS = 60_000;

/** What owners ask of an agent now and then, done with what the service says alone. */
describe('a rare job of a shop owner', () => {
  let store: TestStore;
  let agent: ScriptedAgent;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store();
    await store.data('connect_bot', { token: store.botToken });
    messenger.reset();
    agent = await ScriptedAgent.connect(app, store.tokens.write);
  });
  afterEach(() => expectToFit(agent));

  const make = async (...items: { productId: string; itemAmount?: number; categoryId?: string }[]) => {
    const common = { description: '', images: ['https://images.example/a.jpg'], price: 10 };
    const made = items.map((item) => ({ ...common, title: item.productId, ...item }));
    expect((await store.data('create_products', { items: made })).failed).toBe(0);
  };

  it('announces a contest, which by itself nobody hears of', async () => {
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] }, { id: '7012345678' });
    agent.hear(
      'Start a contest: whoever sends a photo of their mug by 2100-01-01 wins 10 bonus. Tell everybody.',
    );
    const contest = await agent.call('create_contest', {
      ...{ title: own('Your mug'), slug: own('your-mug'), startDate: own('2026-01-01T00:00:00Z') },
      ...{ endDate: own('2100-01-01T00:00:00Z'), bonusReward: 10, status: 'ACTIVE' },
    });
    expect(messenger.callsOf('sendMessage')).toEqual([]);
    expect(agent.tool('create_contest').description).toContain('no shopper is told');
    const text = own('Send us a photo of your mug and win 10 bonus.');
    const message = { name: own('Contest'), text, audience: { all: true } };
    await agent.call('send_campaign', message);
    await agent.call('send_campaign', { ...message, confirm: true });
    const told = messenger.callsOf('sendMessage').map(({ body }) => String(body.chat_id));
    expect(told).toEqual(['7012345678']);
    expect(await store.data('get_contest', { id: contest.id })).toMatchObject({ status: 'ACTIVE' });
  });

  it('renames a category and moves products, and says that shoppers do not see them', async () => {
    await store.data('create_category', { name: 'Winter', slug: 'winter', isActive: false });
    await make({ productId: 'candle-fig' }, { productId: 'candle-pine' });
    agent.hear('Rename Winter to Gifts and move the candles there.');
    const { items: categories } = await agent.call('list_categories');
    const { id: categoryId } = categories.find(({ name }: any) => name === 'Winter');
    await agent.call('update_category', { id: categoryId, name: own('Gifts'), slug: own('gifts') });
    const { items: candles } = await agent.call('find_products', { text: own('candle') });
    const moved = await agent.call('update_products', {
      items: candles.map(({ productId }: any) => ({ id: productId, categoryId })),
    });
    expect(moved.updated).toBe(2);
    for (const item of moved.items) expect(JSON.stringify(item.warnings)).toContain('Gifts');
    const again = await agent.call('update_category', { id: categoryId, isActive: true });
    expect(again).toMatchObject({ name: 'Gifts', isActive: true });
    const { items } = await store.data('find_products', { categoryId, onSale: true });
    expect(items.map(({ productId }: any) => productId).sort()).toEqual(['candle-fig', 'candle-pine']);
  });

  it('sets up Stars, hears that the shop cannot take them, and tests cards instead', async () => {
    await store.product({ price: '249.50' });
    await store.data('update_checkout', { mode: 'native_payments' });
    agent.hear('Let shoppers pay with Stars or by card (284685063:TEST:Zm9v), and test both.');
    const common = { isTestMode: true, isActive: true };
    const stars = await agent.call('create_payment_provider', {
      ...{ providerName: own('stars'), providerToken: own(''), supportedCurrencies: [own('XTR')], ...common },
    });
    expect(JSON.stringify(stars.warnings)).toContain('USD');
    const card = await agent.call('create_payment_provider', {
      ...{ providerName: own('card'), providerToken: '284685063:TEST:Zm9v' },
      ...{ supportedCurrencies: [own('USD')], ...common },
    });
    expect(card.warnings).toBeUndefined();
    expect(await agent.call('test_payment_provider', { id: card.id })).toMatchObject({ ok: true });
    expect(messenger.callsOf('createInvoiceLink')).toHaveLength(1);
  });

  it('lists the products without a picture, stock or category', async () => {
    const { id: categoryId } = await store.data('create_category', { name: 'Mugs', slug: 'mugs' });
    const whole = { itemAmount: 9, categoryId };
    await make(
      ...[
        { productId: 'whole', ...whole },
        { productId: 'no-picture', ...whole },
      ],
      ...[
        { productId: 'no-stock', ...whole, itemAmount: 0 },
        { productId: 'no-category', itemAmount: 9 },
      ],
    );
    await app.query(`update products set images = '{}' where store_id = $1 and product_id = 'no-picture'`, [
      store.id,
    ]);
    agent.hear('Which products have no picture, no stock (0 pieces) or no category?');
    const found = [];
    for (const wanting of [{ hasImage: false }, { maxStock: 0 }, { categoryId: null }])
      found.push(await agent.call('find_products', { ...wanting, take: 100, fields: ['title'] }));
    expect(found.map(({ items }) => items.map(({ productId }: any) => productId))).toEqual([
      ['no-picture'],
      ['no-stock'],
      ['no-category'],
    ]);
  });

  it('finds out why webhooks stopped, and sends them again', async () => {
    const database = await ownDatabase();
    const clock = await DatabaseClock.of(database);
    const delivering = await TestApp.start({
      ...{ clock, database, env: { SHOP_ROLES: 'web,deliver', WEBHOOK_TIMEOUT: '5' } },
    });
    const receiver = await Receiver.start();
    try {
      const shop = await delivering.store();
      await (await StorePage.ofOwner(shop)).data('PUT', 'webhook', { url: receiver.url });
      await clock.pass(MINUTE_MS / 2);
      receiver.always(answers.status(503, 'down'));
      const { productId } = await shop.product();
      for (let i = 0; i < 3; i++) await shop.place({ items: [{ productId, quantity: 1 }] });
      const deliveries = async (): Promise<any[]> => (await shop.data('list_webhook_deliveries')).items;
      await eventually('three attempts', async () =>
        (await deliveries()).every(({ attempts }) => attempts.length > 0),
      );
      agent = await ScriptedAgent.connect(delivering, shop.tokens.write);
      agent.hear('No webhook arrives any more. Why? Send them again.');
      const { webhook, checklist } = await agent.call('get_store_overview');
      expect(webhook.lastError).toContain('503');
      const { hint } = checklist.find(({ item }: any) => item === 'Webhook deliveries arrive');
      for (const tool of ['list_webhook_deliveries', 'resend_webhook_deliveries'])
        expect(hint).toContain(tool);
      const { items } = await agent.call('list_webhook_deliveries', { status: 'pending' });
      receiver.always(answers.status(204));
      const ids = items.map(({ id }: any) => id);
      expect(await agent.call('resend_webhook_deliveries', { ids })).toMatchObject({ resent: 3, skipped: 0 });
      await delivering.nest.get(Dispatcher).sweep();
      await eventually('three arrived', async () =>
        (await deliveries()).every(({ status }) => status === 'delivered'),
      );
    } finally {
      await delivering.stop();
      await receiver.stop();
    }
  });
});
