import { Secret, TOTP } from 'otpauth';
import { Apps } from '../../../src/people/apps/apps.service.js';
import { PROOF, StorePage } from '../dashboard/browser.js';
import type { TestStore } from '../../support/test-app.js';
import { CALLBACK, pkce, useOauth } from './oauth-app.js';
import { choices, csrfOf, Person, type Step } from './person.js';

/** docs/behaviour.md §15.3: the pages where a person signs in and decides. */
describe('the page where a person decides about an app', () => {
  let store: TestStore;
  let page: Step;
  let person: Person;

  const oauth = useOauth();
  beforeAll(async () => {
    store = await oauth.app.store({ name: 'Tea & <Coffee>' });
    person = oauth.person(store);
    page = await person.arrive(oauth.request());
  });

  const staffOf = async (owned: TestStore) => {
    const { email } = await StorePage.ofStaff(owned, await StorePage.ofOwner(owned));
    return new Person(oauth.issuer, email);
  };
  const grants = (owned = store) =>
    oauth.app.query('select * from oauth_grants where store_id = $1', [owned.id]);

  it('shows the app, where the browser goes next, and what each access level allows', () => {
    expect(page.status).toBe(200);
    for (const said of [
      '<strong>Agent</strong>',
      'nobody has verified it',
      '<strong>agent.example</strong>',
      '<strong>localhost:5000</strong>',
      'Any program here could use this name',
      store.ownerEmail,
      'Tea &#38; &#60;Coffee&#62;',
      'It changes nothing.',
      'send messages to customers',
    ]) {
      expect(page.page).toContain(said);
    }
    expect(page.page).not.toMatch(/<script|<img|onclick/i);
    // An owner can allow everything; what the app asked for is checked.
    expect(choices(page, 'scope')).toEqual(['read', 'write', 'admin']);
    expect(page.page.match(/value="\w+" required checked/g)).toContain('value="write" required checked');
  });

  it('leads back to itself from the page of a form that is refused', async () => {
    const asked = await person.arrive(oauth.request());
    const refused = await person.answer({ ...asked, page: '' }, { decision: 'allow' });
    expect(refused.status).toBe(403);
    const [, address] = /<a href="([^"]+)">Back/.exec(refused.page)!;
    const back = await person.open(new URL(address, refused.at));
    expect([back.status, back.page]).toEqual([200, expect.stringContaining('asks for access to a shop')]);
  });

  it('cannot be framed or cached, runs no scripts, and reveals nothing to other sites', () => {
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
    });
    // A browser would hold it against the redirect to the app.
    expect(page.headers.get('content-security-policy')).not.toContain('form-action');
  });

  it('preselects no store if there are several', async () => {
    const second = await oauth.app.store();
    const owner = await StorePage.ofOwner(second);
    const { invitation } = await owner.data('POST', 'members', { email: store.ownerEmail });
    const browser = await StorePage.ofOwner(store);
    await browser.browser.accept(invitation);
    const several = await oauth.person(store).arrive(oauth.request());
    expect(choices(several, 'store')).toEqual(expect.arrayContaining([store.id, second.id]));
    expect(several.page).not.toMatch(/name="store"[^>]*checked/);
    const none = await person.answer(page, { scope: 'read', decision: 'allow' });
    expect([none.status, none.callback]).toEqual([400, null]);
    expect(none.page).toContain('Choose the store');
  });

  describe('refuses', () => {
    const allow = (form: Record<string, string> = {}, options = {}) =>
      person.answer(page, { store: store.id, scope: 'read', decision: 'allow', ...form }, options);

    it.each<[string, Record<string, string>, object]>([
      ['a form without its secret', { csrf: '' }, {}],
      ['a form with another secret', { csrf: 'x'.repeat(43) }, {}],
      ['a form of another site', {}, { headers: { Origin: 'https://evil.example' } }],
      ['a form of a page that hides where it is', {}, { headers: { Origin: 'null' } }],
      ['a store of somebody else', { store: '00000000-0000-7000-8000-000000000000' }, {}],
      ['a level that there is not', { scope: 'everything' }, {}],
    ])('%s', async (_, form, options) => {
      const { status, callback } = await allow(form, options);
      expect({ status, callback }).toEqual({ status: 403, callback: null });
      expect(await grants()).toEqual([]);
    });

    it('to an app that asked to look more than that', async () => {
      const looking = await person.arrive(oauth.request({ scope: 'read' }));
      expect(choices(looking, 'scope')).toEqual(['read']);
      const answer = await person.answer(looking, { store: store.id, scope: 'write', decision: 'allow' });
      expect([answer.status, answer.callback]).toEqual([403, null]);
      expect(await grants()).toEqual([]);
    });

    it('what a person may not allow with the form again, which then can be allowed', async () => {
      const other = await oauth.app.store();
      const there = await StorePage.ofOwner(other);
      const { browser } = await StorePage.ofOwner(store);
      const { invitation } = await there.data('POST', 'members', { email: store.ownerEmail });
      await browser.accept(invitation);
      const asked = await person.arrive(oauth.request());
      const answer = (form: object) =>
        person.answer(asked, { scope: 'admin', decision: 'allow', ...PROOF, ...form });
      const refused = await answer({ store: other.id });
      expect(refused.status).toBe(403);
      expect(refused.page).toContain('Only the store&#39;s owner can allow this');
      expect(choices(refused, 'scope')).toEqual(['read', 'write', 'admin']);
      expect((await answer({ store: store.id })).callback?.searchParams.get('code')).toBeTruthy();
      expect(await grants()).toMatchObject([{ scope: 'admin' }]);
      const back = await person.open(asked.at);
      expect([back.status, back.page]).toEqual([400, expect.stringContaining('This request is over')]);
      expect(back.page).not.toContain('tell the people who make the app');
    });

    it('a form that belongs to another request of the same person', async () => {
      const second = await person.arrive(oauth.request());
      expect(csrfOf(second)).not.toBe(csrfOf(page));
      expect((await allow({ csrf: csrfOf(second) })).status).toBe(403);
    });

    it('a request that is opened in another browser', async () => {
      const stranger = new Person(oauth.issuer, store.ownerEmail);
      expect((await stranger.open(page.at)).status).toBe(400);
      const form = { email: store.ownerEmail, password: stranger.password };
      expect((await stranger.open(`${page.at.pathname}/sign-in`, { method: 'POST', form })).status).toBe(400);
    });

    it('admin from a member of staff, who is not offered it either', async () => {
      const staff = await staffOf(store);
      const asked = await staff.arrive(oauth.request({ scope: 'admin' }));
      expect(choices(asked, 'scope')).toEqual(['read', 'write']);
      const answer = await staff.answer(asked, {
        store: store.id,
        scope: 'admin',
        decision: 'allow',
        ...PROOF,
      });
      expect([answer.status, answer.callback]).toEqual([403, null]);
    });

    it('a body that is not a form or is too large', async () => {
      const headers = { 'Content-Type': 'text/plain' };
      expect((await person.request(page.at, { method: 'POST', headers })).status).toBe(400);
    });
  });

  it('offers less than was requested, whatever else was requested', async () => {
    const owner = oauth.person(store);
    const all = await owner.arrive(oauth.request({ scope: 'openid profile email admin offline_access' }));
    expect(choices(all, 'scope')).toEqual(['read', 'write', 'admin']);
    for (const [scope, preselected] of [
      ['openid', 'read'],
      ['nonsense', 'read'],
      ['', 'write'],
      [null, 'write'],
    ]) {
      const unknown = await owner.arrive(oauth.request({ scope }));
      expect(choices(unknown, 'scope')).toEqual(['read', 'write', 'admin']);
      expect([scope, unknown.page.match(/value="\w+" required checked/g)]).toEqual([
        scope,
        expect.arrayContaining([`value="${preselected}" required checked`]),
      ]);
    }
  });

  it('informs the app when the person declines', async () => {
    const { callback } = await oauth.person(store).decide(oauth.request(), { decision: 'deny' });
    expect(Object.fromEntries(callback!.searchParams)).toMatchObject({
      error: 'access_denied',
      iss: oauth.issuer,
      state: 'st',
    });
  });

  it('sends the browser on with a code, iss and state', async () => {
    const { callback } = await oauth.person(store).decide(oauth.request(), { store: store.id });
    expect(callback!.href.split('?')[0]).toBe(CALLBACK);
    expect(Object.fromEntries(callback!.searchParams)).toEqual({
      code: expect.any(String),
      iss: oauth.issuer,
      state: 'st',
    });
  });

  it('is shown each time, for the person who is signed in now', async () => {
    const owned = await oauth.app.store();
    const browser = oauth.person(owned);
    await browser.decide(oauth.request());
    const again = await browser.open(oauth.request());
    expect(again.page).toContain('asks for access to a shop');
    // The next person at the same computer.
    browser.forget('shop_session');
    const staff = await staffOf(owned);
    const other = Object.assign(browser, { email: staff.email });
    const { callback } = await other.decide(oauth.request());
    expect(callback!.searchParams.has('code')).toBe(true);
    const users = (await grants(owned)).map(({ user_id: user }) => user as string);
    expect(new Set(users).size).toBe(2);
  });

  it('lets the person switch to another account', async () => {
    const browser = oauth.person(store);
    const asked = await browser.arrive(oauth.request());
    const { page: signIn } = await browser.open(`${asked.at.pathname}/sign-out`, {
      method: 'POST',
      form: { csrf: csrfOf(asked) },
    });
    expect(signIn).toContain('Sign in to continue');
  });

  it('follows an intermediate page of our own if another site sent the browser', async () => {
    const browser = new Person(oauth.issuer, store.ownerEmail);
    const from = await browser.open(oauth.request(), { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    const arrived = await browser.open(from.at, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(arrived.page).toContain(`<form method="get" action="${arrived.at.pathname}"`);
    expect((await browser.open(arrived.at)).page).toContain('Sign in to continue');
  });

  describe('signs in', () => {
    const trySignIn = async (credentials: Record<string, string>, email = store.ownerEmail) => {
      const browser = new Person(oauth.issuer, email);
      const { at } = await browser.open(oauth.request());
      return browser.open(`${at.pathname}/sign-in`, {
        method: 'POST',
        form: { email, password: browser.password, ...credentials },
      });
    };

    it('nobody with a wrong password, and reveals no more than the dashboard does', async () => {
      const wrong = await trySignIn({ password: 'wrong' });
      const nobody = await trySignIn({ email: 'nobody@test.example' });
      expect([wrong.status, nobody.status]).toEqual([401, 401]);
      for (const { page: text } of [wrong, nobody])
        expect(text).toContain('The e-mail address or the password is wrong');
    });

    it('only as often as the limits on attempts allow', async () => {
      const owned = await oauth.app.store();
      for (let i = 0; i < 10; i++) await trySignIn({ password: 'wrong' }, owned.ownerEmail);
      const { status, headers } = await trySignIn({}, owned.ownerEmail);
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    });

    it('accounts with a second factor only with a code', async () => {
      const owned = await oauth.app.store();
      const owner = await StorePage.ofOwner(owned);
      const { secret } = (
        await owner.browser.post('auth/second-factor/enrol', { currentPassword: person.password })
      ).body.data;
      const app = new TOTP({ secret: Secret.fromBase32(secret as string) });
      const confirmed = await owner.browser.post('auth/second-factor/confirm', { code: app.generate() });
      expect(confirmed.status).toBe(200);
      const { recoveryCodes } = confirmed.body.data;
      const without = await trySignIn({}, owned.ownerEmail);
      expect([without.status, without.page.includes('second factor')]).toEqual([401, true]);
      expect((await trySignIn({ code: '000000' }, owned.ownerEmail)).status).toBe(401);
      const right = await trySignIn({ code: recoveryCodes[0] as string }, owned.ownerEmail);
      expect(right.page).toContain('asks for access to a shop');
    });
  });

  it('waits ten minutes for its answer', async () => {
    const browser = oauth.person(store);
    const asked = await browser.arrive(oauth.request());
    await oauth.app.query(
      `update oauth_interactions set expires_at = now()
        where id_hash = encode(sha256($1::text::bytea), 'hex')`,
      [asked.at.pathname.split('/').at(-1)],
    );
    const late = await browser.answer(asked, { store: store.id, scope: 'read', decision: 'allow' });
    expect([late.status, late.callback]).toEqual([400, null]);
    expect(late.page).toContain('has expired');
  });

  it('works for a partner whose app the operator added, and for nobody who is blocked', async () => {
    const apps = oauth.app.nest.get(Apps);
    const id = await apps.add({
      client_name: 'ERP',
      redirect_uris: ['https://erp.example/cb'],
      token_endpoint_auth_method: 'none',
    });
    const over = { client_id: id, redirect_uri: 'https://erp.example/cb', resource: `${oauth.issuer}/v1` };
    const { asked, callback } = await oauth
      .person(store)
      .decide(oauth.request(over, pkce().challenge), { store: store.id });
    expect(asked.page).toContain('a partner of this service');
    expect(callback!.origin).toBe('https://erp.example');
    await apps.block(id);
    expect((await oauth.person(store).open(oauth.request(over))).status).toBe(400);
    // One whose document is known here already.
    const document = 'https://blocked.example/client.json';
    oauth.documents.set(document, {
      client_id: document,
      client_name: 'B',
      redirect_uris: ['https://blocked.example/cb'],
    });
    const second = oauth.request({ client_id: document, redirect_uri: 'https://blocked.example/cb' });
    expect((await oauth.person(store).open(second)).status).toBe(200);
    await apps.block('blocked.example');
    expect((await oauth.person(store).open(second)).status).toBe(400);
    await apps.unblock(id);
    expect((await oauth.person(store).open(oauth.request(over))).status).toBe(200);
  });
});
