import { v7 as uuidv7 } from 'uuid';
import { loadConfig } from '../../../../src/platform/config/config.js';
import { declaredRoutes } from '../../../../src/doors/dashboard/dashboard-pages.js';
import { eventually } from '../../../support/eventually.js';
import { TestApp, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, refusal, StorePage } from '../browser.js';

/** Every page there is, with something in place of its parameters. */
const pages = [
  ...declaredRoutes().map(({ method, path, access }) => ({ method, path, access })),
  { method: 'POST', path: 'stores/:storeId/operations/:operation', access: undefined },
].map(({ method, path, access }) => ({
  method,
  access,
  name: `${method} ${path}`,
  at: (storeId: string) =>
    path
      .replace(':storeId', storeId)
      .replace(':operation', 'get_settings')
      .replace(':kind', 'welcome')
      .replace(/:(orderId|userId|id)/g, '1'),
  ofStore: path.includes(':storeId'),
}));
const storePages = pages.filter(({ ofStore }) => ofStore);
const changes = pages.filter(({ method }) => method !== 'GET');
const body = (method: string) => (method === 'GET' ? undefined : {});

const OWNER_PAGES = [
  'GET stores/:storeId/tokens',
  'POST stores/:storeId/tokens',
  'DELETE stores/:storeId/tokens/:id',
  'GET stores/:storeId/members',
  'POST stores/:storeId/members',
  'PUT stores/:storeId/members/:userId',
  'POST stores/:storeId/members/:userId/transfer-ownership',
  'DELETE stores/:storeId/members/:userId',
  'GET stores/:storeId/invitations',
  'DELETE stores/:storeId/invitations/:id',
];

describe('access to the dashboard', () => {
  let store: TestStore;
  let stranger: TestStore;
  let owner: StorePage;
  let staff: StorePage & { email: string; userId: string };

  const app = useShop({ env: { BASE_URL: 'https://shop.example' } });
  beforeAll(async () => {
    [store, stranger] = [await app.store(), await app.store()];
    owner = await StorePage.ofOwner(store);
    staff = await StorePage.ofStaff(store, owner);
  });

  it('reports the budget on every page, even if no store is named or found', async () => {
    for (const path of ['me', 'stores', `stores/${store.id}/tokens`, `stores/${stranger.id}/tokens`]) {
      const { headers } = await owner.browser.get(path);
      for (const name of ['limit', 'remaining', 'reset'])
        expect([path, headers.get(`ratelimit-${name}`)]).toEqual([path, expect.stringMatching(/^\d+$/)]);
    }
  });

  // A new page is added to this list; where only owners may open it, to OWNER_PAGES above.
  it('is tested for every page', () => {
    expect(pages.map(({ name }) => name).sort()).toEqual(
      [
        'POST auth/sign-in',
        'POST auth/sign-out',
        'POST auth/change-password',
        'GET auth/options',
        'POST auth/request-password-reset',
        'POST auth/reset-password',
        'GET auth/sessions',
        'DELETE auth/sessions/:id',
        'POST auth/sessions/end-others',
        'GET auth/second-factor',
        'POST auth/second-factor/enrol',
        'POST auth/second-factor/confirm',
        'POST auth/second-factor/disable',
        'POST auth/second-factor/recovery-codes',
        'POST auth/invitation',
        'POST auth/accept-invitation',
        'GET me',
        'GET stores',
        ...OWNER_PAGES,
        'GET stores/:storeId/webhook',
        'PUT stores/:storeId/webhook',
        'DELETE stores/:storeId/webhook',
        'POST stores/:storeId/webhook/rotate-secret',
        'POST stores/:storeId/webhook/test',
        'POST stores/:storeId/webhook/pause',
        'POST stores/:storeId/webhook/resume',
        'GET stores/:storeId/webhook/stats',
        'GET stores/:storeId/webhook/deliveries',
        'GET stores/:storeId/webhook/deliveries/:id',
        'POST stores/:storeId/webhook/deliveries/:id/redeliver',
        'POST stores/:storeId/webhook/deliveries/redeliver-failed',
        'GET stores/:storeId/profile',
        'PUT stores/:storeId/profile',
        'PUT stores/:storeId/accent',
        'PUT stores/:storeId/first-sale',
        'PUT stores/:storeId/orders/:orderId/items',
        'GET stores/:storeId/orders/form',
        'POST stores/:storeId/orders/quote',
        'POST stores/:storeId/orders',
        'GET stores/:storeId/orders',
        'GET stores/:storeId/orders/deliveries',
        'GET stores/:storeId/orders/:orderId/notes',
        'DELETE stores/:storeId/orders/:orderId/notes/:id',
        'GET stores/:storeId/orders/:orderId/timeline',
        'GET stores/:storeId/orders/:orderId/payment',
        'GET stores/:storeId/orders/owed-back',
        'GET stores/:storeId/orders/:orderId/reference',
        'GET stores/:storeId/customers/:id/reference',
        'GET stores/:storeId/connections',
        'DELETE stores/:storeId/connections/:id',
        'GET stores/:storeId/approvals',
        'POST stores/:storeId/approvals/:id/apply',
        'POST stores/:storeId/approvals/:id/decline',
        'GET stores/:storeId/products/pictures',
        'GET stores/:storeId/orders/pictures',
        'GET stores/:storeId/orders/codes',
        'GET stores/:storeId/audit',
        'GET stores/:storeId/audit/actors',
        'GET stores/:storeId/events',
        'POST stores/:storeId/uploads',
        'GET stores/:storeId/orders/export.csv',
        'GET stores/:storeId/customers/export.csv',
        'GET stores/:storeId/products/export.csv',
        'GET stores/:storeId/payments',
        'GET stores/:storeId/payments/test-mode',
        'GET stores/:storeId/orders/counts',
        'GET stores/:storeId/figures',
        'POST stores/:storeId/orders/bulk-status',
        'POST stores/:storeId/categories/reorder',
        'GET stores/:storeId/search',
        'GET stores/:storeId/shop',
        'GET stores/:storeId/views',
        'POST stores/:storeId/views',
        'PUT stores/:storeId/views/:id',
        'DELETE stores/:storeId/views/:id',
        'GET stores/:storeId/notices',
        'POST stores/:storeId/notices/chat',
        'DELETE stores/:storeId/notices/chat',
        'GET stores/:storeId/bot/app',
        'PUT stores/:storeId/bot/app',
        'GET stores/:storeId/bot/messages/:kind',
        'PUT stores/:storeId/bot/messages/:kind',
        'DELETE stores/:storeId/bot',
        'GET stores/:storeId/campaigns',
        'POST stores/:storeId/campaigns/test',
        'GET stores/:storeId/campaigns/:id',
        'GET stores/:storeId/campaigns/:id/failures',
        'POST stores/:storeId/operations/:operation',
      ].sort(),
    );
  });

  it.each(pages.filter(({ access }) => access !== 'public' && access !== 'optional'))(
    '$name needs a session',
    async ({ method, at }) => {
      const response = await fetch(`${app.url}/dashboard/api/${at(store.id)}`, { method });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ ok: false, error: { code: 'invalid_token' } });
    },
  );

  it.each(storePages)(
    "$name answers the same for another person's store as for a missing one",
    async ({ method, at }) => {
      const foreign = await owner.browser.send(method, at(stranger.id), body(method));
      expect(foreign).toMatchObject(refusal(404, 'not_found'));
      for (const id of [uuidv7(), 'x', '%27']) {
        expect((await owner.browser.send(method, at(id), body(method))).body).toEqual(foreign.body);
      }
    },
  );

  it.each(storePages)('$name has the expected access for staff', async ({ method, name, at }) => {
    let answer = await staff.browser.send(method, at(store.id), body(method));
    // Exports that were begun before may still be ending.
    await eventually('there is a place', async () => {
      if (answer.status === 429) answer = await staff.browser.send(method, at(store.id), body(method));
      return answer.status !== 429;
    });
    if (OWNER_PAGES.includes(name)) expect(answer).toMatchObject(refusal(403, 'forbidden'));
    else expect([200, 400, 404]).toContain(answer.status);
    expect((await owner.browser.send(method, at(store.id), body(method))).status).not.toBe(403);
  });

  it('audits refused calls of staff, and no reads', async () => {
    await staff.send('GET', 'tokens');
    await staff.send('POST', 'tokens', { name: 'mine', scope: 'admin' });
    const { items } = await owner.data('GET', 'audit?operation=token.create&take=1');
    expect(items).toMatchObject([
      { outcome: 'forbidden', actor: { kind: 'user', id: staff.userId, name: staff.email } },
    ]);
    expect((await owner.data('GET', 'tokens')).items.map(({ name }: { name: string }) => name)).not.toContain(
      'mine',
    );
  });

  it('gives staff the operations at write scope', async () => {
    const run = (page: StorePage, name: string, input: object) =>
      page.send('POST', `operations/${name}`, input);
    expect((await run(staff, 'list_orders', {})).status).toBe(200);
    const created = await run(staff, 'create_brand', { name: 'Acme', slug: 'acme' });
    expect(created.status).toBe(200);
    const { id } = created.body.data;
    const refused = await run(staff, 'delete_brand', { id, confirm: true });
    expect(refused).toMatchObject(refusal(403, 'forbidden'));
    expect(refused.body.error!.message).toBe("Only the store's owner may run delete_brand");
    expect((await run(staff, 'get_brand', { id })).status).toBe(200);
    expect((await run(owner, 'delete_brand', { id, confirm: true })).status).toBe(200);
  });

  describe('requests from other sites', () => {
    const json = { 'Content-Type': 'application/json' };

    it.each(changes)('are refused at $name', async ({ method, at }) => {
      for (const headers of [
        { ...json, Origin: 'https://evil.example' },
        { ...json, Origin: 'https://shop.example.evil.example' },
        { ...json, Origin: 'http://shop.example' },
        { ...json, Origin: 'null' },
        { 'Content-Type': 'text/plain' },
        { 'Content-Type': 'application/x-www-form-urlencoded' },
        { 'Content-Type': 'multipart/form-data; boundary=x' },
        { 'Content-Type': 'application/jsonp' },
      ]) {
        const answer = await owner.browser.send(method, at(store.id), '{}', headers);
        expect(answer).toMatchObject(refusal(403, 'forbidden'));
      }
    });

    it('are refused before a password is tried or a session ended', async () => {
      const evil = { ...json, Origin: 'https://evil.example' };
      const signIn = await owner.browser.send(
        'POST',
        'auth/sign-in',
        { email: store.ownerEmail, password: 'correct horse battery' },
        evil,
      );
      expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
      await owner.browser.send('POST', 'auth/sign-out', {}, evil);
      expect((await owner.browser.get('me')).status).toBe(200);
    });

    it("are not refused if they are reads, nor are the dashboard's own requests", async () => {
      const own = { Origin: 'https://shop.example' };
      const path = `stores/${store.id}/operations/list_orders`;
      expect((await owner.browser.send('POST', path, {}, own)).status).toBe(200);
      expect((await owner.browser.send('POST', path, undefined, own)).status).toBe(200);
      const charset = { ...own, 'Content-Type': 'application/json; charset=utf-8' };
      expect((await owner.browser.send('POST', path, '{}', charset)).status).toBe(200);
      expect(
        (await owner.browser.send('GET', 'me', undefined, { Origin: 'https://evil.example' })).status,
      ).toBe(200);
    });
  });

  it.each([
    'GET nothing',
    'GET ',
    'PATCH me',
    'GET auth/sign-in',
    'POST stores/x/nothing',
    'GET stores/x/operations/list_orders',
  ])('answers %s with 404 in an envelope', async (request) => {
    const [method, path] = request.split(' ');
    const answer = await owner.browser.send(method, path);
    expect(answer).toMatchObject(refusal(404, 'not_found'));
  });
});

describe('budgets of the dashboard', () => {
  it('are those of docs/behaviour.md §2.3, per user, and separate from those of tokens', async () => {
    const env = {
      SESSION_RATE_LIMIT_READ: '5',
      SESSION_RATE_LIMIT_WRITE: '2',
      RATE_LIMIT_READ: '1',
      RATE_LIMIT_WRITE: '1',
    };
    const app = await TestApp.start({ env });
    const store = await app.store();
    const owner = await StorePage.ofOwner(store);
    const statuses: number[] = [];
    for (let i = 0; i < 2; i++) statuses.push((await owner.send('GET', 'webhook')).status);
    for (let i = 0; i < 2; i++)
      statuses.push((await owner.send('POST', 'operations/list_orders', {})).status);
    statuses.push((await owner.send('POST', 'operations/no_such_operation', {})).status);
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
    const refused = await owner.send('GET', 'audit');
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const writes = [];
    for (let i = 0; i < 3; i++) writes.push((await owner.send('POST', 'webhook/pause', {})).status);
    expect(writes).toEqual([404, 404, 429]);
    expect((await owner.browser.get('me')).headers.get('ratelimit-limit')).toBe('5');
    expect((await store.call('list_orders')).status).toBe(200);
    expect((await store.call('list_orders')).status).toBe(429);
    await app.stop();
  });

  it('hold for every route, with a session outside a store and without one', async () => {
    const env = { SESSION_RATE_LIMIT_READ: '3', SESSION_RATE_LIMIT_WRITE: '3', RATE_LIMIT_BAD_TOKENS: '3' };
    const app = await TestApp.start({ env });
    const owner = await StorePage.ofOwner(await app.store());
    const stranger = new Browser(app);
    const routes = declaredRoutes().filter(({ path }) => !path.includes(':storeId'));
    expect(routes.length).toBeGreaterThan(15);
    const isEnd = ({ path }: { path: string }) => path.endsWith('sign-out');
    for (const browser of [owner.browser, stranger]) {
      const statusOf = async ({ method, path }: { method: string; path: string }) =>
        (await browser.send(method, path.replace(/:\w+/g, '1'), method === 'GET' ? undefined : {})).status;
      const others = routes.filter((route) => !isEnd(route));
      for (const route of [...others, ...others]) await statusOf(route);
      for (const route of others)
        expect([route.method, route.path, await statusOf(route)]).toEqual([route.method, route.path, 429]);
      // Who wants to leave can.
      if (browser !== stranger) expect(await statusOf(routes.find(isEnd)!)).toBe(200);
    }
    await app.stop();
  });

  it('are 600 reads and 240 writes by default', () => {
    const { sessionRateLimit, rateLimit } = loadConfig({});
    expect([sessionRateLimit, rateLimit]).toEqual([
      { read: 600, write: 240 },
      { read: 100, write: 30, badTokens: 600 },
    ]);
  });
});
