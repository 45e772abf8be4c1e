import { GROUPS, IN_EVERY_GROUP } from '../../src/access/rights.js';
import { declaredRoutes } from '../../src/doors/dashboard/dashboard-pages.js';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { TokenRegistry } from '../../src/platform/auth/token-registry.js';
import { Browser, PROOF, refusal, StorePage } from '../doors/dashboard/browser.js';
import { callTool, LIST_TOOLS, useOauth } from '../doors/oauth/oauth-app.js';
import { choices, Person } from '../doors/oauth/person.js';
import { isSlow } from '../support/slow.js';
import type { TestStore } from '../support/test-app.js';

const OF_ALL = 'get_store_overview';
const NAMES: string[] = Object.keys(GROUPS);

/** Each group is tried with its own operations and those of the next one; test:slow tries each with all. */
const isTried = (group: string, other: string) =>
  isSlow || [0, 1].some((next) => NAMES[(NAMES.indexOf(group) + next) % NAMES.length] === other);

/** docs/behaviour.md §2.4: tokens, grants and members of staff that are narrowed to groups. */
describe('groups of operations', () => {
  let store: TestStore;
  let owner: StorePage;

  const oauth = useOauth();
  beforeEach(async () => {
    store = await oauth.app.store();
    owner = await StorePage.ofOwner(store);
  });

  const registry = () => oauth.app.nest.get(OperationRegistry);
  const names = () =>
    registry()
      .list()
      .map(({ name }) => name);
  const tokenOf = async (groups: string[], scope: 'read' | 'write' | 'admin' = 'admin') =>
    store.inside(async (ctx) => {
      const made = { name: 'narrow', scope, groups, expiresAt: null };
      return (await oauth.app.nest.get(TokenRegistry).create(ctx, made)).token;
    });
  const staffWith = async (groups: string[] | null) => {
    const email = `staff-${Math.random().toString(36).slice(2)}@test.example`;
    const browser = new Browser(oauth.app);
    await browser.accept((await owner.data('POST', 'members', { email, groups })).invitation);
    const { id: userId } = (await browser.get('me')).body.data;
    return Object.assign(new StorePage(browser, store.id), { email, userId });
  };
  const toolsOf = async (token: string) => {
    const answer: any = await (await oauth.mcp(token, LIST_TOOLS)).json();
    return answer.result.tools.map(({ name }: { name: string }) => name).sort();
  };

  it.each(Object.keys(GROUPS))('of a token: %s admits its own operations and no other', async (group) => {
    const token = await tokenOf([group]);
    const admitted = names().filter(
      (name) => IN_EVERY_GROUP.includes(name) || registry().groupOf(name) === group,
    );
    expect(admitted.length).toBeGreaterThan(0);
    for (const name of names().filter((one) => isTried(group, registry().groupOf(one)))) {
      const { status, body } = await store.call(name, { unknown: 1 }, { token });
      if (admitted.includes(name)) expect([name, status]).toEqual([name, 400]);
      else {
        expect([name, status, body.error!.code]).toEqual([name, 403, 'forbidden']);
        expect(body.error!.message).toContain(`the group ${registry().groupOf(name)}`);
      }
    }
    expect(await toolsOf(token)).toEqual(admitted.sort());
  });

  it.each(['read', 'write', 'admin'] as const)('leave the ladder of scopes as it is (%s)', async (scope) => {
    const token = await tokenOf(['orders'], scope);
    for (const { name, scope: needed } of registry().list()) {
      if (registry().groupOf(name) !== 'orders') continue;
      const { status } = await store.call(name, { unknown: 1 }, { token });
      const may = ['read', 'write', 'admin'].indexOf(scope) >= ['read', 'write', 'admin'].indexOf(needed);
      expect([name, status]).toEqual([name, may ? 400 : 403]);
    }
  });

  it('may be names of operations: a courier only ships', async () => {
    const token = await tokenOf(['ship_order', 'list_orders'], 'write');
    const statuses = await Promise.all(
      ['ship_order', 'list_orders', 'get_order', 'refund_order'].map(
        async (name) => (await store.call(name, { unknown: 1 }, { token })).status,
      ),
    );
    expect(statuses).toEqual([400, 400, 403, 403]);
    const { body } = await store.call(OF_ALL, {}, { token });
    expect(body.data).toMatchObject({
      token: { scope: 'write', groups: ['ship_order', 'list_orders'] },
      bot: null,
      checkout: null,
      webhook: null,
      counts: { orders: 0, pendingOrders: 0, products: null, customers: null },
      checklist: [],
    });
    const whole = (await store.call(OF_ALL, {})).body.data;
    expect([whole.token.groups, whole.counts.products, whole.bot.connected]).toEqual([null, 0, false]);
  });

  it('are given on the dashboard, audited, and refused by name if they do not exist', async () => {
    const made = await owner.data('POST', 'tokens', {
      name: 'courier',
      scope: 'write',
      groups: ['orders', 'update_stock', 'orders'],
    });
    expect(made.groups).toEqual(['orders', 'update_stock']);
    expect((await owner.data('GET', 'tokens')).items[0].groups).toEqual(['orders', 'update_stock']);
    const { items } = await owner.data('GET', 'audit?operation=token.create&take=1');
    expect(items[0].changes.groups).toEqual([null, ['orders', 'update_stock']]);
    for (const groups of [['order'], [''], [], 'orders', ['constructor']]) {
      const answer = await owner.send('POST', 'tokens', { name: 'x', scope: 'read', groups });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^groups/);
    }
  });

  it('are audited as a refusal of a change', async () => {
    const token = await tokenOf(['orders']);
    await store.call('create_brand', { name: 'A', slug: 'a' }, { token });
    const { items } = await owner.data('GET', 'audit?operation=create_brand&take=1');
    expect(items).toMatchObject([{ outcome: 'forbidden', actor: { name: 'narrow' } }]);
  });

  describe('of a member of staff', () => {
    it.each(Object.keys(GROUPS))('%s opens its operations and routes, and no other', async (group) => {
      const staff = await staffWith([group]);
      for (const { name, scope } of registry().list()) {
        if (!isTried(group, registry().groupOf(name))) continue;
        const admitted =
          scope !== 'admin' && (IN_EVERY_GROUP.includes(name) || registry().groupOf(name) === group);
        const { status } = await staff.send('POST', `operations/${name}`, { unknown: 1 });
        expect([name, status]).toEqual([name, admitted ? 400 : 403]);
      }
      for (const { method, path, groups = [], scope } of declaredRoutes()) {
        if (!path.includes(':storeId') || path.endsWith('/events')) continue;
        const isOfOthers = groups.every((one) => one !== 'every group' && !isTried(group, one));
        if (groups.length > 0 && isOfOthers) continue;
        const address = path.replace('stores/:storeId/', '').replace(/:\w+/g, '1');
        const { status } = await staff.send(method, address, method === 'GET' ? undefined : {});
        const admitted = scope !== 'admin' && (groups.includes(group) || groups.includes('every group'));
        expect([method, path, status === 403]).toEqual([method, path, !admitted]);
      }
    });

    it('are shown and changed, at once, and an owner has all', async () => {
      const staff = await staffWith(['orders']);
      const brands = async () => (await staff.send('POST', 'operations/list_brands', {})).status;
      const put = (body: object) => owner.send('PUT', `members/${staff.userId}`, body);
      expect((await owner.data('GET', 'members')).items[1]).toMatchObject({ groups: ['orders'] });
      expect((await staff.browser.get('stores')).body.data.items[0].groups).toEqual(['orders']);
      expect(await brands()).toBe(403);
      expect((await put({ groups: ['brands'] })).body.data).toEqual({
        userId: staff.userId,
        role: 'staff',
        groups: ['brands'],
        ...{ tokens: [], connections: [] },
      });
      expect(await brands()).toBe(200);
      const { items } = await owner.data('GET', 'audit?operation=member.role&take=1');
      expect(items[0].changes).toEqual({ groups: [['orders'], ['brands']] });
      expect((await put({ groups: ['nothing'] })).body.error!.message).toMatch(/^groups/);
      expect((await put({ role: 'owner', groups: ['brands'], ...PROOF })).status).toBe(400);
      expect((await put({ role: 'owner', ...PROOF })).body.data.groups).toBeNull();
      expect((await put({ role: 'staff', ...PROOF })).body.data.groups).toBeNull();
      expect(await brands()).toBe(200);
    });

    it('narrow the search, and the apps that they let in', async () => {
      await store.product({ productId: 'teapot' });
      const staff = await staffWith(['orders', 'get_product']);
      expect(await staff.data('GET', 'search?q=teapot')).toMatchObject({ products: [] });
      const person = new Person(oauth.issuer, staff.email);
      const asked = await person.arrive(oauth.request());
      expect(choices(asked, 'groups')).toEqual(['orders', 'get_product']);
      const { access_token: token } = await oauth.tokens(person, {}, { store: store.id, scope: 'write' });
      expect(await toolsOf(token)).toEqual(
        names()
          .filter(
            (name) =>
              IN_EVERY_GROUP.includes(name) ||
              name === 'get_product' ||
              registry().groupOf(name) === 'orders',
          )
          .filter((name) => registry().find(name)!.scope !== 'admin')
          .sort(),
      );
      await owner.data('PUT', `members/${staff.userId}`, { groups: ['brands'] });
      expect(await toolsOf(token)).toEqual(
        names().filter(
          (name) =>
            (IN_EVERY_GROUP.includes(name) || registry().groupOf(name) === 'brands') &&
            registry().find(name)!.scope !== 'admin',
        ),
      );
      expect((await oauth.mcp(token, callTool('list_orders'))).status).toBe(200);
      expect((await store.call('list_orders', {}, { token })).status).toBe(401);
    });
  });

  describe('of an app', () => {
    /** Reads that show no secret are offered apart from their groups. */
    const LOOKS = ['get_bot', 'get_payment_provider', 'get_welcome_message', 'list_payment_providers'];

    it('are chosen on the page, without payment providers and the bot by default', async () => {
      const person = oauth.person(store);
      const asked = await person.arrive(oauth.request());
      expect(choices(asked, 'groups').sort()).toEqual([...Object.keys(GROUPS), ...LOOKS].sort());
      const checked = [...asked.page.matchAll(/name="groups" value="([^"]+)"\s+checked/g)].map(
        ([, name]) => name,
      );
      expect(Object.keys(GROUPS).filter((name) => !checked.includes(name))).toEqual([
        'bot',
        'payment-providers',
      ]);
      const none = await person.answer(asked, {
        store: store.id,
        scope: 'read',
        decision: 'allow',
        groups: '',
      });
      expect([none.status, none.callback]).toEqual([400, null]);
      expect(none.page).toContain('Choose at least one thing');
      await oauth.tokens(person, {}, { store: store.id, scope: 'write' });
      const [{ groups }] = (await owner.data('GET', 'connections')).items;
      expect([...groups].sort()).toEqual(checked.sort());
    });

    it('are asked for by the challenge', async () => {
      const { access_token: token } = await oauth.tokens(
        oauth.person(store),
        {},
        { store: store.id, scope: 'write' },
      );
      expect(await toolsOf(token)).toEqual([...names()].sort());
      const refused = await oauth.mcp(token, callTool('connect_bot', { token: 'x' }));
      expect(refused.status).toBe(403);
      const challenge = refused.headers.get('www-authenticate')!;
      expect(challenge).toContain('error="insufficient_scope"');
      expect(challenge).toContain('error_description="connect_bot needs the group bot"');
      expect(challenge).toContain('scope="read write group:bot"');
    });

    it('are bound by the resource, with its readonly and its store', async () => {
      const second = await oauth.app.store();
      const there = await StorePage.ofOwner(second);
      const { invitation } = await there.data('POST', 'members', { email: store.ownerEmail });
      await owner.browser.accept(invitation);
      const query = `?tools=orders,get_product,payment-providers&readonly=true&store=${store.id}`;
      const resource = oauth.resource + query;
      const asked = await oauth.person(store).arrive(oauth.request({ resource }));
      expect(choices(asked, 'groups')).toEqual(['orders', 'get_product', 'payment-providers']);
      expect([choices(asked, 'scope'), choices(asked, 'store')]).toEqual([['read'], [store.id]]);
      const more = { decision: 'allow', scope: 'read', store: store.id, groups: 'brands' };
      expect((await oauth.person(store).answer(asked, more)).callback).toBeNull();
      const { access_token: token } = await oauth.tokens(oauth.person(store), { resource }, {});
      const [{ groups, scope }] = (await owner.data('GET', 'connections')).items;
      expect([groups, scope]).toEqual([['orders', 'get_product'], 'read']);
      expect((await oauth.mcp(token, callTool('list_orders'))).status).toBe(200);
      const unknown = oauth.request({ resource: `${oauth.resource}?tools=nothing` });
      expect((await oauth.person(store).open(unknown)).status).toBe(400);
    });
  });
});
