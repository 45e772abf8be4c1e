import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { CHECK_MS, HEARTBEAT_MS, LiveStreams } from '../../../src/doors/dashboard/live/live-streams.js';
import { LiveChanges } from '../../../src/platform/store/live-changes.js';
import { Drain } from '../../../src/platform/http/drain.js';
import { COMMANDS } from '../../../src/operator/cli/commands/order.commands.js';
import { eventually } from '../../support/eventually.js';
import { paced } from '../../support/waiting/paced.mjs';
import { ownDatabase } from '../../support/database/own-database.js';
import { TestApp, type TestStore, useShop } from '../../support/test-app.js';
import { answers, Receiver } from '../../support/servers/receiver.js';
import { Browser, refusal, StorePage } from './browser.js';

interface Event {
  event: string;
  data: any;
}

/** A reader of the store's stream, as a page is. */
class Reader {
  readonly events: Event[] = [];
  comments = 0;
  readonly ended: Promise<void>;

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {
    this.ended = this.read().catch(() => undefined);
  }

  static async open(page: StorePage): Promise<Reader> {
    const abort = new AbortController();
    const response = await page.browser.open(`stores/${page.storeId}/events`, { signal: abort.signal });
    const reader = new Reader(response, abort);
    await reader.next('ready');
    // Changes made before may still be on their way. Notifications of one process come in order: these end
    // with this one.
    page.browser.app.nest
      .get(LiveChanges)
      .publish(page.storeId, { kind: 'brand', id: '', operation: 'reader.opened', changed: [] });
    while ((await reader.next()).data.operation !== 'reader.opened');
    return reader;
  }

  /** The next event that has not been asked for. */
  async next(name?: string): Promise<Event> {
    await eventually(`an event ${name ?? ''} comes`, () => this.events.length > 0);
    const event = this.events.shift()!;
    if (name !== undefined) expect(event.event).toBe(name);
    return event;
  }

  async close(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }

  private async read(): Promise<void> {
    let text = '';
    for await (const chunk of this.response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        if (block.startsWith(':')) this.comments++;
        const event = /^event: (.*)$/m.exec(block)?.[1];
        if (event) this.events.push({ event, data: JSON.parse(/^data: (.*)$/m.exec(block)![1]) });
      }
    }
  }
}

describe('live changes of a store', () => {
  let store: TestStore;
  let owner: StorePage;
  let streams: LiveStreams;
  let orderId: number;

  const app = useShop();
  beforeAll(async () => {
    streams = app.nest.get(LiveStreams);
  });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    const { productId } = await store.product();
    orderId = (await store.place({ items: [{ productId, quantity: 1 }] })).id;
  });

  it('are sent as server-sent events, without values of the records', async () => {
    const reader = await Reader.open(owner);
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    await store.data('ship_order', { orderId, trackingNumber: 'JJD000390007882400061' });
    expect(await reader.next()).toEqual({
      event: 'order.changed',
      data: {
        kind: 'order',
        id: String(orderId),
        operation: 'ship_order',
        changed: ['status', 'trackingNumber'],
        orderId,
      },
    });
    await owner.data('POST', 'operations/set_order_status', { orderId, status: 'DELIVERED' });
    expect((await reader.next('order.changed')).data.changed).toEqual(['status']);
    // The same status again changes nothing, so nothing comes before the next change.
    await store.data('set_order_status', { orderId, status: 'DELIVERED' });
    await store.call('set_order_status', { orderId, status: 'LOST' });
    await store.data('update_customer', { id: '1001', firstName: 'Olena' });
    const { event, data } = await reader.next();
    expect([event, data.kind, data.id, data.changed]).toEqual([
      'record.changed',
      'customer',
      '1001',
      ['firstName'],
    ]);
    expect(JSON.stringify(data)).not.toContain('Olena');
    await store.data('delete_order', { orderId, confirm: true });
    expect((await reader.next('order.deleted')).data.orderId).toBe(orderId);
    await reader.close();
  });

  it('include orders that the command line places', async () => {
    const reader = await Reader.open(owner);
    const { productId } = await store.product();
    const file = `${await mkdtemp(`${tmpdir()}/order-`)}/order.json`;
    const order = { messengerUserId: '1002', items: [{ productId, quantity: 1 }], paymentMethod: 'cash' };
    await writeFile(file, JSON.stringify(order));
    const options = { store: store.id, file };
    const placed = (await COMMANDS['order place'].run({
      app: app.nest,
      options,
      runtime: undefined as never,
    })) as { id: number };
    expect((await reader.next('order.placed')).data.orderId).toBe(placed.id);
    await reader.close();
  });

  it('come from other processes, including those that started later', async () => {
    const reader = await Reader.open(owner);
    const other = await TestApp.start();
    const there = { Authorization: `Bearer ${store.tokens.admin}` };
    // It asks who looks at what, and publishes everything for two seconds, which the answer may outlast.
    await other.nest.get(LiveChanges).settled();
    await eventually('it was told of the store', () => other.nest.get(LiveChanges)['watched'].has(store.id));
    await other.post('/v1/set_order_status', { orderId, status: 'PROCESSING' }, there);
    await reader.next('order.changed');
    await eventually('the other process watches the store', () =>
      other.nest.get(LiveChanges).isWatched(store.id),
    );
    const watches = (id: string) => other.nest.get(LiveChanges).isWatched(id);
    await eventually('it has learned who looks at what', () => !watches('no store'));
    expect(watches(store.id)).toBe(true);
    await other.post('/v1/set_order_status', { orderId, status: 'SHIPPED' }, there);
    await reader.next('order.changed');
    await reader.close();
    await other.stop();
  });

  it('are limited to the store, and cost nothing for a store that nobody watches', async () => {
    const reader = await Reader.open(owner);
    const other = await app.store();
    const changes = app.nest.get(LiveChanges);
    await eventually('nobody watches the other', () => !changes.isWatched(other.id));
    expect(changes.isWatched(store.id)).toBe(true);
    await other.data('create_brand', { name: 'Acme', slug: 'acme' });
    await store.data('create_brand', { name: 'Own', slug: 'own' });
    expect((await reader.next('record.changed')).data.kind).toBe('brand');
    expect(reader.events).toEqual([]);
    await reader.close();
  });

  it('include failed deliveries', async () => {
    const database = await ownDatabase();
    const receiver = await Receiver.start();
    const env = { SHOP_ROLES: 'web,deliver', WEBHOOK_RETRY_DELAYS: '0' };
    const delivering = await TestApp.start({ env, database });
    const shop = await delivering.store();
    const page = await StorePage.ofOwner(shop);
    await page.data('PUT', 'webhook', { url: receiver.url });
    receiver.always(answers.status(500));
    const reader = await Reader.open(page);
    const { productId } = await shop.product();
    const { id } = await shop.place({ items: [{ productId, quantity: 1 }] });
    expect((await reader.next('delivery.failed')).data).toMatchObject({
      kind: 'delivery',
      event: 'order.created',
      orderId: id,
    });
    await reader.close();
    await delivering.stop();
    await receiver.stop();
  });

  describe('end', () => {
    it('when the session ends, within 30 s', async () => {
      const reader = await Reader.open(owner);
      const again = new StorePage(await Browser.signedIn(app, store.ownerEmail), store.id);
      const stays = await Reader.open(again);
      await owner.browser.post('auth/sign-out', {});
      await reader.ended;
      await store.data('create_brand', { name: 'Own', slug: 'own' });
      await stays.next('record.changed');
      await stays.close();
      expect(CHECK_MS).toBeLessThan(30_000);
    });

    it('when the membership ends', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const reader = await Reader.open(staff);
      await streams.check();
      await store.data('create_brand', { name: 'Own', slug: 'own' });
      await reader.next('record.changed');
      await owner.data('DELETE', `members/${staff.userId}`);
      await streams.check();
      await reader.ended;
      expect(await staff.send('GET', 'events')).toMatchObject(refusal(404, 'not_found'));
    });

    it('when the service stops, which then accepts no new streams', async () => {
      const stopping = await TestApp.start();
      const shop = await stopping.store();
      const page = await StorePage.ofOwner(shop);
      const reader = await Reader.open(page);
      stopping.nest.get(Drain).begin();
      await reader.ended;
      const late = await page.browser.open(`stores/${shop.id}/events`);
      expect(await late.text()).toBe('');
      await stopping.stop();
    });

    it('when the client does not read, without buffering for it', async () => {
      const socket = await silentReader(owner);
      const before = streams.open;
      const big = Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [`${'x'.repeat(50)}${i}`, [0, 1] as [number, number]]),
      );
      const closed = new Promise((resolve) => socket.once('close', resolve));
      const changes = app.nest.get(LiveChanges);
      for (let i = 0; i < 5_000 && streams.open === before; i++) {
        changes.publish(store.id, {
          kind: 'product',
          id: String(i),
          operation: 'x',
          changed: Object.keys(big),
        });
        if (i % 20 === 0) await paced(5);
      }
      await eventually('the stream has ended', () => streams.open === before - 1);
      socket.destroy();
      await closed;
    });
  });

  it('end at once for a member who is removed, and go on for the others', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    const [removed, kept] = [await Reader.open(staff), await Reader.open(owner)];
    const { userId } = (await owner.data('GET', 'members')).items.find(({ role }: any) => role === 'staff');
    await owner.data('DELETE', `members/${userId}`);
    await eventually('the stream has ended', () => streams.open === 1);
    await removed.ended;
    expect(removed.events.filter(({ data }) => data.operation === 'member.remove')).toEqual([]);
    while ((await kept.next()).data.operation !== 'member.remove');
    await kept.close();
  });

  it('are only those of the groups to which a member is narrowed, at once', async () => {
    const email = `narrow-${Math.random()}@test.example`;
    const browser = new Browser(app);
    await browser.accept((await owner.data('POST', 'members', { email, groups: ['brands'] })).invitation);
    const { id: userId } = (await browser.get('me')).body.data;
    const reader = await Reader.open(new StorePage(browser, store.id));
    const brandNow = () =>
      store.data('create_brand', { name: 'Brand', slug: `b-${Math.random()}`.replace('.', '') });
    await store.data('set_order_status', { orderId, status: 'PROCESSING' });
    await owner.data('POST', 'tokens', { name: 'Till', scope: 'read' });
    await brandNow();
    expect((await reader.next()).data).toMatchObject({ kind: 'brand', operation: 'create_brand' });
    expect(reader.events).toEqual([]);
    await owner.data('PUT', `members/${userId}`, { groups: ['orders'] });
    await reader.ended;
    expect(reader.events).toEqual([]);
  });

  it('are kept alive, and their number per person is limited', async () => {
    const reader = await Reader.open(owner);
    streams.beat();
    await eventually('a comment has come', () => reader.comments === 1);
    expect(HEARTBEAT_MS).toBe(25_000);
    const readers = [reader];
    for (let i = 1; i < 20; i++) readers.push(await Reader.open(owner));
    const refused = await owner.send('GET', 'events');
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(refused.headers.get('retry-after')).toBe('30');
    const staff = await Reader.open(await StorePage.ofStaff(store, owner));
    await readers.pop()!.close();
    await eventually('all streams are open', () => streams.open === 20);
    readers.push(await Reader.open(owner));
    for (const one of [...readers, staff]) await one.close();
    await eventually('all streams have ended', () => streams.open === 0);
  });

  it('answer a HEAD request with the headers', async () => {
    const response = await owner.browser.open(`stores/${store.id}/events`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(streams.open).toBe(0);
  });
});

/** A connection that asks for the stream and never reads what comes. */
async function silentReader({ browser, storeId }: StorePage): Promise<Socket> {
  const { port } = new URL(browser.app.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `GET /dashboard/api/stores/${storeId}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `Cookie: ${browser.cookie}\r\n\r\n`,
  );
  await once(socket, 'readable');
  socket.pause();
  return socket;
}
