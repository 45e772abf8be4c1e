import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { canAsk } from '../../../src/doors/mcp/person.service.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { EXAMPLES } from '../../support/examples.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { envelopeOf, RawClient } from './raw-client.js';

const ASKING = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const YES = { confirm: { action: 'accept', content: {} } };

/** The operations before which a person is asked. */
const MATTER = [
  'connect_bot',
  'create_payment_provider',
  'delete_brand',
  'delete_category',
  'delete_contest',
  'delete_order',
  'delete_payment_provider',
  'delete_product',
  'delete_promocode',
  'delete_variant',
  'refund_order',
  'send_campaign',
  'send_messages',
  'update_payment_provider',
];

describe('before what matters', () => {
  const clock = new TestClock();
  let store: TestStore;
  let client: RawClient;

  const { app, messenger } = useShopWithMessenger({ clock });
  beforeAll(async () => {
    store = await app.store({ name: 'Nordwind' });
    await store.data('connect_bot', { token: store.botToken });
    client = new RawClient(app, store.tokens.admin, 'modern');
  });

  const send = async (name: string, input: object, more: object = {}, from = client) => {
    const { messages } = await from.send('tools/call', { name, arguments: input, _meta: ASKING, ...more });
    return messages.at(-1).result;
  };
  const answer = (state: unknown, responses: object = YES) => ({
    inputResponses: responses,
    requestState: state,
  });
  const order = async () => {
    const { productId } = await store.product({ price: '12.25' });
    return (await store.place({ items: [{ productId, quantity: 2 }] })).id as number;
  };
  const statusOf = async (orderId: number) => (await store.data('get_order', { orderId })).status;

  it('a person is asked, and each of these calls is done only after a yes', async () => {
    const asking = app.nest
      .get(OperationRegistry)
      .list()
      .filter(({ asks }) => asks);
    expect(asking.map(({ name }) => name)).toEqual(expect.arrayContaining(MATTER));
    const destructive = app.nest
      .get(OperationRegistry)
      .list()
      .filter((operation) => operation.destructive);
    for (const { name } of destructive) expect(asking.map((operation) => operation.name)).toContain(name);
    for (const name of MATTER) {
      const input = await EXAMPLES[name](store);
      if (name.startsWith('send_')) input.confirm = true;
      const changes = async () =>
        Number(
          (await app.query<any>('select count(*) from audit_log where store_id = $1', [store.id]))[0].count,
        );
      const before = await changes();
      const asked = await send(name, input);
      expect([name, asked.resultType]).toEqual([name, 'input_required']);
      const { method, params } = asked.inputRequests.confirm;
      expect([method, params.mode, params.requestedSchema]).toEqual([
        'elicitation/create',
        'form',
        { type: 'object', properties: {} },
      ]);
      expect(params.message).toMatch(/^Nordwind: [A-Z].+\?/);
      expect([name, await changes()]).toEqual([name, before]);
      const done = await send(name, input, answer(asked.requestState));
      expect([name, envelopeOf(done).error]).toEqual([name, undefined]);
      expect([name, (await changes()) > before]).toEqual([name, true]);
    }
  });

  it.each([
    [
      'send_campaign',
      async () => ({ ...(await EXAMPLES.send_campaign(store)), text: 'Come by!', confirm: true }),
      /^Nordwind: Send this message to \d+ customers?\?\n\nCome by!$/,
    ],
    [
      'refund_order',
      async () => ({ orderId: await order(), amount: 1225 }),
      /^Nordwind: Cancel order \d+ \(PENDING, 24\.50 USD\) and record a refund of 12\.25 USD\?\n- amount is /,
    ],
    [
      'delete_order',
      async () => ({ orderId: await order(), confirm: true }),
      /^Nordwind: Delete order \d+ \(PENDING, 24\.50 USD\) for good\?$/,
    ],
  ] as const)('the question says what would happen (%s)', async (name, inputOf, words) => {
    const asked = await send(name, await inputOf());
    expect(asked.inputRequests.confirm.params.message).toMatch(words);
  });

  it('nobody is asked about a preview, about what is not there, or about bad input', async () => {
    const { confirm: _, ...preview } = await EXAMPLES.send_campaign(store);
    expect(envelopeOf(await send('send_campaign', preview)).data.preview).toBe(true);
    expect(envelopeOf(await send('refund_order', { orderId: 999_999 })).error!.code).toBe('not_found');
    expect(envelopeOf(await send('delete_brand', { id: 'x', confirm: true })).error!.code).toBe('not_found');
    expect(envelopeOf(await send('refund_order', { orderId: 'x' })).error!.code).toBe('invalid_input');
  });

  it('a change that was previewed asks what its operation asks, before it is applied', async () => {
    const previewed = async (operation: string, input: object) => {
      const { previewId } = await store.data('preview_change', { operation, input });
      return { previewId };
    };
    const { id } = await store.data('create_brand', { name: 'Anker', slug: 'anker' });
    const update = await previewed('update_brand', { id, description: 'x' });
    expect(envelopeOf(await send('apply_change', update)).ok).toBe(true);
    const deletion = await previewed('delete_brand', { id, confirm: true });
    const asked = await send('apply_change', deletion);
    expect(asked.inputRequests.confirm.params.message).toBe('Nordwind: Delete the brand "Anker"?');
    expect((await store.data('get_brand', { id })).name).toBe('Anker');
    const done = envelopeOf(await send('apply_change', deletion, answer(asked.requestState)));
    expect(done.data).toEqual({ id, deleted: true });
    expect(envelopeOf(await send('apply_change', deletion))).toEqual(done);
    expect(envelopeOf(await send('apply_change', { previewId: id })).error!.code).toBe('not_found');
  });

  it('undoing a change asks what is asked before the call that undoes it', async () => {
    const changed = async (operation: string, input: object) => {
      await store.data(operation, input);
      const { items } = await store.data('list_activity', { operation });
      return { activityId: items[0].id };
    };
    const { id } = await store.data('create_brand', { name: 'Sail', slug: 'sail' });
    const ofBrand = await changed('update_brand', { id, name: 'Jib' });
    expect(envelopeOf(await send('undo_change', ofBrand)).data.undone).toBe('update_brand');
    const provider = await EXAMPLES.update_payment_provider(store);
    const { providerName, isActive } = await store.data('get_payment_provider', { id: provider.id });
    const undo = await changed('update_payment_provider', { id: provider.id, isActive: !isActive });
    const asked = await send('undo_change', undo);
    expect(asked.inputRequests.confirm.params.message).toBe(
      `Nordwind: Change the payment provider "${providerName}": switch it ${isActive ? 'on' : 'off'}?`,
    );
    const isActiveNow = async () =>
      (await store.data('get_payment_provider', { id: provider.id })).isActive as boolean;
    expect(await isActiveNow()).toBe(!isActive);
    expect(envelopeOf(await send('undo_change', undo, answer(asked.requestState))).ok).toBe(true);
    expect(await isActiveNow()).toBe(isActive);
    expect(envelopeOf(await send('undo_change', undo)).error!.code).toBe('precondition_failed');
  });

  it.each(['decline', 'cancel'])('an answer of %s refuses the call', async (action) => {
    const input = { orderId: await order() };
    const { requestState } = await send('refund_order', input);
    const refused = envelopeOf(
      await send('refund_order', input, answer(requestState, { confirm: { action } })),
    );
    expect(refused.error).toEqual({ code: 'forbidden', message: expect.stringContaining('did not agree') });
    expect(await statusOf(input.orderId)).toBe('PENDING');
  });

  it('an answer is good for its call only, and for ten minutes', async () => {
    const input = { orderId: await order() };
    const { requestState } = await send('refund_order', input);
    const isAsked = async (name: string, given: object, more: object, from?: RawClient) =>
      (await send(name, given, more, from)).resultType === 'input_required';
    const other = new RawClient(app, store.tokens.write, 'modern');
    const [first, rest] = [requestState.slice(0, 20), requestState.slice(20)];
    const cases: [string, object, object, RawClient?][] = [
      ['refund_order', { ...input, amount: 1 }, answer(requestState)],
      ['refund_order', { orderId: await order() }, answer(requestState)],
      ['delete_order', { ...input, confirm: true }, answer(requestState)],
      ['refund_order', input, answer(requestState), other],
      ['refund_order', input, answer(`${first}${rest[0] === 'A' ? 'B' : 'A'}${rest.slice(1)}`)],
      ['refund_order', input, answer('nonsense')],
      ['refund_order', input, { inputResponses: YES }],
      ['refund_order', input, { requestState }],
      ['refund_order', input, answer(requestState, { confirm: { roots: [] } })],
    ];
    for (const [i, [name, given, more, from]] of cases.entries())
      expect([i, await isAsked(name, given, more, from)]).toEqual([i, true]);
    clock.advance(10 * 60_000 + 1);
    expect(await isAsked('refund_order', input, answer(requestState))).toBe(true);
    expect(await statusOf(input.orderId)).toBe('PENDING');
  });

  const customers = async (...customerIds: string[]) => {
    await app.query(
      `insert into customers (store_id, id, created_at, updated_at)
       select $1, unnest($2::bigint[]), now(), now() on conflict do nothing`,
      [store.id, customerIds],
    );
    return { customerIds };
  };

  it('a campaign that is sent again after another yes goes on, and reaches nobody twice', async () => {
    const audience = await customers('11', '12', '13');
    const input = { name: 'n', text: 'Again', audience, confirm: true };
    const sent = async () => {
      const { requestState } = await send('send_campaign', input);
      return envelopeOf(await send('send_campaign', input, answer(requestState))).data;
    };
    const before = messenger.callsOf('sendMessage').length;
    messenger.next('sendMessage', botApi.result({ message_id: 1 }));
    messenger.next('sendMessage', botApi.tooManyRequests(100));
    const first = await sent();
    expect(first).toMatchObject({ sent: 1, pending: 2 });
    const second = await sent();
    expect(second).toMatchObject({ campaignId: first.campaignId, sent: 3, repeated: true });
    const told = messenger.callsOf('sendMessage').slice(before);
    // The second answer was to wait.
    expect(told.map(({ body }) => body.chat_id)).toEqual(['11', '12', '12', '13']);
    expect(envelopeOf(await send('send_campaign', input)).data).toEqual(second);
  });

  it('an answer that is sent twice counts once', async () => {
    const input = { name: 'n', text: 'Once', audience: await customers('11'), confirm: true };
    const { requestState } = await send('send_campaign', input);
    const before = messenger.callsOf('sendMessage').length;
    const results = await Promise.all([0, 1].map(() => send('send_campaign', input, answer(requestState))));
    expect(results.map((result) => envelopeOf(result).data.sent)).toEqual([1, 1]);
    expect(messenger.callsOf('sendMessage').length - before).toBe(1);
  });

  it('an answer counts for one Idempotency-Key', async () => {
    const orderId = await order();
    const refund = (key?: string, more: object = {}) =>
      send('refund_order', { orderId, amount: 1 }, { _meta: { ...ASKING, idempotencyKey: key }, ...more });
    const refunded = async () => (await store.data('get_order_pricing', { orderId })).refunds.length;
    for (const key of ['one', undefined]) {
      const { requestState } = await refund(key);
      const before = await refunded();
      for (const other of ['two', 'three', key ? undefined : 'four'])
        expect((await refund(other, answer(requestState))).resultType).toBe('input_required');
      expect(await refunded()).toBe(before);
      const done = envelopeOf(await refund(key, answer(requestState)));
      expect(envelopeOf(await refund(key, answer(requestState)))).toEqual(done);
      expect(await refunded()).toBe(before + 1);
    }
  });

  it('a repeat with the same Idempotency-Key gets the first answer, and nobody is asked again', async () => {
    const { id } = await store.data('create_brand', { name: 'Kept', slug: 'kept' });
    const audience = await customers('14');
    for (const [name, input] of [
      ['refund_order', { orderId: await order(), amount: 1 }],
      ['delete_brand', { id, confirm: true }],
      ['send_campaign', { name: 'n', text: 'Keyed', audience, confirm: true }],
    ] as const) {
      const call = async (given: object, more: object = {}) =>
        send(name, given, { _meta: { ...ASKING, idempotencyKey: `kept-${name}` }, ...more });
      const { requestState } = await call(input);
      const done = envelopeOf(await call(input, answer(requestState)));
      expect([name, done.error]).toEqual([name, undefined]);
      const repeated = await call(input);
      expect([name, envelopeOf(repeated)]).toEqual([name, done]);
      expect(repeated.content[1].text).toContain('Nordwind');
      expect(envelopeOf(await call(input, answer(requestState, { confirm: { action: 'decline' } })))).toEqual(
        done,
      );
      const other = name === 'refund_order' ? { ...input, amount: 2 } : { ...input, name: 'Other' };
      if (name !== 'delete_brand') expect(envelopeOf(await call(other)).error!.code).toBe('invalid_input');
    }
  });

  it('clients that cannot ask, and older revisions, work as they did', async () => {
    const none = envelopeOf(await client.call('refund_order', { orderId: await order() }));
    const urlOnly = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } } };
    const link = envelopeOf(await client.call('refund_order', { orderId: await order() }, urlOnly));
    const legacy = new RawClient(app, store.tokens.admin, 'legacy');
    const old = envelopeOf(await legacy.call('refund_order', { orderId: await order() }));
    expect([none, link, old].map(({ data }) => data.status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it.each([
    ['accept', 'CANCELLED'],
    ['decline', 'PENDING'],
  ] as const)("the protocol's own client asks and goes on (%s)", async (action, status) => {
    const questions: string[] = [];
    const sdk = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
    );
    sdk.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action, ...(action === 'accept' ? { content: {} } : {}) };
    });
    const requestInit = { headers: { Authorization: `Bearer ${store.tokens.write}` } };
    await sdk.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
    const orderId = await order();
    const result = await sdk.callTool({ name: 'refund_order', arguments: { orderId } });
    await sdk.close();
    expect(questions).toEqual([expect.stringContaining(`Cancel order ${orderId}`)]);
    expect(envelopeOf(result).ok).toBe(action === 'accept');
    expect(await statusOf(orderId)).toBe(status);
  });

  it.each([
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { form: {}, url: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: true }, false],
    [{}, false],
    [undefined, false],
  ])('%j can ask: %s', (capabilities, expected) => expect(canAsk(capabilities)).toBe(expected));
});
