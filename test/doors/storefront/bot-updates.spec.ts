import { pino } from 'pino';
import { eventually, gate } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { StorePage } from '../dashboard/browser.js';
import { BotWebhook, refusal } from './mini-app.js';

const BIG_ID = '9007199254740993';

describe("updates of the store's bot", () => {
  const logged: string[] = [];
  let store: TestStore;
  let bot: BotWebhook;

  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const { app, messenger } = useShopWithMessenger({ log });
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    bot = await BotWebhook.connect(store, messenger);
  });

  const customers = () =>
    app.query<any>('select id, referrer_id, is_bot_blocked from customers where store_id = $1', [store.id]);

  async function calls(method: string, count: number) {
    await eventually(`${count} calls of ${method}`, () => messenger.callsOf(method).length >= count);
    return messenger.callsOf(method);
  }

  /** Nothing more is sent once another update, sent later, has been answered by a message. */
  async function messagesOnceQuiet() {
    await bot.message('424242', { text: '/start' });
    const isLast = ({ body }: { body: any }) => body.chat_id === '424242';
    await eventually('the last message is sent', () => messenger.callsOf('sendMessage').some(isLast));
    return messenger.callsOf('sendMessage').filter((call) => !isLast(call));
  }

  describe('are accepted only with the secret token', () => {
    it.each<[string, () => string]>([
      ['none', () => ''],
      ['a wrong one', () => 'x'.repeat(43)],
      ['the bot token', () => store.botToken],
    ])('of the store: %s is answered with 401', async (_, secret) => {
      const headers = { 'X-Telegram-Bot-Api-Secret-Token': secret() };
      const update = { message: { from: { id: 5 }, chat: { type: 'private' }, text: '/start' } };
      expect(await bot.send(update, headers)).toMatchObject(refusal(401, 'invalid_token'));
      expect(await customers()).toEqual([]);
    });

    it('the secret of another store is 401, as are an unknown store and one without a bot', async () => {
      const other = await BotWebhook.connect(await app.store(), messenger);
      const secret = { 'X-Telegram-Bot-Api-Secret-Token': other.secret };
      expect(await bot.send({}, secret)).toMatchObject(refusal(401, 'invalid_token'));
      const answers = [];
      for (const id of ['nope', '019a0000-0000-7000-8000-000000000000', (await app.store()).id]) {
        answers.push((await app.post(`/messenger/${id}`, {}, secret)).body);
      }
      expect(answers).toEqual(
        Array(3).fill({ ok: false, error: { code: 'invalid_token', message: expect.any(String) } }),
      );
      expect(new Set(answers.map(({ error }) => error!.message)).size).toBe(1);
    });
  });

  it.each([
    {},
    { update_id: 1 },
    { message: null },
    { message: {} },
    { message: { from: { id: 5 }, text: '/start' } },
    { message: { from: { id: 5 }, chat: { type: 'group' }, text: '/start' } },
    { message: { from: { id: 5, is_bot: true }, chat: { type: 'private' }, text: '/start' } },
    { message: { from: { id: 'x' }, chat: { type: 'private' }, text: '/start' } },
    { message: { from: { id: 5 }, chat: { type: 'private' }, text: 'hello /start' } },
    { message: { from: { id: 5 }, chat: { type: 'private' }, text: '/started' } },
    { message: { from: { id: 5 }, chat: { type: 'private' }, photo: [] } },
    { my_chat_member: { from: { id: 5 } } },
    { callback_query: { id: '1', from: { id: 5 } } },
  ])('accepts and ignores %j', async (update) => {
    expect(await bot.send(update)).toEqual({ status: 200, body: {} });
    expect(await customers()).toEqual([]);
    expect(await messagesOnceQuiet()).toEqual([]);
  });

  it.each(['[]', '5', '{"message":'])('answers 400 for %s', async (text) => {
    expect(await bot.send(text)).toMatchObject(refusal(400, 'invalid_input'));
  });

  describe('/start', () => {
    it('creates a customer and sends a greeting with a button that opens the shop', async () => {
      expect(await bot.message(BIG_ID, { text: '/start' })).toEqual({ status: 200, body: {} });
      const [{ body }] = await calls('sendMessage', 1);
      const { text, buttonText } = await store.data('get_welcome_message');
      expect(body).toMatchObject({
        chat_id: BIG_ID,
        text,
        reply_markup: {
          inline_keyboard: [[{ text: buttonText, url: `https://t.me/shop_${store.botId}_bot?start=shop` }]],
        },
      });
      expect(await store.data('get_customer', { id: BIG_ID })).toMatchObject({
        firstName: 'Ann',
        lastSeenAt: expect.any(String),
      });
    });

    it('greets without a picture that the messenger refuses', async () => {
      await app.query(
        `insert into bot_messages (store_id, kind, text, image_url, button_text, updated_at)
         values ($1, 'welcome', 'Hi!', 'https://images.example/hi.webp', 'Shop', now())`,
        [store.id],
      );
      messenger.next('sendPhoto', botApi.pictureRefused());
      await bot.message('7', { text: '/start' });
      const [{ body }] = await calls('sendMessage', 1);
      expect(body).toMatchObject({
        ...{ chat_id: '7', text: 'Hi!' },
        link_preview_options: { url: 'https://images.example/hi.webp' },
        reply_markup: { inline_keyboard: [[{ text: 'Shop' }]] },
      });
      // The page of the bot says so, until the picture is taken or is another one.
      const owner = await StorePage.ofOwner(store);
      const isRefused = async () => (await owner.data('GET', 'bot/messages/welcome')).pictureRefused !== null;
      await eventually('the page says so', isRefused);
      expect((await owner.data('GET', 'bot/messages/welcome')).pictureRefused).toContain(
        'Bad Request: failed to get HTTP URL content',
      );
      expect(await store.data('get_welcome_message')).not.toHaveProperty('pictureRefused');
      await bot.message('7', { text: '/start' });
      await eventually('the picture is taken', async () => !(await isRefused()));
      messenger.next('sendPhoto', botApi.pictureRefused());
      await bot.message('7', { text: '/start' });
      await eventually('the page says so again', isRefused);
      await store.data('update_welcome_message', { imageUrl: 'https://images.example/hi.png' });
      expect(await isRefused()).toBe(false);
    });

    it('answers whatever is typed after it, and takes one word alone for a payload', async () => {
      await bot.message('8', { text: '/start hello there' });
      await bot.message('9', { text: '/start  ref_8\nref_7 ' });
      await calls('sendMessage', 2);
      expect((await store.data('get_customer', { id: '9' })).referrerId).toBeNull();
      await bot.message('10', { text: '/start ref_8 ' });
      await calls('sendMessage', 3);
      expect((await store.data('get_customer', { id: '10' })).referrerId).toBe('8');
    });

    it("sends the store's own message, with its image, and without a button if it has none", async () => {
      await app.query(
        `insert into bot_messages (store_id, kind, text, image_url, button_text, updated_at)
         values ($1, 'welcome', 'Hi!', 'https://images.example/hi.png', null, now())`,
        [store.id],
      );
      await bot.message('7', { text: `/start@shop_${store.botId}_bot` });
      const [{ body }] = await calls('sendPhoto', 1);
      expect(body).toMatchObject({ chat_id: '7', caption: 'Hi!', photo: 'https://images.example/hi.png' });
      expect(body.reply_markup).toBeUndefined();
    });

    it('links a new shopper to their referrer, only once', async () => {
      const referral = { referralJoinBonus: 1.5, referrerOrderBonus: 0, referrerBonusFrequency: 'once' };
      await store.data('update_monetization', { referral });
      await bot.message(BIG_ID, { text: '/start' });
      await bot.message('8', { text: `/start ref_${BIG_ID}` });
      await bot.message('8', { text: `/start ref_${BIG_ID}` });
      await bot.message('9', { text: '/start ref_9' });
      expect(await store.data('get_customer', { id: '8' })).toMatchObject({
        referrerId: BIG_ID,
        bonusBalance: 1.5,
      });
      expect(await store.data('get_customer', { id: '9' })).toMatchObject({
        referrerId: null,
        bonusBalance: 0,
      });
    });

    it('answers before the message is sent, and still sends it', async () => {
      const { opened, open } = gate();
      messenger.always('sendMessage', botApi.held(opened, botApi.serverError()));
      const isOver = () => logged.some((line) => line.includes('the welcome message was not sent'));
      logged.length = 0;
      await bot.message('7', { text: '/start' });
      expect(isOver()).toBe(false);
      open();
      await eventually('the failure is in the log', isOver);
    });

    it('is 200 and a first contact even if the message fails, and marks who blocked the bot', async () => {
      messenger.always('sendMessage', (call) =>
        call.body.chat_id === '7' ? botApi.blocked() : botApi.serverError(),
      );
      expect((await bot.message('7', { text: '/start' })).status).toBe(200);
      expect((await bot.message('8', { text: '/start' })).status).toBe(200);
      await calls('sendMessage', 2);
      const isMarked = async () => (await store.data('get_customer', { id: '7' })).isBotBlocked;
      await eventually('the customer is marked', isMarked);
      expect((await store.data('get_customer', { id: '8' })).isBotBlocked).toBe(false);
    });

    it('gets no answer from a shop that has banned the shopper', async () => {
      await bot.message('7', { text: '/start' });
      await calls('sendMessage', 1);
      await store.data('update_customer', { id: '7', isBanned: true });
      expect(await bot.message('7', { text: '/start' })).toEqual({ status: 200, body: {} });
      expect(await messagesOnceQuiet()).toHaveLength(1);
    });
  });

  describe('blocked and unblocked', () => {
    const isBlocked = async () => (await store.data('get_customer', { id: BIG_ID })).isBotBlocked;

    it('are stored with the customer', async () => {
      await bot.message(BIG_ID, { text: '/start' });
      expect(await bot.membership(BIG_ID, 'kicked')).toEqual({ status: 200, body: {} });
      expect(await isBlocked()).toBe(true);
      await bot.membership(BIG_ID, 'kicked');
      expect(await isBlocked()).toBe(true);
      await bot.membership(BIG_ID, 'member');
      expect(await isBlocked()).toBe(false);
      await bot.membership(BIG_ID, 'kicked');
      await bot.message(BIG_ID, { text: '/start' });
      expect(await isBlocked()).toBe(false);
    });

    it('are ignored for groups, other statuses, and people who are not customers', async () => {
      await bot.message(BIG_ID, { text: '/start' });
      await bot.membership(BIG_ID, 'kicked', 'group');
      await bot.membership(BIG_ID, 'left');
      await bot.membership('12', 'kicked');
      expect(await customers()).toEqual([{ id: BIG_ID, referrer_id: null, is_bot_blocked: false }]);
    });
  });
});
