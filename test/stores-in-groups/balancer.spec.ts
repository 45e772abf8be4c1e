import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepared } from '../installation/backups/backed-up.js';
import { emptyDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { freePort, ServiceProcess, shop } from '../support/servers/service-process.js';
import { ownerQuery } from '../support/test-app.js';
import { balancerSettings } from './balancer-settings.mjs';

const key = randomBytes(32).toString('base64');
const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((file) => spawnSync(file, ['-v']).status === 0);
const GROUPS = ['a', 'b'] as const;
type Group = (typeof GROUPS)[number];

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
  const ask = (host: string, where: string, headers: Record<string, string> = {}, body?: object) =>
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
      asked.end(body && JSON.stringify(body));
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

  it('hears of a new store, of one that moves under load, and of one that is gone', async () => {
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

  it('keeps the lines of a group that is lost; a command says when it is away', async () => {
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
