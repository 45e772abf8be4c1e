import { once } from 'node:events';
import { createConnection } from 'node:net';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Brand } from '../../src/groups/brands/brand.entity.js';
import { Apps } from '../../src/people/apps/apps.service.js';
import { type CapName, Caps, CAPS } from '../../src/platform/caps/caps.js';
import type { Cap, Requester } from '../../src/platform/caps/line.js';
import { Drain } from '../../src/platform/http/drain.js';
import { Browser, refusal, StorePage } from '../doors/dashboard/browser.js';
import { BotWebhook, MiniApp } from '../doors/storefront/mini-app.js';
import { StoreConnections } from '../../src/platform/database/connections/store-connections.js';
import type { StoreContext } from '../../src/platform/store/store-context.js';
import { eventually, gate } from '../support/eventually.js';
import { botApi } from '../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../support/test-app.js';

const SIZES = { databasePool: 10 };
const totalOf = ({ total }: Cap) => (typeof total === 'number' ? total : total(SIZES));

/** docs/behaviour.md §2.3 and §2.6: nobody has all of what many share. */
describe('what many share', () => {
  const { app, messenger } = useShopWithMessenger({
    env: {
      ...{ TRUSTED_PROXIES: '1', STORE_RATE_LIMIT_READ: '4', STORE_RATE_LIMIT_WRITE: '2' },
      STOREFRONT_RATE_LIMIT: '3',
    },
  });

  describe.each(Object.keys(CAPS) as CapName[])('the cap %s', (name) => {
    const cap: Cap = CAPS[name];
    const others: Requester = { storeId: 'theirs', userId: 'they', address: '203.0.113.9' };
    const one: Record<string, [number | undefined, (i: number) => Requester]> = {
      'one store': [
        cap.perStore === 'fair' ? Math.ceil(totalOf(cap) / 2) : cap.perStore,
        (i) => ({ storeId: 'mine', userId: `u${i}`, address: `2001:db8:${i}::1` }),
      ],
      'one person': [cap.perPerson, (i) => ({ storeId: `s${i}`, userId: 'me', address: `2001:db8:${i}::1` })],
      'one network': [
        cap.perNetwork,
        (i) => ({ storeId: `s${i}`, userId: `u${i}`, address: `198.51.100.${i % 256}` }),
      ],
    };

    it.each(Object.entries(one).filter(([, [most]]) => most !== undefined))(
      'leaves others a place while %s has all that it gets, and gives it back',
      (_, [most, holder]) => {
        const caps = new Caps(SIZES);
        const held = Array.from({ length: most! }, (_, i) => caps.take(name, holder(i)));
        expect(() => caps.take(name, holder(0))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
        expect(most!).toBeLessThanOrEqual(Math.ceil(totalOf(cap) / 2));
        caps.take(name, others)();
        held.pop()!();
        caps.take(name, holder(0))();
      },
    );
  });

  it('lets those who wait have a place in their order, each within its share', async () => {
    const caps = new Caps(SIZES);
    const address = '198.51.100.1';
    const free = await caps.wait('passwords', { address });
    const order: string[] = [];
    const waiting = ['first', 'second'].map((who) =>
      caps.within('passwords', { address }, undefined, async () => void order.push(who)),
    );
    await caps.within(
      'passwords',
      { address: '203.0.113.1' },
      undefined,
      async () => void order.push('other'),
    );
    free();
    await Promise.all(waiting);
    expect(order).toEqual(['other', 'first', 'second']);
  });

  it('refuses at once when as many wait as may', async () => {
    const caps = new Caps(SIZES);
    const address = '198.51.100.1';
    const free = await caps.wait('passwords', { address });
    const waiting = Array.from({ length: CAPS.passwords.maxWaiting }, () =>
      caps.wait('passwords', { address }),
    );
    await expect(caps.wait('passwords', { address })).rejects.toMatchObject({ code: 'rate_limited' });
    free();
    for (const one of waiting) (await one)();
  });

  it('answers the pages of another store while one store has all of its streams and exports', async () => {
    const [mine, theirs] = [await app.store(), await app.store()];
    const [me, they] = [await StorePage.ofOwner(mine), await StorePage.ofOwner(theirs)];
    const caps = app.nest.get(Caps);
    const held = (['streams', 'exports'] as const).flatMap((name) =>
      Array.from({ length: CAPS[name].perStore }, () => caps.take(name, { storeId: mine.id })),
    );
    const status = async ({ browser, storeId }: StorePage, path: string) => {
      const abort = new AbortController();
      const response = await browser.open(`stores/${storeId}/${path}`, { signal: abort.signal });
      abort.abort();
      return response.status;
    };
    expect([await status(me, 'events'), await status(me, 'orders/export.csv')]).toEqual([429, 429]);
    expect([await status(they, 'events'), await status(they, 'orders/export.csv')]).toEqual([200, 200]);
    for (const free of held) free();
    expect(await status(me, 'events')).toBe(200);
  });

  it('answers large bodies while another network has all that it gets of unfinished ones', async () => {
    const store = await app.store();
    const { perNetwork } = CAPS.bodies;
    const free = app.nest.get(Caps).take('bodies', { address: '198.51.100.1' }, undefined, perNetwork);
    const fields = Array.from({ length: 100 }, (_, i) => ({
      id: `f${i}`,
      label: 'x'.repeat(400),
      type: 'text',
      required: false,
      defaultVisible: true,
    }));
    expect((await store.call('update_checkout', { fields })).status).toBe(200);
    free();
  });

  it('keeps the memory for bodies of people who are known from those who sign in', async () => {
    const { perNetwork } = CAPS.bodies;
    const free = app.nest.get(Caps).take('bodies', { address: '198.51.100.1' }, undefined, perNetwork);
    const body = JSON.stringify({ email: 'a@shop.example', password: 'x'.repeat(30_000) });
    const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(
      'POST /dashboard/api/auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        `X-Forwarded-For: 198.51.100.1\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20_000)}`,
    );
    const answered = once(socket, 'data') as Promise<[Buffer]>;
    await eventually('the call has begun', () => app.nest.get(Drain).requests > 0);
    socket.write(body.slice(20_000));
    const [answer] = await answered;
    // Not 429: it waits for no place among those of people who are known.
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
    socket.destroy();
    free();
  });

  it('gives up a body that is sent too slowly, and says so', async () => {
    const store = await app.store();
    const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(
      `POST /v1/list_orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${store.tokens.read}\r\nContent-Length: 1000000\r\n\r\n{`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
    expect(String(answer)).toContain('The body was not sent in time');
    await once(socket, 'close');
  });

  it('takes repeats out of the writes of a store, as reads', async () => {
    const store = await app.store();
    const create = (key: string) =>
      store.call('create_brand', { name: key, slug: key }, { headers: { 'Idempotency-Key': key } });
    for (const key of ['a', 'a', 'a', 'b']) expect((await create(key)).status).toBe(200);
    const refused = await create('c');
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(refused.body.error!.message).toMatch(/^The limit of 2 write calls .* all tokens of this store/);
    for (const status of [200, 200, 429]) expect((await store.call('list_brands')).status).toBe(status);
  });

  it("limits all tokens of a store together, and says so; headers stay the token's own", async () => {
    const [store, other] = [await app.store(), await app.store()];
    for (const scope of ['read', 'write', 'admin', 'read'] as const)
      expect((await store.call('list_orders', {}, { scope })).status).toBe(200);
    const refused = await store.call('list_orders', {}, { scope: 'admin' });
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(refused.body.error!.message).toMatch(/^The limit of 4 read calls .* all tokens of this store/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-limit')).toBe('100000');
    expect(refused.headers.get('ratelimit-remaining')).toBe('99999');
    expect((await store.call('set_order_status', {}, { scope: 'write' })).status).toBe(400);
    expect((await other.call('list_orders')).status).toBe(200);
    // People on the dashboard have budgets of their own.
    const owner = await Browser.signedIn(app, store.ownerEmail);
    const listed = await owner.send('POST', `stores/${store.id}/operations/list_orders`, {});
    expect(listed.status).toBe(200);
  });

  it('limits all shoppers of a store together', async () => {
    const [store, other] = [await app.store(), await app.store()];
    for (const one of [store, other]) await BotWebhook.connect(one, messenger);
    const ask = async (of: typeof store, id: number) => {
      const { initData } = new MiniApp(of, { id: String(id), first_name: 'Ann' });
      const headers = { Authorization: `tma ${initData}` };
      const response = await fetch(`${app.url}/storefront/${of.id}/me`, { headers });
      return [response.status, await response.text()];
    };
    for (let id = 1; id <= 3; id++) expect((await ask(store, id))[0]).toBe(200);
    expect(await ask(store, 4)).toEqual([429, expect.stringContaining('all shoppers of this store')]);
    expect((await ask(other, 1))[0]).toBe(200);
  });

  it('drops the oldest unused registration of an app before it refuses a new one', async () => {
    await app.query(
      `insert into oauth_clients (id, kind, metadata, created_at, expires_at)
       select case i when 0 then 'dcr_oldest' else 'dcr_' || i end, 'registered', '{}'::jsonb,
         now() - interval '10 minutes' + i * interval '1 millisecond',
         now() - interval '10 minutes' + i * interval '1 millisecond' + interval '1 day'
       from generate_series(0, 4999) i
       union all select 'dcr_connected', 'registered', '{}'::jsonb,
         now() - interval '1 hour', now() + interval '90 days'`,
    );
    await app.nest.get(Apps).register('dcr_newest', {});
    const left = await app.query<{ id: string }>(
      `select id from oauth_clients where id in ('dcr_oldest', 'dcr_connected', 'dcr_newest') order by id`,
    );
    expect(left.map(({ id }) => id)).toEqual(['dcr_connected', 'dcr_newest']);
    await app.query(`delete from oauth_clients where id like 'dcr\\_%' and metadata = '{}'`);
  });
});

describe('connections of the database', () => {
  const caps = () => new Caps(SIZES);
  const [total, longReads] = [7, 3];
  const mine = { storeId: 'mine' };
  const hold = (of: Caps, holder: Requester, most = 100) => {
    const held: (() => void)[] = [];
    while (held.length < most) {
      const turn = of.wait('connections', holder);
      if (typeof turn === 'function') held.push(turn);
      else {
        turn.catch(() => undefined);
        break;
      }
    }
    return held;
  };

  it('are half of them for one store, a third for each of two, and one is left for another', async () => {
    const one = caps();
    const held = hold(one, mine);
    expect(held).toHaveLength(Math.ceil(total / 2));
    expect(hold(one, { storeId: 'b' })).toHaveLength(2);
    expect(hold(one, { storeId: 'c' })).toHaveLength(1);
    // Beside the one that each of them has waiting.
    expect(one.figures('connections').waiting).toBe(3);
    expect(typeof one.wait('longReads', mine)).toBe('function');
    expect(Math.max(1, Math.floor(SIZES.databasePool * 0.3))).toBe(longReads);
    for (const free of held) free();
    // The second has as many as are free, so its third one waits.
    expect(one.figures('connections').waiting).toBe(1);
  });

  it('are given to the stores that wait in turn, however many calls of one wait', async () => {
    const one = caps();
    const held = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((storeId) => hold(one, { storeId }, 1));
    expect(held).toHaveLength(total);
    const order: string[] = [];
    const waiting = ['x', 'x', 'x', 'y', 'y', 'z'].map(async (storeId) => {
      const free = await one.wait('connections', { storeId });
      order.push(storeId);
      free();
    });
    held[0]();
    await Promise.all(waiting);
    expect(order.join('')).toBe('xyzxyx');
    for (const free of held) free();
  });

  it('are waited for by at most 100 calls of a store, and by nobody who has left', async () => {
    const one = caps();
    const held = hold(one, mine);
    const caller = new AbortController();
    const leaver = one.wait('connections', mine, { leaves: () => caller.signal });
    // One waits since `hold`.
    const line = Array.from({ length: 98 }, () => one.wait('connections', mine));
    const refused = await Promise.resolve(one.wait('connections', mine)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    expect((refused as Error).message).toMatch(/^This store has too many calls under way at once/);
    caller.abort();
    await expect(leaver).rejects.toMatchObject({ status: 503 });
    expect(one.figures('connections')).toEqual({ waiting: 99, refused: 1 });
    for (const free of held) free();
    for (const turn of line) (await turn)();
  });

  it('are refused to those who wait too long, and given back if none can be opened', async () => {
    jest.replaceProperty(CAPS.connections, 'maxWaitMs', 20);
    const one = caps();
    const held = hold(one, mine);
    await expect(one.wait('connections', mine)).rejects.toMatchObject({ code: 'rate_limited' });
    jest.restoreAllMocks();
    for (const free of held) free();
    const away = new DataSource({ type: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' });
    const connections = new StoreConnections(await withPool(away), one, null);
    for (let i = 0; i < total; i++) await expect(connections.take('mine')).rejects.toThrow();
    expect(hold(one, mine)).toHaveLength(Math.ceil(total / 2));
  });

  /** The pool alone: nothing is connected. */
  const withPool = async (dataSource: DataSource) => {
    Object.assign(dataSource.driver, { master: new pg.Pool({ host: '127.0.0.1', port: 1 }) });
    return Promise.resolve(dataSource);
  };
});

/** docs/behaviour.md §2.6: a store at its worst. */
describe('a store whose calls wait', () => {
  let [mine, theirs]: TestStore[] = [];

  const { app, messenger } = useShopWithMessenger({ env: { DATABASE_POOL: '4' } });
  beforeAll(async () => {
    [mine, theirs] = [await app.store(), await app.store()];
  });

  const theyCanChange = async () => {
    for (let i = 0; i < 3; i++)
      expect(await theirs.call('update_general', { title: `T${i}` })).toMatchObject({ status: 200 });
    expect(await theirs.call('find_orders', { text: 'mug' })).toMatchObject({ status: 200 });
  };

  it('waits for no turn while it holds one: development and tests tell', async () => {
    const open = (ctx: StoreContext) => ctx.rows(Brand).findOne({ slug: 'x' });
    const nested = mine.inside(async (ctx) => {
      await open(ctx);
      return mine.inside(open);
    });
    await expect(nested).rejects.toThrow(
      'a turn of connections is waited for while a call holds a connection',
    );
    expect(await mine.inside(open)).toBeNull();
  });

  it('for a slow messenger leaves the others theirs', async () => {
    const { opened, open } = gate();
    messenger.always('setWebhook', botApi.held(opened, botApi.result(true)));
    const calls = Array.from({ length: 12 }, (_, i) =>
      mine.call(
        'connect_bot',
        { token: mine.botToken.replace(/^\d{3}/, String(100 + i)) },
        { headers: { 'Idempotency-Key': `bot ${i}` } },
      ),
    );
    await eventually('all ask', () => messenger.callsOf('setWebhook').length === calls.length);
    await theyCanChange();
    expect(await mine.call('update_general', { title: 'Mine' })).toMatchObject({ status: 200 });
    open();
    messenger.reset();
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(200);
  });

  it('for records that are being changed gets 503 or 429, and leaves the others theirs', async () => {
    const { productId } = await mine.product();
    const { id } = await mine.place({ items: [{ productId, quantity: 1 }] });
    const locker = new pg.Client({ connectionString: app.database.ownerUrl });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from orders where store_id = $1 for update', [mine.id]);
    const calls = Array.from({ length: 12 }, () =>
      mine.call('set_order_status', { orderId: id, status: 'SHIPPED' }),
    );
    await theyCanChange();
    const refused = await calls[0];
    expect(refused).toMatchObject(refusal(503, 'internal_error'));
    expect(refused.body.error!.message).toMatch(/^Other calls are changing the same records/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // Of many orders each is one for itself.
    const { data } = (await mine.call('set_order_statuses', { orderIds: [id], status: 'SHIPPED' })).body;
    expect(data).toMatchObject({ failed: 1, items: [{ error: { code: 'internal_error' } }] });
    await locker.query('rollback');
    await locker.end();
    for (const { status } of await Promise.all(calls)) expect([200, 429, 503]).toContain(status);
    expect(await mine.call('set_order_status', { orderId: id, status: 'SHIPPED' })).toMatchObject({
      status: 200,
    });
  });
});
