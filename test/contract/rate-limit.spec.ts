import { ThrottlerGuard } from '@nestjs/throttler';
import { BudgetGuard } from '../../src/platform/rate-limit/budget.guard.js';
import { MemoryThrottlerStorage } from '../../src/platform/rate-limit/memory-storage.js';
import { StorePage } from '../doors/dashboard/browser.js';
import { RawClient } from '../doors/mcp/raw-client.js';
import { TestApp, useShop } from '../support/test-app.js';

/** docs/behaviour.md §2.3, spec Limits. */
describe('rate limits', () => {
  const app = useShop({
    env: { RATE_LIMIT_READ: '100', RATE_LIMIT_WRITE: '30', RATE_LIMIT_BAD_TOKENS: '20' },
  });

  it('admit 100 reads and 30 writes a minute per token, refused calls included', async () => {
    const store = await app.store();
    for (let i = 0; i < 100; i++) {
      const input = i % 2 === 0 ? {} : { nope: 1 };
      const { status, headers } = await store.call(i % 10 === 9 ? 'no_such_operation' : 'list_orders', input);
      expect([200, 400, 404]).toContain(status);
      expect(headers.get('ratelimit-limit')).toBe('100');
      expect(headers.get('ratelimit-remaining')).toBe(String(99 - i));
    }
    const refused = await store.call('list_orders');
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect([...refused.headers.keys()].filter((name) => /^(ratelimit|retry)/.test(name))).toEqual([
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'retry-after',
    ]);
    expect(app.nest.get(BudgetGuard)).toBeInstanceOf(ThrottlerGuard);

    for (let i = 0; i < 30; i++) {
      const call = i % 2 === 0 ? store.call('set_order_status', {}) : store.call('delete_order', {});
      expect(await call).toMatchObject({ status: 400 });
    }
    expect(await store.call('delete_order', {})).toMatchObject({ status: 429 });
    expect(await store.call('set_order_status', {})).toMatchObject({ status: 429 });
    // Another token of the same store has budgets of its own, and a scope refusal counts.
    expect(await store.call('set_order_status', {}, { scope: 'read' })).toMatchObject({ status: 403 });
    expect(
      (await store.call('set_order_status', {}, { scope: 'read' })).headers.get('ratelimit-remaining'),
    ).toBe('28');
  });

  describe('count a repeat that is answered with the first result as a read', () => {
    const keyed = { 'Idempotency-Key': 'brand-1' };
    const brand = { name: 'Nordwind', slug: 'nordwind' };
    const told = ({ headers }: { headers: Headers }) => [
      ...['ratelimit-limit', 'ratelimit-remaining'].map((name) => Number(headers.get(name))),
      headers.get('idempotent-replayed'),
    ];

    it('over HTTP and MCP, until the reads are spent', async () => {
      const own = await TestApp.start({ env: { RATE_LIMIT_READ: '3', RATE_LIMIT_WRITE: '5' } });
      const store = await own.store();
      const create = (input: object) => store.call('create_brand', input, { headers: keyed });
      expect(told(await create(brand))).toEqual([5, 4, null]);
      const client = new RawClient(own, store.tokens.admin);
      expect(told(await create(brand))).toEqual([5, 4, 'true']);
      const call = { name: 'create_brand', arguments: brand, _meta: { idempotencyKey: 'brand-1' } };
      expect(told(await client.send('tools/call', call))).toEqual([5, 4, 'true']);
      // What the key does not answer is a write, refused or not.
      expect(told(await create({ ...brand, slug: 'other' }))).toEqual([5, 3, null]);
      expect(told(await store.call('list_brands'))).toEqual([3, 0, null]);
      // Repeats without end are refused like all calls.
      for (const left of [2, 1, 0]) expect(told(await create(brand))).toEqual([5, left, 'true']);
      expect(await create(brand)).toMatchObject({ status: 429 });
      await own.stop();
    });

    it('on the dashboard', async () => {
      const page = await StorePage.ofOwner(await app.store());
      const create = () => page.send('POST', 'operations/create_brand', brand, keyed);
      expect(told(await create())).toEqual([100_000, 99_999, null]);
      for (let i = 0; i < 3; i++) expect(told(await create())).toEqual([100_000, 99_999, 'true']);
    });

    it('and take out the very call, whatever was counted since', async () => {
      let now = 0;
      const storage = new MemoryThrottlerStorage(() => now);
      const limit = 40;
      const kept: number[] = [];
      for (let i = 0; i < 500; i++) {
        now += (i * 7919) % 50;
        const { at, isBlocked } = await storage.increment('k', 1_000, limit);
        if (!isBlocked) kept.push(at);
        if (i % 3 === 0) {
          const [given] = kept.splice(Math.max(0, kept.length - 1 - (i % 7)), 1);
          await storage.giveBack(['k'], given);
          await storage.giveBack(['k', 'unknown'], given + 0.5);
        }
        const held = kept.filter((time) => time > now - 1_000);
        expect(await storage.peek('k', 1_000)).toEqual({
          hits: held.length,
          seconds: 1,
        });
        expect(held.length).toBeLessThanOrEqual(limit);
      }
    });
  });

  it('limit guesses at tokens per address', async () => {
    const bad = () => app.post('/v1/list_orders', {}, { Authorization: 'Bearer nonsense' });
    for (let i = 0; i < 20; i++) expect((await bad()).status).toBe(401);
    const refused = await bad();
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const store = await app.store();
    expect((await store.call('list_orders')).status).toBe(200);
  });

  it('count guesses by the address the trusted proxy saw, not by one the caller made up', async () => {
    const behind = await TestApp.start({ env: { RATE_LIMIT_BAD_TOKENS: '3', TRUSTED_PROXIES: '1' } });
    const guess = async (forwarded: string) =>
      (await behind.post('/v1/list_orders', {}, { 'X-Forwarded-For': forwarded })).status;
    for (let i = 0; i < 3; i++) expect(await guess(`10.0.0.${i}, 203.0.113.7`)).toBe(401);
    expect(await guess('10.0.0.9, 203.0.113.7')).toBe(429);
    expect(await guess('203.0.113.7, 203.0.113.8')).toBe(401);
    // One machine has all addresses of a /64 of IPv6.
    for (let i = 0; i < 3; i++) expect(await guess(`2001:db8:0:7::${i}`)).toBe(401);
    expect(await guess('2001:DB8:0:7:ffff::9')).toBe(429);
    expect(await guess('2001:db8:0:8::1')).toBe(401);
    expect(await guess('::ffff:203.0.113.7')).toBe(429);
    // Some proxies write ports, which change with every connection.
    expect(await guess('203.0.113.7:1001')).toBe(429);
    expect(await guess('"[2001:db8:0:7::1]:1002"')).toBe(429);
    for (const garbage of ['unknown', '127.1', '9.9.9.9:abc']) expect(await guess(garbage)).toBe(401);
    expect(await guess('more garbage')).toBe(429);
    await behind.stop();
  });

  it('count guesses by the address that the first of two trusted proxies saw', async () => {
    const env = { RATE_LIMIT_BAD_TOKENS: '3', TRUSTED_PROXIES: '2' };
    const behind = await TestApp.start({ env });
    const guess = async (forwarded: string) =>
      (await behind.post('/v1/list_orders', {}, { 'X-Forwarded-For': forwarded })).status;
    for (let i = 0; i < 3; i++) expect(await guess(`10.0.0.${i}, 203.0.113.7:${i}, 192.0.2.${i}`)).toBe(401);
    expect(await guess('203.0.113.7, 192.0.2.9')).toBe(429);
    expect(await guess('203.0.113.8, 203.0.113.7')).toBe(401);
    // Whoever passed one of the two by counts as the connection itself, whatever the header says.
    for (let i = 0; i < 3; i++) expect(await guess(`198.51.100.${i}`)).toBe(401);
    expect(await guess('198.51.100.9')).toBe(429);
    await behind.stop();
  });

  it('reports no more seconds than the window has, whatever fraction the clock shows', async () => {
    let now = 0;
    const storage = new MemoryThrottlerStorage(() => now);
    const seconds = new Set<number>();
    for (let i = 0; i < 1_000; i++) {
      now = 84_867.65985034876 + i / 7;
      seconds.add((await storage.increment(`k${i}`, 60_000, 1)).timeToExpire);
      seconds.add((await storage.increment(`k${i}`, 60_000, 1)).timeToBlockExpire);
    }
    expect([...seconds]).toEqual([60]);
  });

  it('admit no more than the limit in any window, whatever the pattern of calls', async () => {
    let now = 0;
    const storage = new MemoryThrottlerStorage(() => now);
    const admitted: number[] = [];
    for (let i = 0; i < 5_000; i++) {
      now += (i * 7919) % 50;
      const { isBlocked, timeToBlockExpire } = await storage.increment('k', 1_000, 10);
      if (isBlocked) expect(timeToBlockExpire).toBeGreaterThanOrEqual(1);
      else admitted.push(now);
    }
    for (let i = 10; i < admitted.length; i++)
      expect(admitted[i] - admitted[i - 10]).toBeGreaterThanOrEqual(1_000);
    expect(admitted.length).toBeGreaterThan(500);
  });
});
