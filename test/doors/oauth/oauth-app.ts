import { createHash, randomBytes } from 'node:crypto';
import { DocumentClient, type FetchedDocument } from '../../../src/platform/http/document-client.js';
import { freePort } from '../../support/servers/service-process.js';
import { TestApp, type TestAppOptions, type TestStore } from '../../support/test-app.js';
import { type Decision, Person } from './person.js';

type Document = object | (() => FetchedDocument);

export const CALLBACK = 'http://localhost:5000/callback';

/** What the token endpoint answers. */
export interface TokenAnswer {
  status: number;
  access_token?: string;
  refresh_token?: string;
  expires_in?: number;
  scope?: string;
  error?: string;
  error_description?: string;
}

/**
 * The service at an address of its own, and the web around it: the documents in which clients describe
 * themselves.
 */
export class OauthApp {
  /** Ids of clients that are like everybody's: as Claude Code publishes it, and an app on the web. */
  readonly agent = 'https://agent.example/oauth/client.json';
  readonly other = 'https://other.example/client.json';
  readonly documents = new Map<string, Document>([
    [
      this.agent,
      {
        client_id: this.agent,
        client_name: 'Agent',
        redirect_uris: ['http://localhost/callback', 'https://agent.example/cb'],
      },
    ],
    [
      this.other,
      { client_id: this.other, client_name: 'Other', redirect_uris: ['https://other.example/cb'] },
    ],
  ]);
  /** Addresses of documents that were asked for. */
  readonly fetched: string[] = [];

  readonly app = TestApp.unstarted();
  /** BASE_URL. */
  issuer!: string;

  static async start(options: TestAppOptions = {}): Promise<OauthApp> {
    const oauth = new OauthApp();
    await oauth.open(options);
    return oauth;
  }

  async open({ env = {}, ...options }: TestAppOptions): Promise<void> {
    const port = env.PORT ?? String(await freePort());
    this.issuer = env.BASE_URL ?? `http://localhost:${port}`;
    await this.app.open({ ...options, env: { PORT: port, BASE_URL: this.issuer, ...env } });
    this.serveDocuments(this.app);
  }

  /** Another instance of the same service, which knows the same documents. */
  async twin(options: TestAppOptions = {}): Promise<TestApp> {
    const app = await TestApp.start({ ...options, env: { BASE_URL: this.issuer, ...options.env } });
    this.serveDocuments(app);
    return app;
  }

  /** The web is outside: its documents come from here. What fetches them is tested for itself. */
  private serveDocuments(app: TestApp): void {
    const client = app.nest.get(DocumentClient, { strict: false });
    client.get = async (address) => {
      this.fetched.push(address);
      const found = this.documents.get(address);
      if (!found) throw new Error('there is no such document');
      if (typeof found === 'function') return found();
      return { status: 200, headers: { 'cache-control': 'max-age=60' }, text: JSON.stringify(found) };
    };
  }

  get resource(): string {
    return `${this.issuer}/mcp`;
  }

  person(store: TestStore): Person {
    return new Person(this.issuer, store.ownerEmail);
  }

  /** The address at which an app asks for access; null takes a parameter away. */
  request(over: Record<string, string | null> = {}, challenge = pkce().challenge): string {
    const query = new URLSearchParams({
      client_id: this.agent,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read write',
      resource: this.resource,
      state: 'st',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    for (const [name, value] of Object.entries(over)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return `${this.issuer}/oauth/authorize?${query.toString()}`;
  }

  /** Posts a form. @param at another instance's address */
  async post(path: string, form: Record<string, string>, at = this.issuer): Promise<TokenAnswer> {
    const response = await fetch(at + path, { method: 'POST', body: new URLSearchParams(form) });
    const text = await response.text();
    return { status: response.status, ...(text.startsWith('{') ? (JSON.parse(text) as object) : {}) };
  }

  /** A code that a person has just allowed. */
  async code(
    person: Person,
    over: Record<string, string | null> = {},
    decision: Decision = {},
  ): Promise<{ code: string; verifier: string }> {
    const { verifier, challenge } = pkce();
    const { callback, status, page } = await person.decide(this.request(over, challenge), decision);
    const code = callback?.searchParams.get('code');
    if (!code) throw new Error(`no code: ${status} ${callback?.href ?? page}`);
    return { code, verifier };
  }

  exchange(
    { code, verifier }: { code: string; verifier: string },
    over: Record<string, string | null> = {},
    at?: string,
  ): Promise<TokenAnswer> {
    const form: Record<string, string | null> = {
      grant_type: 'authorization_code',
      client_id: this.agent,
      code,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      resource: this.resource,
      ...over,
    };
    return this.post('/oauth/token', withoutNulls(form), at);
  }

  refresh(token: string, over: Record<string, string | null> = {}, at?: string): Promise<TokenAnswer> {
    const form = {
      grant_type: 'refresh_token',
      client_id: this.agent,
      refresh_token: token,
      resource: this.resource,
      ...over,
    };
    return this.post('/oauth/token', withoutNulls(form), at);
  }

  /** Tokens of a grant that a person has just made. */
  async tokens(
    person: Person,
    over: Record<string, string | null> = {},
    decision: Decision = {},
  ): Promise<Required<Pick<TokenAnswer, 'access_token' | 'refresh_token'>>> {
    const { client_id: client, resource, redirect_uri: redirect } = over;
    const exchanged = Object.fromEntries(
      Object.entries({ client_id: client, resource, redirect_uri: redirect }).filter(
        ([, value]) => value !== undefined,
      ),
    );
    const answer = await this.exchange(
      await this.code(person, over, decision),
      exchanged as Record<string, string | null>,
    );
    if (!answer.access_token || !answer.refresh_token)
      throw new Error(`no tokens: ${answer.error} ${answer.error_description}`);
    return { access_token: answer.access_token, refresh_token: answer.refresh_token };
  }

  /** Registers a client. */
  async register(metadata: object): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.issuer}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    return { status: response.status, body: await response.json() };
  }

  /** One message to /mcp. */
  mcp(token: string | null, message: object = LIST_TOOLS, at = this.issuer): Promise<Response> {
    return fetch(`${at}/mcp`, {
      method: 'POST',
      headers: {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    });
  }

  /** The status with which a token is met at /mcp. */
  async status(token: string | undefined, at?: string): Promise<number> {
    const response = await this.mcp(token ?? null, LIST_TOOLS, at);
    await response.text();
    return response.status;
  }
}

export const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

export const callTool = (name: string, input: object = {}, meta?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input, ...(meta ? { _meta: meta } : {}) },
});

export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

const withoutNulls = (form: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null)) as Record<string, string>;

/** The service of a file or of a describe, started before its first test and stopped after its last. */
export function useOauth(options: TestAppOptions | (() => Promise<TestAppOptions>) = {}): OauthApp {
  const oauth = new OauthApp();
  beforeAll(async () => oauth.open(typeof options === 'function' ? await options() : options));
  afterAll(() => oauth.app.stop());
  return oauth;
}
