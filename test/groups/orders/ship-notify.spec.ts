import { StorePage } from '../../doors/dashboard/browser.js';
import { eventually } from '../../support/eventually.js';
import { botApi, type BotApiAnswer } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const SHOPPER = '9223372036854775807';

describe('ship_order notify', () => {
  let store: TestStore;
  let orderId: number;

  // One connection: a call that kept it while it waits for the messenger would keep every other call
  // waiting.
  const { app, messenger: server } = useShopWithMessenger({
    env: { BASE_URL: 'https://shop.example', DATABASE_POOL: '1' },
  });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
    await store.data('connect_bot', { token: store.botToken });
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] }, { id: SHOPPER })).id;
  });

  /** The row of the button that opens the order in the shop. */
  const openOrder = () => [
    {
      text: 'Open the order',
      web_app: { url: `https://shop.example/shop/${store.id}/orders/${orderId}` },
    },
  ];
  const ship = (input: object) => store.data('ship_order', { orderId, notify: true, ...input });
  const messages = () => [...server.callsOf('sendMessage'), ...server.callsOf('sendPhoto')];
  const isBotBlocked = async () => {
    const [row] = await app.query<any>(
      `select is_bot_blocked from customers where store_id = $1 and id = $2`,
      [store.id, SHOPPER],
    );
    return row.is_bot_blocked;
  };

  it.each([{}, { notify: false }])('sends nothing with %j', async (input) => {
    const data = await store.data('ship_order', { orderId, carrier: 'UPS', ...input });
    expect(Object.keys(data)).toEqual(['order']);
    expect(messages()).toEqual([]);
  });

  it('sends the shipped message with a Track Order button', async () => {
    const data = await ship({
      trackingUrl: 'https://track.example/1',
      carrier: 'UPS',
      trackingNumber: '1Z9',
    });
    expect(data).toEqual({ order: await store.data('get_order', { orderId }), notified: true });
    expect(data.order.status).toBe('SHIPPED');
    const [{ body, rawBody }] = messages();
    expect(rawBody).toContain(`"${SHOPPER}"`);
    expect(body.text).toContain(`#${orderId}`);
    expect(body.text).not.toContain('UPS');
    expect(body.reply_markup.inline_keyboard).toEqual([
      [{ text: 'Track Order', url: 'https://track.example/1' }],
      openOrder(),
    ]);
    expect(messages()).toHaveLength(1);
  });

  it.each([
    [{ carrier: 'UPS', trackingNumber: '1Z9' }, ['Carrier: UPS', 'Tracking number: 1Z9']],
    [{ carrier: 'UPS' }, ['Carrier: UPS']],
    [{ trackingNumber: '1Z9', carrier: '' }, ['Tracking number: 1Z9']],
  ])('puts %j into the text when there is no tracking URL', async (tracking, lines) => {
    expect(await ship(tracking)).toMatchObject({ notified: true });
    const [{ body }] = messages();
    expect(body.text.split('\n').slice(1)).toEqual(lines);
    expect(body.reply_markup.inline_keyboard).toEqual([openOrder()]);
  });

  it('goes by the tracking the order has after the change', async () => {
    await store.data('ship_order', { orderId, trackingUrl: 'https://track.example/1' });
    await ship({ carrier: 'UPS' });
    expect(messages()[0].body.reply_markup.inline_keyboard[0][0].url).toBe('https://track.example/1');
  });

  it("uses the store's own words", async () => {
    await app.query(
      `insert into bot_messages (store_id, kind, text, image_url, button_text, updated_at)
       values ($1, 'shipped', 'Parcel {orderId} is off', 'https://images.example/van.png', 'Where is it?',
         now())`,
      [store.id],
    );
    await ship({ trackingUrl: 'https://track.example/1' });
    expect(server.callsOf('sendPhoto')[0].body).toMatchObject({
      photo: 'https://images.example/van.png',
      caption: `Parcel ${orderId} is off`,
      reply_markup: {
        inline_keyboard: [[{ text: 'Where is it?', url: 'https://track.example/1' }], openOrder()],
      },
    });
  });

  it('goes without a picture that the messenger refuses, and the timeline says so', async () => {
    await store.data('update_welcome_message', { text: 'Hi' });
    await app.query(
      `insert into bot_messages (store_id, kind, text, image_url, button_text, updated_at)
       values ($1, 'shipped', 'On its way', 'https://images.example/box.webp', null, now())`,
      [store.id],
    );
    server.next('sendPhoto', botApi.pictureRefused());
    expect(await ship({ carrier: 'UPS', trackingNumber: '1Z9' })).toMatchObject({ notified: true });
    expect(server.callsOf('sendMessage')).toMatchObject([
      {
        body: {
          text: 'On its way\nCarrier: UPS\nTracking number: 1Z9',
          link_preview_options: { url: 'https://images.example/box.webp' },
        },
      },
    ]);
    const owner = await StorePage.ofOwner(store);
    expect(await owner.data('GET', 'bot/messages/shipped')).toMatchObject({
      pictureRefused: expect.stringContaining('failed to get HTTP URL content'),
    });
    const told = async () =>
      (await store.data('get_order_timeline', { orderId })).entries.findLast(
        ({ kind }: any) => kind === 'message',
      ).text;
    const refusal = 'the messenger answered 400: Bad Request: failed to get HTTP URL content';
    expect(await told()).toBe(`The shopper was told that it was shipped, without the picture: ${refusal}`);
    server.next('sendPhoto', botApi.pictureRefused());
    server.next('sendMessage', botApi.pictureRefused());
    expect(await ship({ carrier: 'UPS' })).toMatchObject({ notifyFailureReason: 'send_failed' });
    expect(await told()).toBe(`The shopper could not be told that it was shipped: send_failed, ${refusal}`);
    server.next('sendPhoto', botApi.chatNotFound());
    expect(await ship({ carrier: 'UPS' })).toMatchObject({ notifyFailureReason: 'unreachable' });
    expect(server.callsOf('sendMessage')).toHaveLength(2);
  });

  it('reports bot_not_configured if no bot is connected', async () => {
    await app.query(`delete from bots where store_id = $1`, [store.id]);
    const data = await ship({ carrier: 'UPS' });
    expect(data).toMatchObject({
      order: { status: 'SHIPPED' },
      notified: false,
      notifyFailureReason: 'bot_not_configured',
    });
    expect(messages()).toEqual([]);
  });

  it.each<[string, string, BotApiAnswer, boolean]>([
    ['a shopper who blocked the bot', 'unreachable', botApi.blocked(), true],
    ['a deactivated shopper', 'unreachable', botApi.deactivated(), false],
    ['a shopper who never wrote to the bot', 'unreachable', botApi.chatNotFound(), false],
    ['a messenger that is down', 'send_failed', botApi.serverError(), false],
    ['a messenger that hangs up', 'send_failed', botApi.dropped(), false],
    ['a messenger that talks nonsense', 'send_failed', botApi.raw(200, '<html>'), false],
    ['a message that is refused', 'send_failed', botApi.error(400, 'Bad Request: BUTTON_URL_INVALID'), false],
    ['a revoked token', 'send_failed', botApi.unauthorized(), false],
    ['a messenger that wants a long pause', 'send_failed', botApi.tooManyRequests(30), false],
  ])('ships for %s too, and says %s', async (_, reason, answer, blocked) => {
    server.always('sendMessage', answer);
    const data = await ship({ carrier: 'UPS' });
    expect(data).toEqual({ order: expect.any(Object), notified: false, notifyFailureReason: reason });
    expect(await store.data('get_order', { orderId })).toEqual(data.order);
    expect(data.order).toMatchObject({ status: 'SHIPPED', carrier: 'UPS' });
    expect(messages()).toHaveLength(1);
    expect(await isBotBlocked()).toBe(blocked);
  });

  it("ships the order if the bot's token can no longer be decrypted", async () => {
    await app.query(`update bots set sealed_token = 'ffffffff.AAAA' where store_id = $1`, [store.id]);
    expect(await ship({ carrier: 'UPS' })).toMatchObject({
      notified: false,
      notifyFailureReason: 'send_failed',
    });
    expect(await store.data('get_order', { orderId })).toMatchObject({ status: 'SHIPPED' });
  });

  it('waits for a short pause that the messenger asks for', async () => {
    server.next('sendMessage', botApi.tooManyRequests(1));
    expect(await ship({ carrier: 'UPS' })).toMatchObject({ notified: true });
    expect(messages()).toHaveLength(2);
  });

  it('is held at most 10 s by a hanging messenger, with the order committed and no connection', async () => {
    server.always('sendMessage', botApi.hanging());
    const startedAt = performance.now();
    let ended = false;
    const shipping = ship({ carrier: 'UPS' }).finally(() => (ended = true));
    await eventually('the messenger is asked', () => messages().length > 0);
    expect(await store.data('get_order', { orderId })).toMatchObject({ status: 'SHIPPED', carrier: 'UPS' });
    expect(ended).toBe(false);
    expect(await shipping).toMatchObject({ notified: false, notifyFailureReason: 'send_failed' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('sends nothing for an order that does not exist', async () => {
    const { status } = await store.call('ship_order', {
      orderId: orderId + 1_000_000,
      carrier: 'UPS',
      notify: true,
    });
    expect(status).toBe(404);
    expect(messages()).toEqual([]);
  });
});
