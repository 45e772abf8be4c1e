import { isPromise } from 'node:util/types';
import pg from 'pg';
import { TokenRegistry } from '../../src/platform/auth/token-registry.js';
import { Listener } from '../../src/platform/database/connections/listener.js';
import { isWellFormedToken, newToken } from '../../src/platform/auth/token.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { TestApp, TestClock, type TestStore } from '../support/test-app.js';

/** docs/behaviour.md §2. */
describe('tokens', () => {
  let app: TestApp;
  let other: TestApp;
  let store: TestStore;
  const clock = new TestClock();

  beforeAll(async () => {
    [app, other] = [await TestApp.start({ clock }), await TestApp.start({ clock })];
    store = await app.store();
  });
  afterAll(() => Promise.all([app.stop(), other.stop()]));

  const status = async (authorization: string | undefined, at = app) =>
    (
      await at.post(
        '/v1/list_orders',
        {},
        authorization === undefined ? {} : { Authorization: authorization },
      )
    ).status;

  it('are a live prefix, letters and digits, and a checksum that finds a mistyped one', () => {
    const token = newToken();
    expect(token).toMatch(/^shop_live_[0-9A-Za-z]{38}$/);
    expect(isWellFormedToken(token)).toBe(true);
    for (let i = 'shop_live_'.length; i < token.length; i++) {
      const mistyped = token.slice(0, i) + (token[i] === 'a' ? 'b' : 'a') + token.slice(i + 1);
      expect(isWellFormedToken(mistyped)).toBe(false);
    }
    expect(isWellFormedToken(`${token}a`)).toBe(false);
    expect(new Set(Array.from({ length: 1000 }, newToken)).size).toBe(1000);
  });

  it('are refused when missing, malformed or unknown', async () => {
    const { read } = store.tokens;
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      read,
      `Basic ${read}`,
      `Bearer ${read.slice(0, -1)}`,
      `Bearer ${newToken()}`,
    ]) {
      expect({ authorization, status: await status(authorization) }).toEqual({ authorization, status: 401 });
    }
    expect(await status(`Bearer ${read}`)).toBe(200);
    expect(await status(`bearer ${read}`)).toBe(200);
    // RFC 6750 §2.1: one or more spaces.
    expect(await status(`Bearer   ${read}`)).toBe(200);
  });

  it('say how to authenticate in a 401', async () => {
    const { headers, body } = await app.post('/v1/list_orders', {});
    expect(headers.get('www-authenticate')).toBe(
      'Bearer scope="read write", ' +
        'resource_metadata="http://localhost:0/.well-known/oauth-protected-resource/v1"',
    );
    expect(body.error!.code).toBe('invalid_token');
  });

  it('work until they expire, to the millisecond', async () => {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const { token } = await store.inside((ctx) =>
      app.nest.get(TokenRegistry).create(ctx, { name: 'short', scope: 'read', expiresAt }),
    );
    expect(await status(`Bearer ${token}`)).toBe(200);
    clock.advance(59_999);
    expect(await status(`Bearer ${token}`)).toBe(200);
    clock.advance(1);
    expect(await status(`Bearer ${token}`)).toBe(401);
  });

  it('are dead on every instance as soon as their revocation is answered', async () => {
    for (let round = 0; round < 20; round++) {
      const { record, token } = await store.inside((ctx) =>
        app.nest.get(TokenRegistry).create(ctx, { name: 'leaked', scope: 'read', expiresAt: null }),
      );
      expect([await status(`Bearer ${token}`), await status(`Bearer ${token}`, other)]).toEqual([200, 200]);
      expect(await store.inside((ctx) => app.nest.get(TokenRegistry).revoke(ctx, record.id))).toEqual(
        clock.now(),
      );
      expect(await Promise.all([status(`Bearer ${token}`, other), status(`Bearer ${token}`)])).toEqual([
        401, 401,
      ]);
    }
  });

  it('are revoked though an instance hangs, once it can no longer remember them', async () => {
    const alone = await TestApp.start({ database: await ownDatabase() });
    const hanging = new pg.Client({
      connectionString: alone.database.systemUrl,
      application_name: 'shop-listener',
    });
    await hanging.connect();
    try {
      const shop = await alone.store();
      const startedAt = Date.now();
      const revoke = async () => {
        await shop.inside((ctx) => alone.nest.get(TokenRegistry).revoke(ctx, shop.tokenIds.read));
        return Date.now() - startedAt;
      };
      // Two at once: what one instance answers to both is not taken for two answers to one.
      expect(Math.min(...(await Promise.all([revoke(), revoke()])))).toBeGreaterThan(4_900);
      expect((await shop.call('list_orders', {}, { scope: 'read' })).status).toBe(401);
    } finally {
      await hanging.end();
      await alone.stop();
    }
  });

  it('are looked up again where revocations may have been missed, and after a minute', async () => {
    const registry = app.nest.get(TokenRegistry);
    let heardUntil = 0;
    app.nest.get(Listener).onHeard((until) => (heardUntil = until));
    const isCached = () => !isPromise(registry.find(store.tokens.read));
    const start = Date.now();
    const time = jest.spyOn(Date, 'now');
    const passed = (seconds: number) => time.mockReturnValue(start + seconds * 1000);
    const heard = (seconds: number) =>
      eventually('all notifications before are handled', () => heardUntil >= start + seconds * 1000);
    try {
      passed(0);
      await heard(0);
      passed(1);
      // A revocation of another test keeps what is looked up at that moment from being remembered.
      await eventually('it is remembered', async () => {
        await registry.find(store.tokens.read);
        return isCached();
      });
      passed(7);
      expect(isCached()).toBe(false);
      await heard(7);
      expect(isCached()).toBe(true);
      passed(68);
      await heard(68);
      expect(isCached()).toBe(false);
    } finally {
      time.mockRestore();
    }
  });

  it('of a store that was just moved are told so for seconds only', async () => {
    const moved = await app.store();
    const registry = app.nest.get(TokenRegistry);
    const barred = async () => (await registry.find(moved.tokens.read))!.refusal?.status;
    let heardUntil = 0;
    app.nest.get(Listener).onHeard((until) => (heardUntil = until));
    await app.query(
      `update stores set suspended_at = now(), suspended_reason = 'moved to ' || $2, moved_to = $2
       where id = $1`,
      [moved.id, '127.0.0.1/there'],
    );
    await registry.forget(moved.id);
    const time = jest.spyOn(Date, 'now');
    try {
      expect(await barred()).toBe(503);
      const later = Date.now() + 11_000;
      time.mockReturnValue(later);
      await eventually('all notifications before are handled', () => heardUntil >= later);
      expect(await barred()).toBe(403);
    } finally {
      time.mockRestore();
    }
  });

  it('of a store whose reason only begins like a move are told it at once', async () => {
    const left = await app.store();
    const reason = 'moved to another plan';
    await app.query('update stores set suspended_at = now(), suspended_reason = $2 where id = $1', [
      left.id,
      reason,
    ]);
    await app.nest.get(TokenRegistry).forget(left.id);
    const { status: found, body } = await left.call('list_orders');
    expect([found, body.error?.message]).toEqual([403, `This store is suspended: ${reason}`]);
  });

  it('open nothing outside their store', async () => {
    const stranger = await app.store();
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    expect(await stranger.call('get_order', { orderId })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    expect(
      await stranger.inside((ctx) => app.nest.get(TokenRegistry).revoke(ctx, store.tokenIds.read)),
    ).toBeNull();
    expect(await status(`Bearer ${store.tokens.read}`)).toBe(200);
  });

  it('are stored as a hash only', async () => {
    const rows = await app.query<{ text: string }>(
      'select row_to_json(t)::text as text from api_tokens t where store_id = $1',
      [store.id],
    );
    for (const token of Object.values(store.tokens)) {
      expect(rows.some(({ text }) => text.includes(token.slice('shop_live_'.length)))).toBe(false);
    }
  });

  it('say when they were used last', async () => {
    const fresh = await app.store();
    await fresh.data('list_orders');
    await app.nest.get(TokenRegistry).flushLastUsed();
    const list = await fresh.inside((ctx) => app.nest.get(TokenRegistry).list(ctx));
    expect(list.find(({ scope }) => scope === 'admin')!.lastUsedAt).toEqual(clock.now());
    expect(list.find(({ scope }) => scope === 'read')!.lastUsedAt).toBeNull();
  });
});
