import { Drain } from '../../../src/platform/http/drain.js';
import { eventually, gate } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { envelopeOf, type Era, ERAS, RawClient } from './raw-client.js';

const RECIPIENTS = 5;
const CALL = {
  name: 'send_campaign',
  arguments: { name: 'Spring', text: 'Sale!', audience: { all: true }, confirm: true },
  _meta: { progressToken: 'sending' },
};

/** The one call that takes long, from a client's message to the messenger's. */
describe('send_campaign over MCP', () => {
  let store: TestStore;
  let lastBotId = 2_000_000_000;

  const { app, messenger } = useShopWithMessenger({ env: { BASE_URL: 'https://shop.example' } });
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    // A bot of its own, since the messenger's limits are a bot's.
    await store.data('connect_bot', { token: `${++lastBotId}:${'A'.repeat(35)}` });
    await app.query(
      `insert into customers (store_id, id, created_at, updated_at) select $1, n, now(), now()
        from generate_series(1, $2::int) n`,
      [store.id, RECIPIENTS],
    );
  });

  const sent = () => messenger.callsOf('sendMessage').length;

  it.each(ERAS)('reports each recipient to a caller that asks for progress (%s)', async (era) => {
    const { messages } = await new RawClient(app, store.tokens.write, era).send('tools/call', CALL);
    const done = messages
      .slice(0, -1)
      .map(({ method, params }) => [method, params.progressToken, params.progress, params.total]);
    const each = Array.from({ length: RECIPIENTS }, (_, i) => [
      'notifications/progress',
      'sending',
      i + 1,
      RECIPIENTS,
    ]);
    expect(done).toEqual(each);
    expect(envelopeOf(messages.at(-1).result).data).toMatchObject({
      recipientCount: RECIPIENTS,
      sent: RECIPIENTS,
      failed: 0,
    });
  });

  it.each<[Era, string]>([
    ['modern', 'stops'],
    ['legacy', 'goes on'],
  ])('by a %s caller that hangs up %s', async (era) => {
    const { opened, open } = gate();
    messenger.next('sendMessage', botApi.held(opened, botApi.result({ message_id: 1 })));
    const hangUp = new AbortController();
    const call = new RawClient(app, store.tokens.write, era).send('tools/call', CALL, {}, hangUp.signal);
    await eventually('the first message is sent', () => sent() > 0);
    hangUp.abort();
    await expect(call).rejects.toThrow();
    await eventually('the service knows', () => app.nest.get(Drain).requests === 0);
    open();
    if (era === 'legacy') return eventually('all messages are sent', () => sent() === RECIPIENTS);
    const state = async () => (await store.data('list_campaigns')).items[0].state;
    await eventually('the campaign rests', async () => (await state()) === 'interrupted');
    expect(sent()).toBe(1);
  });

  it('only previews without confirm', async () => {
    const input = { ...CALL.arguments, confirm: undefined };
    const result = await new RawClient(app, store.tokens.write).call('send_campaign', input);
    expect(envelopeOf(result).data).toEqual({
      preview: true,
      recipientCount: RECIPIENTS,
      estimatedSeconds: expect.any(Number),
    });
    expect(sent()).toBe(0);
  });
});
