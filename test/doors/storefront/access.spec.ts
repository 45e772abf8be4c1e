import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp, refusal, type SignedUser, signInitData, type SignOptions } from './mini-app.js';

const DAY_MS = 86_400_000;
const ROUTES: [method: string, path: string][] = [
  ['GET', 'catalog'],
  ['GET', 'orders'],
  ['GET', 'me'],
  ['POST', 'visits'],
  ['POST', 'orders'],
];

describe('access to the storefront', () => {
  const now = new Date('2026-03-01T10:00:00.000Z');
  const clock = new TestClock(now);
  const before = (ms: number) => new Date(now.getTime() - ms);
  let store: TestStore;

  const { app, messenger } = useShopWithMessenger({ clock, env: { BASE_URL: 'https://shop.example' } });
  beforeAll(async () => {
    store = await app.store();
    await BotWebhook.connect(store, messenger);
  });

  const sign = (user: SignedUser, options: SignOptions = {}) =>
    signInitData(user, { token: store.botToken, ...options });
  const me = async (authorization: string | undefined, storeId = store.id) => {
    const headers = authorization === undefined ? undefined : { Authorization: authorization };
    const response = await fetch(`${app.url}/storefront/${storeId}/me`, { headers });
    return { status: response.status, body: (await response.json()) as any };
  };

  it.each(['1', '9007199254740993', '9223372036854775807'])(
    'identifies the user %s with all digits',
    async (id) => {
      const user = { id, first_name: 'Ann "1234567890123456789"', last_name: 'O\\N', username: 'ann' };
      const shopper = new MiniApp(store, user, { at: now });
      expect(await shopper.data('GET', 'me')).toEqual({
        id,
        firstName: user.first_name,
        lastName: user.last_name,
        username: 'ann',
        bonusBalance: 0,
        currency: 'USD',
        referralLink: `https://t.me/shop_${store.botId}_bot?start=ref_${id}`,
      });
      expect(await store.data('get_customer', { id })).toMatchObject({ id, firstName: user.first_name });
    },
  );

  it('stores names that update_customer accepts, whatever the messenger sends', async () => {
    const names = { first_name: '\0', last_name: `${'x'.repeat(127)}😀`, username: 'u'.repeat(5_000) };
    await new MiniApp(store, { id: '4711', ...names }, { at: now }).data('GET', 'me');
    const { id, firstName, lastName, username } = await store.data('get_customer', { id: '4711' });
    expect([firstName, lastName, username]).toEqual([null, 'x'.repeat(127), 'u'.repeat(64)]);
    await store.data('update_customer', { id, firstName, lastName, username });
  });

  it.each<[string, () => string | undefined]>([
    ['no header', () => undefined],
    ['another scheme', () => `Bearer ${sign({ id: '1' }, { at: now })}`],
    ['nothing after the scheme', () => 'tma '],
    ['no init data', () => 'tma hello'],
    [
      "another bot's token",
      () => `tma ${sign({ id: '1' }, { at: now, token: store.botToken.replace('AAH', 'BBB') })}`,
    ],
    ['a changed value', () => `tma ${sign({ id: '11' }, { at: now }).replace('%3A11%7D', '%3A12%7D')}`],
    ['a changed signature', () => `tma ${sign({ id: '1' }, { at: now }).replace(/hash=./, 'hash=x')}`],
    ['no signature', () => `tma ${sign({ id: '1' }, { at: now }).replace(/&hash=.*/, '')}`],
    ['more than a day old', () => `tma ${sign({ id: '1' }, { at: before(DAY_MS + 1000) })}`],
    ['from more than 5 minutes ahead', () => `tma ${sign({ id: '1' }, { at: before(-301_000) })}`],
    ['a date that is none', () => `tma ${sign({ id: '1' }, { extra: { auth_date: '17e8' } })}`],
    [
      'a value given twice',
      () => `tma ${sign({ id: '1' }, { at: now })}&user=${encodeURIComponent('{"id":2}')}`,
    ],
    ['no user', () => `tma ${sign({ id: '1' }, { at: now, userText: null })}`],
    ['a user that is no JSON', () => `tma ${sign({ id: '1' }, { at: now, userText: '{"id":1' })}`],
    ['a user that is null', () => `tma ${sign({ id: '1' }, { at: now, userText: 'null' })}`],
    ['a bot', () => `tma ${sign({ id: '1' }, { at: now, userText: '{"id":1,"is_bot":true}' })}`],
    ['an id of 65 bits', () => `tma ${sign({ id: '9223372036854775808' }, { at: now })}`],
    ['an id below 1', () => `tma ${sign({ id: '-5' }, { at: now })}`],
    ['a broken id', () => `tma ${sign({ id: '1.5' }, { at: now })}`],
  ])('answers 401 for %s', async (_, authorization) => {
    expect(await me(authorization())).toMatchObject(refusal(401, 'invalid_token'));
  });

  it.each([DAY_MS, 0, -300_000])('accepts init data of %i ms ago', async (age) => {
    expect((await me(`tma ${sign({ id: '1' }, { at: before(age) })}`)).status).toBe(200);
  });

  it('answers 401 while the store has no bot, and 404 for a store that does not exist', async () => {
    const initData = `tma ${sign({ id: '1' }, { at: now })}`;
    expect(await me(initData, (await app.store()).id)).toMatchObject(refusal(401, 'invalid_token'));
    for (const id of ['019a0000-0000-7000-8000-000000000000', 'nope']) {
      expect(await me(initData, id)).toMatchObject(refusal(404, 'not_found'));
    }
  });

  it("does not accept one store's shoppers in another store", async () => {
    const other = await app.store();
    await BotWebhook.connect(other, messenger);
    await new MiniApp(store, { id: '501' }, { at: now }).data('GET', 'me');
    expect(await other.call('get_customer', { id: '501' })).toMatchObject(refusal(404, 'not_found'));
  });

  it.each(ROUTES)('locks a banned shopper out of %s %s', async (method, path) => {
    const { productId } = await store.product();
    const banned = new MiniApp(store, { id: '666' }, { at: now });
    await banned.data('GET', 'me').catch(() => undefined);
    await store.data('update_customer', { id: '666', isBanned: true });
    const body =
      method === 'GET'
        ? undefined
        : path === 'orders'
          ? { items: [{ productId, quantity: 1 }], paymentMethod: 'x' }
          : {};
    expect(await banned.send(method, path, body)).toMatchObject(refusal(403, 'forbidden'));
    expect(
      await app.query('select 1 from orders where store_id = $1 and messenger_user_id = 666', [store.id]),
    ).toEqual([]);
  });

  describe('first contact', () => {
    it('links a new shopper to their referrer, only once', async () => {
      const fresh = await app.store();
      await BotWebhook.connect(fresh, messenger);
      const referral = { referralJoinBonus: 5, referrerOrderBonus: 0, referrerBonusFrequency: 'once' };
      await fresh.data('update_monetization', { referral });
      await new MiniApp(fresh, { id: '9007199254740993' }, { at: now }).data('GET', 'catalog');
      const newcomer = new MiniApp(fresh, { id: '8' }, { at: now, startParam: 'ref_9007199254740993' });
      expect(await newcomer.data('GET', 'me')).toMatchObject({ bonusBalance: 5 });
      await newcomer.data('POST', 'visits', {});
      expect(await newcomer.data('GET', 'me')).toMatchObject({ bonusBalance: 5 });
      expect(await fresh.data('get_customer', { id: '8' })).toMatchObject({ referrerId: '9007199254740993' });
    });

    it.each(['ref_', 'ref_0', 'ref_77', 'ref_77x', 'promo', 'ref_99999999999999999999'])(
      'does not link %s',
      async (startParam) => {
        const id = String(Math.floor(Math.random() * 1e9) + 1e9);
        await new MiniApp(store, { id }, { at: now, startParam }).data('GET', 'me');
        expect(await store.data('get_customer', { id })).toMatchObject({ referrerId: null });
      },
    );
  });

  describe('a visit', () => {
    it('is counted once a day, and updates the names', async () => {
      const fresh = await app.store();
      await BotWebhook.connect(fresh, messenger);
      const shopper = new MiniApp(fresh, { id: '9007199254740993', first_name: 'Ann' }, { at: now });
      await shopper.data('GET', 'me');
      const renamed = new MiniApp(fresh, { id: '9007199254740993', first_name: 'Anna' }, { at: now });
      expect(await renamed.data('POST', 'visits', {})).toEqual({ visitedAt: now.toISOString() });
      await renamed.data('POST', 'visits');
      expect(await fresh.data('get_analytics')).toMatchObject({ uniqueVisitors: 1 });
      expect(await fresh.data('get_customer', { id: '9007199254740993' })).toMatchObject({
        firstName: 'Anna',
      });
    });

    it('removes names that the messenger no longer provides, except those the shop has set', async () => {
      const fresh = await app.store();
      const bot = await BotWebhook.connect(fresh, messenger);
      const visit = (names: object) =>
        new MiniApp(fresh, { id: '77', first_name: 'Ann', ...names }, { at: now }).data('POST', 'visits', {});
      const names = async () => {
        const { firstName, lastName, username } = await fresh.data('get_customer', { id: '77' });
        return [firstName, lastName, username];
      };
      const found = async (search: string) => (await fresh.data('list_customers', { search })).items.length;
      await visit({ last_name: 'Oldname', username: 'ann77' });
      await fresh.place(
        { items: [{ productId: (await fresh.product()).productId, quantity: 1 }] },
        { id: '77' },
      );
      expect(await names()).toEqual(['Ann', 'Oldname', 'ann77']);
      await visit({});
      expect(await names()).toEqual(['Ann', null, null]);
      expect([await found('oldname'), await found('ann77'), await found('ann')]).toEqual([0, 0, 1]);
      await fresh.data('update_customer', { id: '77', lastName: 'By the shop', firstName: 'Nan' });
      await visit({ username: 'ann78' });
      expect(await names()).toEqual(['Ann', 'By the shop', 'ann78']);
      expect([await found('by the shop'), await found('nan')]).toEqual([1, 0]);
      await visit({ last_name: 'Newname' });
      expect(await names()).toEqual(['Ann', 'Newname', null]);
      await bot.message('77', { text: '/start' });
      expect(await names()).toEqual(['Ann', null, null]);
    });

    it('accepts no input', async () => {
      const answer = await new MiniApp(store, { id: '1' }, { at: now }).send('POST', 'visits', { at: 1 });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^at /);
    });
  });

  describe('pages of other sites', () => {
    it('may send requests from any origin and read the answers', async () => {
      const preflight = await fetch(`${app.url}/storefront/${store.id}/orders`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://mini.example', 'Access-Control-Request-Method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST');
      for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key']) {
        expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
      }
      const { status, headers } = await new MiniApp(store, { id: '1' }, { at: now }).get('me');
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
    });

    it('may also read refusals, but no answer of the dashboard or the bot', async () => {
      const refused = await fetch(`${app.url}/storefront/${store.id}/me`);
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
      const nothing = await fetch(`${app.url}/storefront/${store.id}/nothing`);
      expect([nothing.status, ((await nothing.json()) as any).error.code]).toEqual([404, 'not_found']);
      for (const path of ['/dashboard/api/me', `/messenger/${store.id}`]) {
        const answer = await fetch(app.url + path, {
          method: 'OPTIONS',
          headers: { Origin: 'https://mini.example' },
        });
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      }
    });
  });
});

describe("a shopper's budget", () => {
  const { app, messenger } = useShopWithMessenger({
    env: { RATE_LIMIT_READ: '3', RATE_LIMIT_WRITE: '2', RATE_LIMIT_BAD_TOKENS: '4' },
  });

  it('has one limit for reads and one for writes, per shopper and store', async () => {
    const store = await app.store();
    await BotWebhook.connect(store, messenger);
    const ann = new MiniApp(store, { id: '1' });
    const reads = [
      await ann.get('me'),
      await ann.get('orders'),
      await ann.get('catalog'),
      await ann.get('me'),
    ];
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(reads.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
    expect(reads[0].headers.get('ratelimit-limit')).toBe('3');
    expect(reads[3].body.error!.code).toBe('rate_limited');
    expect(Number(reads[3].headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const writes = [
      await ann.order({}),
      await ann.send('POST', 'visits', {}),
      await ann.send('POST', 'visits', {}),
    ];
    expect(writes.map(({ status }) => status)).toEqual([400, 200, 429]);
    expect((await new MiniApp(store, { id: '2' }).get('me')).status).toBe(200);
  });

  it('does not pay for guesses, which are limited by address', async () => {
    const store = await app.store();
    await BotWebhook.connect(store, messenger);
    const wrong = new MiniApp(store, { id: '1' }, { token: store.botToken.replace('AAH', 'BBB') });
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push((await wrong.get('me')).status);
    expect(answers).toEqual([401, 401, 401, 401, 429]);
    expect((await new MiniApp(store, { id: '1' }).get('me')).status).toBe(200);
  });
});
