import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { Drain } from '../../src/platform/http/drain.js';
import { collectGarbage } from '../support/collect-garbage.js';
import { eventually } from '../support/eventually.js';
import { type TestStore, useShop } from '../support/test-app.js';

/** docs/behaviour.md §1: what holds on every path. */
describe('the wire', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const raw = (body: string | undefined, headers: Record<string, string> = {}, path = '/v1/list_orders') =>
    fetch(app.url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${store.tokens.read}`, ...headers },
      body: body as string | undefined,
    });

  /** Sends bytes as they are. @returns everything that comes back until the connection ends */
  const exchange = (sent: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1', () => socket.write(sent));
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    });

  describe('a body', () => {
    const MIB = 1024 * 1024;
    const HEAD = (length: string) =>
      'POST /v1/list_orders HTTP/1.1\r\nHost: localhost\r\n' +
      `Content-Type: application/json\r\n${length}\r\n\r\n`;
    const opened: Socket[] = [];
    /** Begins a request that nobody has named a token for. */
    const begin = async (head: string, body: Buffer | string): Promise<Socket> => {
      const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
      opened.push(socket);
      socket.write(head);
      await new Promise<void>((resolve, reject) =>
        socket.write(body, (error) => (error ? reject(error) : resolve())),
      );
      return socket;
    };
    afterEach(() => opened.splice(0).forEach((socket) => socket.destroy()));

    it('takes no more memory if it comes in pieces of a byte than if it comes at once', async () => {
      const used = () => (
        collectGarbage(),
        process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
      );
      const head = HEAD(
        `Connection: close\r\nAuthorization: Bearer ${store.tokens.read}\r\nTransfer-Encoding: chunked`,
      );
      const pieces = '1\r\n \r\n'.repeat(300_000);
      const { nest } = app;
      let grown = Infinity;
      // A busy machine may take so long that the service gives the body up meanwhile.
      await eventually('the body was measured while more of it was awaited', async () => {
        const before = used();
        const arrived = once(nest.getHttpServer() as Server, 'connection') as Promise<[Socket]>;
        const socket = await begin(head, pieces);
        const [served] = await arrived;
        const sent = head.length + pieces.length;
        await eventually('all of it has come', () => served.destroyed || served.bytesRead === sent);
        grown = used() - before;
        const isUnderWay = nest.get(Drain).requests === 1;
        socket.destroy();
        await eventually('the call has ended', () => nest.get(Drain).requests === 0);
        return isUnderWay;
      });
      expect(grown / MIB).toBeLessThan(8);
      expect(await exchange(`${head}${pieces}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 /);
    });

    it('is refused before it has come if its caller is unknown', async () => {
      const began = await begin(HEAD(`Content-Length: ${MIB}`), '{');
      const [answer] = (await once(began, 'data')) as [Buffer];
      expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
    });

    it('has at most 64 KiB where anybody may call', async () => {
      const credentials = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(65_536) });
      const type = { 'Content-Type': 'application/json' };
      const large = await raw(credentials, type, '/dashboard/api/auth/sign-in');
      expect([large.status, await large.text()]).toEqual([400, expect.stringContaining('64 KiB')]);
    });
  });

  it('treats an absent or empty body as {}', async () => {
    for (const body of [undefined, '', '{}', ' { } ']) {
      const response = await raw(body, body?.trim() ? { 'Content-Type': 'application/json' } : {});
      expect({ body, status: response.status }).toEqual({ body, status: 200 });
      expect(await response.json()).toEqual({ ok: true, data: { items: [], nextCursor: null } });
    }
  });

  it('treats an empty chunked body as {}, and refuses any other without a content type', async () => {
    for (const [body, expected] of [
      ['', 200],
      ['{}', 400],
    ] as const) {
      const status = await new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${store.tokens.read}`, 'Transfer-Encoding': 'chunked' };
        const sent = request(`${app.url}/v1/list_orders`, { method: 'POST', headers });
        sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
        sent.end(body);
      });
      expect({ body, status }).toEqual({ body, status: expected });
    }
  });

  it('refuses bytes that are not UTF-8, which decoding would change', async () => {
    const body = Buffer.concat([Buffer.from('{"cursor":"caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const response = await fetch(`${app.url}/v1/list_orders`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${store.tokens.read}`, 'Content-Type': type },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining('UTF-8') },
      });
    }
  });

  it('names every bad field, and what a list of objects may hold', async () => {
    const fields = [
      'productId',
      'title',
      'description',
      'images',
      'price',
      'salePrice',
      'itemAmount',
      'brand',
      'category',
    ];
    const more = ['subCategory', 'tags', 'shippingTime', 'season', 'brandId', 'categoryId', 'variants'];
    const input = Object.fromEntries([...fields, ...more].map((name) => [name, false]));
    const { body } = await store.call('create_product', input);
    for (const name of Object.keys(input)) expect(body.error!.message).toContain(`${name} must be`);
    const items = await store.call('update_checkout', { fields: ['a', {}] });
    expect(items.body.error!.message).toContain(
      'fields[0] must be an object; fields[1].id is required and must be a string of at most 200 characters;',
    );
    const whole = await store.call('update_checkout', { fields: {} });
    expect(whole.body.error!.message).toMatch(/^fields must be an array[^;]*$/);
  });

  it('refuses numbers that reading them has changed, at every depth', async () => {
    const provider = (metadata: string) =>
      store.call(
        'create_payment_provider',
        '{"providerName":"a","displayName":"a","supportedCurrencies":["USD"],"isActive":true,' +
          `"isTestMode":true,"metadata":${metadata}}`,
      );
    for (const [metadata, path] of [
      ['{"account":12345678901234567890}', 'metadata.account'],
      ['{"a":[1,{"b":1e400}]}', 'metadata.a[1].b'],
      ['{"a":-9007199254740993}', 'metadata.a'],
    ]) {
      const { status, body } = await provider(metadata);
      expect({ status, message: body.error?.message }).toEqual({
        status: 400,
        message: expect.stringMatching(/must be a number within/),
      });
      expect(body.error!.message.startsWith(`${path} must`)).toBe(true);
    }
  });

  it.each([
    ['an array', '[]', 'application/json'],
    ['a string', '"a"', 'application/json'],
    ['a number', '1', 'application/json'],
    ['null', 'null', 'application/json'],
    ['true', 'true', 'application/json'],
    ['malformed JSON', '{"take":', 'application/json'],
    ['a form', 'take=1', 'application/x-www-form-urlencoded'],
    ['plain text', '{}', 'text/plain'],
    ['a foreign charset', '{}', 'application/json; charset=iso-8859-1'],
    ['an unknown encoding', '{}', 'application/json'],
    ['more than 1 MiB', JSON.stringify({ cursor: 'x'.repeat(1024 * 1024) }), 'application/json'],
  ])('refuses %s with 400', async (name, body, type) => {
    const encoding: Record<string, string> =
      name === 'an unknown encoding' ? { 'Content-Encoding': 'zip' } : {};
    const response = await raw(body, { 'Content-Type': type, ...encoding });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      ok: false,
      error: { code: 'invalid_input', message: expect.any(String) },
    });
  });

  it('refuses every compressed body, before it is unpacked, on every path', async () => {
    const bomb = gzipSync(JSON.stringify({ cursor: ' '.repeat(20_000_000) }));
    const paths = ['/v1/list_orders', '/mcp', '/dashboard/api/auth/sign-in'];
    for (const path of paths) {
      for (const [encoding, body] of [
        ['gzip', gzipSync('{}')],
        ['gzip', bomb],
        ['deflate', deflateSync('{}')],
        ['br', brotliCompressSync('{}')],
        ['zstd', Buffer.from('{}')],
        ['gzip, gzip', gzipSync(gzipSync('{}'))],
      ] as const) {
        const response = await fetch(app.url + path, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${store.tokens.read}`,
            'Content-Type': 'application/json',
            'Content-Encoding': encoding,
            Accept: 'application/json, text/event-stream',
          },
          body: new Uint8Array(body),
        });
        expect([path, encoding, response.status]).toEqual([path, encoding, 400]);
        expect(await response.text()).toContain('must not be compressed');
      }
    }
    const identity = await raw('{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' });
    expect(identity.status).toBe(200);
  });

  describe('a large answer', () => {
    interface Received {
      headers: IncomingHttpHeaders;
      /** As it came. */
      bytes: Buffer;
    }
    const UNPACK: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
    const plain = ({ headers, bytes }: Received) =>
      (UNPACK[headers['content-encoding'] ?? ''] ?? ((same) => same))(bytes).toString();

    /** Unlike fetch, it does not unpack, and asks for no encoding by itself. */
    const receive = async (
      path: string,
      headers: Record<string, string>,
      input?: object,
    ): Promise<Received> => {
      const method = input ? 'POST' : 'GET';
      const call = request(app.url + path, { method, headers }).end(input && JSON.stringify(input));
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      return { headers: response.headers, bytes: Buffer.concat(chunks) };
    };
    const call = (operation: string, input: object, headers: Record<string, string> = {}) => {
      const sent = { Authorization: `Bearer ${store.tokens.read}`, 'Content-Type': 'application/json' };
      return receive(`/v1/${operation}`, { ...sent, ...headers }, input);
    };
    const orders = (headers: Record<string, string>, take = 100) => call('list_orders', { take }, headers);

    beforeAll(() =>
      app.query(
        `with shopper as (
           insert into customers (store_id, id, created_at, updated_at) values ($1, 1, now(), now())
         ), placed as (
           insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
             created_at, updated_at)
           select $1, next_order_id($1), 'PENDING', 'card', 100, 'USD', 1, now(), now()
             from generate_series(1, 100) returning id
         ) insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
         select $1, id, 1, 'mug', 'Кухоль', 1, 100 from placed`,
        [store.id],
      ),
    );

    it.each([
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['*;q=0', undefined],
      ['zstd', undefined],
    ])('to a caller that accepts %s comes as %s', async (accepted, encoding) => {
      const expected = await orders({});
      expect([expected.headers['content-encoding'], expected.headers.vary]).toEqual([
        undefined,
        'Accept-Encoding',
      ]);
      const answer = await orders({ 'Accept-Encoding': accepted });
      expect(answer.headers).toMatchObject({
        vary: 'Accept-Encoding',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(answer.bytes.length),
      });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(plain(answer)).toBe(expected.bytes.toString());
      if (encoding) expect(answer.bytes.length).toBeLessThan(expected.bytes.length / 5);
    });

    it('is only compressed if it is large, and not for a cookie', async () => {
      const accepts = { 'Accept-Encoding': 'br, gzip' };
      for (const small of [await orders(accepts, 20), await call('get_settings', {}, accepts)])
        expect([small.headers['content-encoding'], small.headers.vary]).toEqual([undefined, undefined]);
      const { headers } = await orders({ ...accepts, Cookie: 'shop_session=x' });
      expect(headers['content-encoding']).toBeUndefined();
    });

    it.each([
      '/openapi.json',
      '/dashboard/openapi.json',
      '/storefront/openapi.json',
      '/postman.json',
      '/changelog',
      '/docs/swagger-ui-bundle.js',
      '/docs/swagger-ui.css',
    ])('that is the same for everybody, such as %s, comes compressed too', async (path) => {
      const expected = await receive(path, {});
      for (const encoding of ['br', 'gzip']) {
        const answer = await receive(path, { 'Accept-Encoding': encoding });
        expect(answer.headers).toMatchObject({
          ...{ 'content-encoding': encoding, vary: expect.stringContaining('Accept-Encoding') },
          'content-type': expected.headers['content-type'],
        });
        expect(plain(answer)).toBe(expected.bytes.toString());
        expect(answer.bytes.length).toBeLessThan(expected.bytes.length * 0.6);
      }
    });

    it('that anybody can put words into beside a secret is never compressed: the pages of apps', async () => {
      const { headers } = await receive('/oauth/authorize?client_id=x', { 'Accept-Encoding': 'br, gzip' });
      expect(headers['content-encoding']).toBeUndefined();
    });
  });

  it('refuses unknown properties, coercion, and null where it is not allowed, by name', async () => {
    const refusals: [object, string][] = [
      [{ colour: 'red' }, 'colour'],
      [{ take: '5' }, 'take'],
      [{ take: null }, 'take'],
      [{ take: true }, 'take'],
      [{ take: 1.5 }, 'take'],
      [{ take: 0 }, 'take'],
      [{ take: 101 }, 'take'],
      [{ take: 1e21 }, 'take'],
      [{ cursor: '' }, 'cursor'],
      [{ cursor: 'abc' }, 'cursor'],
      [{ cursor: '0' }, 'cursor'],
      [{ cursor: '9223372036854775808' }, 'cursor'],
      [{ cursor: 'a\u0000b' }, 'cursor'],
      [{ status: 'pending' }, 'status'],
      [JSON.parse('{"__proto__": {"take": 5}}') as object, '__proto__'],
      [{ constructor: 1 }, 'constructor'],
      [{ toString: 1 }, 'toString'],
    ];
    for (const [input, field] of refusals) {
      const { status, body } = await store.call('list_orders', input);
      expect({ input, status, code: body.error?.code }).toEqual({
        input,
        status: 400,
        code: 'invalid_input',
      });
      expect(body.error!.message.startsWith(field)).toBe(true);
      expect(Object.keys(body.error!).sort()).toEqual(['code', 'message']);
    }
  });

  it('accepts 1.0 as the integer 1, and refuses integers beyond 2^53 - 1', async () => {
    expect((await raw('{"take":1.0}', { 'Content-Type': 'application/json' })).status).toBe(200);
    const huge = await raw(
      '{"orderId":9007199254740993}',
      { 'Content-Type': 'application/json' },
      '/v1/get_order',
    );
    expect(huge.status).toBe(400);
    const largest = await store.call('get_order', { orderId: Number.MAX_SAFE_INTEGER });
    expect(largest).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('asks for a string where an id was sent as a number, however large', async () => {
    for (const id of ['5', '9007199254740993']) {
      for (const [operation, field] of [
        ['get_customer', 'id'],
        ['list_categories', 'parentId'],
      ]) {
        const answer = await raw(
          `{"${field}":${id}}`,
          { 'Content-Type': 'application/json' },
          `/v1/${operation}`,
        );
        const { error } = (await answer.json()) as { error: { message: string } };
        expect([answer.status, error.message]).toEqual([
          400,
          expect.stringMatching(new RegExp(`^${field} must be a string`)),
        ]);
      }
    }
  });

  it('checks in the order of the contract: token, operation, scope, input', async () => {
    expect(await app.post('/v1/nope', '[')).toMatchObject({ status: 401 });
    expect(await app.post('/v1/delete_order', '[')).toMatchObject({ status: 401 });
    expect(await store.call('nope', '[')).toMatchObject({
      status: 404,
      body: { error: { code: 'unknown_tool' } },
    });
    expect(await store.call('delete_order', '[', { scope: 'write' })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
    expect(await store.call('delete_order', '[')).toMatchObject({ status: 400 });
  });

  it('lets pages of any origin call operations with a token, and never with a cookie', async () => {
    const Origin = 'https://partner.example';
    const preflight = await fetch(`${app.url}/v1/update_brand`, {
      method: 'OPTIONS',
      headers: { Origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'X-Request-Id'])
      expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
    for (const Authorization of [`Bearer ${store.tokens.read}`, 'Bearer wrong']) {
      const method = 'POST';
      const answer = await fetch(`${app.url}/v1/list_orders`, { method, headers: { Origin, Authorization } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-expose-headers')).toContain('RateLimit-Remaining');
    }
  });

  it('answers 404 unknown_tool to every method but POST, and to unknown operations', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const path of ['/v1/get_order', '/v1', '/v1/', '/v1/get_order/5']) {
        const response = await fetch(app.url + path, {
          method,
          headers: { Authorization: `Bearer ${store.tokens.read}` },
        });
        expect({ method, path, status: response.status }).toEqual({ method, path, status: 404 });
        expect(await response.json()).toMatchObject({ ok: false, error: { code: 'unknown_tool' } });
      }
    }
    for (const name of ['%zz', '%E0%A4%A']) {
      expect(await app.post(`/v1/${name}`, {})).toMatchObject({
        status: 401,
        body: { error: { code: 'invalid_token' } },
      });
    }
    for (const name of [
      'Get_order',
      '__proto__',
      'constructor',
      '%F0%9F%9B%92',
      '%zz',
      '%E0%A4%A',
      'x'.repeat(300),
    ]) {
      const { status, body } = await app.post(
        `/v1/${name}`,
        {},
        { Authorization: `Bearer ${store.tokens.read}` },
      );
      expect({ name, status, code: body.error?.code }).toEqual({ name, status: 404, code: 'unknown_tool' });
    }
  });

  it('answers the envelope on unknown and malformed paths too', async () => {
    for (const path of ['/', '/nope', '/v2/get_order', '/v1/%', '/%E0%A4%A']) {
      const response = await fetch(app.url + path, { method: 'POST' });
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await response.json()).toMatchObject({
        ok: false,
        error: { code: expect.any(String), message: expect.any(String) },
      });
      expect(response.status).toBeLessThan(500);
    }
  });

  it("echoes the caller's request id, or makes one", async () => {
    const given = await raw('{}', { 'Content-Type': 'application/json', 'X-Request-Id': 'my id ~1' });
    expect(given.headers.get('x-request-id')).toBe('my id ~1');
    for (const id of ['', 'x'.repeat(129), 'caf\u00e9']) {
      const response = await raw('{}', { 'Content-Type': 'application/json', 'X-Request-Id': id });
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await fetch(`${app.url}/nope`)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      (await raw('{}', { 'Content-Type': 'application/json', 'X-Request-Id': 'y'.repeat(128) })).headers.get(
        'x-request-id',
      ),
    ).toHaveLength(128);
  });

  it('reports the budget on every authenticated answer', async () => {
    for (const [operation, input] of [
      ['list_orders', {}],
      ['list_orders', { nope: 1 }],
      ['get_order', { orderId: 1 }],
      ['nope', {}],
    ] as const) {
      const { headers } = await store.call(operation, input);
      expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0);
      expect(headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
      expect(headers.get('ratelimit-reset')).toMatch(/^\d+$/);
    }
  });

  it('serves the documentation where nothing speaks https, at both of its addresses', async () => {
    const page = await fetch(`${app.url}/docs`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
    const redirected = await fetch(`${app.url}/docs/`);
    expect([redirected.status, redirected.url]).toEqual([200, `${app.url}/docs`]);
    for (const [, link] of (await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect([link, (await fetch(new URL(link, redirected.url))).status]).toEqual([link, 200]);
    }
  });

  it.each([
    [
      'headers of more than 16 KiB',
      `POST /v1/list_orders HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    ['what is no HTTP', 'HELO shop\r\n\r\n'],
    ['a request without a host', 'POST /v1/list_orders HTTP/1.1\r\n\r\n'],
    ['a request for two hosts', 'POST /v1/list_orders HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n'],
    ['a header without a name', 'POST /v1/list_orders HTTP/1.1\r\nHost: x\r\n: x\r\n\r\n'],
    [
      'a chunk without a size',
      'POST /v1/list_orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        'Transfer-Encoding: chunked\r\n\r\nnope\r\n',
    ],
  ])('answers the envelope with a request id to %s, and ends the connection', async (_, sent) => {
    const answer = await exchange(sent);
    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(body)).toEqual({
      ok: false,
      error: { code: 'invalid_input', message: expect.any(String) },
    });
  });

  it('passes over an expectation that it does not know', async () => {
    const authorization = `Authorization: Bearer ${store.tokens.read}`;
    const headers = `Host: x\r\n${authorization}\r\nExpect: tea\r\nConnection: close`;
    const head = `POST /v1/list_orders HTTP/1.1\r\n${headers}\r\n\r\n`;
    expect(await exchange(head)).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Request-Id: /);
  });

  it('survives a body that is never finished', async () => {
    const { port } = new URL(app.url);
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.write(
      'POST /v1/list_orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${store.tokens.read}\r\nContent-Length: 100\r\n\r\n{"ta`,
    );
    const { nest } = app;
    await eventually('the call has begun', () => nest.get(Drain).requests === 1);
    socket.destroy();
    await eventually('the call has ended', () => nest.get(Drain).requests === 0);
    expect((await store.call('list_orders')).status).toBe(200);
  });
});

describe('every operation', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('refuses a call without a token, one with too narrow a scope, and an unknown property', async () => {
    const operations = app.nest.get(OperationRegistry).list();
    expect(operations.length).toBeGreaterThan(0);
    for (const { name, scope } of operations) {
      expect(await app.post(`/v1/${name}`, {})).toMatchObject({
        status: 401,
        body: { error: { code: 'invalid_token' } },
      });
      if (scope !== 'read') {
        const narrow = await store.call(name, {}, { scope: scope === 'admin' ? 'write' : 'read' });
        expect({ name, status: narrow.status, code: narrow.body.error?.code }).toEqual({
          name,
          status: 403,
          code: 'forbidden',
        });
      }
      const unknown = await store.call(name, { no_such_property: 1 });
      expect({ name, status: unknown.status, code: unknown.body.error?.code }).toEqual({
        name,
        status: 400,
        code: 'invalid_input',
      });
      expect(unknown.body.error!.message).toContain('no_such_property is not a known property');
    }
  });

  it('audits refusals for scope', async () => {
    const fresh = await app.store();
    await fresh.call(
      'delete_order',
      { orderId: 1, confirm: true },
      { scope: 'write', headers: { 'X-Request-Id': 'refused-1' } },
    );
    const rows = await app.query('select * from audit_log where store_id = $1', [fresh.id]);
    expect(rows).toMatchObject([
      {
        operation: 'delete_order',
        outcome: 'forbidden',
        transport: 'http',
        actor_kind: 'token',
        actor_id: fresh.tokenIds.write,
        request_id: 'refused-1',
      },
    ]);
  });

  it('writes one audit row with a change and none with a refused input', async () => {
    const fresh = await app.store();
    const { productId } = await fresh.product();
    const { id: orderId } = await fresh.place({ items: [{ productId, quantity: 1 }] });
    await fresh.call('set_order_status', { orderId, status: 'NOPE' });
    await fresh.call('set_order_status', { orderId: orderId + 1_000_000, status: 'SHIPPED' });
    await fresh.data('refund_order', { orderId, amount: 5, reason: 'late' });
    await fresh.data('refund_order', { orderId, amount: 5, reason: 'late' });
    const rows = await app.query('select * from audit_log where store_id = $1 order by id', [fresh.id]);
    expect(rows).toMatchObject([
      {
        operation: 'refund_order',
        target: `order:${orderId}`,
        outcome: 'ok',
        input: { orderId, amount: 5, reason: 'late' },
        changes: { status: ['PENDING', 'CANCELLED'] },
      },
      { operation: 'refund_order', input: { orderId, amount: 5, reason: 'late' }, changes: null },
    ]);
  });
});
