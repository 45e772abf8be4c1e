import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { useOauth } from '../../oauth/oauth-app.js';
import type { Person } from '../../oauth/person.js';
import type { TestStore } from '../../../support/test-app.js';
import { installTools } from '../../../support/tools.mjs';

const TOOLS = path.resolve(__dirname, '../../../../node_modules/.cache/agents-tools');
const PACKAGES = ['@openai/agents@0.20.0', 'zod@4.1.12'];
const CALLBACK = 'http://localhost:54321/callback';
const CALL = { name: 'update_welcome_message', arguments: { text: 'Hello, agents' } };

/**
 * docs/behaviour.md §2.4: an app calls what its person left out, the page opens with it, the person allows
 * it, and the same call succeeds. With clients as they are published.
 */
describe('a client that lacks a group', () => {
  let store: TestStore;
  let person: Person;

  const oauth = useOauth();
  beforeEach(async () => {
    store = await oauth.app.store();
    person = oauth.person(store);
  });

  const allow = async (address: string) => {
    const { callback, asked } = await person.decide(address, { scope: 'write' });
    return { callback: callback!, page: asked.page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
  };
  const greeting = async () => (await store.data('get_welcome_message')).text as string;

  it.each(['legacy', 'auto'] as const)('is asked for it: the official client, %s era', async (mode) => {
    const kept: Record<string, any> = {};
    let toOpen: URL | undefined;
    const authProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: {
        client_name: 'An agent',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept.client,
      saveClientInformation: (client: unknown) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
      saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier as string,
      saveDiscoveryState: (state: unknown) => void (kept.discovery = state),
      discoveryState: () => kept.discovery,
      redirectToAuthorization: (address: URL) => void (toOpen = address),
    };
    const transportOf = () => new StreamableHTTPClientTransport(new URL(oauth.resource), { authProvider });
    const clientOf = () => new Client({ name: 'host', version: '1.0.0' }, { versionNegotiation: { mode } });
    const first = transportOf();
    await clientOf()
      .connect(first)
      .catch(() => undefined);
    await first.finishAuth((await allow(toOpen!.href)).callback.searchParams);
    const [client, transport] = [clientOf(), transportOf()];
    await client.connect(transport);
    await expect(client.callTool(CALL)).rejects.toThrow();
    expect(toOpen!.searchParams.get('scope')).toBe('read write group:bot');
    const { callback, page } = await allow(toOpen!.href);
    expect(page).toContain('It now asks for: bot');
    await transport.finishAuth(callback.searchParams);
    expect((await client.callTool(CALL)).structuredContent).toMatchObject({ ok: true });
    expect([await greeting(), kept.tokens.scope]).toEqual(['Hello, agents', 'read write group:bot']);
    await client.close();
  });

  it('is asked for it: @openai/agents', async () => {
    installTools(TOOLS, PACKAGES);
    const script = path.join(__dirname, 'openai-agents.mjs');
    const host = spawn(process.execPath, [script, TOOLS, oauth.resource], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const scopes: string[] = [];
    let called: unknown;
    for await (const line of readline.createInterface({ input: host.stdout })) {
      const said = JSON.parse(line) as { open?: string; scope?: string; called?: unknown };
      if (said.open === undefined) {
        called = said.called;
        break;
      }
      scopes.push(said.scope!);
      host.stdin.write(`${(await allow(said.open)).callback.href}\n`);
    }
    expect(scopes).toEqual(['read write', 'read write group:bot']);
    expect(JSON.stringify(called)).toContain('Hello, agents');
    expect(await greeting()).toBe('Hello, agents');
  }, 600_000);
});
