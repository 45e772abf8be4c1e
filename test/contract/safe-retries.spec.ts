import { randomUUID } from 'node:crypto';
import { OperationRegistry } from '../../src/platform/call/operation.registry.js';
import { CHANGES, EXAMPLES, PARTS } from '../support/examples.js';
import { type StoreDump, storeDump } from '../support/database/store-dump.js';
import { type Answer, TestClock, type TestStore, useShopWithMessenger } from '../support/test-app.js';

type Input = Record<string, any>;

const OF_CALLS = ['audit_log', 'idempotency_keys', 'kept_changes', 'record_changes'];
/** What is another one after every call: a version, and what is sealed. */
const ALWAYS_NEW = /\\"(sealed_\w+|updated_at|edited_at)\\": \\"[^"]*"/g;

const DAY_MS = 24 * 3_600_000;
const KEYED = [...CHANGES, 'undo_change'];
/** A preview leaves nothing to repeat; its id is the key of applying it, whose own tests tell more. */
const WITHOUT_KEY = ['apply_change', 'preview_change'];
/**
 * These keep their keys with the campaigns themselves, and audit each call that asks for one; their own tests
 * tell more.
 */
const CAMPAIGNS = ['send_campaign', 'send_messages'];

describe('Idempotency-Key', () => {
  const clock = new TestClock();
  let store: TestStore;

  const { app, messenger } = useShopWithMessenger({ clock });
  beforeAll(async () => {
    store = await app.store();
  });

  const call = (operation: string, input: Input, key: string, of = store) =>
    of.call(operation, input, { headers: { 'Idempotency-Key': key } });
  const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
  const dump = async (operation: string): Promise<StoreDump> => {
    const { audit_log, ...others } = await storeDump(app, store.id);
    return CAMPAIGNS.includes(operation) ? others : { audit_log, ...others };
  };

  /** The same input but for one thing. */
  const otherThan = (input: Input): Input => {
    const names = Object.keys(input);
    const last = names[names.length - 1];
    const { [last]: _, ...others } = input;
    return names.length > 1 ? others : { [last]: `${store.botToken}x` };
  };

  it('is for every operation that changes something', () => {
    const changing = app.nest
      .get(OperationRegistry)
      .list()
      .flatMap(({ name, scope }) => (scope === 'read' ? [] : [name]));
    expect([...KEYED, ...WITHOUT_KEY].sort()).toEqual(changing);
  });

  it.each(KEYED)('answers %s again with its first result, and does nothing', async (operation) => {
    const input = await EXAMPLES[operation](store);
    const key = randomUUID();
    const first = await call(operation, input, key);
    expect([first.status, isReplay(first)]).toEqual([200, false]);
    const [before, calls] = [await dump(operation), messenger.calls.length];

    const second = await call(operation, input, key);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(isReplay(second)).toBe(true);
    expect(await dump(operation)).toEqual(before);
    expect(messenger.calls).toHaveLength(calls);
  });

  /** All but what is written of every call. */
  const records = async () => {
    const dumped = Object.entries(await storeDump(app, store.id)).filter(
      ([table]) => !OF_CALLS.includes(table),
    );
    return JSON.parse(JSON.stringify(dumped).replace(ALWAYS_NEW, '')) as [string, string[]][];
  };

  it('is not needed for what is said to change nothing the second time', async () => {
    const idempotent = app.nest
      .get(OperationRegistry)
      .list()
      .filter((operation) => operation.idempotent && operation.scope !== 'read');
    expect(idempotent.length).toBeGreaterThan(20);
    for (const { name } of idempotent) {
      const input = await EXAMPLES[name](store);
      expect([name, (await store.call(name, input)).status]).toEqual([name, 200]);
      const before = await records();
      await store.call(name, input);
      expect([name, await records()]).toEqual([name, before]);
    }
  });

  it.each(KEYED)('refuses %s with the key of another input', async (operation) => {
    const input = await EXAMPLES[operation](store);
    const key = randomUUID();
    expect((await call(operation, input, key)).status).toBe(200);
    const fresh = await EXAMPLES[operation](store);
    const prepared = await dump('any');
    const sameAgain = JSON.stringify(fresh) === JSON.stringify(input);
    const { status, body } = await call(operation, sameAgain ? otherThan(input) : fresh, key);
    expect([status, body.error?.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toMatch(/^Idempotency-Key was used/);
    expect(await dump('any')).toEqual(prepared);
  });

  it.each(KEYED)('makes one effect of two %s at once', async (operation) => {
    const input = await EXAMPLES[operation](store);
    const key = randomUUID();
    const calls = messenger.calls.length;
    const headers = { 'Idempotency-Key': key, 'X-Request-Id': key };
    const answers = await Promise.all([
      store.call(operation, input, { headers }),
      store.call(operation, input, { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = answers.map(({ body }) => body.data);
    // While the messenger is being asked, the other call is told that nobody knows yet.
    expect(withoutMessages(second)).toEqual(withoutMessages(first));
    // Those that change many orders have a row for each of them too.
    const rows = await app.query<any>(
      `select action from audit_log where store_id = $1 and request_id = $2
         and operation is distinct from $3`,
      [store.id, key, PARTS[operation]],
    );
    if (CAMPAIGNS.includes(operation))
      expect(rows.filter(({ action }) => action !== 'campaign.resume')).toHaveLength(1);
    else expect([rows.length, answers.filter(isReplay).length]).toEqual([1, 1]);
    const sent = {
      ship_order: 1,
      ship_orders: 1,
      send_campaign: input.audience?.customerIds.length,
      connect_bot: 2,
      send_messages: input.messages?.length,
    }[operation];
    const effects = messenger.calls.slice(calls).filter(isEffect(operation));
    expect(effects).toHaveLength(sent ?? 0);
  });

  const withoutMessages = (data: object) =>
    JSON.parse(JSON.stringify(data, (name, value) => (name.startsWith('notif') ? undefined : value)));

  /** What the example itself asked of the messenger, to connect a bot, is none of the operation's. */
  const isEffect = (operation: string) => (one: { method: string }) =>
    operation === 'connect_bot' || one.method.startsWith('send');

  it.each(KEYED)('keeps nothing of a refused %s', async (operation) => {
    const input = await EXAMPLES[operation](store);
    const key = randomUUID();
    const refused = await refuse(operation, input, key);
    expect([400, 404, 412]).toContain(refused.status);
    expect(refused.body.error!.message).not.toMatch(/^Idempotency-Key/);
    messenger.reset();
    const fixed = await call(operation, await EXAMPLES[operation](store), key);
    expect([fixed.status, isReplay(fixed)]).toEqual([200, false]);
  });

  /** A call that is refused by the operation itself, after its input was found to be well-formed. */
  const refuse = async (operation: string, input: Input, key: string): Promise<Answer> => {
    const idField = ['orderId', 'customerId', 'productId', 'id'].find(
      (name) => name in input && !operation.startsWith('create_'),
    );
    // Refused items are the results of a bulk operation that succeeds.
    if (/^create_(products|promocodes)$/.test(operation))
      return call(operation, { ...input, items: [] }, key);
    if (idField) return call(operation, { ...input, [idField]: idField === 'orderId' ? 2 ** 50 : '99' }, key);
    switch (operation) {
      case 'connect_bot':
        messenger.refuseToken(store.botToken);
        return call(operation, input, key);
      case 'create_payment_provider':
        return call(operation, { ...input, metadata: { apiKey: '••••7890' } }, key);
      case 'send_campaign':
      case 'send_messages':
        return call(operation, { ...input, audience: { customerIds: ['99'] } }, key);
      default:
        if (operation.startsWith('create_')) {
          await store.data(operation, input);
          return call(operation, input, key);
        }
        return store.call(operation, input, {
          headers: { 'Idempotency-Key': key, 'If-Match': '2001-01-01T00:00:00Z' },
        });
    }
  };

  it('is remembered for 24 hours, after which the same call is carried out again', async () => {
    const input = await EXAMPLES.add_order_note(store);
    const key = randomUUID();
    const note = async () => {
      const answer = await call('add_order_note', input, key);
      return { id: answer.body.data.note.id as string, replayed: isReplay(answer) };
    };
    const first = await note();
    clock.advance(DAY_MS - 1);
    expect(await note()).toEqual({ id: first.id, replayed: true });
    clock.advance(1);
    const later = await note();
    expect([later.id === first.id, later.replayed]).toEqual([false, false]);
    expect(await note()).toEqual({ id: later.id, replayed: true });
  });

  it.each([['k'], ['k'.repeat(255)], [' !~ "quoted" ']])('is accepted as %.20j', async (key) => {
    const input = await EXAMPLES.add_order_note(store);
    expect((await call('add_order_note', input, key)).status).toBe(200);
  });

  it.each([[''], ['k'.repeat(256)], ['caf\u00e9'], ['tab\tkey']])('is refused as %.20j', async (key) => {
    const input = await EXAMPLES.add_order_note(store);
    const before = await storeDump(app, store.id);
    const { status, body } = await call('add_order_note', input, key);
    expect([status, body.error?.code]).toEqual([400, 'invalid_input']);
    expect(body.error!.message).toMatch(/^Idempotency-Key must be/);
    expect(await storeDump(app, store.id)).toEqual(before);
  });

  it('belongs to one store and one operation', async () => {
    const key = randomUUID();
    const other = await app.store();
    const [input, theirs] = [await EXAMPLES.add_order_note(store), await EXAMPLES.add_order_note(other)];
    const answers = [
      await call('add_order_note', input, key),
      await call('add_order_note', theirs, key, other),
    ];
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual([
      [200, false],
      [200, false],
    ]);
    const elsewhere = await call('refund_order', { orderId: input.orderId }, key);
    expect([elsewhere.status, elsewhere.body.error!.message]).toEqual([
      400,
      expect.stringMatching(/^Idempotency-Key was used/),
    ]);
  });

  it('belongs to the token that used it: two tokens may use the same key', async () => {
    const input = await EXAMPLES.add_order_note(store);
    const key = randomUUID();
    const send = (scope: 'write' | 'admin') =>
      store.call('add_order_note', input, { scope, headers: { 'Idempotency-Key': key } });
    const [admin, write, again] = [await send('admin'), await send('write'), await send('write')];
    expect([admin, write, again].map(isReplay)).toEqual([false, false, true]);
    expect(write.body.data.note.id).not.toBe(admin.body.data.note.id);
    expect(again.body).toEqual(write.body);
  });

  it('of a campaign is remembered until 24 hours after the end of the campaign', async () => {
    const input = await EXAMPLES.send_campaign(store);
    const key = randomUUID();
    const first = await call('send_campaign', input, key);
    clock.advance(DAY_MS - 1);
    expect((await call('send_campaign', input, key)).body).toEqual(first.body);
    clock.advance(1);
    // Two at once: one takes the key over, the other is a repeat of that.
    const answers = await Promise.all([call('send_campaign', input, key), call('send_campaign', input, key)]);
    const [one, other] = answers.map(({ body }) => body.data.campaignId as string);
    expect(one).toBe(other);
    expect(one).not.toBe(first.body.data.campaignId);
    clock.advance(DAY_MS);
    const changed = await call('send_campaign', { ...input, text: 'Another one' }, key);
    expect([changed.status, isReplay(changed)]).toEqual([200, false]);
  });

  it('of a campaign belongs to the token that used it, too', async () => {
    const input = await EXAMPLES.send_campaign(store);
    const key = randomUUID();
    const send = (scope: 'write' | 'admin') =>
      store.call('send_campaign', input, { scope, headers: { 'Idempotency-Key': key } });
    const [admin, write] = [await send('admin'), await send('write')];
    expect(write.body.data.campaignId).not.toBe(admin.body.data.campaignId);
  });

  it('means the same input, whatever the order of its properties', async () => {
    const input = { name: 'A', slug: `order-${Date.now()}`, description: 'x' };
    const key = randomUUID();
    const first = await call('create_brand', input, key);
    const turned = Object.fromEntries(Object.entries(input).reverse());
    const again = await call('create_brand', turned, key);
    expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body]);
    // A list has an order, unless it is declared to be a set.
    const product = {
      ...(await EXAMPLES.create_product(store)),
      images: ['https://a.example/1', 'https://a.example/2'],
    };
    const productKey = randomUUID();
    expect((await call('create_product', product, productKey)).status).toBe(200);
    const other = await call(
      'create_product',
      { ...product, images: product.images.toReversed() },
      productKey,
    );
    expect([other.status, other.body.error!.code]).toEqual([400, 'invalid_input']);
  });

  it('answers a large result again while it fits, and says so when it was too large to keep', async () => {
    const noise = (length: number) =>
      Array.from({ length }, () => randomUUID())
        .join('')
        .slice(0, length);
    const campaign = async (texts: number) => {
      const levels = Array.from({ length: 100 }, (_, i) => ({
        minOrders: i,
        maxOrders: null,
        cashbackPercentage: 1,
        levelName: texts ? noise(texts) : 'x'.repeat(500),
      }));
      const input = {
        ...(await EXAMPLES.update_monetization(store)).cashback,
        levels,
        description: texts ? noise(20_000) : '',
      };
      const key = randomUUID();
      const first = await call('update_monetization', { cashback: input }, key);
      return { first, again: await call('update_monetization', { cashback: input }, key) };
    };
    const small = await campaign(0);
    expect([small.again.status, small.again.body]).toEqual([200, small.first.body]);
    const input = await EXAMPLES.create_product(store);
    const values = Array.from({ length: 200 }, () => ({ variantValue: noise(490), price: 1 }));
    const variants = [{ optionTitle: 'Noise', values }];
    const key = randomUUID();
    const product = { ...input, description: noise(20_000), variants };
    expect((await call('create_product', product, key)).status).toBe(200);
    const before = await storeDump(app, store.id);
    const again = await call('create_product', product, key);
    expect([again.status, again.body.error!.code]).toEqual([400, 'invalid_input']);
    expect(again.body.error!.message).toMatch(/^Idempotency-Key was used before by a call that succeeded/);
    expect(await storeDump(app, store.id)).toEqual(before);
    const [{ longest }] = await app.query<{ longest: number }>(
      'select max(octet_length(answer)) as longest from idempotency_keys where store_id = $1',
      [store.id],
    );
    expect(longest).toBeLessThanOrEqual(64 * 1024);
  });

  it('is ignored by reads', async () => {
    const input = await EXAMPLES.get_order(store);
    const key = randomUUID();
    await call('get_order', input, key);
    await store.data('set_order_status', { ...input, status: 'SHIPPED' });
    const again = await call('get_order', input, key);
    expect([again.status, isReplay(again), again.body.data.status]).toEqual([200, false, 'SHIPPED']);
  });
});
