import { LongPoll } from '../../../src/groups/events/long-poll.service.js';
import { TokenRegistry } from '../../../src/platform/auth/token-registry.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { type Era, ERAS, RawClient } from '../../doors/mcp/raw-client.js';
import { callTool, useOauth } from '../../doors/oauth/oauth-app.js';
import { ownDatabase } from '../../support/database/own-database.js';
import { eventually } from '../../support/eventually.js';
import type { TestStore } from '../../support/test-app.js';

/** docs/behaviour.md §14: who loses access while its call waits is told nothing more. */
describe('the caller of a feed call that waits', () => {
  let store: TestStore;
  let owner: StorePage;
  let input: { cursor: string; waitSeconds: number };

  const oauth = useOauth(async () => ({ database: await ownDatabase() }));
  beforeEach(async () => {
    store = await oauth.app.store();
    owner = await StorePage.ofOwner(store);
    input = { cursor: (await store.data('list_events')).nextCursor, waitSeconds: 20 };
  });

  const happens = async () =>
    store.place({ items: [{ productId: (await store.product()).productId, quantity: 1 }] });
  /** What a call is answered that waits while `loss` is done, and something happens after it. */
  const answerAfter = async <Result>(answer: Promise<Result>, loss: () => Promise<unknown>) => {
    const polls = oauth.app.nest.get(LongPoll);
    await eventually('the call waits', () => polls.waiting === 1);
    await loss();
    await happens();
    return answer;
  };
  const revoke = async () => {
    const { items } = await owner.data('GET', 'tokens');
    for (const { id, scope } of items) if (scope === 'read') await owner.data('DELETE', `tokens/${id}`);
  };
  const disconnect = async () => {
    const { items } = await owner.data('GET', 'connections');
    await owner.data('DELETE', `connections/${items[0].id}`);
  };
  const suspend = async () => {
    await oauth.app.query(
      `update stores set suspended_at = now(), suspended_reason = 'unpaid' where id = $1`,
      [store.id],
    );
    await oauth.app.nest.get(TokenRegistry).forget(store.id);
  };

  it.each(['list_events', 'list_changes'])('gets 401 of %s once its token is revoked', async (operation) => {
    const { nextCursor: cursor } = await store.data(operation);
    const answer = await answerAfter(store.call(operation, { ...input, cursor }, { scope: 'read' }), revoke);
    expect([answer.status, answer.body.error?.code]).toEqual([401, 'invalid_token']);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(answer.body.data).toBeUndefined();
  });

  it('gets 403 of a store that was suspended', async () => {
    const { status, body } = await answerAfter(store.call('list_events', input), suspend);
    expect([status, body.error?.message]).toEqual([403, 'This store is suspended: unpaid']);
  });

  it.each(ERAS)('is refused over MCP (%s)', async (era: Era) => {
    const client = new RawClient(oauth.app, store.tokens.read, era);
    const sent = client.send('tools/call', { name: 'list_events', arguments: input });
    const { result } = (await answerAfter(sent, revoke)).messages.at(-1);
    expect(result.isError).toBe(true);
    expect(result.structuredContent.error.code).toBe('invalid_token');
  });

  it('is refused over MCP on a stream whose headers are sent', async () => {
    const client = new RawClient(oauth.app, store.tokens.read);
    const _meta = { progressToken: 1 };
    const sent = client.send('tools/call', { name: 'list_events', arguments: input, _meta });
    const { result } = (await answerAfter(sent, revoke)).messages.at(-1);
    expect(result.structuredContent.error.code).toBe('invalid_token');
  });

  it('is refused as an app that was disconnected', async () => {
    const { access_token: token } = await oauth.tokens(oauth.person(store));
    const sent = oauth.mcp(token, callTool('list_events', input));
    const { result } = (await (await answerAfter(sent, disconnect)).json()) as any;
    expect(result.structuredContent.error.code).toBe('invalid_token');
  });

  it('gets 404 on the dashboard once the member is removed', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    const answer = staff.send('POST', 'operations/list_events', input);
    const remove = () => owner.data('DELETE', `members/${staff.userId}`);
    expect(await answerAfter(answer, remove)).toMatchObject({ status: 404 });
  });

  it('is told of the kinds of records that it may see now', async () => {
    const staff = await StorePage.ofStaff(store, owner);
    await staff.data('POST', 'operations/create_brand', { name: 'Before', slug: 'before' });
    let cursor = '';
    await eventually('the brand is in the feed', async () => {
      const page = await staff.data('POST', 'operations/list_changes', cursor ? { cursor } : {});
      cursor = page.nextCursor;
      return page.items.length > 0;
    });
    const answer = staff.data('POST', 'operations/list_changes', { cursor, waitSeconds: 5 });
    const page = await answerAfter(answer, () =>
      owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['orders', 'brands', 'events'] }),
    );
    expect(page.items.filter(({ kind }: { kind: string }) => kind === 'product')).toEqual([]);
  });
});
