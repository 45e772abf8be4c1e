import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DocumentClient } from '../../../src/platform/http/document-client.js';
import { AuthorizationServer } from '../../../src/doors/oauth/authorization-server.service.js';
import { TestApp } from '../../support/test-app.js';
import { OauthApp, pkce } from './oauth-app.js';
import { Person } from './person.js';

const PRM = '/.well-known/oauth-protected-resource';

/** docs/behaviour.md §15.1: how clients find out where to ask. */
describe('the metadata of the authorization server', () => {
  const metadata = async (url: string) => {
    const response = await fetch(url);
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, any>,
    };
  };

  it('can be found from a 401, by its header, at the path of the resource, and at the root', async () => {
    const oauth = await OauthApp.start();
    try {
      const challenged = await oauth.mcp(null);
      const header = challenged.headers.get('www-authenticate')!;
      expect(header).toBe(`Bearer scope="read write", resource_metadata="${oauth.issuer}${PRM}/mcp"`);
      expect((await oauth.mcp('shop_oat_x')).headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", .*scope="read write"/,
      );
      for (const [path, resource] of [
        [`${PRM}/mcp`, '/mcp'],
        [PRM, '/mcp'],
        [`${PRM}/v1`, '/v1'],
      ]) {
        const { headers, body } = await metadata(oauth.issuer + path);
        expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([
          '*',
          'public, max-age=300',
        ]);
        expect(body).toEqual({
          resource: oauth.issuer + resource,
          authorization_servers: [oauth.issuer],
          scopes_supported: ['read', 'write'],
          bearer_methods_supported: ['header'],
          resource_name: 'Shop administration',
        });
      }
      // Clients that were given an address with a query compare the whole of it.
      const narrowed = await fetch(`${oauth.resource}?tools=orders&x="\\ `, { method: 'POST' });
      const [, told] = /resource_metadata="([^"]*)"/.exec(narrowed.headers.get('www-authenticate')!)!;
      expect(told).toBe(`${oauth.issuer}${PRM}/mcp?tools=orders&x=%22%5C`);
      expect((await metadata(told)).body.resource).toBe(`${oauth.resource}?tools=orders&x=%22%5C`);
      expect((await fetch(`${oauth.issuer}${PRM}/dashboard`)).status).toBe(404);
      // A page of this machine may ask, as at /mcp; a stranger's may read what is no secret.
      const ask = (path: string, Origin: string) =>
        fetch(oauth.issuer + path, { method: 'OPTIONS', headers: { Origin } });
      const asked = await Promise.all([
        ask('/oauth/token', 'http://localhost:6274'),
        ask('/oauth/token', 'https://evil.example'),
        ask(`${PRM}/mcp`, 'https://evil.example'),
      ]);
      expect(
        asked.map(({ status, headers }) => [status, headers.get('access-control-allow-origin')]),
      ).toEqual([
        [204, 'http://localhost:6274'],
        [403, null],
        [204, '*'],
      ]);
      // None of that needs the library, which is loaded with the first request for it.
      const server = oauth.app.nest.get(AuthorizationServer, { strict: false }) as unknown as {
        providers: Map<string, unknown>;
      };
      expect(server.providers.size).toBe(0);
      for (const name of ['oauth-authorization-server', 'openid-configuration']) {
        const { body } = await metadata(`${oauth.issuer}/.well-known/${name}`);
        expect(body).toMatchObject({
          issuer: oauth.issuer,
          authorization_endpoint: `${oauth.issuer}/oauth/authorize`,
          token_endpoint: `${oauth.issuer}/oauth/token`,
          registration_endpoint: `${oauth.issuer}/oauth/register`,
          revocation_endpoint: `${oauth.issuer}/oauth/revoke`,
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
          token_endpoint_auth_methods_supported: ['none'],
          scopes_supported: ['read', 'write', 'admin'],
        });
      }
      expect(server.providers.size).toBe(1);
    } finally {
      await oauth.app.stop();
    }
  });

  it('follows a BASE_URL with a path, behind a proxy that removes the path', async () => {
    const app = await TestApp.start({ env: { BASE_URL: 'http://localhost:1/admin' } });
    const base = 'http://localhost:1/admin';
    // The proxy: people's addresses begin with /admin, the service's do not.
    const inner = (address: string | null) => new URL(address!).href.replace(base, app.url);
    try {
      const { body } = await metadata(`${app.url}/.well-known/oauth-authorization-server/admin`);
      expect(body).toMatchObject({
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
      });
      for (const path of [`${PRM}/mcp`, `${PRM}/admin/mcp`]) {
        expect((await metadata(app.url + path)).body).toMatchObject({
          resource: `${base}/mcp`,
          authorization_servers: [base],
        });
      }
      expect((await fetch(`${app.url}/.well-known/oauth-authorization-server/other`)).status).toBe(404);
      const { body: registered } = await app.post('/oauth/register', {
        redirect_uris: ['http://localhost/cb'],
      });
      const query = new URLSearchParams({
        client_id: (registered as unknown as { client_id: string }).client_id,
        redirect_uri: 'http://localhost/cb',
        response_type: 'code',
        state: 's',
        code_challenge: pkce().challenge,
        code_challenge_method: 'S256',
      });
      const asked = await fetch(`${app.url}/oauth/authorize?${query.toString()}`, { redirect: 'manual' });
      const page = asked.headers.get('location');
      expect(page).toMatch(/^\/admin\/dashboard\/connect\/[\w-]+$/);
      const cookies = asked.headers.getSetCookie();
      expect(cookies.some((cookie) => cookie.includes(`path=${page}`))).toBe(true);
      const Cookie = cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
      const shown = await fetch(inner(`http://localhost:1${page}`), { headers: { Cookie } });
      expect(await shown.text()).toContain(`action="${page}/sign-in"`);
    } finally {
      await app.stop();
    }
  });

  it('does not exist with OAUTH_ENABLED=false, and a 401 does not mention it', async () => {
    const app = await TestApp.start({ env: { OAUTH_ENABLED: 'false' } });
    try {
      for (const path of [PRM, `${PRM}/mcp`, '/.well-known/oauth-authorization-server', '/oauth/authorize']) {
        const { status, body } = await metadata(app.url + path);
        expect([path, status, body.error?.code]).toEqual([path, 404, 'not_found']);
      }
      expect((await app.post('/oauth/register', {})).status).toBe(404);
      const headers = { Authorization: 'Bearer shop_oat_x' };
      expect((await app.post('/v1/list_orders', {})).headers.get('www-authenticate')).toBe(
        'Bearer realm="shop"',
      );
      expect((await app.post('/v1/list_orders', {}, headers)).headers.get('www-authenticate')).toBe(
        'Bearer realm="shop", error="invalid_token"',
      );
    } finally {
      await app.stop();
    }
  });

  it('is valid on all instances: one can finish a request that another began', async () => {
    const oauth = await OauthApp.start();
    const twin = await oauth.twin();
    try {
      const person = oauth.person(await oauth.app.store());
      const page = await person.arrive(oauth.request());
      const other = new Person(twin.url, person.email);
      // The same browser; a balancer sent it elsewhere.
      Object.assign(other, { jar: (person as unknown as { jar: unknown }).jar });
      const shown = await other.request(page.at.pathname, { headers: { Origin: oauth.issuer } });
      expect(await shown.text()).toContain('asks for access to a shop');
    } finally {
      await Promise.all([oauth.app.stop(), twin.stop()]);
    }
  });
});

describe('a document that a stranger refers to', () => {
  const server = createServer((request, response) => {
    if (request.url === '/redirect')
      return response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    if (request.url === '/slow') return;
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=5' });
    response.end(request.url === '/large' ? 'x'.repeat(5121) : JSON.stringify(request.headers));
  });
  let origin: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = new DocumentClient({ allowPrivate: true });

  it('is fetched without credentials of ours', async () => {
    const { status, headers, text } = await open.get(`${origin}/client.json`);
    expect([status, headers['cache-control']]).toEqual([200, 'max-age=5']);
    expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(['accept', 'connection', 'host']);
  });

  it('is not followed by redirects, or read beyond 5 KiB', async () => {
    // A busy machine may take longer than it is waited for, so that time stands still.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
    try {
      expect((await open.get(`${origin}/redirect`)).status).toBe(302);
      await expect(open.get(`${origin}/large`)).rejects.toThrow('larger than 5120 bytes');
    } finally {
      jest.useRealTimers();
    }
  });

  it('is not waited for beyond 2.5 s', async () => {
    await expect(open.get(`${origin}/slow`)).rejects.toThrow('took too long');
  });

  it.each([
    'http://agent.example/x',
    'https://127.0.0.1/x',
    'https://metadata.google.internal/x',
    'https://[::1]/x',
    'https://10.0.0.1/x',
    'https://agent.example:22/x',
  ])('is not fetched at %s', async (address) => {
    const closed = new DocumentClient({ allowPrivate: false });
    await expect(closed.get(address)).rejects.toThrow(/^url must/);
  });

  it('is not fetched at a name that leads to an internal address', async () => {
    const lookup = (_: string, __: object, found: (error: null, addresses: object[]) => void) =>
      found(null, [{ address: '127.0.0.1', family: 4 }]);
    const closed = new DocumentClient({ allowPrivate: false, lookup: lookup as never });
    await expect(closed.get('https://agent.example/x')).rejects.toThrow('public');
  });
});
