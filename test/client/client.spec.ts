import { type Client, createClient, NoAnswer, Refusal } from '../../packages/client/src/client.js';
import { LongPoll } from '../../src/groups/events/long-poll.service.js';
import { eventually } from '../support/eventually.js';
import { TestApp, type TestStore, useShop } from '../support/test-app.js';
import { FlakyWay } from './flaky-way.js';

describe('the client for partners', () => {
  let store: TestStore;
  let way: FlakyWay;
  let client: Client;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    way = await FlakyWay.to(app.url);
    client = createClient({ baseUrl: `${way.url}/`, token: store.tokens.admin, timeoutMs: 5_000 });
  });
  afterEach(() => way.stop());

  const brand = (slug: string) => ({ name: slug, slug });
  /** A follower has asked the service to answer when there is something new. */
  const isHeld = () => eventually('a call is held', () => app.nest.get(LongPoll).waiting === 1);
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => {
        throw new Error('it was not refused');
      },
      (error: unknown) => error,
    );

  it('has every operation, by its name and by its group', async () => {
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as { paths: object };
    const grouped = Object.values(client).flatMap((methods) => Object.values(methods as object));
    expect(grouped).toHaveLength(Object.keys(paths).length);
    const { id } = await client.brands.create(brand('acme'));
    expect(await client.brands.get({ id })).toEqual(await client.call('get_brand', { id }));
    expect(await client.orders.list()).toEqual({ items: [], nextCursor: null });
  });

  it('throws a refusal with its code, message, status and request id', async () => {
    const error = await refusal(client.call('get_order', { orderId: 1 }, { requestId: 'my-request' }));
    expect(error).toMatchObject({
      code: 'not_found',
      status: 404,
      operation: 'get_order',
      requestId: 'my-request',
    });
    expect(Refusal.is(error, 'not_found') && !Refusal.is(error, 'forbidden')).toBe(true);
    const stranger = createClient({ baseUrl: app.url, token: async () => 'shop_live_wrong' });
    expect(await refusal(stranger.orders.list())).toMatchObject({ code: 'invalid_token', status: 401 });
    expect(await refusal(client.call('get_brand', { id: 5 } as never))).toMatchObject({
      message: expect.stringContaining('id'),
    });
  });

  it('makes a change once, even if its answer is lost several times', async () => {
    way.next('lost after', 'lost before', { status: 503, body: 'no such host' });
    const { id } = await client.brands.create(brand('acme'));
    expect(way.passed).toHaveLength(4);
    expect(new Set(way.passed.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect((await client.brands.list()).items.map((record) => record.id)).toEqual([id]);
  });

  it('repeats a read without a key, and gives up after the retries', async () => {
    const impatient = createClient({ baseUrl: way.url, token: store.tokens.read, retries: 1 });
    way.next('lost before');
    await impatient.orders.list();
    way.next('lost before', 'lost before');
    expect(await refusal(impatient.orders.list())).toBeInstanceOf(NoAnswer);
    expect(way.passed.map(({ headers }) => headers['idempotency-key'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('does not repeat what will be refused again', async () => {
    await refusal(client.call('get_order', { orderId: 1 }));
    way.next({ status: 404, body: '<html>nothing here</html>' });
    expect(await refusal(client.orders.list())).toMatchObject({
      name: 'NoAnswer',
      message: expect.stringContaining('HTTP 404'),
    });
    expect(way.passed).toHaveLength(2);
  });

  it('waits for its rate limit as long as it is told to', async () => {
    const body = JSON.stringify({ ok: false, error: { code: 'rate_limited', message: 'try again' } });
    way.next({ status: 429, headers: { 'Retry-After': '1' }, body });
    const before = performance.now();
    await client.orders.list();
    expect(performance.now() - before).toBeGreaterThan(990);

    const limited = await TestApp.start({ env: { RATE_LIMIT_READ: '2' } });
    const mine = await limited.store();
    const impatient = createClient({ baseUrl: limited.url, token: mine.tokens.read, maxWaitMs: 500 });
    await impatient.orders.list();
    await impatient.orders.list();
    const error = (await refusal(impatient.orders.list())) as Refusal;
    expect([error.code, error.status]).toEqual(['rate_limited', 429]);
    expect(error.retryAfter).toBeGreaterThan(0);
    await limited.stop();
  });

  it('ends at its time-out, and at once when its signal is aborted', async () => {
    const silent = await FlakyWay.to('http://127.0.0.1:1');
    const hurried = createClient({
      baseUrl: silent.url,
      token: store.tokens.read,
      timeoutMs: 100,
      retries: 0,
    });
    expect(await refusal(hurried.orders.list())).toBeInstanceOf(NoAnswer);
    const controller = new AbortController();
    const call = refusal(client.orders.list({}, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect(await call).toMatchObject({ message: 'enough' });
    await silent.stop();
  });

  it('refuses to overwrite what has changed since', async () => {
    const { id, updatedAt } = await client.brands.create(brand('acme'));
    await client.brands.update({ id, name: 'First' }, { ifMatch: updatedAt });
    const error = await refusal(client.brands.update({ id, name: 'Second' }, { ifMatch: updatedAt }));
    expect(error).toMatchObject({ code: 'precondition_failed', status: 412 });
  });

  it('goes through the pages and the records of a list', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await client.brands.create(brand(slug));
    const slugs: string[] = [];
    for await (const record of client.items('list_brands', { take: 2 })) slugs.push(record.slug);
    expect(slugs).toEqual(['e', 'd', 'c', 'b', 'a']);
    const sizes: number[] = [];
    for await (const page of client.pages('list_brands', { take: 2 })) sizes.push(page.items.length);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('follows the event feed, each event once, and goes on where it was left', async () => {
    const { productId } = await store.product();
    const place = () => store.place({ items: [{ productId, quantity: 1 }] });
    const first = await place();
    const second = await place();
    await store.feed();
    const known: number[] = [];
    let cursor: string | undefined;
    for await (const page of client.eventPages({ follow: false, take: 1 })) {
      known.push(...page.items.map(({ data }) => data!.id));
      cursor = page.nextCursor;
    }
    expect(known).toEqual([first.id, second.id]);

    const controller = new AbortController();
    const following = (async () => {
      for await (const { items } of client.eventPages({ cursor, pollMs: 20, signal: controller.signal })) {
        known.push(...items.map(({ data }) => data!.id));
        if (known.length === 3) controller.abort();
      }
    })();
    await isHeld();
    const third = await place();
    await following;
    expect(known).toEqual([first.id, second.id, third.id]);
  });

  it('follows the feed of changes, of the kinds asked for', async () => {
    const { id } = await client.brands.create(brand('acme'));
    const controller = new AbortController();
    const known: unknown[] = [];
    const { signal } = controller;
    const following = (async () => {
      for await (const { items } of client.changePages({ kinds: ['brand'], pollMs: 20, signal })) {
        known.push(...items.map((one) => [one.kind, one.id, one.change]));
        if (known.length === 2) controller.abort();
      }
    })();
    await eventually('the brand is told of', () => known.length === 1);
    await isHeld();
    await client.categories.create({ name: 'Cups', slug: 'cups' });
    await client.brands.delete({ id, confirm: true });
    await following;
    expect(known).toEqual([
      ['brand', id, 'created'],
      ['brand', id, 'deleted'],
    ]);

    const again: string[] = [];
    for await (const { items } of client.changePages({ follow: false, take: 1 }))
      again.push(...items.map(({ kind }) => kind));
    expect(again).toEqual(['category', 'brand']);
  });

  it('ends a held call at its signal, and does not take the holding for a time-out', async () => {
    const hurried = createClient({
      baseUrl: way.url,
      token: store.tokens.read,
      timeoutMs: 5_000,
      retries: 0,
    });
    expect((await hurried.events.list({ waitSeconds: 6 })).items).toEqual([]);
    const controller = new AbortController();
    const following = hurried.eventPages({ signal: controller.signal }).next();
    await isHeld();
    controller.abort();
    expect(await following).toEqual({ done: true, value: undefined });
  });
});
