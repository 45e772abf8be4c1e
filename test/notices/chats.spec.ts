import pg from 'pg';
import { NewOrders } from '../../src/notices/new-orders.service.js';
import { refusal, StorePage } from '../doors/dashboard/browser.js';
import { BotWebhook } from '../doors/storefront/mini-app.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually, gate } from '../support/eventually.js';
import { botApi } from '../support/servers/bot-api-server.js';
import { TestApp, TestClock, type TestStore, useShopWithMessenger } from '../support/test-app.js';

const CHAT = '9007199254740993';

describe('a chat in which a member is told of new orders', () => {
  let store: TestStore;
  let owner: StorePage;
  let bot: BotWebhook;
  const clock = new TestClock();

  const env = { SHOP_ROLES: 'web,deliver', BASE_URL: 'https://shop.example' };
  const { app, messenger } = useShopWithMessenger(async () => ({
    database: await ownDatabase(),
    env,
    clock,
  }));
  beforeEach(async () => {
    messenger.reset();
    store = await app.store({ name: 'Nordwind' });
    owner = await StorePage.ofOwner(store);
    bot = await BotWebhook.connect(store, messenger);
  });

  const chat = async (page = owner) => (await page.data('GET', 'notices')).chat;
  const invite = async (page = owner, language = 'en'): Promise<string> => {
    const { link, expiresAt } = await page.data('POST', 'notices/chat', { language });
    expect(new Date(expiresAt).getTime() - clock.now().getTime()).toBe(15 * 60_000);
    expect(link).toMatch(new RegExp(`^https://t\\.me/shop_${store.botId}_bot\\?start=[\\w-]{1,64}$`));
    return new URL(link).searchParams.get('start')!;
  };
  const start = (code: string, id = CHAT) => bot.message(id, { text: `/start ${code}` });
  const messages = (id = CHAT) =>
    messenger
      .callsOf('sendMessage')
      .filter(({ body }) => body.chat_id === id)
      .map(({ body }) => body.text as string);
  const said = async (part: string, id = CHAT) => {
    await eventually(`the chat is told ${part}`, () => messages(id).some((text) => text.includes(part)));
  };
  const order = async (): Promise<number> => {
    const { productId } = await store.product({ price: '49' });
    const shopper = { id: '1001', firstName: 'Olena' };
    return (await store.place({ items: [{ productId, quantity: 1 }] }, shopper)).id;
  };
  /** Does the work beside an older transaction: no event of it is read before the work is done. */
  const held = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const client = new pg.Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      return await work();
    } finally {
      await client.end();
    }
  };
  const told = async (id: number, to = CHAT) => {
    await eventually(`order ${id} is told`, async () => {
      await app.nest.get(NewOrders).tell();
      return messages(to).some((text) => text.includes(`orders/${id}`));
    });
  };

  it('is linked by a link that works once, and told of each order with its page', async () => {
    expect(await chat()).toEqual({ bot: `shop_${store.botId}_bot`, state: 'off', lastSentAt: null });
    await order();
    clock.advance(1);
    const code = await invite();
    expect(await chat()).toMatchObject({ state: 'waiting' });
    await start(code);
    await said('You will be told of new orders of Nordwind here.');
    expect(await chat()).toMatchObject({ state: 'on' });
    const id = await order();
    await told(id);
    expect(messages().at(-1)).toBe(
      `Nordwind · New order ${id}\n$49.00 · Olena\nhttps://shop.example/dashboard/${store.id}/orders/${id}`,
    );
    expect(messages()).toHaveLength(2);
    await eventually('it is noted', async () => (await chat()).lastSentAt !== null);
    // Whoever follows the link later gets nothing; a member is no customer by it.
    await start(code, '77');
    await said('does not work any more', '77');
    expect(
      await app.query('select id from customers where store_id = $1 and id <> 1001', [store.id]),
    ).toEqual([]);
    // The messenger may send an update again.
    await start(code);
    await eventually('it is said again', () => messages().length === 3);
    expect(messages().at(-1)).toContain('You will be told');
    const rows = await app.query('select * from notice_chats where store_id = $1', [store.id]);
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  it('is told of each order of a burst once, whichever process looks', async () => {
    const twin = await TestApp.start({
      database: app.database,
      env: { ...env, MESSENGER_API_ROOT: messenger.apiRoot },
      clock,
    });
    try {
      await start(await invite());
      await said('You will be told');
      const ids = await held(async () => [await order(), await order(), await order(), await order()]);
      const found = () =>
        messages().flatMap((text) =>
          [...text.matchAll(/(?:New order |^)(\d+)(?:$| ·)/gm)].map(([, id]) => Number(id)),
        );
      await eventually('all have been told', async () => {
        await Promise.all([app, twin].map(({ nest }) => nest.get(NewOrders).tell()));
        return found().length >= ids.length;
      });
      const sorted = (numbers: number[]) => numbers.sort((a, b) => a - b);
      expect(sorted(found())).toEqual(sorted(ids));
    } finally {
      await twin.stop();
    }
  });

  it('is told nothing of a suspended store, nor of an order an hour ago', async () => {
    await start(await invite());
    await said('You will be told');
    const suspend = (at: string | null) =>
      app.query(
        'update stores set suspended_at = $2::timestamptz, suspended_reason = $2::text where id = $1',
        [store.id, at],
      );
    const passed = async (id: number) => {
      await eventually('the order has been passed', async () => {
        await app.nest.get(NewOrders).tell();
        const rows = await app.query(
          `select from notice_cursors c join order_events e using (store_id)
           where e.store_id = $1 and e.order_id = $2 and (c.epoch, c.xid, c.id) >= (e.epoch, e.xid, e.id)`,
          [store.id, id],
        );
        return rows.length === 1;
      });
    };
    await suspend('2026-01-01T00:00:00Z');
    await passed(await order());
    await suspend(null);
    const now = clock.now();
    const old = await held(async () => {
      clock.set(new Date(now.getTime() - 3_700_000));
      const placed = await order();
      clock.set(now);
      return placed;
    });
    await passed(old);
    await told(await order());
    expect(messages()).toHaveLength(2);
  });

  it('is told while another store has more to tell than a messenger that hangs takes', async () => {
    const slow = store;
    await start(await invite());
    await said('You will be told');
    await app.query(
      `with made as (insert into users (id, email, email_key, password_hash, created_at)
         select gen_random_uuid(), 'many-' || n || '@' || $1, 'many-' || n || '@' || $1, '', now()
         from generate_series(1, 100) n
         returning id
       ), members as (insert into store_members (store_id, user_id, role, created_at)
         select $1::text::uuid, id, 'staff', now() from made returning store_id, user_id
       ) insert into notice_chats (store_id, user_id, language, chat_id, bot_id, linked_at)
       select store_id, user_id, 'en', 5000 + row_number() over (), $2, now() from members`,
      [slow.id, slow.botId],
    );
    const { opened, open } = gate();
    messenger.always('sendMessage', ({ token }) =>
      token === slow.botToken ? botApi.held(opened, botApi.result({ message_id: 1 })) : undefined,
    );
    await order();
    await app.nest.get(NewOrders).tell();
    const asked = () => messenger.callsOf('sendMessage').filter(({ token }) => token === slow.botToken);
    await eventually('the messenger has all that it is given at once', () => asked().length === 1 + 8);

    store = await app.store({ name: 'Other' });
    owner = await StorePage.ofOwner(store);
    bot = await BotWebhook.connect(store, messenger);
    await start(await invite(), '88');
    await said('You will be told', '88');
    await told(await order(), '88');
    expect(asked()).toHaveLength(1 + 8);
    open();
    await eventually('the rest is told', () => {
      // A bot sends 25 messages a second.
      clock.advance(1_100);
      return asked().length >= 100;
    });
  });

  it('is not linked by an expired or a withdrawn code', async () => {
    const expired = await invite();
    clock.advance(15 * 60_000 + 1);
    await start(expired);
    const withdrawn = await invite();
    await owner.data('DELETE', 'notices/chat');
    await start(withdrawn);
    await eventually('both are refused', () => messages().length === 2);
    expect(await chat()).toMatchObject({ state: 'off' });
  });

  it('is unlinked by /stop, by the page, by blocking the bot, and with the membership', async () => {
    const linked = async (page = owner, id = CHAT) => {
      await start(await invite(page, 'uk'), id);
      expect(await chat(page)).toMatchObject({ state: 'on' });
    };
    await linked();
    await bot.message('77', { text: '/stop' });
    expect(await chat()).toMatchObject({ state: 'on' });
    await bot.message(CHAT, { text: '/stop' });
    await said('більше не сповіщатимуть');
    expect(await chat()).toMatchObject({ state: 'off' });
    expect(messages('77')).toEqual([]);

    await linked();
    await owner.data('DELETE', 'notices/chat');
    expect(await chat()).toMatchObject({ state: 'off' });

    await linked();
    await bot.membership(CHAT, 'kicked');
    expect(await chat()).toMatchObject({ state: 'blocked' });

    await linked();
    messenger.always('sendMessage', ({ body }) => (body.chat_id === CHAT ? botApi.blocked() : undefined));
    await order();
    await eventually('the page says so', async () => {
      await app.nest.get(NewOrders).tell();
      return (await chat()).state === 'blocked';
    });

    const staff = await StorePage.ofStaff(store, owner);
    await linked(staff, '88');
    await owner.data('DELETE', `members/${staff.userId}`);
    expect(await app.query('select from notice_chats where store_id = $1', [store.id])).toHaveLength(1);
  });

  it("is told what its member may read, by the store's present bot, and ends with the password", async () => {
    const staff = await StorePage.ofStaff(store, owner);
    await start(await invite(), CHAT);
    await start(await invite(staff), '88');
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['products'] });
    await told(await order());
    expect(messages('88').filter((text) => text.includes('orders/'))).toEqual([]);
    const { status } = await owner.browser.post('auth/change-password', {
      currentPassword: 'correct horse battery',
      newPassword: 'staple of all orchards',
    });
    expect(status).toBe(200);
    expect(await chat()).toMatchObject({ state: 'off' });
    await start(await invite(), CHAT);
    await owner.data('DELETE', 'bot');
    expect(await chat()).toEqual({ bot: null, state: 'off', lastSentAt: null });
    expect(await owner.send('POST', 'notices/chat', { language: 'en' })).toMatchObject(
      refusal(404, 'not_found'),
    );
  });
});
