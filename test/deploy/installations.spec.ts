import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepared } from '../installation/backups/backed-up.js';
import { pkce } from '../doors/oauth/oauth-app.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort, ServiceProcess, shop } from '../support/servers/service-process.js';
import { itWhenSlow } from '../support/slow.js';

const key = randomBytes(32).toString('base64');
const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((file) => spawnSync(file, ['-v']).status === 0);
const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const encoded = (form: Record<string, string>) => new URLSearchParams(form).toString();

interface Created {
  id: string;
  name: string;
  at: Name;
  ownerPassword: string;
  token: string;
}

/**
 * deploy/installations/haproxy.cfg as it is shipped, with addresses and files of this machine, without TLS.
 * @param ports those of the installations' services, by name
 */
function settings(folder: string, port: number, ports: Record<string, number>): string {
  const file = path.resolve(__dirname, '../../deploy/installations/haproxy.cfg');
  const moves: [string | RegExp, string][] = [
    ['bind *:8080', `bind 127.0.0.1:${port}`],
    [/\n {2}# Every \.pem file.*\n {2}bind \*:8443.*/, ''],
    [/\n {2}http-request redirect scheme https .*/, ''],
    [/\/etc\/haproxy\/stores\.map/g, path.join(folder, 'stores.map')],
    ['log stdout format raw local0 notice', 'log stderr format raw local0 notice'],
    // A busy machine of tests may answer a check late.
    ['fall 2', 'fall 60'],
    ...Object.entries(ports).map(([name, own]): [RegExp, string] => [
      new RegExp(`\\n {2}server ${name}1 .*\\n {2}server ${name}2 .*`),
      `\n  server ${name}1 127.0.0.1:${own}`,
    ]),
  ];
  return moves.reduce(
    (text, [from, to]) => {
      const moved = text.replace(from, to);
      expect([moved === text, from]).toEqual([false, from]);
      return moved;
    },
    readFileSync(file, 'utf8'),
  );
}

/** docs/growth.md, Several installations: the balancer of deploy/installations, as it is shipped. */
describe('the balancer of deploy/installations', () => {
  let folder: string;
  let port: number;
  let services: ServiceProcess[];
  let haproxy: ChildProcess;
  const urls = {} as Record<Name, string>;
  const stores = {} as Record<Name, Created>;

  const file = (name: string) => path.join(folder, name);
  const ok = async (at: Name, ...args: string[]) => {
    const env = { DATABASE_URL: urls[at], ENCRYPTION_KEY: key };
    const { code, output, stdout, stderr } = await shop(env, ...args);
    expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    return output;
  };
  const create = async (at: Name, email: string): Promise<Created> => {
    const options = ['--name', email, '--currency', 'USD', '--owner-email', email];
    const created = await ok(at, 'store', 'create', ...options);
    const store = ['--store', created.id, '--name', 'T', '--scope', 'write'];
    return { ...created, at, token: (await ok(at, 'token', 'create', ...store)).token };
  };
  /** Starts the balancer with these stores in its map. */
  const balance = async (homes: Created[]) => {
    haproxy?.kill('SIGKILL');
    const lines = [...NAMES.map((name) => [name, name]), ...homes.map(({ id, at }) => [id, at])];
    writeFileSync(file('stores.map'), lines.map((line) => `${line.join(' ')}\n`).join(''));
    haproxy = spawn(HAPROXY!, ['-db', '-f', file('haproxy.cfg')], { stdio: 'ignore' });
    await eventually('the balancer serves both', async () => {
      const ready = NAMES.map((name) => ask(`${name}.shops.example`, '/health/ready').catch(() => null));
      return (await Promise.all(ready)).every((answer) => answer?.status === 200);
    });
  };

  beforeAll(async () => {
    if (!HAPROXY) throw new Error('this needs HAProxy: apt-get install haproxy');
    folder = mkdtempSync(path.join(tmpdir(), 'shop-installations-'));
    port = await freePort();
    const ports = {} as Record<Name, number>;
    services = await Promise.all(
      NAMES.map(async (name) => {
        urls[name] = (await prepared(await emptyDatabase(), [key])).ownerUrl;
        ports[name] = await freePort();
        return ServiceProcess.start({
          PORT: String(ports[name]),
          DATABASE_URL: urls[name],
          ENCRYPTION_KEY: key,
          BASE_URL: `https://${name}.shops.example`,
          STORE_DOMAIN: 'shops.example',
          TRUSTED_PROXIES: '1',
          LOG_LEVEL: 'silent',
          RATE_LIMIT_READ: '1000000',
          RATE_LIMIT_WRITE: '1000000',
        });
      }),
    );
    for (const name of NAMES) stores[name] = await create(name, `${name}@shop.example`);
    writeFileSync(file('haproxy.cfg'), settings(folder, port, ports));
    await balance(Object.values(stores));
  });
  afterAll(async () => {
    haproxy?.kill('SIGKILL');
    await Promise.all((services ?? []).map((service) => service.stop()));
    rmSync(folder, { recursive: true });
  });

  interface Got {
    status: number;
    headers: IncomingHttpHeaders;
    text: string;
  }
  const ask = (host: string, where: string, headers: Record<string, string> = {}, body?: object | string) =>
    new Promise<Got>((resolve, reject) => {
      const asked = request({
        ...{ host: '127.0.0.1', port, path: where, agent: false as const, method: body ? 'POST' : 'GET' },
        headers: { Host: host, 'Content-Type': 'application/json', ...headers },
      });
      asked.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (data) => (text += data));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      asked.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
  const hostOf = ({ id }: Created) => `${id}.shops.example`;
  const call = (store: Created, operation: string, input: object = {}) =>
    ask(hostOf(store), `/v1/${operation}`, { Authorization: `Bearer ${store.token}` }, input);

  it('passes each call to the installation that has its store', async () => {
    for (const name of NAMES) {
      const store = stores[name];
      const { status, text } = await call(store, 'get_store_overview');
      expect([status, JSON.parse(text).data.store.name]).toEqual([200, store.name]);
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
      const authorized = {
        Authorization: `Bearer ${store.token}`,
        Accept: 'application/json, text/event-stream',
      };
      expect((await ask(hostOf(store), '/mcp', authorized, message)).status).toBe(200);
    }
    // Shoppers and bots name the store in the path, whatever the host.
    const elsewhere = (where: string) => ask('b.shops.example', where);
    expect((await elsewhere(`/storefront/${stores.a.id}/catalog`)).status).toBe(401);
    expect((await elsewhere('/storefront/00000000-0000-4000-8000-000000000001/catalog')).status).toBe(404);
    expect((await ask('c.shops.example', '/health/live')).status).toBe(404);
    expect((await ask(hostOf(stores.a), '/metrics')).status).toBe(404);
  });

  it('lets people sign in at the host of their store, and pages of other hosts do nothing', async () => {
    for (const at of NAMES) {
      const { id, name: email, ownerPassword: password } = stores[at];
      const signIn = (origin: string) =>
        ask(hostOf(stores[at]), '/dashboard/api/auth/sign-in', { Origin: origin }, { email, password });
      for (const origin of ['https://evil.example', `https://${at}.shops.example.evil`])
        expect((await signIn(origin)).status).toBe(403);
      const { status, headers } = await signIn(`https://${hostOf(stores[at])}`);
      expect(status).toBe(200);
      const cookie = headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ');
      const { text } = await ask(hostOf(stores[at]), '/dashboard/api/stores', { Cookie: cookie });
      expect(JSON.parse(text).data.items).toMatchObject([{ id }]);
    }
  });

  itWhenSlow('keeps apps connected that connected at the host of a store, wherever it moves', async () => {
    const store = await create('a', 'fay@shop.example');
    await balance([...Object.values(stores), store]);
    const host = hostOf(store);
    const address = `https://${host}`;
    const cookies = new Map<string, string>();
    /** As a browser or an app asks: with the cookies of the host, and a form. */
    const visit = async (where: string, form?: Record<string, string>) => {
      const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await ask(host, where, { Cookie, Origin: address, ...FORM }, form && encoded(form));
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return answer;
    };
    const resource = `${address}/mcp`;
    const metadata = JSON.parse(
      (await ask(host, '/.well-known/oauth-protected-resource/mcp')).text,
    ) as object;
    expect(metadata).toMatchObject({ resource, authorization_servers: [address] });
    const server = JSON.parse((await ask(host, '/.well-known/oauth-authorization-server')).text) as object;
    expect(server).toMatchObject({ issuer: address, token_endpoint: `${address}/oauth/token` });

    const redirect = 'http://localhost:5000/callback';
    const registered = await ask(host, '/oauth/register', {}, { redirect_uris: [redirect] });
    const client = (JSON.parse(registered.text) as { client_id: string }).client_id;
    const { verifier, challenge } = pkce();
    const asked = new URLSearchParams({
      ...{ client_id: client, redirect_uri: redirect, response_type: 'code', scope: 'read write', resource },
      ...{ state: 'st', code_challenge: challenge, code_challenge_method: 'S256' },
    });
    const begun = await visit(`/oauth/authorize?${asked.toString()}`);
    const connect = begun.headers.location!;
    await visit(`${connect}/sign-in`, { email: store.name, password: store.ownerPassword });
    const page = await visit(connect);
    expect(page.text).toContain(store.id);
    const [, csrf] = /name="csrf" value="([^"]+)"/.exec(page.text)!;
    const decided = await visit(connect, { csrf, decision: 'allow', store: store.id, scope: 'write' });
    const back = await visit(new URL(decided.headers.location!, address).pathname);
    const { searchParams: answered } = new URL(back.headers.location!);
    expect(answered.get('iss')).toBe(address);
    const token = async (form: Record<string, string>) => {
      const answer = await ask(host, '/oauth/token', FORM, encoded({ client_id: client, resource, ...form }));
      return JSON.parse(answer.text) as { access_token: string; refresh_token: string };
    };
    const first = await token({
      ...{ grant_type: 'authorization_code', code: answered.get('code')!, redirect_uri: redirect },
      code_verifier: verifier,
    });
    const listTools = async ({ access_token: bearer }: { access_token: string }, at = host) => {
      const headers = { Authorization: `Bearer ${bearer}`, Accept: 'application/json, text/event-stream' };
      return (await ask(at, '/mcp', headers, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }))
        .status;
    };
    expect(await listTools(first)).toBe(200);
    // It is good at the address of the store alone.
    expect(await listTools(first, `${store.at}.shops.example`)).toBe(401);

    await ok('a', 'store', 'move', '--store', store.id, '--to', urls.b);
    await balance([...Object.values(stores), { ...store, at: 'b' }]);
    expect(await listTools(first)).toBe(200);
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect(await listTools(second)).toBe(200);
    expect((await ask(host, '/mcp', {}, {})).headers['www-authenticate']).toContain(
      `resource_metadata="${address}/.well-known/oauth-protected-resource/mcp"`,
    );
  });
});
