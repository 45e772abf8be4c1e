import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { verify } from '../../../src/webhooks/delivery/signature.js';
import { OrderRecord } from '../../../src/groups/orders/order/order.record.js';
import { accepts } from '../../../src/platform/schema/compiled-checks.js';
import { eventually } from '../../support/eventually.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { answers, Receiver } from '../../support/servers/receiver.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

const signatureOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers['x-shop-signature']);

/** Before any attempt. */
const HEALTH = { failingSince: null, lastError: null, lastSuccessAt: null };

describe('the webhook page', () => {
  const clock = new TestClock();
  let receiver: Receiver;
  let store: TestStore;
  let owner: StorePage;

  const app = useShop({ clock });
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.stop();
  });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    receiver.received.length = 0;
  });

  const save = async (url = receiver.url): Promise<string> =>
    (await owner.data('PUT', 'webhook', { url })).secret;
  const lastAudit = async () => (await owner.data('GET', 'audit?take=1')).items[0];

  it('is empty before the first webhook is set', async () => {
    expect(await owner.data('GET', 'webhook')).toEqual({
      url: null,
      ...HEALTH,
      paused: false,
      createdAt: null,
      updatedAt: null,
    });
    for (const [method, path] of [
      ['DELETE', 'webhook'],
      ['POST', 'webhook/rotate-secret'],
      ['POST', 'webhook/test'],
      ['POST', 'webhook/pause'],
      ['POST', 'webhook/resume'],
      ['POST', `webhook/deliveries/${uuidv7()}/redeliver`],
    ]) {
      expect(await owner.send(method, path, {})).toMatchObject(refusal(404, 'not_found'));
    }
    const failed = await owner.send('POST', 'webhook/deliveries/redeliver-failed', {
      since: '2026-01-01T00:00:00Z',
    });
    expect(failed).toMatchObject(refusal(404, 'not_found'));
    expect((await owner.data('GET', 'audit')).items).toEqual([]);
  });

  it('shows the secret only once, on the first save', async () => {
    const first = await owner.data('PUT', 'webhook', { url: receiver.url });
    const at = clock.now().toISOString();
    expect(first).toEqual({
      url: receiver.url,
      ...HEALTH,
      paused: false,
      createdAt: at,
      updatedAt: at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    clock.advance(1000);
    const second = await owner.data('PUT', 'webhook', { url: `${receiver.url}/2` });
    expect(second).toEqual({
      url: `${receiver.url}/2`,
      ...HEALTH,
      paused: false,
      createdAt: at,
      updatedAt: clock.now().toISOString(),
    });
    expect(await owner.data('GET', 'webhook')).toEqual(second);
    expect(await lastAudit()).toMatchObject({
      operation: 'webhook.save',
      transport: 'dashboard',
      input: { url: `${receiver.url}/2` },
      changes: { url: [receiver.url, `${receiver.url}/2`] },
    });
    expect(JSON.stringify(await owner.data('GET', 'audit'))).not.toContain('whsec_');
    const [row] = await app.query<{ text: string }>(
      'select row_to_json(e)::text as text from webhook_endpoints e where store_id = $1',
      [store.id],
    );
    expect(row.text).not.toContain(first.secret);
  });

  it.each([
    [{}, /^url is required/],
    [{ url: null }, /^url must/],
    [{ url: '' }, /^url must/],
    [{ url: 'x' }, /^url must start with/],
    [{ url: 'ftp://shop.example/hook' }, /^url must start with/],
    [{ url: `https://shop.example/${'x'.repeat(2048)}` }, /^url must be a string of 1 to 2048 characters/],
    [{ url: 'https://shop.example', secret: 'whsec_x' }, /^secret is not a known property/],
  ])('refuses a bad URL and changes nothing (%#)', async (input, message) => {
    const answer = await owner.send('PUT', 'webhook', input);
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toMatch(message);
    expect((await owner.data('GET', 'webhook')).url).toBeNull();
  });

  it('sends a signed test event and shows the response of the endpoint', async () => {
    const secret = await save();
    receiver.next(answers.status(202, 'thanks'));
    const result = await owner.data('POST', 'webhook/test');
    expect(result).toEqual({
      id: expect.any(String),
      delivered: true,
      statusCode: 202,
      durationMs: expect.any(Number),
      error: null,
      response: 'thanks',
    });
    const [request] = receiver.received;
    expect(verify(secret, request.body, signatureOf(request))).toBe(true);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Shop-Webhooks/1',
      'x-shop-event': 'order.created',
      'x-shop-delivery': result.id,
    });
    const { data, ...envelope } = request.json;
    expect(envelope).toEqual({
      id: result.id,
      event: 'order.created',
      createdAt: clock.now().toISOString(),
      test: true,
    });
    expect(accepts(OrderRecord, data)).toBe(true);
    expect(data.totalPrice).toBe(
      data.items.reduce((sum: number, item: any) => sum + item.price * item.quantity, 0),
    );
    expect(data.currency).toBe('USD');
  });

  it('creates neither an order nor a delivery for a test event', async () => {
    await save();
    await owner.data('POST', 'webhook/test');
    expect((await store.data('list_orders')).items).toEqual([]);
    expect((await owner.data('GET', 'webhook/deliveries')).items).toEqual([]);
    expect(await lastAudit()).toMatchObject({ operation: 'webhook.test', outcome: 'ok', input: {} });
  });

  it('sends a sample with exactly the fields of an order', async () => {
    await save();
    await owner.data('POST', 'webhook/test');
    const { productId } = await store.product();
    const order = await store.place({ items: [{ productId, quantity: 1 }] });
    const { data } = receiver.received[0].json;
    expect(Object.keys(data)).toEqual(Object.keys(order));
    expect(Object.keys(data.items[0])).toEqual(Object.keys(order.items[0]));
  });

  it.each([
    [
      'an error',
      answers.status(500, 'no'),
      { statusCode: 500, error: 'answered with status 500', response: 'no' },
    ],
    [
      'a redirect',
      answers.redirect('https://shop.example'),
      { statusCode: 302, error: 'redirect (302) is not followed' },
    ],
  ])('reports %s of the endpoint', async (_, answer, expected) => {
    await save();
    receiver.next(answer);
    expect(await owner.data('POST', 'webhook/test')).toMatchObject({ delivered: false, ...expected });
    expect(receiver.received).toHaveLength(1);
  });

  it('reports an endpoint that cannot be reached', async () => {
    await save('http://127.0.0.1:1/hook');
    expect(await owner.data('POST', 'webhook/test')).toMatchObject({
      delivered: false,
      statusCode: null,
      error: 'connection refused',
      response: null,
    });
  });

  it('rotates the secret, after which the old one is invalid at once', async () => {
    const old = await save();
    const { secret } = await owner.data('POST', 'webhook/rotate-secret', { overlap: false });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await owner.data('POST', 'webhook/test');
    const [request] = receiver.received;
    expect([
      verify(old, request.body, signatureOf(request)),
      verify(secret, request.body, signatureOf(request)),
    ]).toEqual([false, true]);
    const text = JSON.stringify([await owner.data('GET', 'audit'), await owner.data('GET', 'webhook')]);
    expect(text).toContain('webhook.rotate_secret');
    expect(text).not.toContain('whsec_');
  });

  it('can pause and resume the webhook', async () => {
    await save();
    expect(await owner.data('POST', 'webhook/pause')).toMatchObject({ url: receiver.url, paused: true });
    expect(await owner.data('GET', 'webhook')).toMatchObject({ paused: true });
    expect(await owner.data('POST', 'webhook/resume')).toMatchObject({ paused: false });
    const { items } = await owner.data('GET', 'audit?take=2');
    expect(items.map(({ operation }: { operation: string }) => operation)).toEqual([
      'webhook.resume',
      'webhook.pause',
    ]);
  });

  it('removes the webhook, and creates a new secret for the next one', async () => {
    const old = await save();
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    expect(await owner.data('DELETE', 'webhook')).toEqual({ deleted: true });
    expect(await owner.data('GET', 'webhook')).toMatchObject({ url: null });
    // What had nowhere to go is not sent again while there still is nowhere.
    const { id } = (await owner.data('GET', 'webhook/deliveries')).items[0];
    expect(await owner.send('POST', `webhook/deliveries/${id}/redeliver`)).toMatchObject(
      refusal(404, 'not_found'),
    );
    expect(await owner.data('GET', `webhook/deliveries/${id}`)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
    });
    const fresh = await save();
    expect(fresh).toMatch(/^whsec_/);
    expect(fresh).not.toBe(old);
  });

  it('lists deliveries in pages, newest first, of this store only', async () => {
    await save();
    const { productId } = await store.product();
    const orders = [];
    for (let i = 0; i < 3; i++) orders.push((await store.place({ items: [{ productId, quantity: 1 }] })).id);
    const first = await owner.data('GET', 'webhook/deliveries?take=2');
    const second = await owner.data('GET', `webhook/deliveries?take=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ orderId }) => orderId)).toEqual([...orders].reverse());
    expect([first.items.length, second.nextCursor]).toEqual([2, null]);
    expect(first.items[0]).toEqual({
      id: expect.any(String),
      event: 'order.created',
      orderId: orders[2],
      status: 'pending',
      attempts: [],
      // By the database's clock, which this test does not set.
      nextAttemptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      createdAt: clock.now().toISOString(),
    });
    const { id } = first.items[0];
    expect(await owner.data('GET', `webhook/deliveries/${id}`)).toMatchObject({
      id,
      body: { id, event: 'order.created', data: { id: orders[2] } },
    });
    const other = await StorePage.ofOwner(await app.store());
    expect((await other.data('GET', 'webhook/deliveries')).items).toEqual([]);
    for (const path of [`webhook/deliveries/${id}`, `webhook/deliveries/x`]) {
      expect(await other.send('GET', path)).toMatchObject(refusal(404, 'not_found'));
    }
    await other.data('PUT', 'webhook', { url: receiver.url });
    expect(await other.send('POST', `webhook/deliveries/${id}/redeliver`)).toMatchObject(
      refusal(404, 'not_found'),
    );
  });

  it.each([
    ['take=0', 'take'],
    ['take=101', 'take'],
    ['take=', 'take'],
    ['take=1.5', 'take'],
    ['take=1e1', 'take'],
    ['take=%201', 'take'],
    ['take=-1', 'take'],
    ['take=0x10', 'take'],
    ['cursor=', 'cursor'],
    ['cursor=x', 'cursor'],
    ['cursor[a]=x', 'cursor[a]'],
    ['page=2', 'page'],
    ['__proto__=x', '__proto__'],
  ])('refuses the query %s', async (query, field) => {
    const answer = await owner.send('GET', `webhook/deliveries?${query}`);
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message.startsWith(field)).toBe(true);
  });

  it('refuses a query that repeats a parameter', async () => {
    const answer = await owner.send('GET', 'webhook/deliveries?take=1&take=2');
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toBe(
      'The address of the request must not repeat the parameter "take"',
    );
  });

  it('checks the limits of take', async () => {
    for (const take of [1, 100])
      expect((await owner.send('GET', `webhook/deliveries?take=${take}`)).status).toBe(200);
  });

  it.each([{}, { since: null }, { since: 'yesterday' }, { since: '2026-01-01' }])(
    'sends nothing again for the input %j',
    async (input) => {
      const answer = await owner.send('POST', 'webhook/deliveries/redeliver-failed', input);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^since /);
    },
  );

  it('refuses an id in the body in addition to that in the path', async () => {
    await save();
    const answer = await owner.send('POST', `webhook/deliveries/${uuidv7()}/redeliver`, { id: uuidv7() });
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toMatch(/^id /);
  });
});

describe('the webhook page of a public service', () => {
  it.each([
    ['http://shop.example/hook', /^url must start with https:\/\//],
    ['https://127.0.0.1/hook', /^url must point to a public host/],
    ['https://[::1]/hook', /^url must point to a public host/],
    ['https://169.254.169.254/latest', /^url must point to a public host/],
    ['https://localhost/hook', /^url must point to a public host/],
    ['https://user:pass@shop.example/hook', /^url must not contain a user name/],
  ])('refuses %s when it is saved', async (url, message) => {
    const app = await TestApp.start({ env: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' } });
    const owner = await StorePage.ofOwner(await app.store());
    const answer = await owner.send('PUT', 'webhook', { url });
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toMatch(message);
    expect((await owner.data('GET', 'webhook')).url).toBeNull();
    await app.stop();
  });

  it('does not send a test event to an address that has become private', async () => {
    const [lax, strict] = [
      await TestApp.start(),
      await TestApp.start({ env: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' } }),
    ];
    const receiver = await Receiver.start();
    const store = await lax.store();
    await (
      await StorePage.ofOwner(store)
    ).data('PUT', 'webhook', { url: receiver.url.replace('http:', 'https:') });
    const owner = new StorePage(
      (await StorePage.ofOwner({ ...store, app: strict } as TestStore)).browser,
      store.id,
    );
    expect(await owner.data('POST', 'webhook/test')).toMatchObject({
      delivered: false,
      error: 'destination address is not allowed',
    });
    expect(receiver.received).toEqual([]);
    await Promise.all([lax.stop(), strict.stop(), receiver.stop()]);
  });
});

describe('failed deliveries', () => {
  let receiver: Receiver;
  let store: TestStore;
  let owner: StorePage;

  const env = { SHOP_ROLES: 'web,deliver', WEBHOOK_RETRY_DELAYS: '0' };
  const app = useShop(async () => ({ database: await ownDatabase(), env }));
  beforeAll(async () => {
    receiver = await Receiver.start();
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });
  afterAll(() => receiver.stop());

  const listed = async (): Promise<any[]> => (await owner.data('GET', 'webhook/deliveries')).items;

  it('are shown with their attempts and can be sent again, one or all, with the current secret', async () => {
    const { secret: old } = await owner.data('PUT', 'webhook', { url: receiver.url });
    receiver.always(answers.status(503, 'down'));
    const { productId } = await store.product();
    for (let i = 0; i < 3; i++) await store.place({ items: [{ productId, quantity: 1 }] });
    await eventually('all have failed', async () =>
      (await listed()).every(({ status }) => status === 'failed'),
    );
    const [newest, ...others] = await listed();
    const details = await owner.data('GET', `webhook/deliveries/${newest.id}`);
    const attempt = {
      at: expect.any(String),
      durationMs: expect.any(Number),
      statusCode: 503,
      error: 'answered with status 503',
    };
    expect(newest.attempts).toEqual([attempt, attempt]);
    const detailed = { ...attempt, response: 'down', requestId: details.requestId };
    expect(details.attempts).toEqual([detailed, detailed]);

    const { secret } = await owner.data('POST', 'webhook/rotate-secret');
    receiver.received.length = 0;
    receiver.always(answers.status(204));
    expect(await owner.data('POST', `webhook/deliveries/${newest.id}/redeliver`)).toMatchObject({
      id: newest.id,
      status: 'pending',
    });
    const [again] = await receiver.waitFor(1);
    expect(again.json).toEqual(details.body);
    expect(again.headers['x-shop-delivery']).toBe(newest.id);
    expect([
      verify(old, again.body, signatureOf(again)),
      verify(secret, again.body, signatureOf(again)),
    ]).toEqual([false, true]);

    expect(
      await owner.data('POST', 'webhook/deliveries/redeliver-failed', { since: '2100-01-01T00:00:00Z' }),
    ).toEqual({
      redelivered: 0,
    });
    expect(
      await owner.data('POST', 'webhook/deliveries/redeliver-failed', {
        since: newest.createdAt.slice(0, 10) + 'T00:00:00Z',
      }),
    ).toEqual({
      redelivered: 2,
    });
    await eventually('all are delivered', async () =>
      (await listed()).every(({ status }) => status === 'delivered'),
    );
    expect(receiver.received.map(({ json }) => json.id).sort()).toEqual(
      [newest, ...others].map(({ id }) => id).sort(),
    );
    const { items } = await owner.data('GET', `audit?target=${newest.id}`);
    expect(items).toMatchObject([{ operation: 'webhook.redeliver', actor: { kind: 'user' } }]);
  });
});

describe('the log of the dashboard', () => {
  it('contains no secret', async () => {
    const lines: string[] = [];
    // Without the service's own censor: nothing secret may even reach it.
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const app = await TestApp.start({ log });
    const store = await app.store();
    const owner = await StorePage.ofOwner(store);
    const { token } = await owner.data('POST', 'tokens', { name: 'x', scope: 'read' });
    const { secret } = await owner.data('PUT', 'webhook', { url: 'http://127.0.0.1:1/hook' });
    const { invitation } = await owner.data('POST', 'members', { email: `m-${Date.now()}@test.example` });
    await owner.send('POST', 'auth/sign-in', '{"email": "x", "password": "my secret"');
    await app.stop();
    const text = lines.join('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(text).toContain(`stores/${store.id}/tokens`);
    for (const hidden of [
      token,
      secret,
      invitation.split('#')[1],
      owner.browser.cookie!.split('=')[1],
      'correct horse',
      'my secret',
    ]) {
      expect(text).not.toContain(hidden);
    }
  });
});
