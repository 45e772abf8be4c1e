import { CampaignsService } from '../../../src/groups/campaigns/campaigns.service.js';
import type { SendCampaignInput } from '../../../src/groups/campaigns/campaigns.dto.js';
import { StoreDatabase } from '../../../src/platform/store/store-context.js';
import { AfterCommit } from '../../../src/platform/schema/present.js';
import { Stores } from '../../../src/stores/stores.service.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { eventually, gate } from '../../support/eventually.js';
import { type BotApiCall, BotApiServer, botApi } from '../../support/servers/bot-api-server.js';
import { TestApp, type TestStore } from '../../support/test-app.js';

const TOKEN = `1234567890:${'A'.repeat(35)}`;
const BIG_ID = '9223372036854775807';

describe('send_campaign', () => {
  let server: BotApiServer;
  let app: TestApp;
  let store: TestStore;
  let lastBotId = 1_000_000_000;

  const start = () =>
    // One connection: a call that kept it while it waits for the messenger would keep every other call
    // waiting.
    TestApp.start({
      env: { MESSENGER_API_ROOT: server.apiRoot, BASE_URL: 'https://shop.example', DATABASE_POOL: '1' },
    });

  beforeAll(async () => {
    server = await BotApiServer.start();
    app = await start();
  });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
    // A bot of its own, since tests that shared one would wait for each other's turns.
    await store.data('connect_bot', { token: TOKEN.replace('1234567890', String(++lastBotId)) });
  });
  afterAll(async () => {
    await app.stop();
    await server.close();
  });

  const customers = (ids: (string | number)[], flags: { isBanned?: boolean; isBotBlocked?: boolean } = {}) =>
    app.query(
      `insert into customers (store_id, id, is_banned, is_bot_blocked, created_at, updated_at)
       select $1, unnest($2::bigint[]), $3, $4, now(), now()`,
      [store.id, ids, flags.isBanned ?? false, flags.isBotBlocked ?? false],
    );
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  const campaign = (input: object = {}) => ({
    name: 'Spring',
    text: 'Sale!',
    audience: { all: true },
    confirm: true,
    ...input,
  });
  const send = (input: object = {}, key?: string) =>
    store.call('send_campaign', campaign(input), {
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });
  const data = async (input: object = {}, key?: string) => {
    const { body } = await send(input, key);
    if (!body.ok) throw new Error(body.error!.message);
    return body.data;
  };
  const messages = () => [...server.callsOf('sendMessage'), ...server.callsOf('sendPhoto')];
  const recipients = () => messages().map(({ body }) => body.chat_id);
  const rows = async (): Promise<Record<string, [string, string | null]>> => {
    const found = await app.query<any>(
      `select customer_id, status, reason from campaign_recipients where store_id = $1 order by customer_id`,
      [store.id],
    );
    return Object.fromEntries(
      found.map(({ customer_id, status, reason }) => [customer_id, [status, reason]]),
    );
  };
  const campaigns = () => app.query<any>(`select * from campaigns where store_id = $1`, [store.id]);
  const blockedCustomers = async () =>
    (
      await app.query<any>(`select id from customers where store_id = $1 and is_bot_blocked order by id`, [
        store.id,
      ])
    ).map(({ id }) => id);
  const to = (chatId: string) => (answer: ReturnType<typeof botApi.blocked>) => (call: BotApiCall) =>
    call.body.chat_id === chatId ? answer : undefined;
  /** The next message is answered once what this returns was called. */
  const holdNext = () => {
    const { opened, open } = gate();
    server.next('sendMessage', botApi.held(opened, botApi.result({ message_id: 1 })));
    return open;
  };
  const arrivalOf = (count: number) =>
    eventually(`${count} messages arrive`, () => messages().length >= count);

  /** A call as a transport that reports progress and may give up makes it. */
  async function sendWatched(input: object, { key, signal }: { key?: string; signal: AbortSignal }) {
    const progress: [number, number][] = [];
    const principal = await app.nest.get(Stores).operator(store.id);
    const actor = { kind: 'token' as const, id: store.tokenIds.admin, name: 'test admin' };
    const ctx = app.nest.get(StoreDatabase).contextOf({
      transport: 'mcp',
      requestId: 'watched',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      address: '127.0.0.1',
      setHeader: () => undefined,
      body: () => Promise.resolve(input),
      // The token of the other calls: a key belongs to who used it.
      auth: { principal: { ...principal, actor, scope: 'write', budgetKey: 'watched' } },
      timing: {},
      progress: (done, total) => void progress.push([done, total]),
      signal: () => signal,
    });
    const handled = await app.nest.get(CampaignsService).send(ctx, campaign(input) as SendCampaignInput);
    await ctx.session.commit();
    const result = handled instanceof AfterCommit ? await handled.run() : handled;
    await ctx.session.commit();
    return { result, progress };
  }

  describe('input', () => {
    const good = { name: 'n', text: 't', audience: { all: true } };

    it.each([
      { imageUrl: 'https://images.example/a.png' },
      { buttonText: 'x', buttonUrl: 'https://shop.example' },
      { buttonText: 'x', buttonUrl: 'http://shop.example' },
      { buttonText: 'x', buttonUrl: 'tg://resolve?domain=shop' },
      { confirm: false },
      { audience: { customerIds: ['1'] } },
      { audience: { customerIds: ['1', '1'] } },
      { text: 'x'.repeat(4096) },
    ])('takes %j', async (fields) => {
      await customers([1]);
      const { status, body } = await store.call('send_campaign', { ...good, ...fields });
      expect([status, body.data]).toEqual([200, { preview: true, recipientCount: 1, estimatedSeconds: 1 }]);
    });

    it.each<[string, object]>([
      ['name', { name: undefined }],
      ['name', { name: null }],
      ['name', { name: '' }],
      ['name', { name: 5 }],
      ['text', { text: undefined }],
      ['text', { text: null }],
      ['text', { text: '' }],
      ['imageUrl', { imageUrl: '' }],
      ['imageUrl', { imageUrl: null }],
      ['imageUrl', { imageUrl: 'tg://x' }],
      ['imageUrl', { imageUrl: 'a.png' }],
      ['buttonText', { buttonText: '' }],
      ['buttonText', { buttonText: null }],
      ['buttonUrl', { buttonUrl: 'ftp://shop.example' }],
      ['buttonUrl', { buttonUrl: null }],
      ['confirm', { confirm: null }],
      ['confirm', { confirm: 'true' }],
      ['audience', { audience: undefined }],
      ['audience', { audience: null }],
      ['audience', { audience: 'all' }],
      ['audience.all', { audience: {} }],
      ['audience.all', { audience: { all: false } }],
      ['audience.all', { audience: { all: null } }],
      ['audience.all', { audience: { all: true, customerIds: ['1'] } }],
      ['audience.all', { audience: { all: false, customerIds: ['1'] } }],
      ['audience.customerIds', { audience: { customerIds: [] } }],
      ['audience.customerIds', { audience: { customerIds: [1] } }],
      ['audience.customerIds', { audience: { customerIds: [''] } }],
      ['audience.customerIds', { audience: { customerIds: '1' } }],
      ['audience.customerIds', { audience: { customerIds: null } }],
      ['audience.segment', { audience: { segment: 'vip' } }],
      ['audience.segment', { audience: { segment: '' } }],
      ['audience.segment', { audience: { segment: 5 } }],
      ['audience.other', { audience: { all: true, other: 1 } }],
      ['other', { other: 1 }],
    ])('refuses a bad %s: %j', async (field, fields) => {
      await customers([1]);
      const { status, body } = await store.call('send_campaign', { ...good, confirm: true, ...fields });
      expect([status, body.error?.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message.startsWith(`${field} `) || body.error!.message.startsWith(`${field}:`)).toBe(
        true,
      );
      expect(messages()).toEqual([]);
      expect(await campaigns()).toEqual([]);
    });

    it.each(['2', 'abc', '007', '0', '-1', '1.0', '9223372036854775808', ' 1'])(
      'names the unknown customer %j',
      async (id) => {
        const other = await app.store();
        await app.query(
          `insert into customers (store_id, id, created_at, updated_at) values ($1, 2, now(), now())`,
          [other.id],
        );
        await customers([1]);
        for (const confirm of [false, true]) {
          const { status, body } = await send({ audience: { customerIds: ['1', id] }, confirm });
          expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
          expect(body.error!.message).toContain('audience.customerIds[1]');
          expect(body.error!.message).toContain(JSON.stringify(id));
        }
        expect(messages()).toEqual([]);
      },
    );

    it.each(['', 'k'.repeat(256)])('refuses the Idempotency-Key %j', async (key) => {
      const { status, body } = await send({}, key);
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(/^Idempotency-Key /);
    });

    it('is not for a read token', async () => {
      const { status } = await store.call('send_campaign', campaign(), { scope: 'read' });
      expect(status).toBe(403);
    });
  });

  describe('preview', () => {
    it.each([0, 1, 25, 26])(
      'answers %i recipients and the estimated time, and sends nothing',
      async (count) => {
        await customers(range(1, count));
        const expected = { preview: true, recipientCount: count, estimatedSeconds: Math.ceil(count / 25) };
        expect(await data({ confirm: false })).toEqual(expected);
        expect(await data({ confirm: undefined }, 'key')).toEqual(expected);
        expect(messages()).toEqual([]);
        expect(await campaigns()).toEqual([]);
      },
    );

    it('works without a bot', async () => {
      await app.query(`delete from bots where store_id = $1`, [store.id]);
      expect(await data({ confirm: false })).toMatchObject({ recipientCount: 0 });
    });

    it('leaves out the banned and those that blocked the bot, and counts nobody twice', async () => {
      await customers([1, 2, BIG_ID]);
      await customers([3], { isBanned: true });
      await customers([4], { isBotBlocked: true });
      expect(await data({ confirm: false })).toMatchObject({ recipientCount: 3 });
      const customerIds = ['4', BIG_ID, '3', '1', BIG_ID];
      expect(await data({ confirm: false, audience: { customerIds } })).toMatchObject({ recipientCount: 2 });
    });
  });

  it.each([false, true])('is 403 on a plan without messages (confirm %s)', async (confirm) => {
    store = await app.store({ plan: 'free' });
    const { status, body } = await send({ confirm });
    expect([status, body.error!.code]).toEqual([403, 'forbidden']);
  });

  it('is 400 without a bot', async () => {
    await customers([1]);
    await app.query(`delete from bots where store_id = $1`, [store.id]);
    const { status, body } = await send();
    expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toContain('connect_bot');
    expect(await campaigns()).toEqual([]);
  });

  it('takes 500 recipients and refuses 501, which a preview for all still counts', async () => {
    await customers(range(1, 501));
    expect(await data({ confirm: false })).toMatchObject({ recipientCount: 501, estimatedSeconds: 21 });
    for (const audience of [{ all: true }, { customerIds: range(1, 501) }]) {
      const { status, body } = await send({ audience });
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(
        'all' in audience ? /^audience .*501.*500/ : /^audience.customerIds .*500/,
      );
    }
    expect(await campaigns()).toEqual([]);
    const { result } = await sendWatched(
      { audience: { customerIds: range(1, 500) } },
      { signal: AbortSignal.abort() },
    );
    expect(result).toMatchObject({ recipientCount: 500, sent: 0 });
    expect(messages()).toEqual([]);
  });

  describe('confirmed', () => {
    it('sends one message to each, with image, text and button, and stores what became of it', async () => {
      await customers([1, BIG_ID]);
      await customers([3], { isBanned: true });
      const button = { buttonText: 'Shop', buttonUrl: 'tg://resolve?domain=shop' };
      const result = await data({ imageUrl: 'https://images.example/a.png', ...button });
      expect(result).toEqual({
        campaignId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        recipientCount: 2,
        sent: 2,
        failed: 0,
        blocked: 0,
        failures: [],
      });
      expect(server.callsOf('sendPhoto').map(({ body }) => body)).toEqual(
        ['1', BIG_ID].map((id) => ({
          chat_id: id,
          photo: 'https://images.example/a.png',
          caption: 'Sale!',
          reply_markup: { inline_keyboard: [[{ text: 'Shop', url: 'tg://resolve?domain=shop' }]] },
        })),
      );
      expect(messages()).toHaveLength(2);
      expect(await rows()).toEqual({ 1: ['sent', null], [BIG_ID]: ['sent', null] });
      const [stored] = await campaigns();
      expect(stored).toMatchObject({
        id: result.campaignId,
        name: 'Spring',
        status: 'finished',
        lease_token: null,
      });
      expect(stored.finished_at).not.toBeNull();
      const [audit] = await app.query<any>(
        `select target, input from audit_log where operation = 'send_campaign' and store_id = $1`,
        [store.id],
      );
      expect(audit).toMatchObject({
        target: `campaign:${result.campaignId}`,
        input: { name: 'Spring', confirm: true },
      });
    });

    it.each([{ buttonText: 'Shop' }, { buttonUrl: 'https://shop.example' }])(
      'sends no button with %j alone',
      async (half) => {
        await customers([1]);
        expect(await data(half)).toMatchObject({ sent: 1 });
        expect(messages()[0].body).toEqual({ chat_id: '1', text: 'Sale!' });
      },
    );

    it('leaves a refused picture out, of the rest of the call too, and says why', async () => {
      await customers([1, 2, 3]);
      server.next('sendPhoto', botApi.pictureRefused());
      const imageUrl = 'https://images.example/sale.webp';
      expect(await data({ imageUrl })).toMatchObject({
        ...{ sent: 3, failed: 0, failures: [] },
        pictureRefused: expect.stringContaining('Bad Request: failed to get HTTP URL content'),
      });
      expect(server.callsOf('sendPhoto')).toHaveLength(1);
      const sent = server
        .callsOf('sendMessage')
        .map(({ body }) => [body.chat_id, body.link_preview_options.url]);
      expect(sent).toEqual(['1', '2', '3'].map((id) => [id, imageUrl]));
      const owner = await StorePage.ofOwner(store);
      expect((await owner.data('GET', 'campaigns')).items[0]).toMatchObject({
        ...{ imageUrl, pictureRefused: expect.stringContaining('failed to get HTTP URL content') },
      });
    });

    it('warns of texts of blanks alone', async () => {
      await customers([1]);
      const { warnings } = await data({ name: ' ', text: '\u00a0' });
      expect(warnings).toEqual(['name holds blanks alone', 'text holds blanks alone']);
    });

    it('sends nothing in an empty store', async () => {
      expect(await data()).toMatchObject({ recipientCount: 0, sent: 0, failures: [] });
      expect((await campaigns())[0].status).toBe('finished');
    });

    it('continues after failures, reports each, and marks customers who blocked the bot', async () => {
      await customers(range(1, 6));
      server.next(
        'sendMessage',
        botApi.serverError(),
        botApi.blocked(),
        botApi.deactivated(),
        botApi.dropped(),
        botApi.raw(200, '<'),
      );
      expect(await data()).toMatchObject({
        recipientCount: 6,
        sent: 1,
        failed: 4,
        blocked: 1,
        failures: [
          { customerId: '1', reason: 'send_failed' },
          { customerId: '2', reason: 'blocked' },
          { customerId: '3', reason: 'unreachable' },
          { customerId: '4', reason: 'send_failed' },
          { customerId: '5', reason: 'send_failed' },
        ],
      });
      expect(recipients()).toEqual(range(1, 6));
      expect(await blockedCustomers()).toEqual(['2']);
      expect(await data({ confirm: false })).toMatchObject({ recipientCount: 5 });
    });

    it('waits as long as the messenger asks, then sends to that recipient', async () => {
      await customers([1, 2]);
      server.next('sendMessage', botApi.tooManyRequests(9));
      expect(await data()).toMatchObject({ sent: 2, failed: 0 });
      expect(recipients()).toEqual(['1', '1', '2']);
      const [first, second] = messages();
      expect(second.at - first.at).toBeGreaterThanOrEqual(9000);
    });

    it('keeps to 25 messages a second', async () => {
      await customers(range(1, 60));
      expect(await data()).toMatchObject({ sent: 60 });
      const times = messages().map(({ at }) => at);
      // The turns are exact, the way from turn to arrival is not. But no message has its turn before the one
      // before it has arrived, so at most 25 turns lie between the arrivals of a message and the 26th after.
      const shortest = Math.min(...times.slice(26).map((at, i) => at - times[i]));
      expect(shortest).toBeGreaterThanOrEqual(1000);
    });

    it('records everything before the first message, and keeps no connection while it waits', async () => {
      await customers([1, 2]);
      const release = holdNext();
      const sending = data();
      await arrivalOf(1);
      expect(await store.data('get_bot')).toMatchObject({ connected: true });
      expect(await rows()).toEqual({ 1: ['sending', null], 2: ['pending', null] });
      expect((await campaigns())[0].status).toBe('sending');
      release();
      expect(await sending).toMatchObject({ sent: 2 });
    });

    it('writes to nobody who is banned or blocks the bot while it is being sent', async () => {
      await customers(range(1, 4));
      const release = holdNext();
      const sending = data();
      await arrivalOf(1);
      await store.data('update_customer', { id: '2', isBanned: true });
      await store.data('update_customer', { id: '3', isBotBlocked: true });
      release();
      expect(await sending).toMatchObject({
        recipientCount: 4,
        sent: 2,
        failed: 1,
        blocked: 1,
        failures: [
          { customerId: '2', reason: 'banned' },
          { customerId: '3', reason: 'blocked' },
        ],
      });
      expect(recipients()).toEqual(['1', '4']);
    });
  });

  describe('a caller that watches', () => {
    it('gets progress reports', async () => {
      await customers([1, 2, 3]);
      server.next('sendMessage', botApi.blocked());
      const { progress } = await sendWatched({}, { signal: new AbortController().signal });
      expect(progress).toEqual([
        [1, 3],
        [2, 3],
        [3, 3],
      ]);
    });

    it('stops the sending between two recipients, and goes on with the rest later', async () => {
      await customers([1, 2, 3]);
      const caller = new AbortController();
      server.always('sendMessage', (call) => void (call.body.chat_id === '2' && caller.abort()));
      const { result } = await sendWatched({}, { key: 'stop', signal: caller.signal });
      expect(result).toMatchObject({ recipientCount: 3, sent: 2, failed: 0, blocked: 0 });
      expect(await rows()).toMatchObject({ 2: ['sent', null], 3: ['pending', null] });
      expect((await campaigns())[0]).toMatchObject({
        status: 'sending',
        lease_token: null,
        finished_at: null,
      });
      expect(await data({}, 'stop')).toMatchObject({ recipientCount: 3, sent: 3 });
      expect(recipients()).toEqual(['1', '2', '3']);
    });

    it('stops it in a pause that the messenger asked for, with nobody in between', async () => {
      await customers([1, 2]);
      const caller = new AbortController();
      server.next('sendMessage', botApi.tooManyRequests(60));
      const sending = sendWatched({}, { key: 'pause', signal: caller.signal });
      await arrivalOf(1);
      const isPutOff = async () => (await rows())['1'][0] === 'pending';
      await eventually('the first waits for the pause to end', isPutOff);
      caller.abort();
      expect((await sending).result).toMatchObject({ sent: 0, failed: 0 });
      expect(await rows()).toEqual({ 1: ['pending', null], 2: ['pending', null] });
      expect(await data({}, 'pause')).toMatchObject({ sent: 2 });
    });
  });

  describe('sent again with the same Idempotency-Key', () => {
    it('sends nothing twice and answers the same totals', async () => {
      await customers([1, 2]);
      server.next('sendMessage', botApi.blocked());
      const first = await data({ audience: { customerIds: ['1', '2'] } }, 'k1');
      // Neither the order of the customers nor of the properties makes it another campaign.
      const again = await data({ audience: { customerIds: ['2', '1', '1'] } }, 'k1');
      expect(again).toEqual(first);
      expect(first).toMatchObject({
        sent: 1,
        blocked: 1,
        failures: [{ customerId: '1', reason: 'blocked' }],
      });
      expect(recipients()).toEqual(['1', '2']);
      expect(await campaigns()).toHaveLength(1);
    });

    it.each<object>([
      { text: 'Other' },
      { name: 'Other' },
      { buttonText: 'x' },
      { audience: { customerIds: ['1'] } },
    ])('is 400 with another input: %j', async (other) => {
      await customers([1]);
      await data({}, 'k1');
      const { status, body } = await send(other, 'k1');
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toMatch(/^Idempotency-Key /);
      expect(messages()).toHaveLength(1);
    });

    it('is another campaign in another store', async () => {
      await customers([1]);
      const first = await data({}, 'k1');
      store = await app.store();
      await store.data('connect_bot', { token: store.botToken });
      await customers([1]);
      expect((await data({}, 'k1')).campaignId).not.toBe(first.campaignId);
      expect(recipients()).toEqual(['1', '1']);
    });

    it('sends once when two calls come at the same time', async () => {
      await customers(range(1, 10));
      const [one, other] = await Promise.all([data({}, 'k1'), data({}, 'k1')]);
      expect(one).toMatchObject({ recipientCount: 10, sent: 10 });
      expect(other).toEqual(one);
      expect(recipients()).toEqual(range(1, 10));
    });

    it('is 400 while another call is still sending it', async () => {
      await customers([1]);
      await data({}, 'k1');
      await app.query(
        `update campaigns set status = 'sending', lease_token = gen_random_uuid(),
          lease_until = now() + interval '1 hour'
         where store_id = $1`,
        [store.id],
      );
      const { status, body } = await send({}, 'k1');
      expect([status, body.error!.code]).toEqual([400, 'invalid_input']);
      expect(body.error!.message).toContain('another call is sending');
      expect(messages()).toHaveLength(1);
    });

    it('sends the rest after a crash; nobody gets the message twice', async () => {
      await customers(range(1, 6));
      server.always('sendMessage', to('3')(botApi.hanging()));
      const crashing = app;
      const lost = send({}, 'k1').catch(() => 'no answer');
      await arrivalOf(3);
      await crashing.stop();
      expect(await lost).toBe('no answer');
      app = await start();
      // The tokens are in the database; only the address is new.
      store = Object.assign(Object.create(Object.getPrototypeOf(store)), store, { app });
      expect(await rows()).toMatchObject({
        1: ['sent', null],
        2: ['sent', null],
        3: ['sending', null],
        4: ['pending', null],
      });
      await app.query(`update customers set is_banned = true where store_id = $1 and id = 5`, [store.id]);
      await app.query(`update customers set is_bot_blocked = true where store_id = $1 and id = 6`, [
        store.id,
      ]);
      // At once: the dead call's lease has seconds to run, which this call outwaits.
      expect(await data({}, 'k1')).toMatchObject({
        recipientCount: 6,
        sent: 3,
        failed: 2,
        blocked: 1,
        failures: [
          { customerId: '3', reason: 'unknown' },
          { customerId: '5', reason: 'banned' },
          { customerId: '6', reason: 'blocked' },
        ],
      });
      expect(recipients()).toEqual(['1', '2', '3', '4']);
    });

    it('ends the call that was taken over, with the outcome of its last message kept', async () => {
      await customers([1, 2]);
      const release = holdNext();
      const stalled = send({}, 'k1');
      await arrivalOf(1);
      await app.query(`update campaigns set lease_until = now() - interval '1 second' where store_id = $1`, [
        store.id,
      ]);
      expect(await data({}, 'k1')).toMatchObject({
        sent: 1,
        failed: 1,
        failures: [{ customerId: '1', reason: 'unknown' }],
      });
      release();
      const { status, body } = await stalled;
      expect(await rows()).toEqual({ 1: ['sent', null], 2: ['sent', null] });
      expect([status, body.error?.code]).toEqual([400, 'invalid_input']);
      expect(recipients()).toEqual(['1', '2']);
    });
  });
});
