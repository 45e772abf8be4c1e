import { INSTRUCTIONS } from '../../../src/doors/mcp/connection/instructions.js';
import { TokenRegistry } from '../../../src/platform/auth/token-registry.js';
import type { Groups, Scope } from '../../../src/access/rights.js';
import { StorePage } from '../dashboard/browser.js';
import { callTool, useOauth } from '../oauth/oauth-app.js';
import type { Decision } from '../oauth/person.js';
import { TestClock, type TestStore } from '../../support/test-app.js';
import { ERAS, RawClient } from './raw-client.js';

/** One host cuts instructions after so many characters. */
const LONGEST = 2_048;

/** docs/behaviour.md §8: what a model is told when it connects. */
describe('the instructions of a connection', () => {
  const clock = new TestClock();
  let store: TestStore;

  const oauth = useOauth({ clock, env: { RATE_LIMIT_READ: '100', RATE_LIMIT_WRITE: '30' } });
  beforeAll(async () => {
    store = await oauth.app.store({ name: 'Olena\n Ceramics', currency: 'JOD' });
  });

  const describedTo = async (token: string, path = '/mcp', era = ERAS[1]) => {
    const client = new RawClient(oauth.app, token, era, path);
    const method = era === 'modern' ? 'server/discover' : 'initialize';
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const { messages } = await client.send(method, era === 'modern' ? {} : (hello as object));
    return messages[0].result;
  };
  const tokenWith = (groups: Groups, scope: Scope) =>
    store.inside(async (ctx) => {
      const made = { name: 'narrow', scope, groups: groups && [...groups], expiresAt: null };
      return (await oauth.app.nest.get(TokenRegistry).create(ctx, made)).token;
    });
  const appWith = async (decision: Decision) =>
    (await oauth.tokens(oauth.person(store), {}, decision)).access_token;

  it.each(ERAS)('name the store, its currency, level, budgets and the time (%s)', async (era) => {
    const { instructions, serverInfo, _meta } = await describedTo(store.tokens.write, '/mcp', era);
    expect(instructions).toContain(
      `Store: Olena Ceramics (${store.id}), JOD with 3 decimals. You may look, change; 100 reads and 30 ` +
        `writes a minute. Now it is ${clock.now().toISOString().slice(0, 16)}Z (UTC).`,
    );
    const info = serverInfo ?? _meta['io.modelcontextprotocol/serverInfo'];
    expect(info).toMatchObject({
      websiteUrl: expect.stringMatching(/^http/),
      icons: [{ src: expect.stringMatching(/\/dashboard\/favicon\.svg$/), mimeType: 'image/svg+xml' }],
    });
    expect(info.title).toBe('Shop administration: Olena Ceramics');
    expect(instructions.endsWith(INSTRUCTIONS)).toBe(true);
  });

  it('tell the time by the clock of the store', async () => {
    const abroad = await oauth.app.store();
    await oauth.app.query(`update stores set time_zone = 'Asia/Kathmandu' where id = $1`, [abroad.id]);
    const { instructions } = await describedTo(abroad.tokens.read);
    const [, time, zone] = /Now it is (\S+) \((\S+)\)\./.exec(instructions)!;
    expect([time.slice(-6), zone]).toEqual(['+05:45', 'Asia/Kathmandu']);
    expect(new Date(time)).toEqual(new Date(`${clock.now().toISOString().slice(0, 16)}Z`));
  });

  it.each<[string, Groups, Scope, string, string]>([
    ['all', null, 'admin', '', ''],
    ['reading', null, 'read', 'Out of reach: to change, to delete; an owner can make a token', 'Groups'],
    ['orders', ['orders'], 'admin', 'Groups: orders. Out of reach: other groups; an owner', 'granted'],
  ])('tell a token what is out of its reach (%s)', async (_, groups, scope, said, unsaid) => {
    const { instructions } = await describedTo(await tokenWith(groups, scope));
    expect(instructions).toContain(said);
    if (unsaid) expect(instructions).not.toContain(unsaid);
    else expect(instructions).not.toMatch(/Out of reach|granted|Groups/);
  });

  it('tell an app what its person could still allow', async () => {
    const { instructions } = await describedTo(await appWith({ scope: 'read' }));
    expect(instructions).toContain(
      'Groups: all but bot, payment-providers. Not granted yet: to change, to delete, other groups. Call ' +
        'the tool anyway: the person is asked then.',
    );
    expect(instructions).not.toContain('Out of reach');
  });

  it('are followed by the name of the store where a mistaken one would cost most', async () => {
    const client = new RawClient(oauth.app, store.tokens.admin, 'modern');
    const notes = async (name: string, input: object) =>
      (await client.call(name, input)).content.slice(1).map(({ text }: { text: string }) => text);
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    const brand = await store.data('create_brand', { name: 'A', slug: 'a' });
    const change = { operation: 'update_brand', input: { id: brand.id, name: 'B' } };
    for (const [name, input] of [
      ['preview_change', change],
      ['refund_order', { orderId }],
      ['delete_brand', { id: brand.id, confirm: true }],
    ] as const)
      expect([name, await notes(name, input)]).toEqual([
        name,
        [expect.stringMatching(/^Store: Olena Ceramics\./)],
      ]);
    expect((await notes('get_order', { orderId })).join()).not.toContain('Store');
  });

  it('stay short enough for hosts that cut them', async () => {
    expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThanOrEqual(1_024);
    for (const word of ['minor', 'major', 'nextCursor', 'confirm: true', 'previews', 'seconds', 'Ids'])
      expect(INSTRUCTIONS).toContain(word);
    const names = (await describedTools()).slice(0, 60);
    const narrow = await describedTo(await tokenWith(names, 'read'), '/mcp?readonly=true');
    expect(narrow.instructions.length).toBeLessThanOrEqual(LONGEST);
    expect(narrow.instructions).toContain('and 40 more');
    expect(narrow.instructions).toContain('leaves tools out');
  });

  const describedTools = async (): Promise<string[]> => {
    const { messages } = await new RawClient(oauth.app, store.tokens.admin).send('tools/list');
    return messages[0].result.tools.map(({ name }: { name: string }) => name);
  };

  describe('whose address names a store', () => {
    let other: TestStore;
    beforeAll(async () => void (other = await oauth.app.store()));

    const ask = (token: string, query: string) =>
      fetch(`${oauth.issuer}/mcp${query}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(callTool('list_orders')),
      });

    it('serves only what is for that store', async () => {
      const app = await appWith({ scope: 'read' });
      for (const token of [app, store.tokens.read]) {
        expect((await ask(token, `?store=${store.id}`)).status).toBe(200);
        expect((await ask(token, `?store=${store.id.toUpperCase()}`)).status).toBe(200);
      }
      const refused = await ask(store.tokens.read, `?store=${other.id}`);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null]);
      expect(await refused.json()).toMatchObject({ error: { message: 'This token is for another store' } });
      expect((await ask(store.tokens.read, `?store=${store.id}&store=${other.id}`)).status).toBe(400);
    });

    it('has an app ask its person for that store, which alone can be chosen', async () => {
      const { browser } = await StorePage.ofOwner(store);
      const there = await StorePage.ofOwner(other);
      const { invitation } = await there.data('POST', 'members', { email: store.ownerEmail });
      await browser.accept(invitation);
      const app = await appWith({ scope: 'read', store: store.id });
      const refused = await ask(app, `?store=${other.id}`);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain(
        `/.well-known/oauth-protected-resource/mcp?store=${other.id}"`,
      );
      const resource = `${oauth.resource}?store=${other.id}`;
      const { access_token: token } = await oauth.tokens(
        oauth.person(store),
        { resource },
        { scope: 'read', store: other.id },
      );
      expect((await ask(token, `?store=${other.id}`)).status).toBe(200);
    });
  });
});
