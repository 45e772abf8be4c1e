// A host that is written with @openai/agents: openai-agents.mjs <folder with the package> <url>. It prints
// the addresses that its person is to open, reads the callback's address from standard input, and ends with
// what its call answered.
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, url] = process.argv.slice(2);
const load = (specifier) =>
  import(pathToFileURL(createRequire(path.join(folder, 'package.json')).resolve(specifier)).href);
const { MCPServerStreamableHttp } = await load('@openai/agents');
const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const kept = {};
let toOpen = null;
const callback = 'http://localhost:54322/callback';
const authProvider = {
  redirectUrl: callback,
  clientMetadata: {
    client_name: 'An agent of @openai/agents',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  saveDiscoveryState: (state) => void (kept.discovery = state),
  discoveryState: () => kept.discovery,
  redirectToAuthorization: (address) => void (toOpen = address),
};

/** Does it, and does it once more after the person has been where the client sends them. */
async function withPerson(act) {
  try {
    return await act();
  } catch (error) {
    if (toOpen === null) throw error;
    say({ open: toOpen.href, scope: toOpen.searchParams.get('scope') });
    toOpen = null;
    const { value } = await lines.next();
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
    await transport.finishAuth(new URL(value).searchParams);
    return act();
  }
}

const server = new MCPServerStreamableHttp({ url, authProvider, clientSessionTimeoutSeconds: 60 });
await withPerson(() => server.connect());
const called = await withPerson(() => server.callTool('update_welcome_message', { text: 'Hello, agents' }));
say({ called });
await server.close();
process.exit(0);
