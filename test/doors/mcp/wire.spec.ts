import { request } from 'node:http';
import { TokenRegistry } from '../../../src/platform/auth/token-registry.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { ERAS, RawClient } from './raw-client.js';

/** docs/behaviour.md §8: what /mcp does before any tool is called. */
describe('the MCP endpoint', () => {
  let store: TestStore;

  const app = useShop({ env: { BASE_URL: 'https://shop.example/api' } });
  beforeAll(async () => {
    store = await app.store();
  });

  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const client = (token: string | null = store.tokens.read) => new RawClient(app, token);

  /** fetch decides on Host and Origin by itself; here the test does. */
  const statusWith = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(`${app.url}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${store.tokens.read}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      sent.end(JSON.stringify(LIST));
    });

  it('refuses what is nested too deep, here and at /v1, and not as a failure of its own', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const post = async (path: string, body: string) => {
      const response = await fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${store.tokens.admin}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body,
      });
      return [response.status, (await response.json()) as any] as const;
    };
    const message = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const metadata = (levels: number) =>
      `{"name":"create_payment_provider","arguments":{"metadata":{"x":${deep(levels)}}}}`;
    for (const levels of [101, 8_000]) {
      for (const params of [deep(levels), metadata(levels)]) {
        const [status, answer] = await post('/mcp', message(params));
        expect([status, answer.error.code]).toEqual([400, -32600]);
      }
      const [status, answer] = await post(
        '/v1/create_payment_provider',
        `{"metadata":{"x":${deep(levels)}}}`,
      );
      expect([status, answer.error.code]).toEqual([400, 'invalid_input']);
      expect(answer.error.message).toContain('nested deeper than 100 levels');
    }
    // Brackets in a text are no levels.
    const [status] = await post('/v1/update_welcome_message', JSON.stringify({ text: '['.repeat(400) }));
    expect(status).toBe(200);
  });

  it.each([
    ['no token', null],
    ['a token of another kind', 'abc'],
    ['a token that was never made', `shop_live_${'a'.repeat(40)}`],
  ])('refuses %s with 401, a challenge and the envelope', async (_, token) => {
    for (const era of ERAS) {
      const { status, headers, messages } = await new RawClient(app, token, era).send('tools/list');
      expect(status).toBe(401);
      const challenge = headers.get('www-authenticate')!;
      expect([challenge.startsWith('Bearer'), challenge.includes('error="invalid_token"')]).toEqual([
        true,
        token !== null,
      ]);
      expect(messages).toEqual([
        { ok: false, error: { code: 'invalid_token', message: expect.any(String) } },
      ]);
    }
  });

  it('refuses a revoked token at once', async () => {
    const other = await app.store();
    expect((await client(other.tokens.read).send('tools/list')).status).toBe(200);
    await other.inside((ctx) => app.nest.get(TokenRegistry).revoke(ctx, other.tokenIds.read));
    expect((await client(other.tokens.read).send('tools/list')).status).toBe(401);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('refuses %s with 405 and names POST', async (method) => {
    const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${store.tokens.read}` };
    const response = await fetch(`${app.url}/mcp`, { method, headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    const stranger = await fetch(`${app.url}/mcp`, { method });
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
  });

  it('answers a browser that asks before it calls, and lets a local page read the answer', async () => {
    const Origin = 'http://localhost:6274';
    const preflight = await fetch(`${app.url}/mcp`, { method: 'OPTIONS', headers: { Origin } });
    expect([preflight.status, preflight.headers.get('allow'), await preflight.text()]).toEqual([
      204,
      'POST, OPTIONS',
      '',
    ]);
    for (const name of ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    }
    const answer = await client().post(JSON.stringify(LIST), { Origin });
    const refused = await client(null).post(JSON.stringify(LIST), { Origin });
    expect([answer.status, refused.status]).toEqual([200, 401]);
    for (const { headers } of [preflight, answer, refused])
      expect(headers.get('access-control-allow-origin')).toBe(Origin);
    const stranger = await fetch(`${app.url}/mcp`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example' },
    });
    expect([stranger.status, stranger.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it.each(['*/*', 'application/json;q=0.9, */*;q=0.1', ''])(
    'answers a client that accepts "%s"',
    async (Accept) => {
      for (const era of ERAS) {
        const own = new RawClient(app, store.tokens.read, era);
        for (const [method, params] of [
          ['tools/list', {}],
          ['tools/call', { name: 'list_orders' }],
        ] as const) {
          const { status, messages } = await own.send(method, params, { Accept });
          expect([method, era, status, messages[0].error]).toEqual([method, era, 200, undefined]);
        }
      }
    },
  );

  it('reports the budget on every authenticated answer; calls count, and lists by themselves', async () => {
    const fresh = await app.store();
    const { read } = fresh.tokens;
    const left = (headers: Headers) => Number(headers.get('ratelimit-remaining'));
    const before = left((await client(read).send('tools/call', { name: 'list_orders' })).headers);
    for (const era of ERAS) {
      for (const method of ['ping', 'no/such']) {
        expect([method, left((await new RawClient(app, read, era).send(method)).headers)]).toEqual([
          method,
          before,
        ]);
      }
    }
    const refused = [
      await client(read).post('[]'),
      await client(read).post('{'),
      await client(read).post('{}', { 'Content-Type': 'text/plain' }),
    ];
    expect(refused.map(({ status, headers }) => [status, left(headers)])).toEqual([
      [400, before],
      [400, before],
      [415, before],
    ]);
    const listed = async () => left((await client(read).send('tools/list')).headers);
    expect([await listed(), await listed()]).toEqual([before, before - 1]);
    expect(left((await client(read).send('tools/call', { name: 'list_orders' })).headers)).toBe(before - 1);
  });

  it('answers the host of BASE_URL and this machine, on any port', async () => {
    for (const Host of [
      'shop.example',
      'shop.example:8443',
      'localhost',
      'localhost:3000',
      '127.0.0.1:1',
      '[::1]:3000',
      '[::1]',
    ]) {
      expect([Host, await statusWith({ Host })]).toEqual([Host, 200]);
    }
    for (const Origin of [
      'https://shop.example',
      'http://localhost:6274',
      'http://127.0.0.1',
      'http://[::1]:3000',
    ]) {
      expect([Origin, await statusWith({ Origin })]).toEqual([Origin, 200]);
    }
  });

  it('answers no other host, and no page of another origin', async () => {
    for (const Host of [
      'evil.example',
      'evil.example:3000',
      'shop.example.evil.example',
      'localhost.evil.example',
      '10.0.0.1',
    ]) {
      expect([Host, await statusWith({ Host })]).toEqual([Host, 403]);
    }
    for (const Origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'null',
      'https://shop.example@evil.example',
      'x',
    ]) {
      expect([Origin, await statusWith({ Origin })]).toEqual([Origin, 403]);
    }
  });

  it('refuses batches, whatever is in them', async () => {
    for (const batch of [[], [LIST], [LIST, { ...LIST, id: 2 }]]) {
      const { status, messages } = await client().post(JSON.stringify(batch));
      expect(status).toBe(400);
      expect(messages).toEqual([
        {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32600, message: expect.stringContaining('one message') },
        },
      ]);
    }
  });

  it.each([
    ['malformed JSON', '{"jsonrpc":', 400, -32700],
    ['more than 1 MiB', JSON.stringify({ ...LIST, params: { x: 'x'.repeat(1024 * 1024) } }), 400, -32700],
    ['an object that is no message', '{}', 400, -32600],
    ['a string', '"a"', 400, -32600],
    ['null', 'null', 400, -32600],
    ['nothing', '', 400, -32600],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await client().post(body);
    expect([answer.status, answer.messages[0].error.code]).toEqual([status, code]);
    expect(answer.messages[0]).toMatchObject({ jsonrpc: '2.0', id: null });
  });

  it('refuses a body that is not JSON by its type', async () => {
    const { status, messages } = await client().post('a=1', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect([status, messages[0].error.code]).toEqual([415, -32600]);
  });

  it('refuses unknown methods', async () => {
    for (const method of ['resources/subscribe', 'completion/complete', 'logging/setLevel', 'nonsense']) {
      for (const era of ERAS) {
        const { messages } = await new RawClient(app, store.tokens.read, era).send(method, {});
        expect([method, era, messages.at(-1).error]).toEqual([method, era, expect.anything()]);
      }
    }
  });

  it('acknowledges a 2026-07-28 subscription, and ends it, because there is nothing to tell', async () => {
    const notifications = {
      ...{ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
      resourceSubscriptions: ['ui://shop/orders'],
    };
    const { status, messages } = await new RawClient(app, store.tokens.read, 'modern').send(
      'subscriptions/listen',
      { notifications } as object,
    );
    expect(status).toBe(200);
    expect(messages).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { result: { resultType: 'complete' } },
    ]);
  });

  it('accepts notifications without an answer, and keeps no session', async () => {
    const { status, messages, headers } = await client().post(
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    );
    expect([status, messages]).toEqual([202, []]);
    expect(headers.get('mcp-session-id')).toBeNull();
    const stale = await client().send('tools/list', {}, { 'Mcp-Session-Id': 'gone' });
    expect([stale.status, stale.headers.get('mcp-session-id')]).toEqual([200, null]);
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('speaks %s', async (protocolVersion) => {
    const initialize = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { messages } = await client().send('initialize', initialize as object);
    expect(messages[0].result).toMatchObject({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'shop-administration' },
    });
    const { status } = await client().send('tools/list', {}, { 'MCP-Protocol-Version': protocolVersion });
    expect(status).toBe(200);
  });

  it('offers the revision before it in place of the one whose servers must take batches', async () => {
    const capabilities = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const initialize = { protocolVersion: '2025-03-26', ...capabilities };
    const { messages } = await client().send('initialize', initialize as object);
    expect(messages[0].result.protocolVersion).toBe('2024-11-05');
  });

  it('returns the request id', async () => {
    const { headers } = await client().send('tools/list', {}, { 'X-Request-Id': 'req-1' });
    expect(headers.get('x-request-id')).toBe('req-1');
  });
});
