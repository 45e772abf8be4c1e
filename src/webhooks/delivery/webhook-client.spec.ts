import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import net, { type AddressInfo, type LookupFunction, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { eventually, gate } from '../../../test/support/eventually.js';
import { paced } from '../../../test/support/waiting/paced.mjs';
import { resolveTarget } from '../../platform/http/address-guard.js';
import { WebhookClient } from './webhook-client.js';

const TIMEOUT_MS = 1_000;
/** An attempt may end this much after its deadline on a busy machine. */
const SLACK_MS = 5_000;
/** Long enough for many connections on a busy machine. */
const PATIENT_MS = 60_000;
const BODY = Buffer.from('{"id":"d1","title":"Käse"}');
const HEADERS = {
  'Content-Type': 'application/json',
  'User-Agent': 'Shop-Webhooks/1',
  'X-Shop-Delivery': 'd1',
};

const open = new Set<{ stop(): Promise<void> }>();

/** A receiver on loopback that counts its connections and requests. */
async function listen(server: Server, scheme = 'http') {
  const sockets = new Set<Socket>();
  const receiver = {
    url: '',
    port: 0,
    connections: 0,
    sockets,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `${scheme}://127.0.0.1:${receiver.port}/hook?store=1`;
  open.add(receiver);
  return receiver;
}

const http = (listener: (...args: Parameters<RequestListener>) => unknown) =>
  listen(createServer((request, response) => void listener(request, response)));

/** A receiver that is handed the socket when the first bytes of each request arrive. */
const raw = (onRequest: (socket: Socket) => unknown) =>
  listen(net.createServer((socket) => socket.on('data', () => void onRequest(socket))));

/** Writes a beginning, then the piece again and again until the other side is gone. */
function drip(socket: Socket, piece: string, everyMs = 20, beginning = ''): void {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => clearInterval(timer));
}

function newClient(options: Partial<ConstructorParameters<typeof WebhookClient>[0]> = {}): WebhookClient {
  const client = new WebhookClient({ allowPrivate: true, timeoutMs: 5000, ...options });
  open.add({ stop: () => client.close() });
  return client;
}

const hurried = (options = {}) => newClient({ timeoutMs: TIMEOUT_MS, ...options });
const post = (url: string, client = newClient()) => client.post(url, HEADERS, BODY);
/** Resolves once what is ready has run. */
const turnOver = () => new Promise((resolve) => setImmediate(resolve, 'not finished'));

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([...open].map((one) => one.stop()));
  open.clear();
});

describe('a request', () => {
  it('carries the given headers and bytes, their length, and does not ask for compression', async () => {
    let seen: { request: IncomingMessage; body: Buffer } | undefined;
    const receiver = await http(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen = { request, body: Buffer.concat(chunks) };
      response.end('received');
    });
    const before = Date.now();
    const result = await post(receiver.url);
    expect(result).toEqual({
      ok: true,
      statusCode: 200,
      error: null,
      durationMs: expect.any(Number),
      responseBody: 'received',
      startedAt: expect.any(Date),
    });
    expect(result.startedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(seen!.body).toEqual(BODY);
    expect([seen!.request.method, seen!.request.url]).toEqual(['POST', '/hook?store=1']);
    expect(seen!.request.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'user-agent': 'Shop-Webhooks/1',
      'x-shop-delivery': 'd1',
      'content-length': String(BODY.length),
    });
  });

  it('goes past proxies named in the environment', async () => {
    const receiver = await http((_request, response) => response.end());
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = 'http://127.0.0.1:9';
    const result = await post(receiver.url);
    if (before === undefined) delete process.env.HTTP_PROXY;
    else process.env.HTTP_PROXY = before;
    expect(result.ok).toBe(true);
  });
});

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('with status %i is a success', async (status) => {
    const receiver = await http((_request, response) => response.writeHead(status).end());
    expect(await post(receiver.url)).toMatchObject({
      ok: true,
      statusCode: status,
      error: null,
      responseBody: '',
    });
  });

  it.each([400, 404, 410, 429, 500, 503])(
    'with status %i is a failure whose body is kept',
    async (status) => {
      const receiver = await http((_request, response) => response.writeHead(status).end('why'));
      const error = `answered with status ${status}`;
      expect(await post(receiver.url)).toMatchObject({
        ok: false,
        statusCode: status,
        error,
        responseBody: 'why',
      });
    },
  );

  it.each([301, 302, 303, 307, 308])('with redirect %i is a failure and is not followed', async (status) => {
    const canary = await http((_request, response) => response.end());
    const receiver = await http((_request, response) =>
      response.writeHead(status, { location: canary.url }).end(),
    );
    const error = `redirect (${status}) is not followed`;
    expect(await post(receiver.url)).toMatchObject({ ok: false, statusCode: status, error });
    expect([receiver.connections, canary.connections]).toEqual([1, 0]);
  });

  it.each([300, 304])('with status %i is a failure', async (status) => {
    const receiver = await http((_request, response) => response.writeHead(status).end());
    expect(await post(receiver.url)).toMatchObject({ ok: false, error: `answered with status ${status}` });
  });

  it('counts after interim answers, which do not count alone', async () => {
    const late = await raw((socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'),
    );
    expect(await post(late.url)).toMatchObject({ ok: true, statusCode: 202 });
    const never = await raw((socket) => drip(socket, 'HTTP/1.1 102 Processing\r\n\r\n'));
    expect(await post(never.url, hurried())).toMatchObject({
      ok: false,
      statusCode: null,
      error: 'timed out after 1 s',
    });
  });

  it('that is compressed is not unpacked, and is kept as text that PostgreSQL can store', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const receiver = await http((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const { ok, responseBody } = await post(receiver.url);
    expect(ok).toBe(true);
    expect(responseBody!.length).toBeLessThanOrEqual(1024);
    expect(responseBody).not.toContain('\0');
  });

  it('is kept to 1 KiB without cutting a character in two', async () => {
    const receiver = await http((_request, response) => response.end('x' + 'é'.repeat(2000)));
    expect((await post(receiver.url)).responseBody).toBe('x' + 'é'.repeat(511));
  });

  it.each([
    ['not HTTP at all', 'SSH-2.0-OpenSSH_9.9\r\n', 'answer is not valid HTTP'],
    [
      'with headers without end',
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}`,
      'response headers are too large',
    ],
  ])('that is %s is a failure', async (_case, bytes, error) => {
    const receiver = await raw((socket) => socket.write(bytes));
    expect(await post(receiver.url)).toMatchObject({
      ok: false,
      statusCode: null,
      error,
      responseBody: null,
    });
  });
});

describe('an interim answer', () => {
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const FINAL = 'HTTP/1.1 204 No Content\r\n\r\n';

  it.each([
    ['by itself, before the answer', [CONTINUE, FINAL]],
    ['together with the answer', [CONTINUE + FINAL]],
    ['with headers, twice', ['HTTP/1.1 100 Go on\r\nx: 1\r\n\r\n' + CONTINUE, FINAL]],
    ['of another kind', ['HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n', FINAL]],
  ])('%s is skipped', async (_case, pieces) => {
    const receiver = await raw(async (socket) => {
      for (const piece of pieces) {
        socket.write(piece);
        await paced(100);
      }
    });
    expect(await post(receiver.url)).toMatchObject({ ok: true, statusCode: 204, error: null });
  });

  it('is not taken for the answer', async () => {
    const receiver = await raw((socket) => socket.end(CONTINUE));
    expect(await post(receiver.url)).toMatchObject({ ok: false, statusCode: null });
  });
});

describe('a body that does not end', () => {
  const HEAD = (status: string) => `HTTP/1.1 ${status}\r\ntransfer-encoding: chunked\r\n\r\n`;
  const GRACE_MS = 1_000;

  it.each([
    ['200 OK', true],
    ['500 Oops', false],
  ])('does not change the outcome of %s if it arrives slowly', async (status, ok) => {
    const receiver = await raw((socket) => {
      socket.write(HEAD(status));
      drip(socket, '1\r\nx\r\n');
    });
    const start = Date.now();
    const result = await post(receiver.url, hurried());
    expect(result.ok).toBe(ok);
    expect(result.responseBody).toMatch(/^x+$/);
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS);
    expect(Date.now() - start).toBeLessThan(TIMEOUT_MS + SLACK_MS);
  });

  it('is cut off after 64 KiB, and its connection with it', async () => {
    let sender: Socket | undefined;
    const receiver = await raw((socket) => {
      sender = socket;
      socket.write(HEAD('200 OK'));
      drip(socket, `8000\r\n${'x'.repeat(0x8000)}\r\n`, 1);
    });
    const result = await post(receiver.url);
    expect(result).toMatchObject({ ok: true, statusCode: 200, responseBody: 'x'.repeat(1024) });
    await eventually('its connection is closed', () => receiver.sockets.size === 0);
    // Beyond 64 KiB only what the sockets' buffers took; within the second's grace it would be about 30 MiB.
    expect(sender!.bytesWritten).toBeLessThan(8 * 1024 * 1024);
    expect(receiver.connections).toBe(1);
  });

  it('with several lengths is told as what it is', async () => {
    const receiver = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'),
    );
    expect(await post(receiver.url)).toMatchObject({
      ok: false,
      statusCode: null,
      error: 'answer has several Content-Length headers',
    });
  });

  it('leaves a success when it is cut short by the receiver', async () => {
    const receiver = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin'));
    expect(await post(receiver.url)).toMatchObject({ ok: true, error: null, responseBody: 'begin' });
  });

  it('is given a second at most, however long the deadline', async () => {
    const receiver = await raw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin'),
    );
    const start = Date.now();
    const result = await post(receiver.url, newClient({ timeoutMs: 20_000 }));
    const took = Date.now() - start;
    expect(result).toMatchObject({ ok: true, responseBody: 'begin' });
    expect(took).toBeLessThan(GRACE_MS + SLACK_MS);
    // It was over when the status line had come.
    expect(result.durationMs).toBeLessThan(took - 900);
  });
});

describe('a deadline', () => {
  const silentLookup: LookupFunction = () => undefined;

  it.each<[string, () => Promise<{ url: string }>]>([
    ['a receiver that says nothing', () => raw(() => undefined)],
    ['headers that drip', () => raw((socket) => drip(socket, 'x: y\r\n', 20, 'HTTP/1.1 200 OK\r\n'))],
    ['a TLS handshake that is not answered', async () => listen(net.createServer(), 'https')],
  ])('ends %s', async (_case, start) => {
    const { url } = await start();
    const began = Date.now();
    const result = await post(url, hurried());
    expect(result).toMatchObject({
      ok: false,
      statusCode: null,
      error: 'timed out after 1 s',
      responseBody: null,
    });
    expect(Date.now() - began).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    expect(result.durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
  });

  it('ends a name that is never resolved', async () => {
    const began = Date.now();
    expect((await post('http://slow.example/', hurried({ lookup: silentLookup }))).error).toBe(
      'timed out after 1 s',
    );
    expect(Date.now() - began).toBeLessThan(TIMEOUT_MS + SLACK_MS);
  });

  it('closes the connection and opens no other', async () => {
    const receiver = await raw(() => undefined);
    await post(receiver.url, hurried());
    await eventually('the connection is closed', () => receiver.sockets.size === 0);
    // Connections are taken in their order: one that the client had opened would come before this one.
    const after = net.connect(receiver.port, '127.0.0.1');
    await eventually('the last connection has come', () => receiver.sockets.size > 0);
    expect([receiver.connections, receiver.sockets.size]).toEqual([2, 1]);
    after.destroy();
  });
});

describe('a connection', () => {
  it('counts as a failure if it is refused, reset or closed', async () => {
    const gone = await raw(() => undefined);
    await gone.stop();
    open.delete(gone);
    expect((await post(gone.url)).error).toBe('connection refused');
    const reset = await raw((socket) => socket.resetAndDestroy());
    expect((await post(reset.url)).error).toBe('connection closed before an answer');
    const closed = await raw((socket) => socket.end());
    expect((await post(closed.url)).error).toBe('connection closed before a valid answer');
  });

  it('is used again, and a new one is opened if the receiver closed it', async () => {
    const receiver = await http((_request, response) => response.end('ok'));
    const client = newClient();
    for (let i = 0; i < 5; i++) expect((await post(receiver.url, client)).ok).toBe(true);
    expect(receiver.connections).toBe(1);
    for (const socket of receiver.sockets) socket.destroy();
    await eventually('the client knows', () => client['idle'].size === 0);
    expect((await post(receiver.url, client)).ok).toBe(true);
    expect(receiver.connections).toBe(2);
  });

  describe('that the receiver closes as a request comes', () => {
    const OK = 'HTTP/1.1 204 No Content\r\n\r\n';
    /** Answers the first request on each connection, and does `then` with the second. */
    const closing = (then: (socket: Socket) => void, first = (socket: Socket) => void socket.write(OK)) => {
      const known = new Set<Socket>();
      return raw((socket) => {
        if (known.has(socket)) return then(socket);
        known.add(socket);
        first(socket);
      });
    };

    it.each<[string, (socket: Socket) => void]>([
      ['closed', (socket) => socket.end()],
      ['reset', (socket) => socket.resetAndDestroy()],
    ])('is followed by one of its own, if it was %s before an answer', async (_, then) => {
      const receiver = await closing(then);
      const client = newClient();
      expect((await post(receiver.url, client)).ok).toBe(true);
      expect(await post(receiver.url, client)).toMatchObject({ ok: true, statusCode: 204, error: null });
      expect(receiver.connections).toBe(2);
    });

    it('is not followed by another, if an answer had begun', async () => {
      const receiver = await closing((socket) => socket.end('HTTP/1.1 20'));
      const client = newClient();
      await post(receiver.url, client);
      expect(await post(receiver.url, client)).toMatchObject({ ok: false, statusCode: null });
      expect(receiver.connections).toBe(1);
    });

    it('is followed by one other at most', async () => {
      let isFirst = true;
      const end = (socket: Socket) => void socket.end();
      const receiver = await closing(end, (socket) => {
        if (!isFirst) return end(socket);
        isFirst = false;
        socket.write(OK);
      });
      const client = newClient();
      await post(receiver.url, client);
      expect((await post(receiver.url, client)).error).toBe('connection closed before a valid answer');
      expect(receiver.connections).toBe(2);
      expect((await post(receiver.url, client)).ok).toBe(false);
      expect(receiver.connections).toBe(3);
    });

    it('has one deadline with the other', async () => {
      let isFirst = true;
      const receiver = await closing(
        (socket) => void paced(TIMEOUT_MS * 0.6).then(() => socket.end()),
        (socket) => {
          if (isFirst) socket.write(OK);
          isFirst = false;
        },
      );
      const client = hurried();
      await post(receiver.url, client);
      const result = await post(receiver.url, client);
      expect(result.error).toMatch(/^timed out after/);
      expect(result.durationMs).toBeLessThan(TIMEOUT_MS * 1.5);
      expect(receiver.connections).toBe(2);
    });
  });

  it('is not used again after 30 seconds', async () => {
    const receiver = await http((_request, response) => response.end('ok'));
    const client = newClient();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    await post(receiver.url, client);
    clock.mockReturnValue(now + 29_999);
    await post(receiver.url, client);
    expect(receiver.connections).toBe(1);
    clock.mockReturnValue(now + 30_000);
    await post(receiver.url, client);
    expect(receiver.connections).toBe(2);
  });

  it('does not make one post wait for another to the same receiver', async () => {
    let first = true;
    const receiver = await http((_request, response) => {
      if (!first) response.end();
      first = false;
    });
    const client = newClient({ timeoutMs: 5000 });
    const hanging = post(receiver.url, client);
    await eventually('the first post has come', () => !first);
    const others = await Promise.all(Array.from({ length: 10 }, () => post(receiver.url, client)));
    expect(others.every(({ ok }) => ok)).toBe(true);
    expect((await hanging).error).toBe('timed out after 5 s');
  });

  it('is kept idle for at most 512 receivers together', async () => {
    // All are under way at once, however long that takes, and the receiver keeps what is idle.
    const { opened, open } = gate();
    let arrived = 0;
    const server = createServer((_request, response) => {
      if (++arrived === 560) open();
      void opened.then(() => response.end());
    });
    server.keepAliveTimeout = PATIENT_MS;
    const receiver = await listen(server);
    const client = newClient({ timeoutMs: PATIENT_MS });
    const results = await Promise.all(Array.from({ length: 560 }, () => post(receiver.url, client)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(client['idle'].size).toBe(512);
    await eventually('48 connections are closed', () => receiver.sockets.size <= 512);
    expect(receiver.sockets.size).toBe(512);
  });

  it('is gone after close, which waits for posts under way', async () => {
    const { opened, open } = gate();
    let arrived = 0;
    const receiver = await http((_request, response) => {
      if (++arrived === 1) response.end('ok');
      else void opened.then(() => response.end('ok'));
    });
    const client = newClient();
    await post(receiver.url, client);
    const last = post(receiver.url, client);
    await eventually('the last post has come', () => arrived === 2);
    const closed = client.close();
    expect(await Promise.race([closed, turnOver()])).toBe('not finished');
    open();
    await closed;
    expect(await Promise.race([last, turnOver()])).toMatchObject({ ok: true });
    await eventually('its connections are closed', () => receiver.sockets.size === 0);
  });
});

describe('TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'webhook-client-'));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(directory, name));
  const secure = () =>
    listen(
      tls.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
        socket.on('error', () => undefined).on('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
      }),
      'https',
    );

  beforeAll(() => {
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ];
    const names = ['-subj', '/CN=hooks.test', '-addext', 'subjectAltName=DNS:hooks.test'];
    execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** Makes the test's certificate an authority that Node trusts. */
  function trustOwnCertificate(): void {
    const connect = tls.connect;
    const trusting = (options: tls.ConnectionOptions) => connect({ ...options, ca: readFileSync(cert) });
    jest.spyOn(tls, 'connect').mockImplementation(trusting as typeof tls.connect);
  }

  it('works with a certificate for the name', async () => {
    trustOwnCertificate();
    const { port } = await secure();
    const client = newClient({
      timeoutMs: 2000,
      lookup: (_hostname, _options, callback) => callback(null, '127.0.0.1', 4),
    });
    expect(await post(`https://hooks.test:${port}/`, client)).toMatchObject({ ok: true, statusCode: 204 });
  });

  it('fails with a certificate that is self-signed or for another name, and with no TLS', async () => {
    const { url } = await secure();
    const client = newClient({ timeoutMs: 2000 });
    expect((await post(url, client)).error).toBe('TLS error: the certificate is self-signed');
    const plain = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect((await post(plain.url.replace('http', 'https'), client)).error).toMatch(
      /^TLS error: handshake failed \(\w+\)$/,
    );
    trustOwnCertificate();
    expect((await post(url, client)).error).toBe('TLS error: the certificate is for another host name');
  });
});

describe('names', () => {
  const PUBLIC = { address: '192.0.1.1', family: 4 };
  const PRIVATE = { address: '127.0.0.1', family: 4 };

  it('count as a failure if they do not resolve', async () => {
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(new Error('ENOTFOUND 10.1.2.3'), []);
    expect((await post('https://gone.example/', newClient({ allowPrivate: false, lookup }))).error).toBe(
      'could not resolve host',
    );
  });

  it('reach no internal address, even if they change after the check', async () => {
    const canary = await raw((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    const url = `https://rebinding.example:${canary.port}/`;
    let asked = 0;
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [asked++ === 0 ? PUBLIC : PRIVATE]);
    await resolveTarget(url, { allowPrivate: false, lookup });
    expect((await post(url, newClient({ allowPrivate: false, lookup }))).error).toBe(
      'destination address is not allowed',
    );
    expect([asked, canary.connections]).toEqual([2, 0]);
  });

  it('are asked once for a connection, which goes to the vetted addresses only', async () => {
    const answers = [[PUBLIC, { address: '2606:4700::1111', family: 6 }], [PRIVATE]];
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, answers.shift()!);
    let used: unknown;
    jest.spyOn(tls, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
      const socket = new net.Socket();
      const refusal = Object.assign(new Error('connect ECONNREFUSED 192.0.1.1:443'), {
        code: 'ECONNREFUSED',
      });
      options.lookup!(options.host!, { all: true }, (_error, addresses) => {
        used = addresses;
        socket.destroy(refusal);
      });
      return socket;
    }) as unknown as typeof tls.connect);
    const result = await post('https://rebinding.example/', newClient({ allowPrivate: false, lookup }));
    expect(result).toMatchObject({ ok: false, error: 'connection refused' });
    expect(used).toEqual([PUBLIC, { address: '2606:4700::1111', family: 6 }]);
    expect(answers).toEqual([[PRIVATE]]);
  });

  it('reach nothing if the connection ends at an internal address all the same', async () => {
    let bytes = '';
    const canary = await listen(net.createServer((socket) => socket.on('data', (chunk) => (bytes += chunk))));
    const connect = tls.connect;
    const diverted = () => connect({ host: '127.0.0.1', port: canary.port });
    jest.spyOn(tls, 'connect').mockImplementation((() => {
      const socket = diverted();
      socket.once('connect', () => socket.emit('secureConnect'));
      return socket;
    }) as unknown as typeof tls.connect);
    const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, [PUBLIC]);
    const result = await post('https://hooks.example.com/', newClient({ allowPrivate: false, lookup }));
    expect(result.error).toBe('destination address is not allowed');
    await eventually('the connection is closed', () => canary.sockets.size === 0);
    expect(bytes).not.toContain('POST');
  });

  it('with several addresses are tried one by one until one answers', async () => {
    const receiver = await http((_request, response) => response.end());
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [{ address: '127.0.0.9', family: 4 }, PRIVATE]);
    const url = `http://twice.example:${receiver.port}/`;
    expect(await post(url, newClient({ lookup }))).toMatchObject({ ok: true });
  });
});
