import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepared } from '../installation/backups/backed-up.js';
import { pkce } from '../oauth/oauth-app.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort, ServiceProcess, shop } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';
import { balancerSettings } from './balancer-settings.mjs';
import { itWhenSlow } from '../support/slow.js';

const key = randomBytes(32).toString('base64');
const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((file) => spawnSync(file, ['-v']).status === 0);
const GROUPS = ['a', 'b'] as const;
type Group = (typeof GROUPS)[number];

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const encoded = (form: Record<string, string>) => new URLSearchParams(form).toString();

interface Created {
  id: string;
  name: string;
  group: Group;
  ownerPassword: string;
  token: string;
}

/** docs/growth.md, Groups of stores: the balancer of deploy/groups, as it is shipped. */
describe('the balancer of deploy/groups', () => {
  let folder: string;
  let port: number;
  let services: ServiceProcess[];
  let haproxy: ChildProcess;
  const urls = {} as Record<Group, string>;
  const stores = {} as Record<Group, Created>;

  const file = (name: string) => path.join(folder, name);
  const run = (...args: string[]) => shop({ GROUPS_FILE: file('groups.json'), ENCRYPTION_KEY: key }, ...args);
  const ok = async (...args: string[]) => {
    const { code, output, stdout, stderr } = await run(...args);
    expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    return output;
  };
  const create = async (email: string): Promise<Created> => {
    const options = ['--name', email, '--currency', 'USD', '--owner-email', email];
    const created = await ok('store', 'create', ...options);
    const store = ['--store', created.id, '--name', 'T', '--scope', 'write'];
    return { ...created, token: (await ok('token', 'create', ...store)).token };
  };

  beforeAll(async () => {
    if (!HAPROXY) throw new Error('this needs HAProxy: apt-get install haproxy');
    folder = mkdtempSync(path.join(tmpdir(), 'shop-groups-'));
    port = await freePort();
    const ports = {} as Record<Group, number>;
    services = await Promise.all(
      GROUPS.map(async (name) => {
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
    for (const name of GROUPS)
      await ok(
        ...['group', 'add', '--name', name, '--database', urls[name]],
        ...['--address', `https://${name}.shops.example`],
      );
    for (const email of ['ann@shop.example', 'bob@shop.example']) {
      const created = await create(email);
      stores[created.group] = created;
    }
    expect(await ok('group', 'map', '--to', file('stores.map'))).toMatchObject({ stores: 2, kept: [] });
    writeFileSync(file('haproxy.cfg'), balancerSettings(folder, port, ports));
    haproxy = spawn(HAPROXY, ['-db', '-f', file('haproxy.cfg')], { stdio: 'ignore' });
    await eventually('the balancer serves both', async () => {
      const ready = GROUPS.map((name) => ask(`${name}.shops.example`, '/health/ready').catch(() => null));
      return (await Promise.all(ready)).every((answer) => answer?.status === 200);
    });
    await ok('group', 'map', '--to', file('stores.map'), '--socket', file('admin.sock'));
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

  it('passes each call to the group that has its store', async () => {
    for (const group of GROUPS) {
      const store = stores[group];
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
    for (const group of GROUPS) {
      const { id, name: email, ownerPassword: password } = stores[group];
      const signIn = (origin: string) =>
        ask(hostOf(stores[group]), '/dashboard/api/auth/sign-in', { Origin: origin }, { email, password });
      for (const origin of ['https://evil.example', `https://${group}.shops.example.evil`])
        expect((await signIn(origin)).status).toBe(403);
      const { status, headers } = await signIn(`https://${hostOf(stores[group])}`);
      expect(status).toBe(200);
      const cookie = headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ');
      const { text } = await ask(hostOf(stores[group]), '/dashboard/api/stores', { Cookie: cookie });
      expect(JSON.parse(text).data.items).toMatchObject([{ id }]);
    }
  });

  itWhenSlow('keeps apps connected that connected at the host of a store, wherever it moves', async () => {
    const store = await create('fay@shop.example');
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
    expect(await listTools(first, `${store.group}.shops.example`)).toBe(401);

    const to = store.group === 'a' ? 'b' : 'a';
    await ok('store', 'move', '--store', store.id, '--to', to);
    expect(await listTools(first)).toBe(200);
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect(await listTools(second)).toBe(200);
    expect((await ask(host, '/mcp', {}, {})).headers['www-authenticate']).toContain(
      `resource_metadata="${address}/.well-known/oauth-protected-resource/mcp"`,
    );
    await ok('store', 'delete', '--store', store.id, '--group', to, '--yes');
  });

  itWhenSlow('hears of a new store, of one that moves under load, and of one that is gone', async () => {
    const store = await create('eve@shop.example');
    const acknowledged: string[] = [];
    const refused: Got[] = [];
    let isOver = false;
    const drive = async (work: (n: number) => Promise<Got>, slug?: (n: number) => string) => {
      for (let n = 0; !isOver; n++) {
        const answer = await work(n);
        if (answer.status !== 200) refused.push(answer);
        else if (slug) acknowledged.push(slug(n));
      }
    };
    const slug = (n: number) => `brand-${n}`;
    const driving = [
      drive((n) => call(store, 'create_brand', { name: slug(n), slug: slug(n) }), slug),
      drive(() => call(store, 'list_brands')),
    ];
    const to = store.group === 'a' ? 'b' : 'a';
    await ok('store', 'move', '--store', store.id, '--to', to);
    isOver = true;
    await Promise.all(driving);
    const wrong = refused.filter(({ status, headers }) => status !== 503 || !headers['retry-after']);
    expect(wrong).toEqual([]);
    const kept = await ownerQuery<{ slug: string }>('select slug from brands', [], urls[to]);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(kept.map(({ slug }) => slug)).toEqual(expect.arrayContaining(acknowledged));
    const lines = readFileSync(file('stores.map'), 'utf8').split('\n');
    expect(lines).toContain(`${store.id} ${to}`);
    await ok('store', 'delete', '--store', store.id, '--group', to, '--yes');
    expect((await call(store, 'list_brands')).status).toBe(404);
    expect(haproxy.exitCode).toBeNull();
  });

  itWhenSlow('keeps the lines of a group that is lost; a command says when it is away', async () => {
    const registry = readFileSync(file('groups.json'), 'utf8');
    const before = readFileSync(file('stores.map'), 'utf8');
    const lost = new URL(urls.a);
    lost.port = String(await freePort());
    writeFileSync(file('groups.json'), registry.replace(urls.a, lost.href));
    expect(await ok('group', 'map')).toMatchObject({ stores: 2, kept: ['a'] });
    expect(readFileSync(file('stores.map'), 'utf8').split('\n').sort()).toEqual(before.split('\n').sort());
    expect((await call(stores.a, 'list_brands')).status).toBe(200);
    haproxy.kill('SIGKILL');
    await eventually('it is gone', () => Promise.resolve(haproxy.signalCode !== null));
    expect((await run('group', 'map')).output.error.message).toContain(
      'the map is written, but the balancer',
    );
  });
});
