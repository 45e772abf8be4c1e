import { includesScope, SCOPES } from '../../../src/access/rights.js';
import type { Call } from '../../../src/platform/store/call.js';
import { Drain } from '../../../src/platform/http/drain.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { eventually } from '../../support/eventually.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { envelopeOf, type Era, ERAS, RawClient } from './raw-client.js';

/** What no operation has: a call that reaches validation is refused for it, and changes nothing. */
const UNKNOWN = { 'no such property': 1 };

describe('tool calls', () => {
  let store: TestStore;
  let registry: OperationRegistry;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    registry = app.nest.get(OperationRegistry);
  });

  it('are allowed exactly where HTTP calls are, for every operation and scope', async () => {
    for (const scope of SCOPES) {
      for (const era of ERAS) {
        const client = new RawClient(app, store.tokens[scope], era);
        for (const operation of registry.list()) {
          const { error } = envelopeOf(await client.call(operation.name, UNKNOWN));
          const expected = includesScope(scope, operation.scope) ? 'invalid_input' : 'forbidden';
          expect([operation.name, scope, era, error!.code]).toEqual([operation.name, scope, era, expected]);
          expect(error).toEqual((await store.call(operation.name, UNKNOWN, { scope })).body.error);
        }
      }
    }
  });

  it.each(ERAS)('audits as mcp, under the request id (%s)', async (era) => {
    const { productId } = await store.product();
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    const client = new RawClient(app, store.tokens.write, era);
    const input = { orderId: id, note: `by ${era}` };
    const { headers } = await client.send('tools/call', { name: 'add_order_note', arguments: input });
    const rows = await app.query(
      `select operation, transport, actor_id, input, outcome from audit_log
       where store_id = $1 and request_id = $2`,
      [store.id, headers.get('x-request-id')],
    );
    const actor_id = store.tokenIds.write;
    expect(rows).toEqual([{ operation: 'add_order_note', transport: 'mcp', actor_id, input, outcome: 'ok' }]);
  });

  it('audits a refusal for scope as mcp', async () => {
    const client = new RawClient(app, store.tokens.read);
    const { headers } = await client.send('tools/call', { name: 'add_order_note', arguments: {} });
    const rows = await app.query(
      'select transport, outcome from audit_log where store_id = $1 and request_id = $2',
      [store.id, headers.get('x-request-id')],
    );
    expect(rows).toEqual([{ transport: 'mcp', outcome: 'forbidden' }]);
  });

  it('see arguments as they were sent', async () => {
    const client = new RawClient(app, store.tokens.read);
    const call = (input: string, name = 'list_orders') =>
      client.post(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}"` +
          `${input === '' ? '' : `,"arguments":${input}`}}}`,
      );
    for (const input of ['', '{}'])
      expect((await call(input)).messages[0].result.structuredContent.ok).toBe(true);
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const { messages } = await call(`{"${key}":{"take":1}}`);
      expect(envelopeOf(messages[0].result).error).toEqual({
        code: 'invalid_input',
        message: expect.stringContaining(`${key} is not a known property`),
      });
    }
    for (const input of ['[]', '"a"', '1', 'null', 'true']) {
      expect([input, envelopeOf((await call(input)).messages[0].result).error]).toEqual([
        input,
        { code: 'invalid_input', message: 'arguments must be a JSON object' },
      ]);
    }
  });

  it('refuses an unknown tool as the protocol requires, and counts it as a read', async () => {
    for (const era of ERAS) {
      const { status, headers, messages } = await new RawClient(app, store.tokens.read, era).send(
        'tools/call',
        { name: 'nope' },
      );
      expect(status).toBe(200);
      expect(messages[0].error).toMatchObject({
        code: -32602,
        data: { ok: false, error: { code: 'unknown_tool' } },
      });
      expect(Number(headers.get('ratelimit-limit'))).toBe(100_000);
    }
  });

  it('take the headers of HTTP from _meta, and from nowhere else', async () => {
    const seen: Call['headers'][] = [];
    const spy = jest.spyOn(registry, 'invoke').mockImplementation(async (_, call) => {
      seen.push(call.headers);
      return '{"ok":true,"data":{"items":[]}}';
    });
    const client = new RawClient(app, store.tokens.read);
    const headers = { 'Idempotency-Key': 'of-the-client', 'If-Match': 'of-the-client' };
    const call = (_meta: object) =>
      client.send('tools/call', { name: 'list_orders', _meta: { ..._meta } }, headers);
    await call({ idempotencyKey: 'key-1', ifMatch: '"v1"' });
    await call({});
    spy.mockRestore();
    expect(seen.map((given) => [given['idempotency-key'], given['if-match']])).toEqual([
      ['key-1', '"v1"'],
      [undefined, undefined],
    ]);
  });

  it.each(ERAS)('are repeated safely with _meta.idempotencyKey (%s)', async (era) => {
    const { productId } = await store.product();
    const { id } = await store.place({ items: [{ productId, quantity: 1 }] });
    const client = new RawClient(app, store.tokens.write, era);
    const note = (idempotencyKey: string) =>
      client.call('add_order_note', { orderId: id, note: 'once' }, { idempotencyKey });
    const first = envelopeOf(await note(`${era}-1`));
    expect(envelopeOf(await note(`${era}-1`))).toEqual(first);
    expect(envelopeOf(await note(`${era}-2`)).data.note.id).not.toBe(first.data.note.id);
    const overHttp = await store.call(
      'add_order_note',
      { orderId: id, note: 'once' },
      { scope: 'write', headers: { 'Idempotency-Key': `${era}-1` } },
    );
    expect(overHttp.body).toEqual(first);
  });

  it('refuse a _meta key that is no string, by its name', async () => {
    const client = new RawClient(app, store.tokens.read);
    for (const key of ['idempotencyKey', 'ifMatch']) {
      const { error } = envelopeOf(await client.call('list_orders', {}, { [key]: 7 }));
      expect(error).toEqual({ code: 'invalid_input', message: `_meta.${key} must be a string` });
    }
  });

  it('that fail inside the service answer internal_error without the cause', async () => {
    const spy = jest.spyOn(registry, 'invoke').mockRejectedValue(new Error('password=hunter2'));
    const result = await new RawClient(app, store.tokens.read).call('list_orders');
    spy.mockRestore();
    expect(envelopeOf(result).error!.code).toBe('internal_error');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  describe('that take long', () => {
    /** Stands in for an operation that works through 3 recipients and looks at the signal between them. */
    const slowly = (work: (call: Call) => Promise<void>) =>
      jest.spyOn(registry, 'invoke').mockImplementation(async (_, call) => {
        await work(call);
        return '{"ok":true,"data":{"items":[]}}';
      });
    afterEach(() => jest.restoreAllMocks());

    it.each(ERAS)('report progress to a caller that asks for it (%s)', async (era) => {
      slowly(async ({ progress }) => {
        for (const done of [1, 2, 3]) progress?.(done, 3);
      });
      const client = new RawClient(app, store.tokens.read, era);
      const asked = await client.send('tools/call', { name: 'list_orders', _meta: { progressToken: 'p1' } });
      expect(asked.headers.get('content-type')).toContain('text/event-stream');
      expect(
        asked.messages.map(({ method, params, result }) => [method, params, result?.structuredContent]),
      ).toEqual([
        ...[1, 2, 3].map((progress) => [
          'notifications/progress',
          expect.objectContaining({ progressToken: 'p1', progress, total: 3 }),
          undefined,
        ]),
        [undefined, undefined, { ok: true, data: { items: [] } }],
      ]);
      const unasked = await client.send('tools/call', { name: 'list_orders' });
      expect(unasked.headers.get('content-type')).toContain('application/json');
      expect(unasked.messages).toHaveLength(1);
    });

    it.each<[Era, boolean]>([
      ['modern', true],
      ['legacy', false],
    ])('are cancelled by a caller that hangs up as its revision says (%s: %s)', async (era, cancelled) => {
      let aborted: boolean | undefined;
      const drain = app.nest.get(Drain);
      const finished = new Promise<void>((resolve) => {
        slowly(async ({ signal, progress }) => {
          progress?.(1, 3);
          await eventually('the service knows that the caller has gone', () => drain.requests === 0);
          aborted = signal?.().aborted ?? false;
          progress?.(2, 3);
          resolve();
        });
      });
      const hangUp = new AbortController();
      const params = { name: 'list_orders', _meta: { progressToken: 1 } };
      const sent = new RawClient(app, store.tokens.read, era).send('tools/call', params, {}, hangUp.signal);
      const hasBegun = () => drain['places'].some((response) => response?.headersSent);
      await eventually('the answer has begun', hasBegun);
      hangUp.abort();
      await expect(sent).rejects.toThrow();
      await finished;
      expect(aborted).toBe(cancelled);
    });
  });
});

/** docs/behaviour.md §2.3: one budget, whichever way the calls come. */
describe('the budget', () => {
  const app = useShop({ env: { RATE_LIMIT_READ: '100', RATE_LIMIT_WRITE: '30' } });

  it('refuses the 31st write and the 101st read of a minute, however the ones before came', async () => {
    const store = await app.store();
    const [legacy, modern] = ERAS.map((era) => new RawClient(app, store.tokens.write, era));
    const ways: ((name: string, input: object) => Promise<{ code?: string }>)[] = [
      async (name, input) => ({ code: (await store.call(name, input, { scope: 'write' })).body.error?.code }),
      async (name, input) => ({ code: (await legacy.call(name, input)).structuredContent.error?.code }),
      async (name, input) => ({ code: (await modern.call(name, input)).structuredContent.error?.code }),
    ];
    const codes: (string | undefined)[] = [];
    // All at once, and refused input counts too.
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        codes.push((await ways[i % 3]('add_order_note', UNKNOWN)).code);
      }),
    );
    expect(codes.filter((code) => code === 'invalid_input')).toHaveLength(30);
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(30);
    for (const way of ways) expect(await way('add_order_note', UNKNOWN)).toEqual({ code: 'rate_limited' });
    for (let i = 0; i < 100; i++)
      expect([i, await ways[i % 3]('list_orders', {})]).toEqual([i, { code: undefined }]);
    for (const way of ways) expect(await way('list_orders', {})).toEqual({ code: 'rate_limited' });
  });

  it('says after how many seconds to try again, in headers too', async () => {
    const store = await app.store();
    const client = new RawClient(app, store.tokens.write);
    for (let i = 0; i < 30; i++) await client.call('add_order_note', UNKNOWN);
    const { status, headers, messages } = await client.send('tools/call', {
      name: 'add_order_note',
      arguments: {},
    });
    const { error } = envelopeOf(messages[0].result);
    expect([status, error!.code]).toEqual([200, 'rate_limited']);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(error!.message).toContain(`try again in ${seconds} s`);
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['30', '0']);
  });

  it('loses a unit for each unknown tool; lists of tools have a budget of their own', async () => {
    const store = await app.store();
    for (const era of ERAS) {
      const client = new RawClient(app, store.tokens.read, era);
      for (let i = 0; i < 20; i++) await client.send('tools/list');
      await client.send(era === 'modern' ? 'server/discover' : 'ping');
    }
    const remaining = async (name: string) => {
      const { headers } = await new RawClient(app, store.tokens.read).send('tools/call', { name });
      return Number(headers.get('ratelimit-remaining'));
    };
    expect([await remaining('list_orders'), await remaining('nope'), await remaining('list_orders')]).toEqual(
      [99, 98, 97],
    );
    for (let i = 0; i < 97; i++) await remaining('nope');
    // What does not exist is told before what is left (docs/behaviour.md §1.4).
    const { messages } = await new RawClient(app, store.tokens.read).send('tools/call', { name: 'nope' });
    expect(messages[0].error.data.error.code).toBe('unknown_tool');
    expect(envelopeOf(await new RawClient(app, store.tokens.read).call('list_orders', {})).error!.code).toBe(
      'rate_limited',
    );
    const listed = (era: Era) => new RawClient(app, store.tokens.read, era).send('tools/list');
    for (let i = 0; i < 60; i++) expect((await listed(ERAS[i % 2])).messages[0].result.tools).not.toEqual([]);
    for (const era of ERAS) {
      const list = await listed(era);
      expect([list.status, list.messages[0].error.message]).toEqual([
        429,
        expect.stringMatching(
          /^The limit of 100 lists of tools, prompts and resources per minute is reached; try again in \d+ s/,
        ),
      ]);
      expect(Number(list.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });
});
