import { Drain } from '../../../src/platform/http/drain.js';
import { eventually, gate } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const HOUR_MS = 3_600_000;
const INPUT = { name: 'Spring', text: 'Sale!', audience: { all: true }, confirm: true };

describe('a campaign that is called again', () => {
  const clock = new TestClock();
  let store: TestStore;

  const { app, messenger: server } = useShopWithMessenger({ clock });
  beforeEach(async () => {
    server.reset();
    store = await app.store();
    await store.data('connect_bot', { token: store.botToken });
    await app.query(
      `insert into customers (store_id, id, created_at, updated_at)
       select $1, generate_series(1, 4), now(), now()`,
      [store.id],
    );
  });

  const send = (more: object = {}) => store.data('send_campaign', { ...INPUT, ...more });
  const withKey = async (key: string) =>
    (await store.call('send_campaign', INPUT, { headers: { 'Idempotency-Key': key } })).body.data;
  const messages = () => server.callsOf('sendMessage').map(({ body }) => body.chat_id);
  const list = async () => (await store.data('list_campaigns', {}, { scope: 'read' })).items;

  it('goes on with the campaign of the last hour, says so, and sends nobody twice', async () => {
    const first = await send();
    expect(first).not.toHaveProperty('repeated');
    clock.advance(HOUR_MS - 1);
    expect(await send()).toEqual({ ...first, repeated: true });
    expect(messages()).toHaveLength(4);
    const other = await store.data('send_campaign', INPUT, { scope: 'write' });
    expect([other.campaignId === first.campaignId, messages().length]).toEqual([false, 8]);
    expect((await send({ name: 'Other' })).campaignId).not.toBe(first.campaignId);
    clock.advance(2);
    expect((await send()).campaignId).not.toBe(first.campaignId);
  });

  it('is a new one with a new Idempotency-Key, and a call without one goes on with that', async () => {
    const first = await withKey('one');
    const second = await withKey('two');
    expect([second.campaignId === first.campaignId, messages().length]).toEqual([false, 8]);
    expect(await send()).toMatchObject({ campaignId: second.campaignId, repeated: true });
    expect(messages()).toHaveLength(8);
  });

  it('is sent once by two calls at the same time', async () => {
    const [one, two] = await Promise.all([send(), send()]);
    expect(two.campaignId).toBe(one.campaignId);
    expect(messages()).toHaveLength(4);
  });

  it('ends with those who are pending if the messenger asks for a pause of more than 30 s', async () => {
    const began = performance.now();
    server.next('sendMessage', botApi.tooManyRequests(86_400));
    const first = await send();
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(first).toMatchObject({ recipientCount: 4, sent: 0, failed: 0, pending: 4, failures: [] });
    const [listed] = await list();
    expect(listed).toMatchObject({ state: 'interrupted', recipients: 4, pending: 4, finishedAt: null });
    clock.advance(24 * HOUR_MS - 1);
    const second = await send();
    expect(second).toMatchObject({ campaignId: first.campaignId, sent: 4, repeated: true });
    expect(second).not.toHaveProperty('pending');
    const got = await store.data('get_campaign', { id: first.campaignId }, { scope: 'read' });
    expect(got).toMatchObject({ name: 'Spring', text: 'Sale!', audience: 'all', state: 'finished', sent: 4 });
    expect(got.failures).toEqual([]);
  });

  it('stops when the caller of /v1 has gone, and the same call sends the rest', async () => {
    const { opened, open } = gate();
    server.next('sendMessage', botApi.held(opened, botApi.result({ message_id: 1 })));
    const caller = new AbortController();
    const gone = fetch(`${app.url}/v1/send_campaign`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${store.tokens.admin}` },
      body: JSON.stringify(INPUT),
      signal: caller.signal,
    }).catch(() => undefined);
    await eventually('the first message is sent', () => messages().length > 0);
    caller.abort();
    await gone;
    await eventually('the service knows', () => app.nest.get(Drain).requests === 0);
    open();
    await eventually('the campaign rests', async () => (await list())[0].state === 'interrupted');
    const sent = messages().length;
    expect(sent).toBeLessThan(4);
    expect(await send()).toMatchObject({ sent: 4, repeated: true });
    expect(messages().sort()).toEqual(['1', '2', '3', '4']);
  });

  it('stops when its store is suspended, and the same call sends the rest once it is not', async () => {
    const { opened, open } = gate();
    server.next('sendMessage', botApi.held(opened, botApi.result({ message_id: 1 })));
    const sending = send();
    await eventually('the first message is sent', () => messages().length === 1);
    const suspend = (at: string, reason: string) =>
      app.query(`update stores set suspended_at = ${at}, suspended_reason = ${reason} where id = $1`, [
        store.id,
      ]);
    await suspend('now()', `'unpaid'`);
    open();
    expect(await sending).toMatchObject({ recipientCount: 4, sent: 1, failed: 0, pending: 3 });
    expect(messages()).toEqual(['1']);
    await suspend('null', 'null');
    expect(await send()).toMatchObject({ sent: 4, repeated: true });
    expect(messages().sort()).toEqual(['1', '2', '3', '4']);
  });

  it('is read with who did not get it', async () => {
    server.next('sendMessage', botApi.blocked());
    const { campaignId } = await send({ buttonText: 'Open' });
    const got = await store.data('get_campaign', { id: campaignId });
    expect(got).toMatchObject({ blocked: 1, sent: 3, failures: [{ customerId: '1', reason: 'blocked' }] });
    expect((await list()).map(({ id }: any) => id)).toEqual([campaignId]);
    expect((await store.call('get_campaign', { id: 'none' })).body.error!.code).toBe('not_found');
  });

  it.each([
    [{ buttonText: 'Open' }, 'buttonUrl'],
    [{ buttonUrl: 'https://shop.example/' }, 'buttonText'],
  ])('warns of half a button: %j', async (half, missing) => {
    const warnings = [expect.stringContaining(`without ${missing}`)];
    expect(await send({ ...half, confirm: false })).toMatchObject({ preview: true, warnings });
    expect(await send(half)).toMatchObject({ sent: 4, warnings });
  });
});
