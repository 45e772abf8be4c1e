import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

/** docs/behaviour.md §6.8: one campaign whose texts differ. */
describe('send_messages', () => {
  let store: TestStore;
  let lastBotId = 2_300_000_000;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    await store.data('connect_bot', { token: `${++lastBotId}:${'A'.repeat(35)}` });
    await app.query(
      `insert into customers (store_id, id, created_at, updated_at) select $1, n, now(), now()
        from generate_series(1, 4) n`,
      [store.id],
    );
    messenger.reset();
  });

  const messages = [1, 2, 3].map((n) => ({ customerId: String(n), text: `Your code is CODE${n}` }));
  const input = { name: 'Codes', messages, buttonText: 'Shop', buttonUrl: 'https://shop.example/' };
  const sent = () =>
    messenger
      .callsOf('sendMessage')
      .map(({ body }) => [String(body.chat_id), body.text as string])
      .sort();
  const refusal = async (given: object) => {
    const { status, body } = await store.call('send_messages', { ...input, confirm: true, ...given });
    return [status, body.error?.message];
  };

  it('previews without confirm, and sends each customer their own text once', async () => {
    expect(await store.data('send_messages', input)).toMatchObject({ preview: true, recipientCount: 3 });
    expect(sent()).toEqual([]);
    const done = await store.data('send_messages', { ...input, confirm: true });
    expect(done).toMatchObject({ recipientCount: 3, sent: 3, failed: 0, blocked: 0 });
    expect(sent()).toEqual(messages.map(({ customerId, text }) => [customerId, text]));
    const again = await store.data('send_messages', { ...input, confirm: true });
    expect(again).toMatchObject({ campaignId: done.campaignId, repeated: true });
    expect(sent()).toHaveLength(3);
    expect(await store.data('get_campaign', { id: done.campaignId })).toMatchObject({
      ...{ name: 'Codes', recipients: 3, sent: 3, state: 'finished' },
    });
  });

  it('goes on with each text after the messenger asked for a pause', async () => {
    messenger.next('sendMessage', botApi.result({ message_id: 1 }), botApi.tooManyRequests(60));
    const first = await store.data('send_messages', { ...input, confirm: true });
    expect(first).toMatchObject({ sent: 1, pending: 2 });
    const rest = await store.data('send_messages', { ...input, confirm: true });
    expect(rest).toMatchObject({ sent: 3 });
    expect(new Set(sent().map(([, text]) => text)).size).toBe(3);
  });

  it('refuses a customer twice, and one that there is not, by name', async () => {
    const twice = { messages: [...messages, { customerId: '1', text: 'Again' }] };
    expect(await refusal(twice)).toEqual([
      400,
      'messages[3].customerId names a customer who has a message already',
    ]);
    const unknown = { messages: [messages[0], { customerId: '99', text: 'Hello' }] };
    expect(await refusal(unknown)).toEqual([
      400,
      'messages[1].customerId is not a customer of this store: "99"',
    ]);
    expect(await refusal({ messages: [] })).toEqual([400, expect.stringContaining('messages')]);
    expect(sent()).toEqual([]);
  });

  it('leaves out who is banned, and warns of markup by the path of its text', async () => {
    await store.data('update_customer', { id: '2', isBanned: true });
    const marked = [messages[0], messages[1], { customerId: '3', text: 'Hello **Ann**' }];
    const done = await store.data('send_messages', { ...input, messages: marked, confirm: true });
    expect(done).toMatchObject({ recipientCount: 2, sent: 2 });
    expect(done.warnings).toEqual([expect.stringMatching(/^messages\[2\]\.text has \*\*/)]);
    expect(sent().map(([id]) => id)).toEqual(['1', '3']);
  });
});
