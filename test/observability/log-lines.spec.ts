import pino from 'pino';
import { ownDatabase } from '../support/database/own-database.js';
import { type TestStore, useShop } from '../support/test-app.js';

type Line = Record<string, unknown> & { msg: string };

/** Whoever reads the log by operation or request id finds every line of a call (docs/operations.md, Logs). */
describe('log lines of a call', () => {
  const lines: Line[] = [];
  let store: TestStore;
  const about = (requestId: string) => lines.filter((line) => line.requestId === requestId);

  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  // Its own database: a table of it is taken away for a moment.
  const app = useShop(async () => ({ log, database: await ownDatabase() }));
  beforeAll(async () => {
    store = await app.store();
  });

  const ask = (path: string, body: unknown, requestId: string) =>
    app.post(path, body, {
      Authorization: `Bearer ${store.tokens.write}`,
      Accept: 'application/json, text/event-stream',
      'X-Request-Id': requestId,
    });
  const tool = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: {} },
  });

  it('name its operation, over HTTP and over MCP', async () => {
    await ask('/v1/list_brands', {}, 'by-http');
    await ask('/mcp', tool('list_brands'), 'by-mcp');
    await ask('/mcp', tool('delete_brand'), 'refused');
    await fetch(`${app.url}/dashboard/api/stores`, { headers: { 'X-Request-Id': 'on-the-dashboard' } });
    expect(about('by-http')).toMatchObject([
      { msg: 'request', operation: 'list_brands', path: '/v1/list_brands' },
    ]);
    expect(about('by-mcp')).toMatchObject([{ msg: 'request', operation: 'list_brands', path: '/mcp' }]);
    expect(about('refused')).toMatchObject([{ msg: 'request', operation: 'delete_brand' }]);
    // Refused before it was known what is asked for: the path says it.
    expect(about('on-the-dashboard')).toMatchObject([
      { msg: 'request', status: 401, path: '/dashboard/api/stores' },
    ]);
  });

  it("name the operation in the handler's own lines", async () => {
    await store.inside(async (ctx) => ctx.log.info({ orderId: 1 }, 'something'));
    const [line] = lines.filter(({ msg }) => msg === 'something');
    expect(line).toMatchObject({ requestId: expect.any(String), storeId: store.id, orderId: 1 });
  });

  it('name the operation of a failed call', async () => {
    await app.query('alter table brands rename to brands_away');
    await ask('/v1/list_brands', {}, 'failed').finally(() =>
      app.query('alter table brands_away rename to brands'),
    );
    expect(about('failed')).toMatchObject([
      { msg: 'a call failed', operation: 'list_brands', err: { code: '42P01' } },
      { msg: 'request', operation: 'list_brands', status: 500 },
    ]);
  });

  it('report no failure for a change that waits for the move of its store', async () => {
    const readOnly = (since: string) =>
      app.query(`update stores set read_only_since = ${since} where id = $1`, [store.id]);
    await readOnly('now()');
    await ask('/v1/create_brand', { name: 'Clay', slug: 'clay' }, 'moved').finally(() => readOnly('null'));
    expect(about('moved')).toMatchObject([{ msg: 'request', operation: 'create_brand', status: 503 }]);
  });

  it('have metrics by tool', async () => {
    await ask('/mcp', tool('list_categories'), 'counted');
    await ask('/mcp', tool('delete_category'), 'counted');
    const text = await (await fetch(`${app.url}/metrics`)).text();
    expect(text).toMatch(/^shop_tool_duration_seconds_count\{tool="list_categories",outcome="ok"\} 1$/m);
    expect(text).toMatch(
      /^shop_tool_duration_seconds_count\{tool="delete_category",outcome="forbidden"\} 1$/m,
    );
  });
});
