import pg from 'pg';
import { pino } from 'pino';
import { BotCredentials } from '../../../src/groups/bot/bot-credentials.service.js';
import { waitsForLock } from '../../support/database/waits-for-lock.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { eventually, gate } from '../../support/eventually.js';
import { BotClaims } from '../../../src/stores/bot-claims.service.js';
import {
  BOT_SECRET,
  TestApp,
  TestClock,
  type TestStore,
  useShop,
  useShopWithMessenger,
} from '../../support/test-app.js';

const NOT_CONNECTED = { connected: false, username: null, botId: null, connectedAt: null };

describe('the store bot', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.000Z'));
  const logged: string[] = [];
  let store: TestStore;

  const { app, messenger: server } = useShopWithMessenger({
    clock,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    // One connection: a call that kept it while it waits for the messenger would keep every other call
    // waiting.
    env: { BASE_URL: 'https://shop.example/', DATABASE_POOL: '1' },
  });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
  });

  let lastBotId = 20_000_000;
  const anotherToken = () => `${++lastBotId}:${BOT_SECRET}`;
  const credentials = () => store.inside((ctx) => app.nest.get(BotCredentials).find(ctx));
  const auditRows = () =>
    app.query<any>(
      `select operation, target, input, changes from audit_log where store_id = $1 order by at`,
      [store.id],
    );

  describe('get_bot', () => {
    it('says that none is connected', async () => {
      expect(await store.data('get_bot', {}, { scope: 'read' })).toEqual(NOT_CONNECTED);
    });

    it('tells the connected one, of its own store only', async () => {
      const connected = await store.data('connect_bot', { token: store.botToken });
      expect(await store.data('get_bot', {}, { scope: 'read' })).toEqual(connected);
      expect(await (await app.store()).data('get_bot')).toEqual(NOT_CONNECTED);
    });

    it('takes no input', async () => {
      const { status, body } = await store.call('get_bot', { id: '1' });
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    });
  });

  describe('connect_bot', () => {
    it('asks whose token it is, registers the webhook with a secret, and keeps both encrypted', async () => {
      const data = await store.data('connect_bot', { token: store.botToken }, { scope: 'write' });
      expect(data).toEqual({
        connected: true,
        username: `shop_${store.botId}_bot`,
        botId: store.botId,
        connectedAt: '2026-03-01T10:00:00.000Z',
      });
      expect(server.calls.map(({ method, token }) => [method, token])).toEqual([
        ['getMe', store.botToken],
        ['setWebhook', store.botToken],
        ['getChatMenuButton', store.botToken],
        ['setChatMenuButton', store.botToken],
      ]);
      const { url, secret_token: secret } = server.callsOf('setWebhook')[0].body;
      expect(url).toBe(`https://shop.example/messenger/${store.id}`);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(await credentials()).toMatchObject({
        token: store.botToken,
        webhookSecret: secret,
        botId: store.botId,
      });
      const [row] = await app.query<any>(`select * from bots where store_id = $1`, [store.id]);
      expect(JSON.stringify(row)).not.toContain(BOT_SECRET);
      expect(JSON.stringify(row)).not.toContain(secret);
    });

    it('writes an audit row without the token', async () => {
      await store.data('connect_bot', { token: store.botToken });
      expect(await auditRows()).toEqual([
        {
          operation: 'connect_bot',
          target: `bot:${store.botId}`,
          input: { token: '[removed]' },
          changes: {
            botId: [null, store.botId],
            username: [null, `shop_${store.botId}_bot`],
            connectedAt: [null, expect.any(String)],
          },
        },
      ]);
    });

    it('replaces the connected bot by another one, with a secret of its own', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const before = await credentials();
      const token = anotherToken();
      const [botId] = token.split(':');
      const data = await store.data('connect_bot', { token });
      expect(data).toMatchObject({ botId, username: `shop_${botId}_bot` });
      expect((await credentials())!.webhookSecret).not.toBe(before!.webhookSecret);
    });

    it('gives each store a secret of its own', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const second = await app.store();
      await second.data('connect_bot', { token: second.botToken });
      const [one, other] = server.callsOf('setWebhook').map(({ body }) => body.secret_token);
      expect(one).not.toBe(other);
    });

    it('keeps the secret of a bot whose token was renewed, so that all its updates are taken', async () => {
      await store.data('connect_bot', { token: store.botToken });
      const before = await credentials();
      clock.advance(60_000);
      const renewed = `${store.botId}:BBB${BOT_SECRET}`;
      const { connectedAt } = await store.data('connect_bot', { token: renewed });
      expect(connectedAt).toBe(clock.now().toISOString());
      expect(await credentials()).toMatchObject({ token: renewed, webhookSecret: before!.webhookSecret });
    });

    const failures: [string, string, () => void][] = [
      ['a token the messenger refuses', 'refused', () => server.always('getMe', botApi.unauthorized())],
      ['a token that never was', 'refused', () => server.always('getMe', botApi.unknownToken())],
      [
        'a token revoked between the two calls',
        'refused',
        () => server.always('setWebhook', botApi.unauthorized()),
      ],
      [
        'a messenger that is down',
        'could not be reached',
        () => server.always('getMe', botApi.serverError()),
      ],
      [
        'a messenger that hangs up',
        'could not be reached',
        () => server.always('setWebhook', botApi.dropped()),
      ],
      [
        'a messenger that talks nonsense',
        'could not be reached',
        () => server.always('getMe', botApi.raw(200, '<html>')),
      ],
      [
        'an address the messenger does not take',
        'HTTPS url must be provided',
        () =>
          server.always(
            'setWebhook',
            botApi.error(400, 'Bad Request: bad webhook: HTTPS url must be provided'),
          ),
      ],
    ];

    it.each(failures)('answers 400 for %s and leaves what was connected', async (_, words, script) => {
      await store.data('connect_bot', { token: anotherToken() });
      const before = await credentials();
      script();
      const { status, body } = await store.call('connect_bot', { token: store.botToken });
      expect(status).toBe(400);
      expect(body.error!.code).toBe('invalid_input');
      expect(body.error!.message).toMatch(/^token /);
      expect(body.error!.message).toContain(words);
      expect(body.error!.message).toContain('nothing was changed');
      expect(await credentials()).toEqual(before);
      expect(await auditRows()).toHaveLength(1);
    });

    it('connects nothing at the first try that fails', async () => {
      server.always('getMe', botApi.unauthorized());
      await store.call('connect_bot', { token: store.botToken });
      expect(await store.data('get_bot')).toEqual(NOT_CONNECTED);
    });

    it('holds no database connection while the messenger is slow', async () => {
      const identity = botApi.result({ id: Number(store.botId), username: 'slow_bot' });
      const { opened, open } = gate();
      server.always('getMe', botApi.held(opened, identity));
      const ended: string[] = [];
      const connecting = store
        .data('connect_bot', { token: store.botToken })
        .then(() => ended.push('connect_bot'));
      await eventually('the messenger is asked', () => server.callsOf('getMe').length > 0);
      await store.data('get_bot').then(() => ended.push('get_bot'));
      open();
      await connecting;
      expect(ended).toEqual(['get_bot', 'connect_bot']);
    });

    const tail = 'x'.repeat(35);
    it.each([`12345678:${tail}`, `1234567890:${tail}`, `12345679:${tail}${'aZ9_-'.repeat(20)}`])(
      'accepts %s',
      async (token) => {
        expect((await store.call('connect_bot', { token })).status).toBe(200);
      },
    );

    it.each([
      undefined,
      null,
      5,
      '',
      [`12345678:${tail}`],
      `1234567:${tail}`,
      `12345678901:${tail}`,
      `1234567a:${tail}`,
      `12345678:${tail.slice(1)}`,
      `12345678:${tail}!`,
      `12345678${tail}`,
      ` 12345678:${tail}`,
      `12345678:${tail}\n`,
    ])('refuses the token %j', async (token) => {
      const { status, body } = await store.call('connect_bot', { token });
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(/^token /);
      expect(body.error!.message).not.toContain(tail);
      expect(server.calls).toEqual([]);
      expect(await store.data('get_bot')).toEqual(NOT_CONNECTED);
    });

    it('asks once for two calls at once, also without a key', async () => {
      const { opened, open } = gate();
      server.next(
        'getMe',
        botApi.held(opened, botApi.result({ id: Number(store.botId), username: 'b_bot' })),
      );
      const claims = jest.spyOn(app.nest.get(BotClaims), 'take');
      const calls = [1, 2].map(() => store.call('connect_bot', { token: store.botToken }));
      await eventually('both want the bot', () => claims.mock.calls.length === 2);
      await eventually('one asks', () => server.callsOf('getMe').length === 1);
      claims.mockRestore();
      open();
      for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
      for (const method of ['getMe', 'setWebhook']) expect(server.callsOf(method)).toHaveLength(1);
    });

    it('is kept from nobody by a store that only knows the id of their bot', async () => {
      const other = await app.store();
      const { opened, open } = gate();
      server.next('getMe', botApi.held(opened, botApi.unauthorized()));
      const made = other.call('connect_bot', { token: `${store.botId}:${'x'.repeat(35)}` });
      await eventually('it asks', () => server.callsOf('getMe').length === 1);
      expect((await store.call('connect_bot', { token: store.botToken })).status).toBe(200);
      open();
      expect((await made).status).toBe(400);
      expect(await app.query('select from bot_claims')).toEqual([]);
    });

    it('is not held up by what a killed process left behind, once its time is over', async () => {
      const other = await app.store();
      // One of them has the bot's token.
      for (const [id, isProven] of [
        [other.id, true],
        [store.id, false],
      ])
        await app.query(
          `insert into bot_claims (store_id, bot_id, holder, is_proven, ends_at)
           values ($1::text::uuid, $2, $1::text::uuid, $3, now())`,
          [id, store.botId, isProven],
        );
      expect((await store.call('connect_bot', { token: store.botToken })).status).toBe(200);
    });

    it('is not for a read token', async () => {
      const { status, body } = await store.call('connect_bot', { token: store.botToken }, { scope: 'read' });
      expect([status, body.error!.code]).toEqual([403, 'forbidden']);
      expect(server.calls).toEqual([]);
    });
  });

  describe('a bot that another store has', () => {
    it('is refused without naming the store, and the messenger is not told to send us updates', async () => {
      const own = await store.data('connect_bot', { token: store.botToken });
      const before = await credentials();
      const first = await app.store({ name: 'The first one' });
      await first.data('connect_bot', { token: first.botToken });
      server.calls.length = 0;
      for (const token of [first.botToken, `${first.botId}:BBB${BOT_SECRET}`]) {
        const { status, body } = await store.call('connect_bot', { token });
        expect([status, body.error]).toEqual([
          400,
          {
            code: 'invalid_input',
            message:
              'token is that of a bot that another store has connected, and a bot belongs to one store; ' +
              'nothing was changed',
          },
        ]);
      }
      expect(server.calls.map(({ method }) => method)).toEqual(['getMe', 'getMe']);
      expect([await store.data('get_bot'), await credentials()]).toEqual([own, before]);
      expect(await auditRows()).toHaveLength(1);
      expect(await first.data('get_bot')).toMatchObject({ connected: true, botId: first.botId });
    });

    it('is connected by at most one of two stores that connect it at once', async () => {
      const wide = await TestApp.start({
        clock,
        env: { MESSENGER_API_ROOT: server.apiRoot, BASE_URL: 'https://shop.example' },
      });
      try {
        const stores = [await wide.store(), await wide.store()];
        server.always('setWebhook', botApi.slow(200, botApi.result(true)));
        const answers = await Promise.all(
          stores.map((each) => each.call('connect_bot', { token: store.botToken })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
        const winner = stores[answers.findIndex(({ status }) => status === 200)];
        expect(server.callsOf('setWebhook').map(({ body }) => body.url)).toEqual([
          `https://shop.example/messenger/${winner.id}`,
        ]);
      } finally {
        await wide.stop();
      }
    });

    it('can be connected once that store has another bot', async () => {
      const first = await app.store();
      await first.data('connect_bot', { token: store.botToken });
      await first.data('connect_bot', { token: first.botToken });
      expect(await store.data('connect_bot', { token: store.botToken })).toMatchObject({
        connected: true,
        botId: store.botId,
      });
    });
  });

  describe('a bot that is replaced', () => {
    it('loses its webhook once the other bot is connected', async () => {
      await store.data('connect_bot', { token: store.botToken });
      await store.data('connect_bot', { token: `${store.botId}:BBB${BOT_SECRET}` });
      expect(server.callsOf('deleteWebhook')).toEqual([]);
      const token = anotherToken();
      await store.data('connect_bot', { token });
      const isOfWebhook = ({ method }: { method: string }) => !method.endsWith('ChatMenuButton');
      const calls = server.calls.filter(isOfWebhook).slice(-3);
      expect(calls.map((call) => [call.method, call.token])).toEqual([
        ['getMe', token],
        ['setWebhook', token],
        ['deleteWebhook', `${store.botId}:BBB${BOT_SECRET}`],
      ]);
    });

    it.each([
      ['its token is revoked', botApi.unauthorized()],
      ['the messenger fails', botApi.serverError()],
    ])('is replaced even if %s, and the log says so', async (_, answer) => {
      await store.data('connect_bot', { token: store.botToken });
      server.always('deleteWebhook', answer);
      logged.length = 0;
      const token = anotherToken();
      expect((await store.call('connect_bot', { token })).status).toBe(200);
      expect(await credentials()).toMatchObject({ token });
      expect(logged.filter((line) => line.includes('webhook of a replaced bot'))).toEqual([
        expect.stringContaining(store.botId),
      ]);
      expect(logged.join('')).not.toContain(BOT_SECRET);
    });
  });

  it('never shows the token: not in an answer, a log line or any table', async () => {
    const answers: unknown[] = [];
    const call = async (operation: string, input: unknown, options = {}) =>
      void answers.push((await store.call(operation, input, options)).body);
    await call('connect_bot', { token: store.botToken });
    await call('connect_bot', { token: store.botToken }, { scope: 'read' });
    for (const answer of [
      botApi.unauthorized(),
      botApi.error(400, `Bad Request: ${store.botToken}`),
      botApi.cutShort(),
    ]) {
      server.always('getMe', answer);
      await call('connect_bot', { token: store.botToken });
    }
    await call('connect_bot', { token: store.botToken, [store.botToken.slice(0, 5)]: 1 });
    await call('get_bot', {});
    expect(answers).toHaveLength(7);
    expect(JSON.stringify(answers)).not.toContain(BOT_SECRET);
    expect(logged.length).toBeGreaterThan(7);
    expect(logged.join('')).not.toContain(BOT_SECRET);
    const tables = await app.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'
        and table_type = 'BASE TABLE'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['bots', 'audit_log']));
    for (const { name } of tables) {
      const found = await app.query(`select 1 from ${name} t where position($1 in t::text) > 0`, [
        BOT_SECRET,
      ]);
      expect({ table: name, found: found.length }).toEqual({ table: name, found: 0 });
    }
  });

  describe('update_welcome_message', () => {
    it('changes only the given fields', async () => {
      const shop = await app.store();
      const defaults = await shop.data('get_welcome_message');
      const first = await shop.data('update_welcome_message', { text: 'Hello' }, { scope: 'write' });
      expect(first).toEqual({ ...defaults, text: 'Hello', updatedAt: expect.any(String) });
      const image = { imageUrl: 'https://images.example/hello.png', buttonText: null };
      const second = await shop.data('update_welcome_message', image);
      expect(second).toEqual({ text: 'Hello', ...image, updatedAt: expect.any(String) });
      expect(await shop.data('get_welcome_message')).toEqual(second);
      expect(second.updatedAt > first.updatedAt).toBe(true);
    });

    it.each<[object, RegExp]>([
      [{}, /^text: at least one of text, imageUrl, buttonText is required$/],
      [{ text: '' }, /^text must be/],
      [{ text: 'x'.repeat(4097) }, /^text must be a string of 1 to 4096 characters/],
      [{ text: null }, /^text must be/],
      [{ imageUrl: 'ftp://images.example/a.png' }, /^imageUrl must be/],
    ])('refuses %j', async (input, message) => {
      const { status, body } = await (await app.store()).call('update_welcome_message', input);
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(message);
    });
  });

  describe('get_welcome_message', () => {
    it('answers the default when none is stored', async () => {
      expect(await store.data('get_welcome_message', {}, { scope: 'read' })).toEqual({
        text: expect.stringMatching(/./),
        imageUrl: null,
        buttonText: expect.stringMatching(/./),
        updatedAt: null,
      });
    });

    it('answers the stored message of its own store', async () => {
      await app.query(
        `insert into bot_messages (store_id, kind, text, image_url, button_text, updated_at)
         values ($1, 'welcome', 'Hi!', 'https://images.example/hi.png', null, '2026-02-03T04:05:06.007Z')`,
        [store.id],
      );
      expect(await store.data('get_welcome_message')).toEqual({
        text: 'Hi!',
        imageUrl: 'https://images.example/hi.png',
        buttonText: null,
        updatedAt: '2026-02-03T04:05:06.007Z',
      });
      expect(await (await app.store()).data('get_welcome_message')).toMatchObject({ updatedAt: null });
    });
  });
});

describe('two first calls of update_welcome_message', () => {
  const app = useShop();

  it('keep the values of both calls', async () => {
    const store = await app.store();
    const first = new pg.Client({ connectionString: app.database.ownerUrl });
    await first.connect();
    await first.query('begin');
    // Until this is undone nobody can write the row, so that both calls are under way at once.
    await first.query(
      `insert into bot_messages (store_id, kind, text, updated_at) values ($1, 'welcome', '', now())`,
      [store.id],
    );
    const given = [{ text: 'Hello' }, { buttonText: 'Go' }];
    const calls = given.map((input) => store.data('update_welcome_message', input));
    await waitsForLock(first, 2);
    await first.query('rollback').finally(() => first.end());
    await Promise.all(calls);
    expect(await store.data('get_welcome_message')).toMatchObject({ text: 'Hello', buttonText: 'Go' });
  });
});
