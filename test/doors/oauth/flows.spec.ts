import {
  Client as ModernClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth4webapi from 'oauth4webapi';
import { StorePage } from '../dashboard/browser.js';
import type { TestStore } from '../../support/test-app.js';
import { useOauth } from './oauth-app.js';
import { choices, type Person } from './person.js';

const ME = { name: 'test-client', version: '1.0.0' };
const CALLBACK = 'http://localhost:54321/callback';

/** What a host keeps for its client: the same for both lines of the SDK. */
class Host {
  readonly redirectUrl = CALLBACK;
  info: any;
  saved: any;
  authorizationUrl: URL;
  private verifier: string;
  private lastState: string;
  private discovery: any;

  /** @param clientMetadataUrl the document; without it the client registers itself */
  constructor(readonly clientMetadataUrl: string | undefined) {}

  get clientMetadata() {
    return {
      client_name: 'Test agent',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
  state = () => (this.lastState = Math.random().toString(36).slice(2));
  clientInformation = () => this.info;
  saveClientInformation = (info: any) => void (this.info = info);
  tokens = () => this.saved;
  saveTokens = (tokens: any) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (state: any) => void (this.discovery = state);
  discoveryState = () => this.discovery;
  invalidateCredentials = (what: string) => {
    if (what === 'all' || what === 'tokens') this.saved = undefined;
    if (what === 'all' || what === 'client') this.info = undefined;
  };

  /** The person opens what the host was told to open. @returns the callback's query */
  async signIn(person: Person, scope: string): Promise<{ params: URLSearchParams; offered: string[] }> {
    const { callback, asked, page } = await person.decide(this.authorizationUrl, { scope });
    if (!callback) throw new Error(`no callback: ${page}`);
    expect(callback.searchParams.get('state')).toBe(this.lastState);
    return { params: callback.searchParams, offered: choices(asked, 'scope') };
  }
}

interface Line {
  client: () => LegacyClient | ModernClient;
  transport: (url: URL, host: Host) => StreamableHTTPClientTransport | ModernTransport;
  finish: (transport: any, params: URLSearchParams) => Promise<void>;
  /**
   * Whether it asks the person again when it is told that its scope is too narrow, though it holds a refresh
   * token.
   */
  stepsUp: boolean;
}

const LINES: Record<string, Line> = {
  '1.x': {
    client: () => new LegacyClient(ME),
    transport: (url, authProvider) =>
      new StreamableHTTPClientTransport(url, { authProvider: authProvider as never }),
    finish: (transport: StreamableHTTPClientTransport, params) => transport.finishAuth(params.get('code')!),
    stepsUp: false,
  },
  '2.x': {
    client: () => new ModernClient(ME, { versionNegotiation: { mode: 'auto' } }),
    transport: (url, host) =>
      new ModernTransport(url, { authProvider: host as unknown as OAuthClientProvider }),
    finish: (transport: ModernTransport, params) => transport.finishAuth(params),
    stepsUp: true,
  },
};

describe('an app to which a person gives access', () => {
  let store: TestStore;
  let person: Person;
  const document = 'https://agent.example/oauth/sdk.json';

  const oauth = useOauth();
  beforeAll(async () => {
    // As Claude Code publishes it: loopback without a port, no application_type.
    oauth.documents.set(document, {
      client_id: document,
      client_name: 'Test agent',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    });
  });
  beforeEach(async () => {
    store = await oauth.app.store();
    person = oauth.person(store);
  });

  const nameOf = (error: Error) => error.constructor.name;

  describe.each(Object.entries(LINES))('with the official client %s', (_, line) => {
    it.each([
      ['a document', true, ''],
      ['registration', false, '?tools=orders,update_general&readonly=false'],
    ])(
      'by %s: signs in, calls, refreshes, requests more, and is revoked',
      async (_by, hasDocument, query) => {
        const host = new Host(hasDocument ? document : undefined);
        const url = new URL(oauth.resource + query);
        const connect = async () => {
          const [client, transport] = [line.client(), line.transport(url, host)];
          await (client as ModernClient).connect(transport as never);
          return { client: client as ModernClient, transport };
        };
        const first = line.transport(url, host);
        expect(await (line.client() as ModernClient).connect(first as never).catch(nameOf)).toBe(
          'UnauthorizedError',
        );
        expect(Object.fromEntries(host.authorizationUrl.searchParams)).toMatchObject({
          code_challenge_method: 'S256',
          resource: url.href,
          scope: 'read write',
          client_id: hasDocument ? document : expect.stringMatching(/^dcr_/),
        });
        const { params, offered } = await host.signIn(person, 'read');
        expect([params.get('iss'), offered]).toEqual([oauth.issuer, ['read', 'write', 'admin']]);
        await line.finish(first, params);

        let { client, transport } = await connect();
        const names = async () => (await client.listTools()).tools.map(({ name }) => name);
        expect(await names()).toContain('list_orders');
        // A call of what the person could still grant asks them.
        expect(await names()).toContain('set_order_status');
        const answer = await client.callTool({ name: 'list_orders', arguments: {} });
        expect(answer.structuredContent).toMatchObject({ ok: true, data: { items: [] } });

        const before = host.saved.refresh_token;
        await oauth.app.query(`delete from oauth_tokens where kind = 'AccessToken' and store_id = $1`, [
          store.id,
        ]);
        await names();
        expect([host.saved.refresh_token === before, host.saved.scope]).toEqual([false, 'read']);

        const change = () => client.callTool({ name: 'update_general', arguments: { name: 'New name' } });
        const refused = await change().catch((error: Error) => error);
        expect(refused).toBeInstanceOf(Error);
        if (!line.stepsUp) {
          // Such a client refreshes first, gets the same scope and gives up: its user has to connect anew.
          expect((refused as Error).message).toMatch(/403/);
          host.saved = undefined;
          transport = line.transport(url, host);
          await (line.client() as ModernClient).connect(transport as never).catch(() => undefined);
        }
        await line.finish(transport, (await host.signIn(person, 'write')).params);
        ({ client, transport } = await connect());
        expect((await change()).structuredContent).toMatchObject({ ok: true });

        const owner = await StorePage.ofOwner(store);
        for (const { id } of (await owner.data('GET', 'connections')).items)
          await owner.data('DELETE', `connections/${id}`);
        expect(await client.listTools().catch(nameOf)).toBe('UnauthorizedError');
        await client.close();
      },
    );
  });

  it('works with a strict client of another author, as the standards require', async () => {
    const insecure = { [oauth4webapi.allowInsecureRequests]: true };
    const resource = new URL(`${oauth.resource}?readonly=true`);
    const described = await oauth4webapi.processResourceDiscoveryResponse(
      resource,
      await oauth4webapi.resourceDiscoveryRequest(resource, insecure),
    );
    expect(described).toMatchObject({ resource: resource.href, authorization_servers: [oauth.issuer] });
    const discovered = await oauth4webapi.discoveryRequest(new URL(oauth.issuer), {
      ...insecure,
      algorithm: 'oauth2',
    });
    // Taken by hand: the library compares the issuer with a URL, which has a slash at its end.
    const server = (await discovered.json()) as oauth4webapi.AuthorizationServer;
    expect(server).toMatchObject({
      issuer: oauth.issuer,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
    });
    const client = { client_id: oauth.agent };
    const [verifier, state] = [oauth4webapi.generateRandomCodeVerifier(), oauth4webapi.generateRandomState()];
    const redirect = 'http://localhost:50001/callback';
    const url = new URL(server.authorization_endpoint!);
    url.search = new URLSearchParams({
      ...client,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'read write',
      resource: resource.href,
      state,
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const { callback } = await person.decide(url, { scope: 'read' });
    const params = oauth4webapi.validateAuthResponse(server, client, callback!, state);
    const options = { ...insecure, additionalParameters: { resource: resource.href } };
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(
      server,
      client,
      await oauth4webapi.authorizationCodeGrantRequest(
        server,
        client,
        oauth4webapi.None(),
        params,
        redirect,
        verifier,
        options,
      ),
    );
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read', expires_in: 3600 });
    const renewed = await oauth4webapi.processRefreshTokenResponse(
      server,
      client,
      await oauth4webapi.refreshTokenGrantRequest(
        server,
        client,
        oauth4webapi.None(),
        tokens.refresh_token!,
        options,
      ),
    );
    expect(await oauth.status(renewed.access_token)).toBe(200);
    await oauth4webapi.processRevocationResponse(
      await oauth4webapi.revocationRequest(
        server,
        client,
        oauth4webapi.None(),
        renewed.refresh_token!,
        insecure,
      ),
    );
    expect([await oauth.status(renewed.access_token), await oauth.status(tokens.access_token)]).toEqual([
      401, 401,
    ]);
  });
});
