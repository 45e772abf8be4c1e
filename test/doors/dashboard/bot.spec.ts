import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

describe('the bot page', () => {
  let store: TestStore;
  let owner: StorePage;

  const { app, messenger: server } = useShopWithMessenger({ env: { BASE_URL: 'https://shop.example' } });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const lastAudit = async () => (await owner.data('GET', 'audit?take=1')).items[0];

  describe('messages', () => {
    it('have defaults, and are changed field by field', async () => {
      for (const kind of ['welcome', 'shipped']) {
        const before = await owner.data('GET', `bot/messages/${kind}`);
        expect(before).toEqual({
          kind,
          text: expect.stringMatching(/./),
          imageUrl: null,
          buttonText: expect.stringMatching(/./),
          updatedAt: null,
          pictureRefused: null,
        });
        const first = await owner.data('PUT', `bot/messages/${kind}`, { text: `Hello from ${kind}` });
        expect(first).toEqual({ ...before, text: `Hello from ${kind}`, updatedAt: expect.any(String) });
        expect(await lastAudit()).toMatchObject({
          operation: 'bot.update_message',
          target: `bot_message:${kind}`,
          changes: { text: [before.text, first.text] },
        });
        const image = { imageUrl: 'https://images.example/a.png', buttonText: null };
        const second = await owner.data('PUT', `bot/messages/${kind}`, image);
        expect(second).toEqual({ ...first, ...image, updatedAt: expect.any(String) });
        expect(await owner.data('GET', `bot/messages/${kind}`)).toEqual(second);
      }
      const { kind: _, pictureRefused: __, ...welcome } = await owner.data('GET', 'bot/messages/welcome');
      expect(await store.data('get_welcome_message')).toEqual(welcome);
    });

    it('are not overwritten if somebody else has changed them in the meantime', async () => {
      const { updatedAt } = await owner.data('PUT', 'bot/messages/shipped', { text: 'One' });
      const save = (text: string) =>
        owner.send('PUT', 'bot/messages/shipped', { text }, { 'If-Match': updatedAt });
      expect((await save('Two')).status).toBe(200);
      expect(await save('Three')).toMatchObject(refusal(412, 'precondition_failed'));
      expect((await owner.data('GET', 'bot/messages/shipped')).text).toBe('Two');
    });

    it('are sent to the shopper when an order is shipped', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const { productId } = await store.product();
      const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
      await owner.data('PUT', 'bot/messages/shipped', {
        text: 'Order {orderId} is on its way',
        buttonText: 'Where is it?',
      });
      await store.data('ship_order', { orderId, notify: true, trackingUrl: 'https://track.example/1' });
      const [{ body }] = server.callsOf('sendMessage');
      expect([body.text, body.reply_markup.inline_keyboard[0][0].text]).toEqual([
        `Order ${orderId} is on its way`,
        'Where is it?',
      ]);
    });

    it.each<[string, object, RegExp]>([
      ['goodbye', { text: 'x' }, /^kind must be one of welcome, placed, paid, shipped, delivered, cancelled/],
      ['welcome', {}, /^text: at least one of text, imageUrl, buttonText, enabled is required$/],
      ['welcome', { text: 'x'.repeat(4097) }, /^text must be a string of 1 to 4096 characters/],
      [
        'shipped',
        { text: 'x'.repeat(3501) },
        /^text must be a string of 1 to 3500 characters for the shipped message$/,
      ],
      ['shipped', { text: null }, /^text must be/],
      ['shipped', { buttonText: 'x'.repeat(65) }, /^buttonText must be/],
      ['shipped', { imageUrl: 'ftp://images.example/a.png' }, /^imageUrl must be/],
      ['shipped', { kind: 'welcome', text: 'x' }, /^kind is given by the path/],
    ])('refuse the %s message %j', async (kind, input, message) => {
      const answer = await owner.send('PUT', `bot/messages/${kind}`, input);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(message);
    });

    it('belong to one store, and staff may change them', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      await staff.data('PUT', 'bot/messages/shipped', { text: 'From staff' });
      expect((await owner.data('GET', 'bot/messages/shipped')).text).toBe('From staff');
      const other = await StorePage.ofOwner(await app.store());
      expect((await other.data('GET', 'bot/messages/shipped')).updatedAt).toBeNull();
    });
  });

  describe('disconnecting', () => {
    const none = { connected: false, username: null, botId: null, connectedAt: null };

    it('forgets the token and removes the webhook, and does nothing the second time', async () => {
      const connected = await store.data('connect_bot', { token: store.botToken });
      expect(await owner.data('DELETE', 'bot')).toEqual(none);
      expect(server.callsOf('deleteWebhook').map(({ token }) => token)).toEqual([store.botToken]);
      expect(await store.data('get_bot')).toEqual(none);
      expect(await app.query('select from bots where store_id = $1', [store.id])).toEqual([]);
      expect(await lastAudit()).toMatchObject({
        operation: 'bot.disconnect',
        target: `bot:${store.botId}`,
        changes: { connected: [true, false], username: [connected.username, null] },
      });
      expect(await owner.data('DELETE', 'bot')).toEqual(none);
      expect(server.callsOf('deleteWebhook')).toHaveLength(1);
      expect((await lastAudit()).changes).toBeNull();
    });

    it.each([
      ['is revoked', botApi.unauthorized()],
      ['cannot be used, since the messenger fails', botApi.serverError()],
    ])('works also when the token %s', async (_, answer) => {
      await store.data('connect_bot', { token: store.botToken });
      server.always('deleteWebhook', answer);
      expect(await owner.data('DELETE', 'bot')).toEqual(none);
      expect(await store.data('get_bot')).toEqual(none);
    });

    it('frees the bot for another store', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const other = await app.store();
      expect((await other.call('connect_bot', { token: store.botToken })).status).toBe(400);
      const page = await StorePage.ofOwner(other);
      expect(await page.data('DELETE', 'bot')).toEqual(none);
      expect((await store.data('get_bot')).connected).toBe(true);
      await owner.data('DELETE', 'bot');
      expect((await other.call('connect_bot', { token: store.botToken })).status).toBe(200);
    });
  });
});
