import { OrderChanges } from '../../../src/groups/orders/changing/order-changes.service.js';
import type { OrderStatus } from '../../../src/groups/order-status.js';
import { EventUpkeep } from '../../../src/webhooks/events/event-upkeep.service.js';
import { ownDatabase, preparedDatabase } from '../../support/database/own-database.js';
import { paced } from '../../support/waiting/paced.mjs';
import { Receiver } from '../../support/servers/receiver.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../support/test-app.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { readFeed } from '../feeds/read-feed.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Page {
  items: { id: string; event: string; data: { id: number; status: string } }[];
  nextCursor: string;
}

const page = (store: TestStore, input: object = {}): Promise<Page> =>
  store.data('list_events', input, { scope: 'read' });

const read = (store: TestStore, count: number, cursor?: string, take = 100): Promise<Page> =>
  readFeed((asked) => page(store, asked), count, cursor, { take });

const ids = ({ items }: Page) => items.map(({ id }) => id);

describe('the feed of events', () => {
  const clock = new TestClock();
  let store: TestStore;
  let productId: string;

  const app = useShop(async () => ({ database: await ownDatabase(), clock }));
  beforeEach(async () => {
    clock.set(new Date());
    store = await app.store();
    ({ productId } = await store.product());
  });

  const place = () => store.place({ items: [{ productId, quantity: 1 }] });
  const setStatus = (orderId: number, status: OrderStatus) =>
    store.data('set_order_status', { orderId, status });

  it('is deleted with its store', async () => {
    const order = await place();
    await setStatus(order.id, 'PROCESSING');
    const events = () => app.query('select id from order_events where store_id = $1', [store.id]);
    expect(await events()).toHaveLength(2);
    await app.query('delete from stores where id = $1', [store.id]);
    expect(await events()).toEqual([]);
  });

  it('has every change, oldest first, also of a store that has no webhook', async () => {
    const order = await place();
    const { order: changed } = await setStatus(order.id, 'PROCESSING');
    await setStatus(order.id, 'PROCESSING');
    const all = await read(store, 2);
    expect(all.items).toEqual([
      { id: expect.any(String), event: 'order.created', createdAt: expect.any(String), data: order },
      { id: expect.any(String), event: 'order.updated', createdAt: expect.any(String), data: changed },
    ]);
    expect(await page(store, { cursor: all.nextCursor })).toEqual({
      items: [],
      nextCursor: expect.any(String),
    });
    expect(await app.query('select 1 from webhook_deliveries where store_id = $1', [store.id])).toEqual([]);
    expect(await page(await app.store())).toEqual({ items: [], nextCursor: expect.any(String) });
  });

  it('has the envelopes of the webhooks, byte for byte', async () => {
    const receiver = await Receiver.start();
    const deliverer = await TestApp.start({ database: app.database, env: { SHOP_ROLES: 'web,deliver' } });
    const owner = await StorePage.ofOwner(store);
    await owner.data('PUT', 'webhook', { url: receiver.url });
    const { id } = await store.place({
      items: [{ productId, quantity: 1 }],
      shippingAddress: { name: 'Ölena\u2028"\\' },
    });
    await setStatus(id, 'DELIVERED');
    const sent = await receiver.waitFor(2);
    await read(store, 2);
    const response = await fetch(`${app.url}/v1/list_events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.tokens.read}` },
    });
    const text = await response.text();
    const bodies = sent
      .map(({ body }) => body.toString('utf8'))
      .sort((a, b) => (a.slice(0, 50) < b.slice(0, 50) ? -1 : 1));
    expect(text).toContain(`"items":[${bodies.join(',')}],"nextCursor":"`);
    await Promise.all([deliverer.stop(), receiver.stop()]);
  });

  it('goes on from a cursor page by page, and again from any cursor', async () => {
    const { id } = await place();
    for (const status of ['SHIPPED', 'DELIVERED', 'CANCELLED', 'PENDING'] as const)
      await setStatus(id, status);
    const all = ids(await read(store, 5));
    const first = await page(store, { take: 2 });
    const second = await page(store, { take: 2, cursor: first.nextCursor });
    const third = await page(store, { take: 2, cursor: second.nextCursor });
    expect([first, second, third].map(ids)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(ids(await page(store, { cursor: first.nextCursor }))).toEqual(all.slice(2));
  });

  it('ends a page before 1 MiB, after one event at least', async () => {
    const [{ id }] = await app.query<{ id: string }>(
      `insert into order_events (store_id, id, event, body, created_at)
       select $1, order_event_id_at(now() - n * interval '1 minute'), 'order.updated',
         convert_to('{"x":"' || repeat('x', n * 400000) || '"}', 'UTF8'), now()
       from generate_series(1, 3) n returning id`,
      [store.id],
    );
    expect(id).toBeTruthy();
    const sizes: number[][] = [];
    let cursor: string | undefined;
    for (let i = 0; i < 3; i++) {
      const next = await read(store, 1, cursor);
      sizes.push(next.items.map((item) => JSON.stringify(item).length));
      cursor = next.nextCursor;
    }
    expect(sizes).toEqual([[1_200_008], [800_008], [400_008]]);
    expect((await page(store, { cursor })).items).toEqual([]);
  });

  it('leaves out the events of a deleted order, whose readers go on', async () => {
    const [gone, kept] = [await place(), await place()];
    const before = await read(store, 2, undefined, 1);
    const { nextCursor } = await page(store, { take: 1 });
    await store.data('delete_order', { orderId: gone.id, confirm: true });
    expect((await page(store)).items.map(({ data }) => data.id)).toEqual([kept.id]);
    expect((await page(store, { cursor: nextCursor })).items.map(({ data }) => data.id)).toEqual([kept.id]);
    expect((await page(store, { cursor: before.nextCursor })).items).toEqual([]);
  });

  it('refuses a cursor that is older than 30 days, or that it never gave out', async () => {
    await place();
    const { nextCursor } = await read(store, 1);
    clock.advance(30 * DAY_MS);
    expect((await page(store, { cursor: nextCursor })).items).toEqual([]);
    clock.advance(DAY_MS);
    const old = await store.call('list_events', { cursor: nextCursor });
    expect(old).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    expect(old.body.error!.message).toMatch(/^cursor is older than 30 days.*start anew/);
    clock.set(new Date());
    const stranger = await app.store();
    const values = [
      nextCursor.slice(0, -2),
      'x',
      Buffer.from('["x",1]').toString('base64url'),
      Buffer.from('[null]').toString('base64url'),
    ];
    for (const cursor of values) {
      const { status, body } = await store.call('list_events', { cursor });
      expect([cursor, status, body.error!.message]).toEqual([
        cursor,
        400,
        expect.stringMatching(/^cursor is not one/),
      ]);
    }
    expect((await stranger.call('list_events', { cursor: nextCursor })).body.error!.message).toMatch(
      /^cursor names an event.*start anew/,
    );
  });

  it('gives a reader that begins with the oldest event a day to go on', async () => {
    for (let i = 0; i < 3; i++) await place();
    const all = ids(await read(store, 3));
    clock.advance(30 * DAY_MS - HOUR_MS);
    const first = await page(store, { take: 1 });
    clock.advance(2 * HOUR_MS);
    const second = await page(store, { take: 1, cursor: first.nextCursor });
    expect([...ids(first), ...ids(second)]).toEqual(all.slice(0, 2));
    // Who begins now begins with what is younger than 30 days.
    expect((await page(store)).items).toEqual([]);
    clock.advance(DAY_MS);
    expect(await store.call('list_events', { cursor: second.nextCursor })).toMatchObject({ status: 400 });
  });

  it('goes on after months without an event', async () => {
    const { id } = await place();
    let { nextCursor } = await read(store, 1);
    clock.advance(20 * DAY_MS);
    ({ nextCursor } = await page(store, { cursor: nextCursor }));
    clock.advance(20 * DAY_MS);
    await app.query(`delete from order_events where store_id = $1`, [store.id]);
    ({ nextCursor } = await page(store, { cursor: nextCursor }));
    clock.set(new Date());
    await setStatus(id, 'SHIPPED');
    clock.advance(40 * DAY_MS);
    await app.query(
      `update order_events set id = order_event_id_at(now() + interval '40 days') where store_id = $1`,
      [store.id],
    );
    expect((await read(store, 1, nextCursor)).items.map(({ data }) => data.status)).toEqual(['SHIPPED']);
  });

  it('waits for a transaction that began earlier, and then has all in order, once', async () => {
    const [early, late] = [await place(), await place()];
    const { nextCursor } = await read(store, 2);
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    let written: () => void = () => undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const long = store.inside(async (ctx) => {
      await app.nest.get(OrderChanges).changeStatus(ctx, early.id, 'SHIPPED');
      written();
      await held;
    });
    await isWritten;
    await setStatus(late.id, 'DELIVERED');
    const meanwhile = await page(store, { cursor: nextCursor });
    expect(meanwhile.items).toEqual([]);
    finish();
    await long;
    const { items, nextCursor: end } = await read(store, 2, meanwhile.nextCursor);
    expect(items.map(({ data }) => [data.id, data.status])).toEqual([
      [early.id, 'SHIPPED'],
      [late.id, 'DELIVERED'],
    ]);
    expect((await page(store, { cursor: end })).items).toEqual([]);
  });

  it('goes on where the database is on another server, whose transactions have lower numbers', async () => {
    const { id } = await place();
    const { nextCursor } = await read(store, 1);
    await setStatus(id, 'PROCESSING');
    // As a dump of another server brings them.
    await app.query(`update order_events set xid = (xid::text::bigint + 1000000000000)::text::xid8`);
    await app.query(
      `create or replace function order_event_server() returns text language sql stable parallel safe as $$
        select 'other' $$`,
    );
    const restarted = await TestApp.start({ database: app.database });
    await setStatus(id, 'SHIPPED');
    await setStatus(id, 'DELIVERED');
    const { items } = await read(store, 3, nextCursor);
    expect(items.map(({ data }) => data.status)).toEqual(['PROCESSING', 'SHIPPED', 'DELIVERED']);
    await restarted.stop();
  });
});

describe('readers that poll while fifty transactions overlap', () => {
  it('see every event exactly once, and none that was rolled back', async () => {
    const app = await TestApp.start({ database: await ownDatabase(), env: { DATABASE_POOL: '60' } });
    const store = await app.store();
    const { productId } = await store.product();
    const orders = await Promise.all(
      Array.from({ length: 50 }, () =>
        store.place({ items: [{ productId, quantity: 1 }] }).then(({ id }: { id: number }) => id),
      ),
    );
    const expected: string[] = [];
    const writer = async (orderId: number) => {
      for (let n = 0; n < 8; n++) {
        const fails = Math.random() < 0.2;
        const change = store.inside(async (ctx) => {
          await paced(Math.random() * 20);
          const { json } = await app.nest
            .get(OrderChanges)
            .recordShipment(ctx, orderId, { trackingNumber: `${n}` });
          await paced(Math.random() * (Math.random() < 0.1 ? 400 : 40));
          if (fails) throw new Error('rolled back');
          return json.text;
        });
        const text = await change.catch((error: Error) => error);
        if (typeof text === 'string') expected.push(text);
        else if (!fails) throw text;
      }
    };
    let isWriting = true;
    // A page may be empty because a transaction elsewhere on the server holds the feed back: what was written
    // is waited for, and then for one more page with nothing in it.
    const deadline = performance.now() + 45_000;
    const poller = async (take: number) => {
      const seen: Page['items'] = [];
      let cursor: string | undefined;
      let found: number;
      do {
        const next = await page(store, { take, ...(cursor ? { cursor } : {}) });
        cursor = next.nextCursor;
        found = next.items.length;
        seen.push(...next.items);
      } while (
        (isWriting || found > 0 || seen.length < expected.length + orders.length) &&
        performance.now() < deadline
      );
      return seen;
    };
    const polling = Promise.all([poller(3), poller(100)]);
    await Promise.all(orders.map(writer)).finally(() => (isWriting = false));
    expect(expected.length).toBeGreaterThan(200);
    for (const seen of await polling) {
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      const updates = seen
        .filter(({ event }) => event === 'order.updated')
        .map(({ data }) => JSON.stringify(data));
      expect(updates.sort()).toEqual([...expected].sort());
      expect(seen).toHaveLength(expected.length + orders.length);
    }
    await app.stop();
  });
});

describe('the partitions of events', () => {
  const app = useShop(async () => ({ database: await preparedDatabase() }));

  const partitions = async () => {
    const rows = await app.query<{ name: string; forced: boolean; policies: number }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
         (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'order_events'::regclass
         order by 1`,
    );
    expect(rows.every(({ forced, policies }) => forced && policies === 2)).toBe(true);
    return rows.map(({ name }) => name);
  };
  const monthName = (months: number) => {
    const now = new Date();
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
    return `order_events_${month.toISOString().slice(0, 7).replace('-', '_')}`;
  };

  it('are created ahead and dropped after their time, except events a delivery still needs', async () => {
    const store = await app.store();
    await store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
    expect(await partitions()).toEqual(
      expect.arrayContaining([monthName(0), monthName(1), monthName(2), 'order_events_default']),
    );
    const rowsOf = (table: string) =>
      app.query<{ body: string }>(
        `select convert_from(body, 'UTF8') as body from ${table} where store_id = $1`,
        [store.id],
      );
    await app.query(
      `insert into order_events (store_id, id, event, body, created_at)
       select $1, order_event_id_at(at + n * interval '1 second'), 'order.updated',
         convert_to(n::text, 'UTF8'), at
       from (select now() - interval '150 days' as at) t, generate_series(1, 3) n`,
      [store.id],
    );
    await app.query(
      `insert into webhook_deliveries (store_id, id, created_at) select store_id, id, created_at
        from order_events
       where store_id = $1 and body = '2'`,
      [store.id],
    );
    expect(await rowsOf('order_events_default')).toHaveLength(3);
    await app.query(`select tend_order_events('150 days')`);
    expect(await rowsOf('order_events_default')).toHaveLength(0);
    expect(await rowsOf('order_events')).toHaveLength(4);
    const upkeep = app.nest.get(EventUpkeep);
    await upkeep.tend();
    expect(await partitions()).not.toContain(monthName(-4));
    expect(await rowsOf('order_events_default')).toEqual([{ body: '2' }]);
    expect(await rowsOf('order_events')).toHaveLength(2);
    await app.query(`delete from webhook_deliveries where store_id = $1`, [store.id]);
    await upkeep.tend();
    expect(await rowsOf('order_events')).toHaveLength(1);
  });
});
