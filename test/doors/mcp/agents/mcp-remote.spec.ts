import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { useOauth } from '../../oauth/oauth-app.js';
import type { Person } from '../../oauth/person.js';
import type { TestStore } from '../../../support/test-app.js';

const PINNED = 'mcp-remote@0.15.1';
const PATIENCE = { timeout: 110_000 };

/**
 * docs/connect-agents.md: hosts that only start programs reach the service through mcp-remote, which npx
 * takes from the registry. The browser that it wants to open is a person of these tests.
 */
describe('a host that starts mcp-remote', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mcp-remote-'));
  let store: TestStore;
  let person: Person;
  let asked = 0;

  const oauth = useOauth();
  beforeAll(async () => {
    store = await oauth.app.store({ name: 'Olena Ceramics' });
    person = oauth.person(store);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the document has a person write, for this service and for one version of the program. */
  const written = (): { command: string; args: string[] } => {
    const text = readFileSync(path.resolve(__dirname, '../../../../docs/connect-agents.md'), 'utf8');
    const { mcpServers } = JSON.parse(/`(\{[^`]*"mcp-remote"[^`]*\})`/.exec(text)![1]);
    const { command, args } = mcpServers.shop;
    const own: Record<string, string> = {
      'mcp-remote': PINNED,
      'https://shop.example/mcp': oauth.resource,
    };
    expect(args).toEqual(expect.arrayContaining(Object.keys(own)));
    return { command, args: args.map((arg: string) => own[arg] ?? arg) };
  };

  /** Signs in at the address that the program prints, and goes where the page sends the browser. */
  const browse = async (printed: Readable) => {
    let text = '';
    for await (const chunk of printed) {
      text += String(chunk);
      const address = /visiting:\s+(http\S+)\s/.exec(text)?.[1];
      if (address === undefined) continue;
      text = '';
      asked++;
      const { callback } = await person.decide(address, { scope: 'write' });
      await (await fetch(callback!)).text();
    }
  };

  const connect = async () => {
    const transport = new StdioClientTransport({
      ...written(),
      cwd: folder,
      // Without the variables of a desktop, so that no browser opens.
      env: {
        PATH: process.env.PATH!,
        HOME: process.env.HOME!,
        BROWSER: 'true',
        MCP_REMOTE_CONFIG_DIR: folder,
      },
      stderr: 'pipe',
    });
    const browsing = browse(transport.stderr as Readable);
    const client = new Client({ name: 'host', version: '1.0.0' });
    await client.connect(transport, PATIENCE);
    return { client, close: () => client.close().then(() => browsing) };
  };

  it('has its person sign in once, lists the tools and calls them', async () => {
    const first = await connect();
    expect([asked, first.client.getInstructions()]).toEqual([1, expect.stringContaining('Olena Ceramics')]);
    const { tools } = await first.client.listTools(undefined, PATIENCE);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['find_orders', 'update_general']));
    const change = { name: 'update_general', arguments: { name: 'Olena' } };
    expect((await first.client.callTool(change)).structuredContent).toMatchObject({ ok: true });
    expect((await store.data('get_settings')).name).toBe('Olena');
    await first.close();
    const second = await connect();
    const read = await second.client.callTool({ name: 'get_store_overview', arguments: {} });
    expect(read.structuredContent).toMatchObject({ ok: true, data: { store: { name: 'Olena' } } });
    expect(asked).toBe(1);
    // What the person left out is asked for, and the call that needed it goes on.
    const greeting = { name: 'update_welcome_message', arguments: { text: 'Hello, agents' } };
    const granted = await second.client.callTool(greeting, undefined, PATIENCE);
    expect([granted.structuredContent, asked]).toEqual([expect.objectContaining({ ok: true }), 2]);
    await second.close();
  });
});
