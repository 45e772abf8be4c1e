import { plainCall } from '../../../src/doors/mcp/plain-call.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { ENVELOPE, ERAS, RawClient } from './raw-client.js';

/** Says nothing, but concerns the protocol: such a call goes through the protocol's own server. */
const WHOLE_WAY = { 'io.modelcontextprotocol/nothing': 1 };
const REVISION = '2026-07-28';
const HEADERS = { accept: 'application/json, text/event-stream' };
const MESSAGE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_order', arguments: { orderId: 1 } },
};
const MODERN_HEADERS = {
  ...HEADERS,
  'mcp-protocol-version': REVISION,
  'mcp-method': 'tools/call',
  'mcp-name': 'get_order',
};
const MODERN = { ...MESSAGE, params: { ...MESSAGE.params, _meta: { ifMatch: '1', ...ENVELOPE } } };
const modernWith = (meta: object) => ({
  ...MODERN,
  params: { ...MODERN.params, _meta: { ...MODERN.params._meta, ...meta } },
});

describe('a plain tool call', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('create_brand', { slug: 'plain', name: 'Ёж 🦔 "quoted" \\ \u2028' });
  });

  it.each<[string, string, unknown, Record<string, unknown>?]>([
    ['that succeeds', 'list_orders', { take: 5 }],
    ['with text beyond ASCII', 'list_brands', {}],
    ['that is refused for its input', 'get_order', { orderId: 'x', more: 1 }],
    ['of what does not exist', 'get_order', { orderId: 999_999 }],
    ['beyond the scope of its token', 'delete_order', { orderId: 1, confirm: true }],
    ['with a setting that is no text', 'list_orders', {}, { ifMatch: 1 }],
    ['without arguments', 'list_categories', {}],
    ['with arguments that are null', 'list_categories', null],
    ['with arguments that are a list', 'list_categories', []],
    ['with arguments that are text', 'list_categories', '{}'],
    ['of a tool that does not exist', 'get_unicorn', {}],
  ])('%s is answered as by the protocol’s own server', async (_, name, input, meta = {}) => {
    const params = { name, arguments: input, _meta: meta };
    for (const era of ERAS) {
      const [plain, whole] = [
        await new RawClient(app, store.tokens.read, era).send('tools/call', params),
        await new RawClient(app, store.tokens.read, era).send('tools/call', {
          ...params,
          _meta: { ...meta, ...WHOLE_WAY },
        }),
      ];
      expect(plain.messages).toEqual(whole.messages);
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        expect(plain.messages[0].result.structuredContent.error.message).toBe(
          'arguments must be a JSON object',
        );
      expect(plain.status).toBe(whole.status);
      const names = ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
      for (const { headers } of [plain, whole]) {
        expect(headers.get('content-type')).toMatch(/^application\/json\b/);
        for (const header of names) expect(headers.get(header)).toBeTruthy();
      }
    }
  });

  it('is recognized in its usual forms', () => {
    expect(plainCall(HEADERS, MESSAGE)).toEqual({ id: 1, params: MESSAGE.params, era: 'legacy' });
    expect(plainCall(MODERN_HEADERS, MODERN)).toEqual({ id: 1, params: MODERN.params, era: 'modern' });
    expect(
      plainCall({ ...HEADERS, 'mcp-protocol-version': '2025-11-25' }, { ...MESSAGE, id: 'a' }),
    ).not.toBeNull();
    expect(plainCall({}, MESSAGE)).not.toBeNull();
    expect(plainCall({ accept: '*/*' }, MESSAGE)).not.toBeNull();
    expect(
      plainCall(HEADERS, { ...MESSAGE, params: { name: 'get_billing', _meta: { ifMatch: 'x', own: 1 } } }),
    ).not.toBeNull();
  });

  it('of a known client is recognized only while the client describes itself as before', () => {
    for (let i = 0; i < 2; i++) expect(plainCall(MODERN_HEADERS, MODERN)).not.toBeNull();
    const clientInfo = { name: 1, version: '1.0.0' };
    expect(
      plainCall(MODERN_HEADERS, modernWith({ 'io.modelcontextprotocol/clientInfo': clientInfo })),
    ).toBeNull();
    expect(plainCall(MODERN_HEADERS, { ...modernWith({}), jsonrpc: '1.0' })).toBeNull();
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
    ['a wish for progress', { ...MESSAGE, params: { ...MESSAGE.params, _meta: { progressToken: 0 } } }],
    ['a revision in the message', { ...MESSAGE, params: { ...MESSAGE.params, _meta: WHOLE_WAY } }],
    ['no message', null],
    ['a batch', [MESSAGE]],
    ['a later revision in the headers', MESSAGE, { ...HEADERS, 'mcp-protocol-version': REVISION }],
    ['headers of another revision', MODERN, { ...MODERN_HEADERS, 'mcp-protocol-version': '2025-11-25' }],
    ['headers of no revision', MODERN, HEADERS],
    ['headers of another method', MODERN, { ...MODERN_HEADERS, 'mcp-method': 'tools/list' }],
    ['headers of another tool', MODERN, { ...MODERN_HEADERS, 'mcp-name': 'list_orders' }],
    [
      'another revision in the message than in the headers',
      modernWith({ 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }),
      MODERN_HEADERS,
    ],
    [
      'a revision that is no text',
      modernWith({ 'io.modelcontextprotocol/protocolVersion': 20260728 }),
      MODERN_HEADERS,
    ],
    [
      'a client without a name',
      modernWith({ 'io.modelcontextprotocol/clientInfo': { version: '1' } }),
      MODERN_HEADERS,
    ],
    [
      'capabilities that are a list',
      modernWith({ 'io.modelcontextprotocol/clientCapabilities': [] }),
      MODERN_HEADERS,
    ],
    ['a wish for logs', modernWith({ 'io.modelcontextprotocol/logLevel': 'info' }), MODERN_HEADERS],
    ['a wish for progress in the new revision', modernWith({ progressToken: 0 }), MODERN_HEADERS],
    ['no wish for JSON', MESSAGE, { accept: 'text/event-stream' }],
    ['no wish for a stream', MESSAGE, { accept: 'application/json' }],
  ])('is not recognized with %s', (_, message, headers = HEADERS) => {
    expect(plainCall(headers, message)).toBeNull();
  });
});
