import { plainCall } from '../../src/mcp/plain-call.js';
import { TestApp, type TestStore } from '../support/test-app.js';
import { RawClient } from './raw-client.js';

/** Says nothing, but concerns the protocol: such a call goes through the protocol's own server. */
const WHOLE_WAY = { 'io.modelcontextprotocol/nothing': 1 };
const HEADERS = { accept: 'application/json, text/event-stream' };
const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_order', arguments: { orderId: 1 } } };

describe('a plain tool call', () => {
  let app: TestApp;
  let store: TestStore;

  beforeAll(async () => {
    app = await TestApp.start();
    store = await app.store();
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('create_brand', { slug: 'plain', name: 'Ёж 🦔 "quoted" \\ \u2028' });
  });
  afterAll(() => app.stop());

  it.each<[string, string, Record<string, unknown>, Record<string, unknown>?]>([
    ['that succeeds', 'list_orders', { take: 5 }],
    ['with text beyond ASCII', 'list_brands', {}],
    ['that is refused for its input', 'get_order', { orderId: 'x', more: 1 }],
    ['of what does not exist', 'get_order', { orderId: 999_999 }],
    ['beyond the scope of its token', 'delete_order', { orderId: 1, confirm: true }],
    ['with a setting that is no text', 'list_orders', {}, { ifMatch: 1 }],
    ['without arguments', 'list_categories', {}],
    ['of a tool that does not exist', 'get_unicorn', {}],
  ])('%s is answered as by the protocol’s own server', async (_, name, input, meta = {}) => {
    const params = { name, arguments: input, _meta: meta };
    const [plain, whole] = [
      await new RawClient(app, store.tokens.read).send('tools/call', params),
      await new RawClient(app, store.tokens.read).send('tools/call', { ...params, _meta: { ...meta, ...WHOLE_WAY } }),
    ];
    expect(plain.messages).toEqual(whole.messages);
    expect(plain.status).toBe(whole.status);
    const names = ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
    for (const { headers } of [plain, whole]) {
      expect(headers.get('content-type')).toMatch(/^application\/json\b/);
      for (const header of names) expect(headers.get(header)).toBeTruthy();
    }
  });

  it('is recognized in its usual forms', () => {
    expect(plainCall(HEADERS, MESSAGE)).toEqual({ id: 1, params: MESSAGE.params });
    expect(plainCall({ ...HEADERS, 'mcp-protocol-version': '2025-11-25' }, { ...MESSAGE, id: 'a' })).not.toBeNull();
    expect(plainCall(HEADERS, { ...MESSAGE, params: { name: 'get_billing', _meta: { ifMatch: 'x', own: 1 } } })).not.toBeNull();
  });

  it.each<[string, unknown, Record<string, string>?]>([
    ['another method', { ...MESSAGE, method: 'tools/list' }],
    ['a notification', { ...MESSAGE, id: undefined }],
    ['an id that is null', { ...MESSAGE, id: null }],
    ['an id that is no integer', { ...MESSAGE, id: 1.5 }],
    ['another version of JSON-RPC', { ...MESSAGE, jsonrpc: '1.0' }],
    ['an unknown member', { ...MESSAGE, more: 1 }],
    ['an unknown parameter', { ...MESSAGE, params: { ...MESSAGE.params, task: {} } }],
    ['no parameters', { ...MESSAGE, params: undefined }],
    ['no name', { ...MESSAGE, params: {} }],
    ['arguments that are a list', { ...MESSAGE, params: { name: 'get_order', arguments: [] } }],
    ['arguments that are null', { ...MESSAGE, params: { name: 'get_order', arguments: null } }],
    ['a wish for progress', { ...MESSAGE, params: { ...MESSAGE.params, _meta: { progressToken: 0 } } }],
    ['a revision in the message', { ...MESSAGE, params: { ...MESSAGE.params, _meta: WHOLE_WAY } }],
    ['no message', null],
    ['a batch', [MESSAGE]],
    ['a later revision in the headers', MESSAGE, { ...HEADERS, 'mcp-protocol-version': '2026-07-28' }],
    ['no wish for JSON', MESSAGE, { accept: 'text/event-stream' }],
    ['no wish for a stream', MESSAGE, { accept: 'application/json' }],
    ['no wish at all', MESSAGE, {}],
  ])('is not one with %s', (_, message, headers = HEADERS) => {
    expect(plainCall(headers, message)).toBeNull();
  });
});
