import { once } from 'node:events';
import { createConnection } from 'node:net';
import { Apps } from '../../src/people/apps/apps.service.js';
import { type Cap, type CapName, Caps, CAPS, type Holder } from '../../src/platform/caps.js';
import { Drain } from '../../src/platform/http/drain.js';
import { Browser, refusal, StorePage } from '../dashboard/browser.js';
import { BotWebhook, MiniApp } from '../storefront/mini-app.js';
import { eventually } from '../support/eventually.js';
import { BotApiServer } from '../support/servers/bot-api-server.js';
import { TestApp } from '../support/test-app.js';

/** docs/behaviour.md §2.3 and §2.6: nobody has all of what many share. */
describe('what many share', () => {
  let messenger: BotApiServer;
  let app: TestApp;

  beforeAll(async () => {
    messenger = await BotApiServer.start();
    const env = { TRUSTED_PROXIES: '1', MESSENGER_API_ROOT: messenger.apiRoot };
    app = await TestApp.start({
      env: { ...env, STORE_RATE_LIMIT_READ: '4', STORE_RATE_LIMIT_WRITE: '2', STOREFRONT_RATE_LIMIT: '3' },
    });
  });
  afterAll(async () => {
    await app.stop();
    await messenger.close();
  });

  describe.each(Object.keys(CAPS) as CapName[])('the cap %s', (name) => {
    const cap: Cap = CAPS[name];
    const others: Holder = { storeId: 'theirs', userId: 'they', address: '203.0.113.9' };
    const one: Record<string, [number | undefined, (i: number) => Holder]> = {
      'one store': [cap.perStore, (i) => ({ storeId: 'mine', userId: `u${i}`, address: `2001:db8:${i}::1` })],
      'one person': [cap.perPerson, (i) => ({ storeId: `s${i}`, userId: 'me', address: `2001:db8:${i}::1` })],
      'one network': [
        cap.perNetwork,
        (i) => ({ storeId: `s${i}`, userId: `u${i}`, address: `198.51.100.${i % 256}` }),
      ],
    };

    it.each(Object.entries(one).filter(([, [most]]) => most !== undefined))(
      'leaves others a place while %s has all that it gets, and gives it back',
      (_, [most, holder]) => {
        const caps = new Caps();
        const held = Array.from({ length: most! }, (_, i) => caps.take(name, holder(i)));
        expect(() => caps.take(name, holder(0))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
        expect(most!).toBeLessThanOrEqual(cap.total / 2);
        caps.take(name, others)();
        held.pop()!();
        caps.take(name, holder(0))();
      },
    );
  });

  it('lets those who wait have a place in their order, each within its share', async () => {
    const caps = new Caps();
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
    const caps = new Caps();
    const address = '198.51.100.1';
    const free = await caps.wait('passwords', { address });
    const waiting = Array.from({ length: CAPS.passwords.inLine }, () => caps.wait('passwords', { address }));
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
