import { Writable } from 'node:stream';
import { pino } from 'pino';
import { ClientTokens } from '../../../src/platform/auth/client-tokens.js';
import { Retention } from '../../../src/platform/database/retention.service.js';
import { Connections } from '../../../src/people/apps/connections.service.js';
import { StorePage, refusal } from '../dashboard/browser.js';
import { commandCode } from '../../support/servers/service-process.js';
import { everyRow } from '../../support/database/every-table.js';
import { preparedDatabase } from '../../support/database/own-database.js';
import { shop } from '../../support/servers/service-process.js';
import type { TestStore } from '../../support/test-app.js';
import { callTool, OauthApp, pkce } from './oauth-app.js';

/** docs/behaviour.md §15.6, §15.7: what people and the operator see and end, what is kept, and limits. */
describe('connected apps', () => {
  const lines: string[] = [];
  let oauth: OauthApp;
  let store: TestStore;
  let owner: StorePage;
  let staff: Awaited<ReturnType<typeof StorePage.ofStaff>>;

  beforeAll(async () => {
    const sink = new Writable({
      write(chunk: Buffer, _, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    // Of its own: what stands in it is looked at as a whole, and the command line runs on it.
    oauth = await OauthApp.start({ database: await preparedDatabase(), log: pino({ level: 'trace' }, sink) });
    store = await oauth.app.store();
    owner = await StorePage.ofOwner(store);
    staff = await StorePage.ofStaff(store, owner);
  });
  afterAll(() => oauth.app.stop());

  const ofStaff = () => Object.assign(oauth.person(store), { email: staff.email });
  const env = () => ({
    DATABASE_URL: oauth.app.database.ownerUrl,
    ENCRYPTION_KEY: process.env.TEST_ENCRYPTION_KEY!,
  });

  it('are all listed to an owner, and only their own to staff', async () => {
    await oauth.tokens(oauth.person(store), { scope: 'admin' }, { scope: 'admin' });
    const { access_token: token } = await oauth.tokens(ofStaff(), {}, { scope: 'write' });
    await oauth.status(token);
    await oauth.app.nest.get(ClientTokens).flushLastUsed();
    const { items } = await owner.data('GET', 'connections');
    expect(items.map(({ email, scope }: any) => [email, scope])).toEqual([
      [staff.email, 'write'],
      [store.ownerEmail, 'admin'],
    ]);
    expect(items[0]).toEqual({
      id: expect.any(String),
      appName: 'Agent',
      dailyLimits: null,
      appHost: 'agent.example',
      redirectHost: 'localhost:5000',
      userId: staff.userId,
      email: staff.email,
      scope: 'write',
      groups: expect.arrayContaining(['orders', 'products']),
      resource: oauth.resource,
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(items[1].lastUsedAt).toBeNull();
    expect((await staff.data('GET', 'connections')).items).toEqual([items[0]]);
    const stranger = await StorePage.ofOwner(await oauth.app.store());
    expect((await stranger.data('GET', 'connections')).items).toEqual([]);
    const elsewhere = new StorePage(stranger.browser, store.id);
    expect(await elsewhere.send('GET', 'connections')).toMatchObject(refusal(404, 'not_found'));
  });

  it('can be disconnected by an owner, or staff if their own, and nobody else; audited', async () => {
    const mine = await oauth.tokens(oauth.person(store));
    const theirs = await oauth.tokens(ofStaff());
    const [{ id: ofThem }, { id: ofMe }] = (await owner.data('GET', 'connections')).items;
    expect(await staff.send('DELETE', `connections/${ofMe}`)).toMatchObject(refusal(404, 'not_found'));
    const stranger = await StorePage.ofOwner(await oauth.app.store());
    expect(await stranger.send('DELETE', `connections/${ofMe}`)).toMatchObject(refusal(404, 'not_found'));
    expect(await owner.send('DELETE', 'connections/x')).toMatchObject(refusal(404, 'not_found'));
    expect(await oauth.status(mine.access_token)).toBe(200);
    expect(await staff.data('DELETE', `connections/${ofThem}`)).toEqual({ id: ofThem, deleted: true });
    expect(await owner.data('DELETE', `connections/${ofMe}`)).toEqual({ id: ofMe, deleted: true });
    expect([await oauth.status(mine.access_token), await oauth.status(theirs.access_token)]).toEqual([
      401, 401,
    ]);
    const { items } = await owner.data('GET', `audit?target=connection:${ofThem}`);
    expect(items).toMatchObject([
      {
        operation: 'connection.revoke',
        transport: 'dashboard',
        actor: { kind: 'user', name: staff.email },
        changes: { appName: ['Agent', null], scope: ['read', null] },
      },
      {
        operation: 'connection.create',
        transport: 'oauth',
        actor: { kind: 'user', name: staff.email },
        input: {
          appName: 'Agent',
          appHost: 'agent.example',
          clientId: oauth.agent,
          redirectHost: 'localhost:5000',
          scope: 'read',
        },
      },
    ]);
  });

  it('are added, listed, blocked and ended from the command line', async () => {
    const run = async (name: string, options: Record<string, string> = {}): Promise<any> =>
      (await commandCode(name)).run({ app: oauth.app.nest, options, runtime: undefined as never });
    for (const bad of ['http://erp.example/cb', 'erp', 'https://erp.example/#x', 'javascript:alert(1)']) {
      await expect(run('oauth client add', { name: 'ERP', 'redirect-uris': bad })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    for (const name of ['x'.repeat(101), ' ']) {
      const added = run('oauth client add', { name, 'redirect-uris': 'https://erp.example/cb' });
      await expect(added).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const uris = ['https://erp.example/cb', 'https://erp.example/cb2'];
    const added = await run('oauth client add', { name: 'ERP', 'redirect-uris': uris.join(', ') });
    expect(added).toEqual({ id: expect.stringMatching(/^app_/), name: 'ERP', redirectUris: uris });
    const over = { client_id: added.id as string, redirect_uri: uris[1] };
    const [first, second] = [
      await oauth.tokens(oauth.person(store), over),
      await oauth.tokens(oauth.person(store)),
    ];
    const listed = await shop(env(), 'oauth', 'connections', '--store', store.id);
    expect(listed.output.slice(0, 2)).toMatchObject([
      { appName: 'Agent' },
      { appName: 'ERP', appHost: null },
    ]);
    const { id } = listed.output[0] as { id: string };
    expect(await run('oauth revoke', { store: store.id, id })).toEqual({ id, deleted: true });
    expect([await oauth.status(first.access_token), await oauth.status(second.access_token)]).toEqual([
      200, 401,
    ]);
    const client = over.client_id;
    expect(await run('oauth client block', { id: client })).toEqual({ client, endedConnections: 1 });
    expect([
      await oauth.status(first.access_token),
      (await oauth.refresh(first.refresh_token, over)).error,
    ]).toEqual([401, 'invalid_client']);
    const [audited] = (await owner.data('GET', 'audit?operation=connection.revoke')).items;
    expect(audited).toMatchObject({
      actor: { kind: 'system' },
      transport: 'cli',
      input: { reason: 'the app was blocked' },
    });
    expect(await run('oauth client unblock', { id: client })).toEqual({ client, unblocked: true });
    const bad: Record<string, string>[] = [
      {},
      { id: client, host: 'a.example' },
      { id: '' },
      { host: 'https://a.example' },
      { host: 'a.example/x' },
    ];
    for (const options of bad) {
      await expect(run('oauth client block', options)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    const agents = await oauth.tokens(oauth.person(store));
    expect(await run('oauth client block', { host: 'AGENT.example:443' })).toMatchObject({
      client: 'agent.example',
    });
    expect(await oauth.status(agents.access_token)).toBe(401);
    expect(await run('oauth client unblock', { host: 'Agent.Example' })).toEqual({
      client: 'agent.example',
      unblocked: true,
    });
    await expect(run('oauth revoke', { store: store.id, id: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('leave no code, token, verifier or form secret in any table or log', async () => {
    const registered = (
      await oauth.register({ client_name: 'Leaky', redirect_uris: ['http://localhost:5000/callback'] })
    ).body;
    const over = { client_id: registered.client_id as string };
    const { verifier, challenge } = pkce();
    const person = oauth.person(store);
    const { callback, asked } = await person.decide(oauth.request(over, challenge));
    const code = callback!.searchParams.get('code')!;
    const uid = asked.at.pathname.split('/').at(-1)!;
    const first = await oauth.exchange({ code, verifier }, over);
    const second = await oauth.refresh(first.refresh_token!, over);
    await oauth.exchange({ code: 'wrong', verifier }, over);
    await oauth.mcp(second.access_token!, callTool('list_orders'));
    const secrets = [
      code,
      verifier,
      first.access_token!,
      first.refresh_token!,
      second.access_token!,
      second.refresh_token!,
      person.password,
    ];
    const waiting = await person.arrive(oauth.request(over));
    const rows = JSON.stringify(await everyRow(oauth.app.database.ownerUrl));
    const written = lines.join('');
    expect(written.length).toBeGreaterThan(1000);
    expect(rows).toContain('Leaky');
    expect(secrets.filter((secret) => rows.includes(secret) || written.includes(secret))).toEqual([]);
    // What is done with is forgotten.
    expect(rows).not.toContain(uid);
    expect(waiting.status).toBe(200);
  });

  it('are purged in time: requests, tokens, grants, and registrations that got no access', async () => {
    const { body } = await oauth.register({ redirect_uris: ['http://localhost:5000/callback'] });
    const used = (await oauth.register({ redirect_uris: ['http://localhost:5000/callback'] })).body;
    await oauth.tokens(oauth.person(store), { client_id: used.client_id as string });
    await oauth.app.query(
      `update oauth_clients set expires_at = expires_at - interval '25 hours' where kind = 'registered'`,
    );
    expect(
      (await oauth.person(store).open(oauth.request({ client_id: body.client_id as string }))).status,
    ).toBe(400);
    for (const table of ['oauth_interactions', 'oauth_grants']) {
      await oauth.app.query(`update ${table} set expires_at = now() - interval '1 second'`);
    }
    expect(await oauth.app.nest.get(Connections).list(store.id, null)).toEqual([]);
    await oauth.app.nest.get(Retention).purge();
    for (const table of ['oauth_interactions', 'oauth_grants', 'oauth_tokens']) {
      expect([table, await oauth.app.query(`select 1 from ${table}`)]).toEqual([table, []]);
    }
    const left = await oauth.app.query<{ id: string }>(
      `select id from oauth_clients where kind = 'registered'`,
    );
    expect(left.map(({ id }) => id)).toContain(used.client_id);
    expect(left.map(({ id }) => id)).not.toContain(body.client_id);
  });

  it('have a separate budget for each grant', async () => {
    const narrow = await OauthApp.start({ env: { RATE_LIMIT_READ: '2' } });
    try {
      const person = narrow.person(await narrow.app.store());
      const tokens = [await narrow.tokens(person), await narrow.tokens(person)];
      const statuses = [];
      for (let i = 0; i < 3; i++) {
        for (const { access_token: token } of tokens) statuses.push(await narrow.status(token));
      }
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    } finally {
      await narrow.app.stop();
    }
  });

  it('can be requested within limits, which are reported as OAuth errors with Retry-After', async () => {
    const narrow = await OauthApp.start({ env: { RATE_LIMIT_BAD_TOKENS: '2' } });
    try {
      const post = () =>
        fetch(`${narrow.issuer}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'x' }),
        });
      expect([(await post()).status, (await post()).status]).toEqual([400, 400]);
      const refused = await post();
      expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
      const person = narrow.person(await narrow.app.store());
      const ids = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3'];
      const pages: [number, boolean][] = [];
      for (const id of ids) {
        const { status, headers } = await person.open(narrow.request({ client_id: id }));
        pages.push([status, headers.has('retry-after')]);
      }
      expect(pages).toEqual([
        [400, false],
        [400, false],
        [429, true],
      ]);
    } finally {
      await narrow.app.stop();
    }
  });
});
