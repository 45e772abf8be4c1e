import { ShopperMessages } from '../../src/notices/shoppers/shopper-messages.service.js';
import { UnpaidOrders } from '../../src/jobs/unpaid-orders.service.js';
import { refusal, StorePage } from '../doors/dashboard/browser.js';
import { BotWebhook, MiniApp } from '../doors/storefront/mini-app.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { botApi } from '../support/servers/bot-api-server.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../support/test-app.js';

const SHOPPER = '9007199254740993';
const KINDS = ['placed', 'paid', 'cancelled', 'delivered'];
const HOUR_MS = 3_600_000;

describe('messages to shoppers about their orders', () => {
  let store: TestStore;
  let owner: StorePage;
  let bot: BotWebhook;
  let productId: string;
  const clock = new TestClock();
  const env = { SHOP_ROLES: 'web,deliver', BASE_URL: 'https://shop.example' };
  const { app, messenger } = useShopWithMessenger(async () => {
    return { database: await preparedDatabase(), env, clock };
  });

  // The test says when messages are sent.
  beforeAll(() => app.stopJobs());
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    bot = await BotWebhook.connect(store, messenger);
    ({ productId } = await store.product({ price: '25' }));
  });

  const switchOn = async (...kinds: string[]) => {
    for (const kind of kinds) await owner.data('PUT', `bot/messages/${kind}`, { enabled: true });
  };
  const place = (paid = false, id = SHOPPER): Promise<any> =>
    store.place({ items: [{ productId, quantity: 1 }] }, { id, firstName: 'Ann' }, paid);
  const setStatus = (orderId: number, status: string) => store.data('set_order_status', { orderId, status });
  /** Of all that waits, by the time that nothing does any more. */
  const told = async (): Promise<string[]> => {
    await app.nest.get(ShopperMessages).send();
    await eventually('nothing waits', async () => {
      const [{ due }] = await app.query<{ due: number }>(
        `select count(*)::int as due from order_messages
         where store_id = $1 and outcome in ('due', 'unknown')`,
        [store.id],
      );
      return due === 0;
    });
    return messenger
      .callsOf('sendMessage')
      .filter(({ body }) => body.chat_id === SHOPPER)
      .map(({ body }) => body.text as string);
  };
  const timeline = async (orderId: number) =>
    (await store.data('get_order_timeline', { orderId })).entries
      .filter(({ kind }: any) => kind === 'message')
      .map(({ text }: any) => text);

  it('are off until they are switched on', async () => {
    for (const kind of KINDS) {
      expect(await owner.data('GET', `bot/messages/${kind}`)).toEqual({
        ...{ kind, enabled: false, text: expect.stringContaining('{orderId}') },
        ...{ imageUrl: null, buttonText: 'Open the order', updatedAt: null },
        pictureRefused: null,
      });
    }
    const { id } = await place(true);
    await setStatus(id, 'DELIVERED');
    await setStatus(id, 'CANCELLED');
    await switchOn(...KINDS);
    expect(await told()).toEqual([]);
  });

  it('are sent once each, whatever caused the change, with a button that opens the order', async () => {
    await switchOn(...KINDS);
    const { id } = await place();
    for (const status of ['PROCESSING', 'PENDING', 'PROCESSING', 'DELIVERED', 'PENDING', 'DELIVERED'])
      await setStatus(id, status);
    await store.data('refund_order', { orderId: id });
    await setStatus(id, 'PENDING');
    await setStatus(id, 'CANCELLED');
    expect((await told()).sort()).toEqual([
      `Thank you! We have your order #${id}.`,
      `Your order #${id} has been delivered. Enjoy!`,
      `Your order #${id} is paid. We are preparing it.`,
      `Your order #${id} was cancelled.`,
    ]);
    expect(messenger.callsOf('sendMessage')[0].body.reply_markup.inline_keyboard).toEqual([
      [{ text: 'Open the order', web_app: { url: `https://shop.example/shop/${store.id}/orders/${id}` } }],
    ]);
    expect((await timeline(id)).sort()).toEqual([
      'The shopper was told that it was cancelled',
      'The shopper was told that it was delivered',
      'The shopper was told that it was paid',
      'The shopper was told that it was placed',
    ]);
  });

  it('are sent for orders of the shop, by the bulk operation, and by the job of unpaid ones', async () => {
    await switchOn('placed', 'cancelled');
    await store.data('create_payment_provider', {
      ...{ providerName: 'card', providerToken: '1:TEST:x', isTestMode: false, isActive: true },
      supportedCurrencies: [store.currency],
    });
    await store.data('update_checkout', { mode: 'native_payments' });
    const shopper = new MiniApp(store, { id: SHOPPER, first_name: 'Ann' });
    const order = () => shopper.order({ paymentMethod: 'card', items: [{ productId, quantity: 1 }] });
    const [first, second] = [(await order()).body.data, (await order()).body.data];
    await store.data('set_order_statuses', { orderIds: [first.id], status: 'CANCELLED' });
    clock.advance(25 * HOUR_MS);
    await app.nest.get(UnpaidOrders).end();
    expect((await store.data('get_order', { orderId: second.id })).status).toBe('CANCELLED');
    // The two of a day ago are no news any more.
    expect((await told()).sort()).toEqual([`Your order #${second.id} was cancelled.`]);
    expect(await timeline(first.id)).toEqual([
      'The shopper could not be told that it was placed: send_failed',
      'The shopper could not be told that it was cancelled: send_failed',
    ]);
  });

  it('say that an order was paid only when it is PROCESSING for the first time', async () => {
    const { id } = await place(true);
    await setStatus(id, 'PENDING');
    await switchOn('paid');
    await setStatus(id, 'PROCESSING');
    expect(await told()).toEqual([]);
    const paid = await place(true);
    expect(await told()).toEqual([`Your order #${paid.id} is paid. We are preparing it.`]);
  });

  it('are not sent by ship_order, ship_orders, an undo, a preview or a call that is refused', async () => {
    await switchOn(...KINDS);
    const [{ id }, { id: other }] = [await place(), await place()];
    expect(await told()).toHaveLength(2);
    await store.data('ship_order', { orderId: id, carrier: 'Post' });
    await store.data('ship_orders', { items: [{ orderId: other, carrier: 'Post' }] });
    await store.data('preview_change', {
      operation: 'set_order_status',
      input: { orderId: id, status: 'CANCELLED' },
    });
    const refused = await store.call('set_order_status', { orderId: id, status: 'LOST' });
    expect(refused).toMatchObject(refusal(400, 'invalid_input'));
    expect(await told()).toHaveLength(2);
    const { id: undone } = await place();
    await setStatus(undone, 'CANCELLED');
    await app.query(`delete from order_messages where store_id = $1 and kind = 'cancelled'`, [store.id]);
    await setStatus(undone, 'PENDING');
    const { items } = await store.data('list_activity', { target: `order:${undone}`, take: 1 });
    await store.data('undo_change', { activityId: items[0].id });
    expect((await store.data('get_order', { orderId: undone })).status).toBe('CANCELLED');
    expect(await told()).toHaveLength(3);
  });

  it('are not sent to shoppers who are banned or have blocked the bot, also meanwhile', async () => {
    await switchOn('placed', 'cancelled');
    const { id } = await place();
    await store.data('update_customer', { id: SHOPPER, isBanned: true });
    expect(await told()).toEqual([]);
    await setStatus(id, 'CANCELLED');
    expect(await told()).toEqual([]);
    await store.data('update_customer', { id: SHOPPER, isBanned: false });
    messenger.next('sendMessage', botApi.error(403, 'Forbidden: bot was blocked by the user'));
    const blocked = await place();
    await told();
    expect(await timeline(blocked.id)).toEqual([
      expect.stringMatching(/^The shopper could not be told that it was placed: unreachable/),
    ]);
    expect(await store.data('get_customer', { id: SHOPPER })).toMatchObject({ isBotBlocked: true });
    await place();
    const before = messenger.callsOf('sendMessage').length;
    await told();
    expect(messenger.callsOf('sendMessage')).toHaveLength(before);
  });

  it('wait while the store is suspended, and go with the order when it is deleted', async () => {
    await switchOn('placed');
    const { id } = await place();
    await store.data('delete_order', { orderId: id, confirm: true });
    expect(await told()).toEqual([]);
    const kept = await place();
    await app.query(`update stores set suspended_at = now(), suspended_reason = 'unpaid' where id = $1`, [
      store.id,
    ]);
    await app.nest.get(ShopperMessages).send();
    expect(await app.query('select outcome from order_messages where store_id = $1', [store.id])).toEqual([
      { outcome: 'due' },
    ]);
    await app.query('update stores set suspended_at = null, suspended_reason = null where id = $1', [
      store.id,
    ]);
    expect(await told()).toEqual([`Thank you! We have your order #${kept.id}.`]);
  });

  it('have the words of the store in its language, and what its owner has written as it is', async () => {
    await switchOn(...KINDS);
    await owner.data('PUT', 'bot/messages/paid', { text: 'Paid: {orderId}', buttonText: null });
    expect(await owner.data('PUT', 'profile', { language: 'uk' })).toMatchObject({ language: 'uk' });
    const { id } = await place(true);
    expect((await told()).sort()).toEqual([`Paid: ${id}`, `Дякуємо! Ми отримали ваше замовлення №${id}.`]);
    const buttons = messenger.callsOf('sendMessage').map(({ body }) => body.reply_markup);
    expect(JSON.stringify(buttons)).toContain('Відкрити замовлення');
    expect(buttons).toContain(undefined);
    await store.data('ship_order', { orderId: id, carrier: 'Пошта', trackingNumber: '7', notify: true });
    expect(messenger.callsOf('sendMessage').at(-1)!.body.text).toBe(
      `Гарна новина: замовлення №${id} відправлено.\nПеревізник: Пошта\nНомер для відстеження: 7`,
    );
    await bot.message('5', { text: '/start' });
    await eventually('the welcome message', () =>
      messenger.callsOf('sendMessage').some(({ body }) => String(body.text).startsWith('Вітаємо!')),
    );
  });

  it('are switched only where there is a switch', async () => {
    for (const kind of ['welcome', 'shipped']) {
      const answer = await owner.send('PUT', `bot/messages/${kind}`, { enabled: true });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^enabled\b/);
    }
    expect(await owner.send('PUT', 'profile', { language: 'xx' })).toMatchObject(
      refusal(400, 'invalid_input'),
    );
  });
});
