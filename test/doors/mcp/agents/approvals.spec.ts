import { StorePage } from '../../dashboard/browser.js';
import { callTool, useOauth } from '../../oauth/oauth-app.js';
import { BotApiServer } from '../../../support/servers/bot-api-server.js';
import { eventually } from '../../../support/eventually.js';
import type { TestStore } from '../../../support/test-app.js';

/** docs/behaviour.md §8: for clients that cannot ask their person, what matters waits on a page. */
describe('an app that asks first', () => {
  let messenger: BotApiServer;
  let store: TestStore;
  let owner: StorePage;
  let token: string;
  let lastBotId = 2_200_000_000;

  const oauth = useOauth(async () => {
    messenger = await BotApiServer.start();
    return { env: { MESSENGER_API_ROOT: messenger.apiRoot } };
  });
  afterAll(() => messenger.close());
  beforeEach(async () => {
    messenger.reset();
    store = await oauth.app.store({ name: 'Nordwind' });
    owner = await StorePage.ofOwner(store);
    token = await letIn({ askFirst: 'true' });
  });

  const letIn = async (fields: Record<string, string>) => {
    const decision = { scope: 'admin', fields };
    return (await oauth.tokens(oauth.person(store), {}, decision)).access_token;
  };
  const call = async (name: string, input: object, as = token) => {
    const answer = (await (await oauth.mcp(as, callTool(name, input))).json()) as any;
    return answer.result as { structuredContent: any; isError?: boolean };
  };
  const brand = async (name: string) =>
    (await store.data('create_brand', { name, slug: name.toLowerCase() })).id as string;
  const held = async (name: string, input: object) => {
    const { structuredContent } = await call(name, input);
    expect(structuredContent).toMatchObject({ ok: true, data: { preview: true } });
    return structuredContent.data as { previewId: string; approve: string; rows: any[]; warnings: string[] };
  };
  const decide = (id: string, how: 'apply' | 'decline') => owner.send('POST', `approvals/${id}/${how}`);
  const exists = async (id: string) => (await store.call('get_brand', { id })).status === 200;

  it('does what matters once a person has pressed Apply, and gets the answer', async () => {
    const id = await brand('Anker');
    const input = { id, confirm: true };
    const { previewId, approve, rows } = await held('delete_brand', input);
    expect(approve).toBe(`${oauth.issuer}/dashboard/${store.id}/approvals`);
    expect(rows[0]).toMatchObject({ record: 'Anker', after: 'deleted' });
    expect(await exists(id)).toBe(true);
    const early = await call('apply_change', { previewId });
    expect([early.isError, early.structuredContent.error.code]).toEqual([true, 'forbidden']);
    const { items } = await owner.data('GET', 'approvals');
    expect(items).toMatchObject([
      {
        ...{ id: previewId, operation: 'delete_brand', state: 'waiting', warnings: [], rows },
        ...{ question: 'Delete the brand "Anker"?', by: `Agent for ${store.ownerEmail}` },
      },
    ]);
    expect((await decide(previewId, 'apply')).body.data).toEqual({ id: previewId, state: 'applied' });
    expect(await exists(id)).toBe(false);
    const applied = await call('apply_change', { previewId });
    expect(applied.structuredContent).toEqual({ ok: true, data: { id, deleted: true } });
    expect((await decide(previewId, 'apply')).status).toBe(404);
    const [row] = await oauth.app.query<any>(
      `select actor_kind, transport from audit_log where store_id = $1 and operation = 'delete_brand'`,
      [store.id],
    );
    expect(row).toEqual({ actor_kind: 'user', transport: 'dashboard' });
  });

  it('is told that the person declined', async () => {
    const id = await brand('Anker');
    const { previewId } = await held('delete_brand', { id, confirm: true });
    expect((await decide(previewId, 'decline')).body.data.state).toBe('declined');
    const { structuredContent } = await call('apply_change', { previewId });
    expect(structuredContent.error).toMatchObject({ code: 'precondition_failed' });
    expect(await exists(id)).toBe(true);
    expect((await owner.data('GET', 'approvals')).items[0].state).toBe('declined');
  });

  it('waits with warnings, with many records and with messages, and not with the rest', async () => {
    const { productId } = await store.product({ price: '10' });
    const { warnings } = await held('update_prices', { items: [{ productId, price: 0.01 }] });
    expect(warnings).toEqual([expect.stringMatching(/^item 0: .*0\.01/)]);
    const told = { problem: 'price_jump', values: { before: 10, after: 0.01 } };
    expect((await owner.data('GET', 'approvals')).items[0].warnings).toEqual([{ text: warnings[0], told }]);
    const ids: number[] = [];
    for (let i = 0; i < 21; i++)
      ids.push((await store.place({ items: [{ productId, quantity: 1 }] })).id as number);
    const { previewId } = await held('set_order_statuses', { orderIds: ids, status: 'CANCELLED' });
    expect((await decide(previewId, 'apply')).status).toBe(200);
    expect((await call('apply_change', { previewId })).structuredContent.data.updated).toBe(21);
    const harmless = await call('create_brand', { name: 'New', slug: 'new' });
    expect(harmless.structuredContent.data).toMatchObject({ name: 'New' });
    const looking = await call('list_brands', {});
    expect(looking.structuredContent.ok).toBe(true);
    const withBot = await letIn({ askFirst: 'true', groups: 'bot' });
    const bot = await call('connect_bot', { token: `${++lastBotId}:${'A'.repeat(35)}` }, withBot);
    expect(bot.structuredContent.error).toMatchObject({ code: 'forbidden' });
  });

  it('gets the approval that waits when it repeats its call, and another for another call', async () => {
    const [id, other] = [await brand('Anker'), await brand('Other')];
    const first = await held('delete_brand', { id, confirm: true });
    expect(await held('delete_brand', { confirm: true, id })).toEqual(first);
    expect((await owner.data('GET', 'approvals')).items).toHaveLength(1);
    const { previewId } = await held('delete_brand', { id: other, confirm: true });
    expect(previewId).not.toBe(first.previewId);
    await store.data('update_brand', { id, name: 'Renamed' });
    const renamed = await held('delete_brand', { id, confirm: true });
    expect(renamed).toMatchObject({ previewId: first.previewId, rows: [{ record: 'Renamed' }] });
    expect((await decide(first.previewId, 'apply')).status).toBe(200);
    expect(await exists(id)).toBe(false);
    expect((await decide(previewId, 'decline')).status).toBe(200);
    const anew = await held('delete_brand', { id: other, confirm: true });
    expect(anew.previewId).not.toBe(previewId);
    const elsewhere = await letIn({ askFirst: 'true' });
    const { structuredContent } = await call('delete_brand', { id: other, confirm: true }, elsewhere);
    expect(structuredContent.data.previewId).not.toBe(anew.previewId);
  });

  it('is refused before anybody is asked, and asks no more once the grant says so', async () => {
    const missing = await call('delete_brand', { id: store.id, confirm: true });
    expect(missing.structuredContent.error.code).toBe('not_found');
    expect((await owner.data('GET', 'approvals')).items).toEqual([]);
    const free = await letIn({});
    const id = await brand('Anker');
    const done = await call('delete_brand', { id, confirm: true }, free);
    expect(done.structuredContent.data).toEqual({ id, deleted: true });
  });

  it('is not applied if it would now be another change', async () => {
    const id = await brand('Anker');
    const { previewId } = await held('delete_brand', { id, confirm: true });
    await store.data('update_brand', { id, name: 'Other' });
    expect((await decide(previewId, 'apply')).status).toBe(412);
    expect(await exists(id)).toBe(true);
  });

  it('tells its person in the messenger, and shows approvals to members who could do it', async () => {
    const botToken = `${++lastBotId}:${'A'.repeat(35)}`;
    await store.data('connect_bot', { token: botToken });
    await oauth.app.query(
      `insert into notice_chats (store_id, user_id, language, chat_id, bot_id, linked_at)
       select m.store_id, m.user_id, 'en', 4242, $2, now() from store_members m where m.store_id = $1`,
      [store.id, lastBotId],
    );
    const staff = await StorePage.ofStaff(store, owner);
    const id = await brand('Anker');
    await held('delete_brand', { id, confirm: true });
    await eventually('the person is told', () => messenger.callsOf('sendMessage').length > 0);
    // The same call again tells nobody anew.
    await held('delete_brand', { id, confirm: true });
    await held('delete_brand', { id: await brand('Other'), confirm: true });
    await eventually('the person is told of the other', () =>
      messenger.callsOf('sendMessage').some(({ body }) => JSON.stringify(body).includes('Other')),
    );
    const told = messenger
      .callsOf('sendMessage')
      .filter(({ body }) => JSON.stringify(body).includes('Anker'));
    expect(told).toHaveLength(1);
    const [{ body }] = messenger.callsOf('sendMessage');
    expect(body).toMatchObject({ chat_id: '4242', text: expect.stringContaining('An app waits for you') });
    expect(JSON.stringify(body)).toContain(`${store.id}/approvals`);
    expect((await staff.data('GET', 'approvals')).items).toEqual([]);
  });
});
