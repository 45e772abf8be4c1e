import { pino } from 'pino';
import { BotCredentials } from '../../src/groups/bot/bot-credentials.service.js';
import { BotApiServer, botApi } from '../support/bot-api-server.js';
import { TestApp, TestClock, type TestStore } from '../support/test-app.js';

const SECRET_PART = 'AAH-s3cret_0123456789abcdefghijklmno';
const TOKEN = `1234567890:${SECRET_PART}`;
const NOT_CONNECTED = { connected: false, username: null, botId: null, connectedAt: null };

describe('the store bot', () => {
  const clock = new TestClock(new Date('2026-03-01T10:00:00.000Z'));
  const logged: string[] = [];
  let server: BotApiServer;
  let app: TestApp;
  let store: TestStore;

  beforeAll(async () => {
    server = await BotApiServer.start();
    app = await TestApp.start({
      clock,
      log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
      // One connection: a call that kept it while it waits for the messenger would keep every other call waiting.
      env: { MESSENGER_API_ROOT: server.apiRoot, BASE_URL: 'https://shop.example/', DATABASE_POOL: '1' },
    });
  });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  const credentials = () => store.inside((ctx) => app.nest.get(BotCredentials).find(ctx));
  const auditRows = () =>
    app.query<any>(`select operation, target, input, changes from audit_log where store_id = $1 order by at`, [store.id]);

  describe('get_bot', () => {
    it('says that none is connected', async () => {
      expect(await store.data('get_bot', {}, { scope: 'read' })).toEqual(NOT_CONNECTED);
    });

    it('tells the connected one, of its own store only', async () => {
      const connected = await store.data('connect_bot', { token: TOKEN });
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
      const data = await store.data('connect_bot', { token: TOKEN }, { scope: 'write' });
      expect(data).toEqual({
        connected: true,
        username: 'shop_1234567890_bot',
        botId: '1234567890',
        connectedAt: '2026-03-01T10:00:00.000Z',
      });
      expect(server.calls.map(({ method, token }) => [method, token])).toEqual([
        ['getMe', TOKEN],
        ['setWebhook', TOKEN],
      ]);
      const { url, secret_token: secret } = server.callsOf('setWebhook')[0].body;
      expect(url).toBe(`https://shop.example/messenger/${store.id}`);
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(await credentials()).toMatchObject({ token: TOKEN, webhookSecret: secret, botId: '1234567890' });
      const [row] = await app.query<any>(`select * from bots where store_id = $1`, [store.id]);
      expect(JSON.stringify(row)).not.toContain(SECRET_PART);
      expect(JSON.stringify(row)).not.toContain(secret);
    });

    it('writes an audit row without the token', async () => {
      await store.data('connect_bot', { token: TOKEN });
      expect(await auditRows()).toEqual([
        {
          operation: 'connect_bot',
          target: 'bot:1234567890',
          input: { token: '[removed]' },
          changes: {
            botId: [null, '1234567890'],
            username: [null, 'shop_1234567890_bot'],
            connectedAt: [null, expect.any(String)],
          },
        },
      ]);
    });

    it('puts another bot in place of the one before, with a secret of its own', async () => {
      await store.data('connect_bot', { token: TOKEN });
      const before = await credentials();
      const data = await store.data('connect_bot', { token: `99999999:${SECRET_PART}` });
      expect(data).toMatchObject({ botId: '99999999', username: 'shop_99999999_bot' });
      expect((await credentials())!.webhookSecret).not.toBe(before!.webhookSecret);
    });

    it('gives each store a secret of its own', async () => {
      await store.data('connect_bot', { token: TOKEN });
      await (await app.store()).data('connect_bot', { token: TOKEN });
      const [one, other] = server.callsOf('setWebhook').map(({ body }) => body.secret_token);
      expect(one).not.toBe(other);
    });

    it('keeps the secret of a bot whose token was renewed, so that its updates are taken throughout', async () => {
      await store.data('connect_bot', { token: TOKEN });
      const before = await credentials();
      clock.advance(60_000);
      const renewed = `1234567890:BBB${SECRET_PART}`;
      const { connectedAt } = await store.data('connect_bot', { token: renewed });
      expect(connectedAt).toBe(clock.now().toISOString());
      expect(await credentials()).toMatchObject({ token: renewed, webhookSecret: before!.webhookSecret });
    });

    const failures: [string, string, () => void][] = [
      ['a token the messenger refuses', 'refused', () => server.always('getMe', botApi.unauthorized())],
      ['a token that never was', 'refused', () => server.always('getMe', botApi.unknownToken())],
      ['a token revoked between the two calls', 'refused', () => server.always('setWebhook', botApi.unauthorized())],
      ['a messenger that is down', 'could not be reached', () => server.always('getMe', botApi.serverError())],
      ['a messenger that hangs up', 'could not be reached', () => server.always('setWebhook', botApi.dropped())],
      ['a messenger that talks nonsense', 'could not be reached', () => server.always('getMe', botApi.raw(200, '<html>'))],
      [
        'an address the messenger does not take',
        'HTTPS url must be provided',
        () => server.always('setWebhook', botApi.error(400, 'Bad Request: bad webhook: HTTPS url must be provided')),
      ],
    ];

    it.each(failures)('answers 400 for %s and leaves what was connected', async (_, words, script) => {
      await store.data('connect_bot', { token: `99999999:${SECRET_PART}` });
      const before = await credentials();
      script();
      const { status, body } = await store.call('connect_bot', { token: TOKEN });
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
      await store.call('connect_bot', { token: TOKEN });
      expect(await store.data('get_bot')).toEqual(NOT_CONNECTED);
    });

    it('holds no connection to the database while the messenger takes its time', async () => {
      const identity = botApi.result({ id: 1234567890, username: 'slow_bot' });
      server.always('getMe', botApi.slow(1500, identity));
      const ended: string[] = [];
      const connecting = store.data('connect_bot', { token: TOKEN }).then(() => ended.push('connect_bot'));
      while (server.callsOf('getMe').length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await store.data('get_bot').then(() => ended.push('get_bot'));
      await connecting;
      expect(ended).toEqual(['get_bot', 'connect_bot']);
    });

    const tail = 'x'.repeat(35);
    it.each([`12345678:${tail}`, `1234567890:${tail}`, `12345678:${tail}${'aZ9_-'.repeat(20)}`])('takes %s', async (token) => {
      expect((await store.call('connect_bot', { token })).status).toBe(200);
    });

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

    it('is not for a read token', async () => {
      const { status, body } = await store.call('connect_bot', { token: TOKEN }, { scope: 'read' });
      expect([status, body.error!.code]).toEqual([403, 'forbidden']);
      expect(server.calls).toEqual([]);
    });
  });

  it('never shows the token: not in an answer, a log line or any table', async () => {
    const answers: unknown[] = [];
    const call = async (operation: string, input: unknown, options = {}) =>
      void answers.push((await store.call(operation, input, options)).body);
    await call('connect_bot', { token: TOKEN });
    await call('connect_bot', { token: TOKEN }, { scope: 'read' });
    for (const answer of [botApi.unauthorized(), botApi.error(400, `Bad Request: ${TOKEN}`), botApi.cutShort()]) {
      server.always('getMe', answer);
      await call('connect_bot', { token: TOKEN });
    }
    await call('connect_bot', { token: TOKEN, [TOKEN.slice(0, 5)]: 1 });
    await call('get_bot', {});
    expect(answers).toHaveLength(7);
    expect(JSON.stringify(answers)).not.toContain(SECRET_PART);
    expect(logged.length).toBeGreaterThan(7);
    expect(logged.join('')).not.toContain(SECRET_PART);
    const tables = await app.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['bots', 'audit_log']));
    for (const { name } of tables) {
      const found = await app.query(`select 1 from ${name} t where position($1 in t::text) > 0`, [SECRET_PART]);
      expect({ table: name, found: found.length }).toEqual({ table: name, found: 0 });
    }
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

    it('answers the stored one of its own store', async () => {
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
