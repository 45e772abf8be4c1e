import http from 'node:http';
import { PROOF, StorePage } from '../dashboard/browser.js';
import type { TestApp, TestStore } from '../../support/test-app.js';
import { CALLBACK, callTool, OauthApp, pkce, type TokenAnswer } from './oauth-app.js';
import type { Person } from './person.js';

/** docs/behaviour.md §15.4, §15.5: codes, tokens and grants, on two instances. */
describe("an app's tokens", () => {
  let oauth: OauthApp;
  let twin: TestApp;
  let store: TestStore;
  let person: Person;

  beforeAll(async () => {
    oauth = await OauthApp.start();
    twin = await oauth.twin();
    store = await oauth.app.store();
    person = oauth.person(store);
  });
  afterAll(() => Promise.all([oauth.app.stop(), twin.stop()]));

  const told = ({ status, error }: TokenAnswer) => [status, error];
  const INVALID_GRANT = [400, 'invalid_grant'];
  const v1 = () => `${oauth.issuer}/v1`;
  const callV1 = (token: string, operation = 'list_orders') =>
    oauth.app.post(`/v1/${operation}`, {}, { Authorization: `Bearer ${token}` });
  const grantOf = async (token: string) => {
    const [grant] = await oauth.app.query<{ id: string }>(
      `select grant_id as id from oauth_tokens where token_hash = encode(sha256($1::text::bytea), 'hex')`,
      [token],
    );
    return grant.id;
  };

  describe('are issued for a code', () => {
    it('in a form that secret scanners recognize, and the code is used up', async () => {
      const code = await oauth.code(person);
      const answer = await oauth.exchange(code);
      expect(answer).toMatchObject({ status: 200, expires_in: 3600, scope: 'read', token_type: 'Bearer' });
      expect(answer.access_token).toMatch(/^shop_oat_[0-9A-Za-z]{38}$/);
      expect(answer.refresh_token).toMatch(/^shop_ort_[0-9A-Za-z]{38}$/);
      expect(answer).not.toHaveProperty('id_token');
      expect(await oauth.status(answer.access_token)).toBe(200);
      expect(told(await oauth.exchange(code))).toEqual(INVALID_GRANT);
      // What came of it ends, everywhere.
      expect([
        await oauth.status(answer.access_token),
        await oauth.status(answer.access_token, twin.url),
      ]).toEqual([401, 401]);
      expect(told(await oauth.refresh(answer.refresh_token!))).toEqual(INVALID_GRANT);
    });

    it('at most once, even on two instances at the same moment, and a repeat revokes them', async () => {
      for (let round = 0; round < 5; round++) {
        const code = await oauth.code(person);
        const answers = await Promise.all(
          [0, 1, 2, 3].map((i) => oauth.exchange(code, {}, i % 2 ? twin.url : undefined)),
        );
        const won = answers.filter(({ access_token: token }) => token);
        expect(won.length).toBeLessThanOrEqual(1);
        for (const lost of answers.filter((answer) => !won.includes(answer)))
          expect(told(lost)).toEqual(INVALID_GRANT);
        for (const { access_token: token } of won) expect(await oauth.status(token)).toBe(401);
      }
    });

    it.each<[string, Record<string, string | null>, string]>([
      ['another verifier', { code_verifier: pkce().verifier }, 'invalid_grant'],
      ['no verifier', { code_verifier: null }, 'invalid_grant'],
      ['another client', { client_id: 'https://other.example/client.json' }, 'invalid_grant'],
      ['another callback', { redirect_uri: 'http://localhost:5001/callback' }, 'invalid_grant'],
      ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
      ['a client that nobody knows', { client_id: 'nobody' }, 'invalid_client'],
      ['no client', { client_id: null }, 'invalid_request'],
      ['a password', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
      ['the client alone', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      ['a code that was never made', { code: 'x'.repeat(43) }, 'invalid_grant'],
      ['a code of a text too long', { code: 'x'.repeat(20_000) }, 'invalid_request'],
    ])('never with %s', async (_, over, error) => {
      const answer = await oauth.exchange(await oauth.code(person), over);
      expect(answer.error).toBe(error);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer).not.toHaveProperty('access_token');
    });

    it('only within a minute', async () => {
      const code = await oauth.code(person);
      await oauth.app.query(
        `update oauth_tokens set payload = payload || '{"exp":1}', expires_at = now() - interval '1 second'
          where kind = 'AuthorizationCode' and store_id = $1`,
        [store.id],
      );
      expect(told(await oauth.exchange(code))).toEqual(INVALID_GRANT);
    });

    it('only for a new code, if the service died between using one up and answering', async () => {
      const code = await oauth.code(person);
      await oauth.app.query(
        `update oauth_tokens set consumed_at = now()
          where token_hash = encode(sha256($1::text::bytea), 'hex')`,
        [code.code],
      );
      const grant = await grantOf(code.code);
      expect(told(await oauth.exchange(code))).toEqual(INVALID_GRANT);
      expect(await oauth.app.query('select 1 from oauth_grants where id = $1', [grant])).toEqual([]);
      expect((await oauth.exchange(await oauth.code(person))).status).toBe(200);
    });

    it('only for a form that is posted', async () => {
      const json = await fetch(`${oauth.issuer}/oauth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
      expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([
        400,
        'invalid_request',
      ]);
      expect((await fetch(`${oauth.issuer}/oauth/token?grant_type=refresh_token`)).status).toBe(404);
      expect((await fetch(oauth.request(), { method: 'POST' })).status).toBe(404);
    });
  });

  describe('are replaced by a refresh', () => {
    it('while the used one works for two more minutes, on every instance', async () => {
      const first = await oauth.tokens(person, {}, { scope: 'write' });
      const pair = await Promise.all([
        oauth.refresh(first.refresh_token),
        oauth.refresh(first.refresh_token, {}, twin.url),
      ]);
      expect(pair.map(({ status, scope }) => [status, scope])).toEqual([
        [200, 'read write'],
        [200, 'read write'],
      ]);
      expect(new Set([first.refresh_token, ...pair.map((answer) => answer.refresh_token)]).size).toBe(3);
      for (const { access_token: token } of [first, ...pair]) expect(await oauth.status(token)).toBe(200);
    });

    it('after which using the old one again ends the whole grant', async () => {
      const first = await oauth.tokens(person);
      const second = await oauth.refresh(first.refresh_token);
      const grant = await grantOf(first.access_token);
      await oauth.app.query(
        `update oauth_tokens set consumed_at = consumed_at - interval '121 seconds' where grant_id = $1`,
        [grant],
      );
      expect(told(await oauth.refresh(first.refresh_token))).toEqual(INVALID_GRANT);
      expect([
        await oauth.status(second.access_token),
        await oauth.status(second.access_token, twin.url),
      ]).toEqual([401, 401]);
      expect(told(await oauth.refresh(second.refresh_token!))).toEqual(INVALID_GRANT);
      const rows = await oauth.app.query(
        'select actor_kind, actor_name, transport, input from audit_log where target = $1',
        [`connection:${grant}`],
      );
      expect(rows).toContainEqual({
        actor_kind: 'client',
        actor_name: `Agent for ${store.ownerEmail}`,
        transport: 'oauth',
        input: { reason: 'a code or refresh token was used again' },
      });
    });

    it('only for the same client, scopes and resource', async () => {
      const { refresh_token: token } = await oauth.tokens(person);
      expect(told(await oauth.refresh(token, { client_id: oauth.other }))).toEqual(INVALID_GRANT);
      expect(told(await oauth.refresh(token, { scope: 'read write admin' }))).toEqual([400, 'invalid_scope']);
      expect(told(await oauth.refresh(token, { resource: 'https://other.example/mcp' }))).toEqual([
        400,
        'invalid_target',
      ]);
      expect(told(await oauth.refresh('shop_ort_' + 'x'.repeat(38)))).toEqual(INVALID_GRANT);
      expect((await oauth.refresh(token)).status).toBe(200);
    });

    it('that extends the grant, to at most 180 days', async () => {
      const { access_token: token, refresh_token: refresh } = await oauth.tokens(person);
      const grant = await grantOf(token);
      const days = async () => {
        const [row] = await oauth.app.query<{ days: number }>(
          `select extract(epoch from expires_at - created_at)::float8 / 86400 as days from oauth_grants
            where id = $1`,
          [grant],
        );
        return Math.round(row.days);
      };
      expect(await days()).toBe(30);
      await oauth.app.query(
        `update oauth_grants set created_at = created_at - interval '170 days' where id = $1`,
        [grant],
      );
      const { refresh_token: next } = await oauth.refresh(refresh);
      expect(await days()).toBe(180);
      await oauth.app.query(
        `update oauth_grants set created_at = created_at - interval '181 days',
          expires_at = now() - interval '1 day' where id = $1`,
        [grant],
      );
      expect([await oauth.status(token), told(await oauth.refresh(next!))]).toEqual([401, INVALID_GRANT]);
    });
  });

  it('are revoked when the app revokes one, but not when another app does', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await oauth.tokens(person);
      expect(
        (await oauth.post('/oauth/revoke', { client_id: oauth.other, token: tokens[which] })).status,
      ).toBe(200);
      expect(await oauth.status(tokens.access_token)).toBe(200);
      expect(
        (await oauth.post('/oauth/revoke', { client_id: oauth.agent, token: tokens[which] })).status,
      ).toBe(200);
      expect([
        await oauth.status(tokens.access_token, twin.url),
        told(await oauth.refresh(tokens.refresh_token)),
      ]).toEqual([401, INVALID_GRANT]);
    }
  });

  describe('open', () => {
    it('only the resource they are for', async () => {
      const mcp = await oauth.tokens(person);
      const partner = await oauth.tokens(person, { resource: v1() });
      expect([await oauth.status(mcp.access_token), (await callV1(mcp.access_token)).status]).toEqual([
        200, 401,
      ]);
      expect([await oauth.status(partner.access_token), (await callV1(partner.access_token)).status]).toEqual(
        [401, 200],
      );
    });

    it('no other resource, however its address is written', async () => {
      const { access_token: token } = await oauth.tokens(person, { resource: v1() });
      const { hostname, port } = new URL(oauth.app.url);
      const status = (path: string) =>
        new Promise<number>((resolve, reject) => {
          const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
          const request = http.request({ hostname, port, path, method: 'POST', headers }, (response) => {
            response.resume();
            resolve(response.statusCode!);
          });
          request.on('error', reject);
          request.end('{}');
        });
      expect(await Promise.all([`${oauth.app.url}/mcp`, '/mcp'].map(status))).toEqual([401, 401]);
      expect(await Promise.all([`${oauth.app.url}/v1/list_orders`, '/v1/list_orders'].map(status))).toEqual([
        200, 200,
      ]);
    });

    it('a resource, however the client writes its address', async () => {
      for (const resource of [
        `${oauth.resource}/`,
        oauth.issuer,
        `${oauth.issuer}/`,
        `${oauth.resource}?tools=orders`,
        null,
      ]) {
        const { access_token: token } = await oauth.tokens(person, { resource });
        expect(await oauth.status(token)).toBe(200);
      }
    });

    it('nothing if they come from a query, have a letter changed, or are another kind of token', async () => {
      const { access_token: access, refresh_token: refresh } = await oauth.tokens(person);
      const changed = access.slice(0, -1) + (access.endsWith('A') ? 'B' : 'A');
      const query = await fetch(`${oauth.issuer}/mcp?access_token=${access}`, { method: 'POST' });
      expect([query.status, await oauth.status(changed), await oauth.status(refresh)]).toEqual([
        401, 401, 401,
      ]);
      expect(
        (await oauth.app.post('/dashboard/api/auth/sign-out', {}, { Authorization: `Bearer ${access}` }))
          .status,
      ).toBe(401);
    });

    it('nothing when they have expired', async () => {
      const { access_token: token } = await oauth.tokens(person);
      await oauth.app.query(`update oauth_tokens set expires_at = now() where grant_id = $1`, [
        await grantOf(token),
      ]);
      expect(await oauth.status(token)).toBe(401);
    });

    it('what was granted, under the name of the app, in its store', async () => {
      const { access_token: token } = await oauth.tokens(
        person,
        { resource: v1() },
        { scope: 'write', store: store.id },
      );
      const { productId } = await store.product();
      const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
      const headers = { Authorization: `Bearer ${token}` };
      const done = await oauth.app.post('/v1/set_order_status', { orderId, status: 'PROCESSING' }, headers);
      expect([done.status, done.headers.get('ratelimit-limit')]).toEqual([200, '100000']);
      const [row] = await oauth.app.query(
        `select actor_kind, actor_id, actor_name, transport from audit_log where store_id = $1
          and operation = 'set_order_status'`,
        [store.id],
      );
      const grant = await grantOf(token);
      expect(row).toEqual({
        actor_kind: 'client',
        actor_id: grant,
        actor_name: `Agent for ${store.ownerEmail}`,
        transport: 'http',
      });
      const stranger = await oauth.app.store();
      const foreign = await stranger.place({
        items: [{ productId: (await stranger.product()).productId, quantity: 1 }],
      });
      expect((await oauth.app.post('/v1/get_order', { orderId: foreign.id }, headers)).status).toBe(404);
    });
  });

  describe('with a scope that is too narrow', () => {
    const challenge = (scope: string, what: string, resource: string) =>
      `Bearer error="insufficient_scope", error_description="${what}", scope="${scope}", ` +
      `resource_metadata="${oauth.issuer}/.well-known/oauth-protected-resource${resource}"`;

    it('get a challenge to request more in a 403 of HTTP, over MCP too', async () => {
      const { access_token: token } = await oauth.tokens(person, {}, { scope: 'read' });
      const calls = [
        callTool('set_order_status', { orderId: 1, status: 'SHIPPED' }),
        // Not the usual form of a call: it goes the whole way through the protocol's own server.
        callTool('set_order_status', { orderId: 1, status: 'SHIPPED' }, { progressToken: 1 }),
      ];
      for (const message of calls) {
        const refused = await oauth.mcp(token, message);
        expect(refused.status).toBe(403);
        expect(refused.headers.get('www-authenticate')).toBe(
          challenge('read write', 'set_order_status needs write', '/mcp'),
        );
        expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      }
      const [{ refused }] = await oauth.app.query<{ refused: number }>(
        `select count(*)::int as refused from audit_log where actor_id = $1 and outcome = 'forbidden'`,
        [await grantOf(token)],
      );
      expect(refused).toBe(2);
      const partner = await oauth.tokens(person, { resource: v1() }, { scope: 'read' });
      const overHttp = await callV1(partner.access_token, 'delete_order');
      expect([overHttp.status, overHttp.headers.get('www-authenticate')]).toEqual([
        403,
        challenge('read write admin', 'delete_order needs admin', '/v1'),
      ]);
    });

    it('get it also for a preview of what they may not do, and only for that', async () => {
      const { access_token: token } = await oauth.tokens(person, {}, { scope: 'write' });
      const { id } = await store.data('create_brand', { name: 'Out of reach', slug: 'out-of-reach' });
      const deletion = { operation: 'delete_brand', input: { id, confirm: true } };
      for (const meta of [undefined, { progressToken: 1 }]) {
        const refused = await oauth.mcp(token, callTool('preview_change', deletion, meta));
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
          403,
          challenge('read write admin', 'delete_brand needs admin', '/mcp'),
        ]);
        expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      }
      for (const [input, code] of [
        [{ ...deletion, more: true }, 'invalid_input'],
        [{ operation: 'connect_bot', input: {} }, 'invalid_input'],
        [{ operation: 'update_brand', input: { id, name: 'In reach' } }, undefined],
      ] as const) {
        const answer = await oauth.mcp(token, callTool('preview_change', input));
        expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
        const { result } = (await answer.json()) as any;
        expect(result.structuredContent.error?.code).toBe(code);
      }
    });

    it('are refused without a challenge if their person could not grant the scope', async () => {
      const staff = await StorePage.ofStaff(store, await StorePage.ofOwner(store));
      const { access_token: token } = await oauth.tokens(
        Object.assign(oauth.person(store), { email: staff.email }),
        {},
        { scope: 'write' },
      );
      const answer = await oauth.mcp(token, callTool('delete_order', { orderId: 1, confirm: true }));
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([200, null]);
      expect(await answer.json()).toMatchObject({
        result: { isError: true, structuredContent: { error: { code: 'forbidden' } } },
      });
    });

    it('do not change the answers to API tokens', async () => {
      const refused = await store.call('delete_order', { orderId: 1, confirm: true }, { scope: 'read' });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
    });
  });

  describe('end or lose scopes at once and everywhere', () => {
    let owned: TestStore;
    let owner: StorePage;
    let staff: Awaited<ReturnType<typeof StorePage.ofStaff>>;

    beforeEach(async () => {
      owned = await oauth.app.store();
      owner = await StorePage.ofOwner(owned);
      staff = await StorePage.ofStaff(owned, owner);
    });
    const everywhere = async (token: string) => [
      await oauth.status(token),
      await oauth.status(token, twin.url),
    ];

    it('when the membership ends', async () => {
      const { access_token: token } = await oauth.tokens(
        Object.assign(oauth.person(owned), { email: staff.email }),
      );
      expect(await everywhere(token)).toEqual([200, 200]);
      await owner.data('DELETE', `members/${staff.userId}`);
      expect(await everywhere(token)).toEqual([401, 401]);
    });

    it('when the owner hands the store over, if their scope is admin', async () => {
      const asked = { scope: 'admin' };
      const admin = await oauth.tokens(oauth.person(owned), asked, asked);
      const write = await oauth.tokens(oauth.person(owned), {}, { scope: 'write' });
      expect(await everywhere(admin.access_token)).toEqual([200, 200]);
      const path = `members/${staff.userId}/transfer-ownership`;
      const { connections } = await owner.data('POST', path, PROOF);
      expect(connections).toMatchObject([{ appName: 'Agent', revoked: true }]);
      expect([await everywhere(admin.access_token), told(await oauth.refresh(admin.refresh_token))]).toEqual([
        [401, 401],
        INVALID_GRANT,
      ]);
      expect(await everywhere(write.access_token)).toEqual([200, 200]);
      expect(await oauth.refresh(write.refresh_token)).toMatchObject({ status: 200, scope: 'read write' });
    });

    it('when an owner becomes staff and another owner keeps their grants', async () => {
      await owner.data('PUT', `members/${staff.userId}`, { role: 'owner', ...PROOF });
      const { access_token: token, refresh_token: refresh } = await oauth.tokens(
        Object.assign(oauth.person(owned), { email: staff.email }),
        { scope: 'admin' },
        { scope: 'admin' },
      );
      const remove = async () =>
        (await oauth.mcp(token, callTool('delete_order', { orderId: 1, confirm: true }), twin.url)).json();
      expect(await remove()).toMatchObject({
        result: { structuredContent: { error: { code: 'not_found' } } },
      });
      const body = { role: 'staff', keepTokens: true, ...PROOF };
      const { connections } = await owner.data('PUT', `members/${staff.userId}`, body);
      expect(connections).toMatchObject([{ appName: 'Agent', revoked: false }]);
      expect(await remove()).toMatchObject({
        result: { structuredContent: { error: { code: 'forbidden' } } },
      });
      const { result } = (await (await oauth.mcp(token)).json()) as { result: { tools: { name: string }[] } };
      expect(result.tools.map(({ name }) => name)).not.toContain('delete_order');
      expect(await oauth.refresh(refresh)).toMatchObject({ status: 200, scope: 'read write' });
    });

    it('when the password changes', async () => {
      const { access_token: token, refresh_token: refresh } = await oauth.tokens(oauth.person(owned));
      const passwords = { currentPassword: 'correct horse battery', newPassword: 'another horse battery' };
      expect((await owner.browser.post('auth/change-password', passwords)).status).toBe(200);
      expect([await everywhere(token), told(await oauth.refresh(refresh))]).toEqual([
        [401, 401],
        INVALID_GRANT,
      ]);
    });

    it('also if the app is refreshing at that moment', async () => {
      for (let round = 0; round < 5; round++) {
        const { refresh_token: refresh } = await oauth.tokens(oauth.person(owned));
        const [{ id }] = await owner.data('GET', 'connections').then(({ items }) => items);
        const [answer] = await Promise.all([
          oauth.refresh(refresh, {}, twin.url),
          owner.data('DELETE', `connections/${id}`),
        ]);
        expect([401, undefined]).toContain(
          answer.access_token ? await oauth.status(answer.access_token) : undefined,
        );
      }
    });
  });

  it('do not affect those of another computer, unless the app registered itself on each', async () => {
    const owned = await oauth.app.store();
    const first = await oauth.tokens(oauth.person(owned));
    await oauth.tokens(oauth.person(owned));
    expect(await oauth.status(first.access_token)).toBe(200);
    const { body } = await oauth.register({ redirect_uris: [CALLBACK] });
    const over = { client_id: body.client_id as string };
    const registered = await oauth.tokens(oauth.person(owned), over);
    await oauth.tokens(oauth.person(owned), over);
    expect(await oauth.status(registered.access_token)).toBe(401);
  });

  it('belong to at most 20 grants in a store, of which a new one replaces the longest unused', async () => {
    const owned = await oauth.app.store();
    const browser = oauth.person(owned);
    const first = await oauth.tokens(browser);
    await oauth.app.query(
      `update oauth_grants set created_at = created_at - interval '1 hour' where store_id = $1`,
      [owned.id],
    );
    const second = await oauth.tokens(browser);
    for (let i = 0; i < 19; i++) await browser.decide(oauth.request(), { store: owned.id });
    const [{ living }] = await oauth.app.query<{ living: number }>(
      'select count(*)::int as living from oauth_grants where store_id = $1',
      [owned.id],
    );
    expect([living, await oauth.status(first.access_token), await oauth.status(second.access_token)]).toEqual(
      [20, 401, 200],
    );
  });

  it('can be requested only at this host', async () => {
    const status = await new Promise((resolve) => {
      const { port } = new URL(oauth.issuer);
      const headers = { Host: 'evil.example' };
      http.get(
        { host: '127.0.0.1', port, path: '/.well-known/oauth-authorization-server', headers },
        (answer) => resolve(answer.resume().statusCode),
      );
    });
    expect(status).toBe(403);
  });
});
