import { Apps } from '../../../src/people/apps/apps.service.js';
import { OauthApp, pkce, useOauth } from './oauth-app.js';
import { Person, type Step } from './person.js';

/** docs/behaviour.md §15.1, §15.2: what is asked for in the wrong way, and what clients say of themselves. */
describe('a request for access', () => {
  let person: Person;
  /** The app of a partner: nobody else is told of errors before somebody has signed in. */
  let partner: Record<string, string>;

  const oauth = useOauth();
  beforeAll(async () => {
    person = oauth.person(await oauth.app.store());
    partner = { redirect_uri: 'https://partner.example/cb' };
    partner.client_id = await oauth.app.nest.get(Apps).add({
      client_name: 'Partner',
      redirect_uris: [partner.redirect_uri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    });
  });

  const open = (over: Record<string, string | null>) =>
    new Person(oauth.issuer, 'nobody@test.example').open(oauth.request(over));
  /** It ends on a page of ours, and sends the browser nowhere. */
  const stays = ({ callback, status, page, headers }: Step) => {
    expect({ callback, status }).toEqual({ callback: null, status: 400 });
    expect(page).toContain('This app cannot be connected');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  };
  const errorOf = ({ callback }: Step) => {
    const told = new URLSearchParams(callback?.hash.slice(1) || callback?.search);
    return { error: told.get('error'), iss: told.get('iss'), state: told.get('state') };
  };

  describe('sends the browser only to addresses of the client', () => {
    it.each([
      'https://evil.example/callback',
      'http://localhost:5000/callback/../x',
      'http://localhost:5000@evil.example/callback',
      'http://localhost.evil.example/callback',
      'https://localhost/callback',
      'http://127.0.0.1:5000/callback',
      'http://localhost:5000/callback?x=1',
      'https://agent.example/cb/',
      'https://agent.example:444/cb',
      'HTTP://LOCALHOST:5000/callback',
      'javascript:alert(1)',
    ])('%s', async (uri) => stays(await open({ redirect_uri: uri })));

    it('and refuses a request with no client, or with two', async () => {
      stays(await open({ redirect_uri: null }));
      stays(await person.open(`${oauth.request()}&redirect_uri=https://evil.example/`));
    });

    it('and refuses a request of an unknown client', async () => {
      stays(await open({ client_id: 'nobody' }));
      stays(await open({ client_id: `dcr_${'x'.repeat(43)}` }));
      stays(await open({ client_id: null }));
    });

    it('and refuses an address with a NUL, which no database can store', async () => {
      for (const name of ['client_id', 'state', 'login_hint']) stays(await open({ [name]: 'https://a\0b/' }));
      const { at } = await open({});
      stays(
        await person.open(`${at.pathname}/sign-in`, {
          method: 'POST',
          form: { email: 'a\0@b.example', password: 'x' },
        }),
      );
      for (const path of ['token', 'revoke']) {
        const form = new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: '\0',
          code: 'x',
          token: 'x',
        });
        const answer = await fetch(`${oauth.issuer}/oauth/${path}`, { method: 'POST', body: form });
        expect([answer.status, await answer.json()]).toEqual([
          400,
          { error: 'invalid_request', error_description: 'The request must not contain NUL characters' },
        ]);
      }
    });

    it('and accepts any port of a program on this computer', async () => {
      const { status, page } = await open({ redirect_uri: 'http://localhost:61000/callback' });
      expect([status, page.includes('Sign in to continue')]).toEqual([200, true]);
    });
  });

  it.each<[string, Record<string, string | null>, string]>([
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['PKCE without a hash', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['the hybrid flow', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['a resource of somebody else', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a resource with a fragment', { resource: 'http://localhost/mcp#x' }, 'invalid_target'],
    ['no page', { prompt: 'none' }, 'login_required'],
    ['a request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['a request elsewhere', { request_uri: 'https://evil.example/r' }, 'request_uri_not_supported'],
  ])('gets an error for %s at the callback, with iss and state', async (_, over, error) => {
    const step = await open({ ...partner, ...over });
    expect(step.callback?.origin).toBe('https://partner.example');
    expect(errorOf(step)).toEqual({ error, iss: oauth.issuer, state: 'st' });
  });

  it('may contain parameters of OpenID', async () => {
    const openid = {
      nonce: 'n',
      max_age: '0',
      acr_values: 'a',
      claims_locales: 'uk',
      id_token_hint: 'x',
      claims: '{}',
      display: 'page',
    };
    const { status, page } = await open({ scope: 'openid profile read', ...openid });
    expect([status, page.includes('Sign in to continue')]).toEqual([200, true]);
  });

  it('is refused for two resources at once', async () => {
    const second = encodeURIComponent(`${oauth.issuer}/v1`);
    const step = await person.open(`${oauth.request(partner)}&resource=${second}`);
    expect(errorOf(step).error).toBe('invalid_target');
  });

  it('reaches the library only under the address of BASE_URL', async () => {
    const evil = await fetch(`${oauth.issuer}/.well-known/oauth-authorization-server`, {
      headers: { 'X-Forwarded-Host': 'evil.example' },
    });
    const { issuer, token_endpoint: token } = (await evil.json()) as Record<string, string>;
    expect([issuer, token]).toEqual([oauth.issuer, `${oauth.issuer}/oauth/token`]);
  });

  describe('by a document', () => {
    const describing = (id: string, document: object) => {
      oauth.documents.set(id, {
        client_id: id,
        client_name: 'x',
        redirect_uris: ['http://localhost/callback'],
        ...document,
      });
      return open({ client_id: id });
    };

    it.each([
      'http://agent.example/x.json',
      'https://a@agent.example/x.json',
      'https://agent.example/x.json#a',
      'https://agent.example/a/../x.json',
    ])('is refused at %s without reading the document', async (id) => {
      const before = oauth.fetched.length;
      stays(await open({ client_id: id }));
      expect(oauth.fetched.slice(before)).toEqual([]);
    });

    it('is refused if the document cannot be fetched, which is not tried again at once', async () => {
      const id = 'https://nowhere.example/x.json';
      stays(await open({ client_id: id }));
      stays(await open({ client_id: id }));
      expect(oauth.fetched.filter((address) => address === id)).toHaveLength(1);
    });

    it('is refused if the document does not describe a valid client', async () => {
      oauth.documents.set('https://agent.example/b.json', () => ({
        status: 302,
        headers: { location: 'http://127.0.0.1/' },
        text: '',
      }));
      oauth.documents.set('https://agent.example/d.json', () => ({
        status: 200,
        headers: {},
        text: '<html>',
      }));
      stays(await open({ client_id: 'https://agent.example/b.json' }));
      stays(await open({ client_id: 'https://agent.example/d.json' }));
      stays(await describing('https://agent.example/1.json', { client_id: oauth.agent }));
      stays(await describing('https://agent.example/2.json', { client_secret: 's' }));
      stays(await describing('https://agent.example/3.json', { redirect_uris: ['javascript:alert(1)'] }));
      stays(
        await describing('https://agent.example/4.json', {
          redirect_uris: ['http://localhost/callback', 'http://evil.example/cb'],
        }),
      );
      stays(await describing('https://agent.example/5.json', { redirect_uris: undefined }));
      stays(
        await describing('https://agent.example/6.json', {
          token_endpoint_auth_method: 'client_secret_basic',
        }),
      );
      stays(await describing('https://agent.example/7.json', { client_name: 'x'.repeat(101) }));
    });

    it('may contain fields that do not matter here', async () => {
      const extras = {
        scope: 'openid profile',
        logo_uri: 'https://x.example/l.png',
        jwks_uri: 'https://x.example/j',
        sector_identifier_uri: 'https://x.example/s',
      };
      const before = oauth.fetched.length;
      const { status } = await describing('https://agent.example/8.json', extras);
      expect([status, oauth.fetched.slice(before)]).toEqual([200, ['https://agent.example/8.json']]);
    });
  });

  describe('by a client that registered itself', () => {
    const hosts = [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ];

    it.each<[string, object]>([
      ['a script', { redirect_uris: ['javascript:alert(1)'] }],
      ['data', { redirect_uris: ['data:text/html,x'] }],
      ['http elsewhere', { redirect_uris: ['http://evil.example/cb'] }],
      ['http elsewhere after a blank', { redirect_uris: [' http://evil.example/cb'] }],
      ['the scheme of no app', { redirect_uris: ['ftp://evil.example/cb'] }],
      [
        'the scheme of no app in capitals',
        { redirect_uris: ['com.example.app:/cb', ' MAILTO:a@evil.example'] },
      ],
      ['a callback with a fragment', { redirect_uris: ['https://a.example/#x'] }],
      ['no callbacks', { client_name: 'x' }],
      ['11 callbacks', { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }],
      ['a callback that is no text', { redirect_uris: [1] }],
      ['20 KB', { redirect_uris: ['https://a.example/cb'], tos_uri: 'x'.repeat(20_000) }],
      ['a list', []],
    ])('with %s is refused', async (_, metadata) => {
      const { status, body } = await oauth.register(metadata);
      expect(status).toBe(400);
      expect(body).toEqual({
        error: expect.stringMatching(/^invalid_/),
        error_description: expect.any(String),
      });
    });

    it('succeeds in the form that hosts use, also with an app’s own scheme', async () => {
      const { status, body } = await oauth.register({
        client_name: '<script>alert(1)</script>\u202e',
        redirect_uris: hosts,
        scope: 'read',
      });
      expect([status, body.token_endpoint_auth_method, body.client_secret]).toEqual([201, 'none', undefined]);
      expect(body.redirect_uris).toEqual(hosts);
      const over = { client_id: body.client_id as string, redirect_uri: hosts[0] };
      const { asked, callback } = await person.decide(oauth.request(over, pkce().challenge));
      expect(asked.page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
      expect(asked.page).not.toMatch(/<script|\u202e/);
      expect(asked.page).toContain('an unknown publisher');
      expect(callback!.href).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
    });

    it.each(['client_secret_post', 'client_secret_basic'])(
      'succeeds without a secret even if it asks for one (%s)',
      async (method) => {
        const { status, body } = await oauth.register({
          redirect_uris: ['https://host.example/cb'],
          token_endpoint_auth_method: method,
          client_secret: 'mine',
          client_secret_expires_at: 0,
        });
        expect([status, body.token_endpoint_auth_method]).toEqual([201, 'none']);
        expect(Object.keys(body).filter((name) => name.includes('secret'))).toEqual([]);
        const over = { client_id: body.client_id as string, redirect_uri: 'https://host.example/cb' };
        expect(await oauth.status((await oauth.tokens(person, over)).access_token)).toBe(200);
      },
    );

    it('is refused if registration is off, while everything else works', async () => {
      const off = await OauthApp.start({ env: { OAUTH_DYNAMIC_REGISTRATION: 'false' } });
      try {
        expect((await off.register({ redirect_uris: hosts })).status).toBe(404);
        const metadata = (await (
          await fetch(`${off.issuer}/.well-known/oauth-authorization-server`)
        ).json()) as object;
        expect(metadata).not.toHaveProperty('registration_endpoint');
        expect(metadata).toHaveProperty('client_id_metadata_document_supported', true);
      } finally {
        await off.app.stop();
      }
    });
  });
});
