import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { parse } from 'yaml';
import { MIGRATIONS } from '../../migrations/all.js';
import { withRole } from '../../src/platform/config/database-url.js';
import { prepareDatabase } from '../../src/platform/database/installation/migrate.js';
import { OWNER_PASSWORD } from '../doors/dashboard/browser.js';
import { preparedDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort, ServiceProcess } from '../support/servers/service-process.js';
import { TestApp, type TestStore } from '../support/test-app.js';

const KEY = process.env.TEST_ENCRYPTION_KEY!;
const SERVICE_PASSWORD = 'a1b2c3d4e5f6a7b8';
const COMPOSE = path.resolve(__dirname, '../../deploy/compose');
const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((file) => spawnSync(file, ['-v']).status === 0);

/** The TRUSTED_PROXIES that compose.yml gives to the processes behind the balancer. */
const trustedProxies = () => {
  const { services } = parse(readFileSync(path.join(COMPOSE, 'compose.yml'), 'utf8'), { merge: true });
  return /^\$\{TRUSTED_PROXIES:-(\d)\}$/.exec(services.web.environment.TRUSTED_PROXIES as string)![1];
};

const MOST_CONNECTIONS = 8;

/**
 * The file as it is shipped, with addresses of this machine, fewer connections, less patience for slow
 * headers, and more for late answers to checks.
 */
function settings(ports: { http: number; https: number; web: number }, folder: string): string {
  let text = readFileSync(path.join(COMPOSE, 'haproxy.cfg'), 'utf8');
  const moves: [string | RegExp, string][] = [
    ['bind *:8080', `bind 127.0.0.1:${ports.http}`],
    ['bind *:8443', `bind 127.0.0.1:${ports.https}`],
    ['/usr/local/etc/haproxy/certificates/', `${folder}/certificates/`],
    ['timeout http-request 10s', 'timeout http-request 5s'],
    ['sc_conn_cur(0) gt 500', `sc_conn_cur(0) gt ${MOST_CONNECTIONS}`],
    [/resolvers docker\n(?: .*\n)+/, ''],
    [/server-template web 8 web:3000 .*/, `server web 127.0.0.1:${ports.web}`],
    // A busy machine of tests may answer a check late.
    ['fall 2', 'fall 60'],
    ['log stdout format raw local0 notice', 'log stderr format raw local0 notice'],
  ];
  for (const [from, to] of moves) {
    expect(text).toMatch(from);
    text = text.replace(from, to);
  }
  return text;
}

/** docs/operations.md, Deployment: the balancer of deploy/compose, as it is shipped. */
describe('the balancer of deploy/compose', () => {
  let app: TestApp;
  let store: TestStore;
  let service: ServiceProcess;
  let haproxy: ChildProcess;
  let folder: string;
  let ports: { http: number; https: number; web: number };

  beforeAll(async () => {
    if (!HAPROXY) throw new Error('this needs HAProxy: apt-get install haproxy');
    const database = await preparedDatabase();
    // As in compose.yml, the process does not know the password of the tables' owner.
    await prepareDatabase(database.ownerUrl, [KEY], MIGRATIONS, SERVICE_PASSWORD);
    const [storeUrl, systemUrl] = [database.storeUrl, database.systemUrl].map((url) =>
      withRole(url, new URL(url).username, SERVICE_PASSWORD),
    );
    app = await TestApp.start({ database: { ...database, storeUrl, systemUrl } });
    store = await app.store();
    ports = { http: await freePort(), https: await freePort(), web: await freePort() };
    service = await ServiceProcess.start({
      PORT: String(ports.web),
      DATABASE_URL: app.database.systemUrl,
      ENCRYPTION_KEY: KEY,
      SHOP_ROLES: 'web',
      BASE_URL: 'https://localhost',
      TRUSTED_PROXIES: trustedProxies(),
      LOG_LEVEL: 'silent',
    });
    folder = mkdtempSync(path.join(tmpdir(), 'shop-balancer-'));
    mkdirSync(path.join(folder, 'certificates'));
    const pem = path.join(folder, 'certificates/shop.pem');
    const [key, certificate] = [`${folder}/key`, `${folder}/certificate`];
    const made = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' ');
    execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    writeFileSync(pem, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    writeFileSync(path.join(folder, 'haproxy.cfg'), settings(ports, folder));
    haproxy = spawn(HAPROXY, ['-db', '-f', path.join(folder, 'haproxy.cfg')], { stdio: 'ignore' });
    await eventually(
      'the balancer serves',
      async () => (await ask('/health/ready').catch(() => null))?.status === 200,
    );
  });
  afterAll(async () => {
    haproxy.kill('SIGKILL');
    await service.stop();
    await app.stop();
    rmSync(folder, { recursive: true });
  });

  interface Got {
    status: number;
    headers: IncomingHttpHeaders;
    text: string;
  }
  const ask = (where: string, headers: Record<string, string> = {}, body?: object, isPlain = false) =>
    new Promise<Got>((resolve, reject) => {
      const options = { host: '127.0.0.1', path: where, rejectUnauthorized: false, agent: false as const };
      const asked = isPlain
        ? plainRequest({ ...options, port: ports.http, method: body ? 'POST' : 'GET', headers })
        : request({ ...options, port: ports.https, method: body ? 'POST' : 'GET', headers });
      asked.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (data) => (text += data));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      asked.end(body && JSON.stringify(body));
    });
  const json = { 'Content-Type': 'application/json', Origin: 'https://localhost' };

  it('sends whoever comes without TLS to https', async () => {
    const { status, headers } = await ask('/v1/list_orders?a=1', { Host: 'shop.example' }, undefined, true);
    expect([status, headers.location]).toEqual([308, 'https://shop.example/v1/list_orders?a=1']);
  });

  it('passes calls on, and keeps the paths of operators to itself', async () => {
    const { tokens } = store;
    const authorized = { ...json, Authorization: `Bearer ${tokens.read}` };
    expect(JSON.parse((await ask('/v1/list_orders', authorized, {})).text)).toMatchObject({ ok: true });
    expect((await ask('/metrics')).status).toBe(404);
    expect((await ask(`/oauth/authorize?${'a&'.repeat(7_000)}`)).status).toBe(400);
  });

  it('tells the service who calls, whatever the caller says of that', async () => {
    const { ownerEmail: email } = store;
    for (const forged of ['9.9.9.9', '9.9.9.9, 8.8.8.8', '"[2001:db8::1]:443"', 'x'.repeat(1_000)]) {
      const { status } = await ask(
        '/dashboard/api/auth/sign-in',
        { ...json, 'X-Forwarded-For': forged },
        { email, password: OWNER_PASSWORD },
      );
      expect([forged, status]).toEqual([forged, 200]);
    }
    const addresses = await app.query<{ address: string }>('select distinct address from sessions');
    expect(addresses).toEqual([{ address: '127.0.0.1' }]);
  });

  it.each([
    ['without TLS', () => createConnection(ports.http, '127.0.0.1')],
    ['with TLS', () => connect({ port: ports.https, host: '127.0.0.1', rejectUnauthorized: false })],
  ])('ends a connection whose headers do not come (%s)', async (_, open) => {
    const socket = open();
    socket.on('error', () => undefined).resume();
    socket.write('GET /health/live HTTP/1.1\r\nHost: shop.example\r\n');
    await once(socket, 'close');
  });

  it('closes a connection beyond the share of its caller, and serves others', async () => {
    const sockets: Socket[] = [];
    const open = async (localAddress: string) => {
      const socket = createConnection({ port: ports.http, host: '127.0.0.1', localAddress });
      sockets.push(socket);
      const answer = new Promise<string>((resolve) => {
        socket.on('error', () => undefined).once('close', () => resolve('closed'));
        socket.once('data', (data) => resolve(String(data)));
      });
      socket.write('GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n');
      return { socket, isServed: (await answer).startsWith('HTTP/1.1 308') };
    };
    const greedy = await Promise.all(Array.from({ length: MOST_CONNECTIONS + 1 }, () => open('127.0.0.3')));
    const served = greedy.filter(({ isServed }) => isServed);
    expect(served).toHaveLength(MOST_CONNECTIONS);
    expect(await open('127.0.0.2')).toMatchObject({ isServed: true });
    served[0].socket.destroy();
    await eventually('the place is free', async () => (await open('127.0.0.3')).isServed);
    for (const socket of sockets) socket.destroy();
  });
});
