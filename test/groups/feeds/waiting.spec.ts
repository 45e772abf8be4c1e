import { Client } from 'pg';
import { CAPS } from '../../../src/platform/caps/caps.js';
import { Drain } from '../../../src/platform/http/drain.js';
import { EventsService } from '../../../src/groups/events/events.service.js';
import { LongPoll } from '../../../src/groups/events/long-poll.service.js';
import { OrderChanges } from '../../../src/groups/orders/changing/order-changes.service.js';
import { ERAS, RawClient } from '../../doors/mcp/raw-client.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { eventually } from '../../support/eventually.js';
import { TestApp, type TestStore, useShop } from '../../support/test-app.js';

/** The most that may be waited for. An answer that comes only then has not been woken. */
const LONGEST = 25;
/** How many pauses between looks grow after a change was heard of. */
const PAUSES = 7;

describe('a reader of the feed that waits', () => {
  /** The reader's process, and another one in which things happen. */
  const app = useShop(async () => ({ database: await ownDatabase() }));
  const other = useShop(() => Promise.resolve({ database: app.database }));
  let store: TestStore;
  let orderId: number;
  let cursor: string;

  beforeEach(async () => {
    store = await app.store();
    orderId = (await store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] }))
      .id;
    const isRead = async () => {
      const page = await store.data('list_events');
      cursor = page.nextCursor;
      return page.items.length > 0;
    };
    await eventually('the order is in the feed', isRead);
  });

  const waiting = () => app.nest.get(LongPoll).waiting;
  const isWaiting = (count = 1) => eventually(`${count} calls wait`, () => waiting() === count);
  const input = (waitSeconds = LONGEST) => ({ cursor, waitSeconds });
  /** In the other process. */
  const change = (status: string, headers = { Authorization: `Bearer ${store.tokens.admin}` }) =>
    other.post('/v1/set_order_status', { orderId, status }, headers);
  const statuses = (data: { items: { data: { status: string } }[] }) =>
    data.items.map((item) => item.data.status);

  it('is answered when something happens, in whichever process', async () => {
    const began = performance.now();
    const answer = store.data('list_events', input());
    await isWaiting();
    await change('PROCESSING');
    const page = await answer;
    expect(statuses(page)).toEqual(['PROCESSING']);
    // Not by the look at the end of the wait.
    expect(performance.now() - began).toBeLessThan(LONGEST * 1_000 - 1_000);
    expect((await store.data('list_events', { cursor: page.nextCursor })).items).toEqual([]);
    expect(waiting()).toBe(0);
  });

  it.each(ERAS)('is answered over MCP too (%s)', async (era) => {
    const client = new RawClient(app, store.tokens.read, era);
    const answer = client.send('tools/call', { name: 'list_events', arguments: input() });
    await isWaiting();
    await change('SHIPPED');
    const { result } = (await answer).messages.at(-1);
    expect(statuses(result.structuredContent.data)).toEqual(['SHIPPED']);
  });

  it('gets an empty page and its place when the time is over, and at once without waitSeconds', async () => {
    const page = await store.data('list_events', input(1));
    expect(page.items).toEqual([]);
    await change('DELIVERED');
    const isThere = async () =>
      (await store.data('list_events', { cursor: page.nextCursor })).items.length > 0;
    await eventually('the event is read from there', isThere);
    const { status, body } = await store.call('list_events', input(26));
    expect([status, body.error?.message]).toEqual([400, 'waitSeconds must be an integer from 0 to 25']);
  });

  it('gets the event of a transaction that ends after a younger one, once it may be read', async () => {
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const another = await store.place({
      items: [{ productId: (await store.product()).productId, quantity: 1 }],
    });
    await eventually('its order is in the feed', async () => {
      const page = await store.data('list_events', { cursor });
      cursor = page.nextCursor;
      return page.items.length > 0;
    });
    const long = store.inside(async (ctx) => {
      await app.nest.get(OrderChanges).changeStatus(ctx, another.id, 'SHIPPED');
      written();
      await held;
    });
    await isWritten;
    const answer = store.data('list_events', input());
    await isWaiting();
    await change('PROCESSING');
    expect(waiting()).toBe(1);
    finish();
    await long;
    const first = await answer;
    expect(statuses(first)[0]).toBe('SHIPPED');
    // The younger one may still have to wait for a transaction of another test on the server.
    const told = statuses(first);
    cursor = first.nextCursor;
    await eventually('both are told', async () => {
      const page = await store.data('list_events', { cursor });
      cursor = page.nextCursor;
      told.push(...statuses(page));
      return told.length >= 2;
    });
    expect(told).toEqual(['SHIPPED', 'PROCESSING']);
  });

  it('is answered once a long transaction elsewhere no longer holds the event back', async () => {
    const elsewhere = new Client({ connectionString: app.database.ownerUrl });
    await elsewhere.connect();
    await elsewhere.query('begin');
    await elsewhere.query('select pg_current_xact_id()');
    const began = performance.now();
    const answer = store.data('list_events', input());
    await isWaiting();
    const looks = jest.spyOn(app.nest.get<any>(EventsService), 'read');
    await change('PROCESSING');
    await eventually('the pauses between looks no longer grow', () => looks.mock.calls.length > PAUSES);
    looks.mockRestore();
    expect(waiting()).toBe(1);
    await elsewhere.query('commit');
    await elsewhere.end();
    expect(statuses(await answer)).toEqual(['PROCESSING']);
    // Not by the look at the end of the wait.
    expect(performance.now() - began).toBeLessThan(LONGEST * 1_000 - 1_000);
  });

  it('holds no connection to the database', async () => {
    const answers = Array.from({ length: 40 }, () => store.data('list_events', input()));
    await isWaiting(40);
    const busy = async () =>
      app.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and backend_type = 'client backend' and state <> 'idle'`,
      );
    await eventually('no connection is in use', async () => (await busy()).length === 0);
    expect((await store.call('get_order', { orderId })).status).toBe(200);
    await change('CANCELLED');
    for (const page of await Promise.all(answers)) expect(statuses(page)).toEqual(['CANCELLED']);
  });

  it('stops waiting when its caller leaves', async () => {
    const leave = new AbortController();
    const answer = fetch(`${app.url}/v1/list_events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.tokens.read}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(input()),
      signal: leave.signal,
    });
    await isWaiting();
    leave.abort();
    await expect(answer).rejects.toThrow('aborted');
    await isWaiting(0);
  });

  it('may do so only as often as its share of the process allows', async () => {
    const share = CAPS.waits.perStore;
    const answers = Array.from({ length: share }, () => store.data('list_events', input()));
    await isWaiting(share);
    const refused = await store.call('list_events', input());
    expect([refused.status, refused.body.error?.code, refused.headers.get('Retry-After')]).toEqual([
      429,
      'rate_limited',
      '5',
    ]);
    const neighbour = await app.store();
    expect((await neighbour.data('list_events', { waitSeconds: 1 })).items).toEqual([]);
    await change('PENDING');
    await change('PROCESSING');
    await Promise.all(answers);
    expect(waiting()).toBe(0);
  });

  it('is answered with what there is when the service stops', async () => {
    const stopping = await TestApp.start({ database: app.database });
    const answer = stopping.post('/v1/list_events', input(), {
      Authorization: `Bearer ${store.tokens.read}`,
    });
    const polls = stopping.nest.get(LongPoll);
    await eventually('it waits', () => polls.waiting === 1);
    stopping.nest.get(Drain).begin();
    const { body } = await answer;
    expect(body.data).toEqual({ items: [], nextCursor: expect.any(String) });
    await stopping.stop();
  });
});
