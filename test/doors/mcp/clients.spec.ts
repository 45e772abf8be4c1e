import { type AddressInfo, connect as netConnect, createServer } from 'node:net';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { INSTRUCTIONS } from '../../../src/doors/mcp/connection/instructions.js';
import { TestApp, type TestStore, useShop } from '../../support/test-app.js';
import { envelopeOf } from './raw-client.js';

const ME = { name: 'test-client', version: '1.0.0' };

interface Connected {
  client: LegacyClient | ModernClient;
  instructions: string | undefined;
}

/**
 * The two independent clients: the 1.x SDK knows revisions up to 2025-11-25, the 2.x client is held to
 * 2026-07-28.
 */
const CLIENTS: Record<string, (url: URL, requestInit: RequestInit) => Promise<Connected>> = {
  '2025-11-25': async (url, requestInit) => {
    const client = new LegacyClient(ME);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return { client, instructions: client.getInstructions() };
  },
  '2026-07-28': async (url, requestInit) => {
    const client = new ModernClient(ME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(url, { requestInit }));
    return { client, instructions: client.getInstructions() };
  },
};

describe.each(Object.keys(CLIENTS))('a client of revision %s', (revision) => {
  let store: TestStore;

  const connect = (token: string) =>
    CLIENTS[revision](new URL(`${app.url}/mcp`), { headers: { Authorization: `Bearer ${token}` } });

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('connects, is told how to work, lists tools and calls them', async () => {
    const { client, instructions } = await connect(store.tokens.write);
    expect(instructions).toContain(INSTRUCTIONS);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get_order', 'set_order_status']));
    const { productId } = await store.product();
    const placed = await store.place({ items: [{ productId, quantity: 1 }] });
    const read = await client.callTool({ name: 'get_order', arguments: { orderId: placed.id } });
    expect(envelopeOf(read)).toEqual({ ok: true, data: placed });
    const change = { orderId: placed.id, status: 'PROCESSING' };
    const changed = envelopeOf(await client.callTool({ name: 'set_order_status', arguments: change }));
    expect(changed).toEqual({
      ok: true,
      data: { ...change, order: await store.data('get_order', { orderId: placed.id }) },
    });
    await client.close();
  });

  it('reads a refusal that fits the output schema it was given', async () => {
    const { client } = await connect(store.tokens.read);
    await client.listTools();
    expect(envelopeOf(await client.callTool({ name: 'get_order', arguments: { orderId: 999_999 } }))).toEqual(
      {
        ok: false,
        error: { code: 'not_found', message: 'Order 999999 was not found in this store' },
      },
    );
    const refused = envelopeOf(await client.callTool({ name: 'get_order', arguments: { orderId: 'one' } }));
    expect(refused.error).toEqual({
      code: 'invalid_input',
      message: expect.stringContaining('orderId must be an integer'),
    });
    await client.close();
  });

  it('is told of an unknown tool as the protocol asks', async () => {
    const { client } = await connect(store.tokens.read);
    await expect(client.callTool({ name: 'drop_database', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    await client.close();
  });

  it('cannot connect without a valid token', async () => {
    await expect(connect('shop_live_nonsense')).rejects.toThrow();
  });

  it('goes on when the service is restarted, and between replicas', async () => {
    const replicas = [app, await TestApp.start()];
    let turn = 0;
    const balancer = createServer((socket) => {
      const { port } = new URL(replicas[turn++ % replicas.length].url);
      const onward = netConnect(Number(port), '127.0.0.1');
      for (const end of [socket, onward]) end.on('error', () => undefined);
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => balancer.listen(0, '127.0.0.1', resolve));
    const { port } = balancer.address() as AddressInfo;
    const { client } = await CLIENTS[revision](new URL(`http://127.0.0.1:${port}/mcp`), {
      // A new connection for each request, so that each meets another replica.
      headers: { Authorization: `Bearer ${store.tokens.read}`, Connection: 'close' },
    });
    const list = () => client.callTool({ name: 'list_orders', arguments: {} });
    const before = await list();
    for (let i = 0; i < 6; i++) expect(await list()).toEqual(before);
    await replicas[1].stop();
    replicas[1] = await TestApp.start();
    for (let i = 0; i < 6; i++) expect(await list()).toEqual(before);
    expect(turn).toBeGreaterThan(12);
    await client.close();
    await replicas[1].stop();
    balancer.close();
  });
});
