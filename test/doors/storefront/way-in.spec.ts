import { request as httpRequest } from 'node:http';
import { refusal, StorePage } from '../dashboard/browser.js';
import { eventually } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { BOT_SECRET, type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp } from './mini-app.js';

const BASE = 'https://shop.example';

describe('the way into the shop', () => {
  let store: TestStore;
  let owner: StorePage;

  const { app, messenger } = useShopWithMessenger({ env: { BASE_URL: BASE } });
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const menu = () => messenger.menuButtons.get(store.botToken);
  const ours = () => ({ type: 'web_app', web_app: { url: `${BASE}/shop/${store.id}` } });
  const methods = () => messenger.calls.map(({ method }) => method);
  const sent = async (method = 'sendMessage') => {
    await eventually('a message is sent', () => messenger.callsOf(method).length > 0);
    return messenger.callsOf(method)[0].body;
  };

  it('is the menu button, which connect_bot sets after the webhook', async () => {
    expect(await owner.data('GET', 'bot/app')).toMatchObject({ opens: 'shop', menuButton: 'failed' });
    await store.data('connect_bot', { token: store.botToken });
    expect(methods()).toEqual(['getMe', 'setWebhook', 'getChatMenuButton', 'setChatMenuButton']);
    expect(menu()).toMatchObject(ours());
    expect(await owner.data('GET', 'bot/app')).toEqual({
      ...{ opens: 'shop', url: null, menuButton: 'set', detail: null },
    });
  });

  it('leaves a button that opens another app, until the owner asks for the shop', async () => {
    const other = { type: 'web_app', text: 'Mine', web_app: { url: 'https://mine.example/' } };
    messenger.menuButtons.set(store.botToken, other);
    await store.data('connect_bot', { token: store.botToken });
    expect(menu()).toEqual(other);
    const detail = expect.stringContaining('https://mine.example/');
    expect(await owner.data('GET', 'bot/app')).toMatchObject({ menuButton: 'other', detail });
    expect(await owner.data('PUT', 'bot/app', { opens: 'shop' })).toMatchObject({ menuButton: 'set' });
    expect(menu()).toMatchObject(ours());
  });

  it('connects the bot although the button is refused, and says so; it can be set again', async () => {
    messenger.always('setChatMenuButton', botApi.error(400, 'Bad Request: BUTTON_URL_INVALID'));
    expect(await store.data('connect_bot', { token: store.botToken })).toMatchObject({ connected: true });
    const detail = expect.stringContaining('BUTTON_URL_INVALID');
    expect(await owner.data('GET', 'bot/app')).toMatchObject({ menuButton: 'failed', detail });
    messenger.reset();
    expect(await owner.data('PUT', 'bot/app', { opens: 'shop' })).toMatchObject({ menuButton: 'set' });
  });

  it("opens the owner's own app, or nothing, and is refused what does not fit", async () => {
    expect(await owner.send('PUT', 'bot/app', { opens: 'shop' })).toMatchObject(
      refusal(400, 'invalid_input'),
    );
    await store.data('connect_bot', { token: store.botToken });
    for (const input of [
      { opens: 'app' },
      { opens: 'app', url: 'http://mine.example' },
      { opens: 'shop', url: 'https://mine.example' },
      { opens: 'menu' },
    ])
      expect(await owner.send('PUT', 'bot/app', input)).toMatchObject(refusal(400, 'invalid_input'));
    const app = { opens: 'app', url: 'https://mine.example/app' };
    expect(await owner.data('PUT', 'bot/app', app)).toEqual({ ...app, menuButton: 'set', detail: null });
    expect(menu()).toMatchObject({ web_app: { url: app.url } });
    expect(await owner.data('PUT', 'bot/app', { opens: 'nothing' })).toMatchObject({ menuButton: 'set' });
    expect(menu()).toEqual({ type: 'default' });
  });

  it('goes with a bot that is replaced or disconnected', async () => {
    await store.data('connect_bot', { token: store.botToken });
    const second = `${store.botId.startsWith('3') ? 4 : 3}${store.botId.slice(1)}:${BOT_SECRET}`;
    await store.data('connect_bot', { token: second });
    expect(menu()).toEqual({ type: 'default' });
    expect(messenger.menuButtons.get(second)).toMatchObject(ours());
    await owner.data('DELETE', 'bot');
    expect(messenger.menuButtons.get(second)).toEqual({ type: 'default' });
    expect(methods().at(-1)).toBe('deleteWebhook');
  });

  it('is a button of the greeting, which opens the product that a link names', async () => {
    const bot = await BotWebhook.connect(store, messenger);
    const product = '01980a52-6c1e-7b3a-9d2f-4c8e1a7b9d30';
    for (const [text, path] of [
      ['/start', ''],
      ['/start shop', ''],
      [`/start p_${product}`, `/p/${product}`],
      ['/start p_../../x', ''],
    ]) {
      messenger.reset();
      await bot.message('7', { text });
      const [[button]] = (await sent()).reply_markup.inline_keyboard;
      expect([text, button.web_app]).toEqual([text, { url: `${BASE}/shop/${store.id}${path}` }]);
    }
  });

  it('is a button of the shipped message, beside the one that tracks the parcel', async () => {
    await store.data('connect_bot', { token: store.botToken });
    const { productId } = await store.product();
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('ship_order', { orderId: id, trackingUrl: 'https://parcel.example/1', notify: true });
    const { inline_keyboard: rows } = (await sent()).reply_markup;
    expect(rows).toEqual([
      [{ text: 'Track Order', url: 'https://parcel.example/1' }],
      [{ text: expect.any(String), web_app: { url: `${BASE}/shop/${store.id}/orders/${id}` } }],
    ]);
    expect(rows[1][0].text).not.toBe('Track Order');
  });

  it('is a link with start, or with startapp for a bot that has a main Mini App', async () => {
    await store.data('connect_bot', { token: store.botToken });
    const link = async () => (await new MiniApp(store).data('GET', 'me')).referralLink;
    expect(await link()).toMatch(/\?start=ref_1001$/);
    const username = `shop_${store.botId}_bot`;
    const me = { id: Number(store.botId), is_bot: true, first_name: 'S', username, has_main_web_app: true };
    messenger.always('getMe', botApi.result(me));
    await store.data('connect_bot', { token: store.botToken });
    expect(await link()).toMatch(/\?startapp=ref_1001$/);
  });

  describe('the document', () => {
    const open = (path: string, headers: Record<string, string> = {}) =>
      new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve, reject) => {
        httpRequest(`${app.url}/shop/${path}`, { headers }, (response) => {
          let text = '';
          response.on('data', (piece: Buffer) => (text += piece.toString()));
          response.on('end', () =>
            resolve({ status: response.statusCode!, headers: response.headers as never, text }),
          );
        })
          .on('error', reject)
          .end();
      });

    it('may be framed by the messenger alone, and tells only the name, colour and bot', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const owner = await StorePage.ofOwner(store);
      await owner.data('PUT', 'accent', { accent: '#ffd500' });
      await store.data('update_general', { title: 'Tea & <Coffee>', description: 'Not told' });
      for (const path of [store.id, `${store.id}/p/x`, `${store.id}/orders/1`]) {
        const { status, headers, text } = await open(path);
        expect(status).toBe(200);
        const policy = headers['content-security-policy'];
        expect(policy).toContain('frame-ancestors https://web.telegram.org https://*.telegram.org');
        expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/);
        expect(policy).not.toContain('unsafe');
        expect(headers['x-frame-options']).toBeUndefined();
        expect(text).toContain('<title>Tea &amp; &lt;Coffee&gt;</title>');
        expect(text).toContain(`name="bot" content="shop_${store.botId}_bot"`);
        expect(text).toContain('name="accent" content="#ffd500 #000000"');
        expect(text).not.toContain('Not told');
        expect(text).toContain('name="demo-shopper" content=""');
        const unchanged = await open(path, { 'If-None-Match': headers.etag });
        expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      }
      const dashboard = await fetch(`${app.url}/dashboard/`);
      expect(dashboard.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    });

    it('is there only for a store with a bot, which need not be open', async () => {
      for (const path of [store.id, 'none', 'assets/gone.js']) expect((await open(path)).status).toBe(404);
      await store.data('connect_bot', { token: store.botToken });
      expect((await open(store.id)).status).toBe(200);
    });
  });
});
