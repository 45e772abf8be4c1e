import { Apps } from '../../../src/people/apps/apps.service.js';
import { useOauth } from './oauth-app.js';
import { Person } from './person.js';

const SITE = 'https://phish.example';

/** docs/behaviour.md §15.3: a link to this service leads to partners' sites alone. */
describe('a request of an app before anybody has signed in', () => {
  let client: Record<string, string>;

  const oauth = useOauth();
  beforeAll(async () => {
    const { body } = await oauth.register({ client_name: 'Bank', redirect_uris: [`${SITE}/cb`] });
    client = { client_id: body.client_id as string, redirect_uri: `${SITE}/cb` };
  });

  const open = (over: Record<string, string | null>) =>
    new Person(oauth.issuer, 'nobody@test.example').open(oauth.request({ ...client, ...over }));

  it.each<[string, Record<string, string | null>]>([
    ['another response type', { response_type: 'token' }],
    ['no prompt', { prompt: 'none' }],
    ['no PKCE', { code_challenge: null, code_challenge_method: null }],
    ['an unknown resource', { resource: 'https://elsewhere.example' }],
    ['a request object', { request: 'x' }],
    ['a form that sends itself', { response_mode: 'form_post', prompt: 'none' }],
    ['a fragment', { response_mode: 'fragment', prompt: 'none' }],
  ])('is refused on a page that names the site (%s)', async (_, over) => {
    const { callback, status, page, headers } = await open(over);
    expect([callback, status, headers.get('location')]).toEqual([null, 400, null]);
    expect(page).toContain('phish.example');
    expect(page).not.toMatch(/<form|<script|href=/);
  });

  it('is not told to the app either once one person has let it in', async () => {
    const store = await oauth.app.store();
    await oauth.tokens(oauth.person(store), client, { store: store.id });
    const { callback, status } = await open({ prompt: 'none' });
    expect([callback, status]).toEqual([null, 400]);
  });

  it('is told to the app of a partner, at its own address', async () => {
    const callback = `${SITE}/partner`;
    const partner = {
      ...{ client_name: 'Partner', redirect_uris: [callback], token_endpoint_auth_method: 'none' },
      ...{ grant_types: ['authorization_code'], response_types: ['code'] },
    };
    const id = await oauth.app.nest.get(Apps).add(partner);
    const own = { client_id: id, redirect_uri: callback, prompt: 'none' };
    const told = await open(own);
    expect([told.callback?.origin, told.callback?.searchParams.get('error')]).toEqual([
      SITE,
      'login_required',
    ]);
    expect((await open({ ...own, redirect_uri: `${SITE}/other` })).callback).toBeNull();
  });
});
