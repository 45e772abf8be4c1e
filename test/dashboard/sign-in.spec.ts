import { createHash } from 'node:crypto';
import { Accounts } from '../../src/people/accounts.service.js';
import { SignInAttempts } from '../../src/people/sign-in-attempts.service.js';
import { sessionCookie, sessionTokenOf } from '../../src/dashboard/session-cookie.js';
import { ownDatabase } from '../support/own-database.js';
import { TestApp, TestClock, type TestStore } from '../support/test-app.js';
import { Browser, OWNER_PASSWORD, refusal } from './browser.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('sign-in to the dashboard', () => {
  const clock = new TestClock();
  let app: TestApp;
  let store: TestStore;

  beforeAll(async () => {
    // Its clock runs weeks ahead, and attempts are counted for the address all tests share.
    app = await TestApp.start({ clock, database: await ownDatabase() });
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    store = await app.store();
  });

  const nobody = () => `nobody-${Math.random().toString(36).slice(2)}@test.example`;
  const sessionsOf = (email: string) =>
    app.query<{ token_hash: string; last_seen_at: Date }>(
      'select s.* from sessions s join users u on u.id = s.user_id where u.email = $1 order by s.created_at',
      [email],
    );

  it('hands out a cookie that scripts cannot read and other sites cannot send, and keeps only its hash', async () => {
    const browser = new Browser(app);
    const { status, headers, body } = await browser.signIn(store.ownerEmail);
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, data: { id: expect.any(String), email: store.ownerEmail, createdAt: expect.any(String) } });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^shop_session=[\w-]{43}; Path=\/dashboard; Max-Age=2592000; HttpOnly; SameSite=Strict$/),
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    const token = browser.cookie!.split('=')[1];
    const [session] = await sessionsOf(store.ownerEmail);
    expect(session.token_hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(session)).not.toContain(token);
    expect((await browser.get('me')).body).toEqual(body);
  });

  it('takes the address in any case', async () => {
    const { status } = await new Browser(app).signIn(` ${store.ownerEmail.toUpperCase()} `);
    expect(status).toBe(200);
  });

  it.each([
    ['http://localhost:3000', '/dashboard', false],
    ['http://127.0.0.1:3000', '/dashboard', false],
    ['http://[::1]:3000', '/dashboard', false],
    ['https://localhost', '/dashboard', true],
    ['https://shop.example', '/dashboard', true],
    ['http://shop.example', '/dashboard', true],
    ['http://localhost.shop.example', '/dashboard', true],
    ['https://example.org/shop', '/shop/dashboard', true],
  ])('at %s the cookie is for %s, Secure: %s', (baseUrl, path, secure) => {
    const cookie = sessionCookie('t', baseUrl);
    expect(cookie).toContain(`; Path=${path};`);
    expect(cookie.endsWith('; Secure')).toBe(secure);
  });

  it('finds its cookie among others, whole or not at all', () => {
    const token = 'a'.repeat(43);
    expect(sessionTokenOf(`a=1; shop_session=${token}; b=2`)).toBe(token);
    expect(sessionTokenOf(`shop_session=${token}`)).toBe(token);
    for (const header of [undefined, '', `xshop_session=${token}`, `shop_session=${token}a`, `shop_session="${token}"`]) {
      expect(sessionTokenOf(header)).toBeNull();
    }
  });

  it('lists the stores of the user, and no other', async () => {
    await app.store();
    const browser = await Browser.signedIn(app, store.ownerEmail);
    expect((await browser.get('stores')).body.data).toEqual({
      items: [{ id: store.id, name: 'Test store', currency: 'USD', plan: 'pro', role: 'owner', createdAt: expect.any(String) }],
      nextCursor: null,
    });
  });

  it('answers a wrong password and an unknown account alike', async () => {
    const [wrong, unknown] = await Promise.all([
      new Browser(app).signIn(store.ownerEmail, 'wrong horse battery'),
      new Browser(app).signIn(nobody(), 'wrong horse battery'),
    ]);
    expect(wrong).toMatchObject(refusal(401, 'invalid_token'));
    expect(unknown.body).toEqual(wrong.body);
    expect([wrong.status, wrong.headers.getSetCookie(), unknown.status, unknown.headers.getSetCookie()]).toEqual([
      401,
      [],
      401,
      [],
    ]);
  });

  it('verifies a password hash for an unknown account too, which takes its time', async () => {
    // What stands in for the hash is no hash here: who verifies it fails.
    const accounts = app.nest.get(Accounts) as unknown as { decoyHash: string };
    const { decoyHash } = accounts;
    accounts.decoyHash = 'no hash';
    const [wrong, unknown] = [
      await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery'),
      await new Browser(app).signIn(nobody(), 'wrong horse battery'),
    ];
    accounts.decoyHash = decoyHash;
    expect([wrong.status, unknown.status]).toEqual([401, 500]);
  });

  it.each([
    [{ email: 'a@b.example' }, 'password'],
    [{ password: 'x' }, 'email'],
    [{ email: '', password: 'x' }, 'email'],
    [{ email: 'a'.repeat(255), password: 'x' }, 'email'],
    [{ email: ['a@b.example'], password: 'x' }, 'email'],
    [{ email: 'a@b.example', password: '' }, 'password'],
    [{ email: 'a@b.example', password: 'x'.repeat(1001) }, 'password'],
    [{ email: 'a@b.example', password: null }, 'password'],
    [{ email: 'a@b.example', password: 'x', remember: true }, 'remember'],
    ['[]', 'The body'],
    ['{', 'The body'],
  ])('refuses bad input (%#)', async (body, field) => {
    const answer = await new Browser(app).post('auth/sign-in', body);
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message.startsWith(field)).toBe(true);
  });

  it.each(['', 'shop_session=', `shop_session=${'a'.repeat(43)}`, 'shop_session=x; shop_session=y'])(
    'is needed: 401 with the cookie %j',
    async (cookie) => {
      const browser = new Browser(app);
      browser.cookie = cookie;
      for (const path of ['me', 'stores', `stores/${store.id}/webhook`]) {
        expect(await browser.get(path)).toMatchObject(refusal(401, 'invalid_token'));
      }
    },
  );

  it('is not replaced by an API token', async () => {
    const answer = await new Browser(app).send('GET', 'me', undefined, { Authorization: `Bearer ${store.tokens.admin}` });
    expect(answer).toMatchObject(refusal(401, 'invalid_token'));
  });

  it('ends with the sign-out, at once and on every instance', async () => {
    const other = await TestApp.start({ clock, database: app.database });
    const here = await Browser.signedIn(app, store.ownerEmail);
    const there = new Browser(other);
    const elsewhere = await Browser.signedIn(app, store.ownerEmail);
    const cookie = (there.cookie = here.cookie);
    expect((await there.get('me')).status).toBe(200);
    const { headers, body } = await here.post('auth/sign-out');
    expect(body).toEqual({ ok: true, data: { signedOut: true } });
    expect(headers.getSetCookie()[0]).toMatch(/^shop_session=; Path=\/dashboard; Max-Age=0; HttpOnly; SameSite=Strict$/);
    here.cookie = cookie;
    expect([(await there.get('me')).status, (await here.get('me')).status, (await elsewhere.get('me')).status]).toEqual([
      401, 401, 200,
    ]);
    await other.stop();
  });

  it('ends everywhere when told to', async () => {
    const [here, elsewhere] = [await Browser.signedIn(app, store.ownerEmail), await Browser.signedIn(app, store.ownerEmail)];
    await here.post('auth/sign-out', { everywhere: true });
    expect((await elsewhere.get('me')).status).toBe(401);
    expect(await sessionsOf(store.ownerEmail)).toEqual([]);
  });

  it('replaces the session the browser had', async () => {
    const browser = await Browser.signedIn(app, store.ownerEmail);
    const old = browser.cookie;
    await browser.signIn(store.ownerEmail);
    expect(browser.cookie).not.toBe(old);
    expect(await sessionsOf(store.ownerEmail)).toHaveLength(1);
  });

  it('lasts 12 hours without use', async () => {
    const browser = await Browser.signedIn(app, store.ownerEmail);
    clock.advance(12 * HOUR - 1);
    expect((await browser.get('me')).status).toBe(200);
    clock.advance(12 * HOUR - 1);
    expect((await browser.get('me')).status).toBe(200);
    clock.advance(12 * HOUR);
    expect((await browser.get('me')).status).toBe(401);
  });

  it('lasts 30 days with use', async () => {
    const browser = await Browser.signedIn(app, store.ownerEmail);
    for (let hours = 0; hours < 30 * 24 - 10; hours += 10) {
      clock.advance(10 * HOUR);
      expect((await browser.get('me')).status).toBe(200);
    }
    clock.advance(10 * HOUR);
    expect((await browser.get('me')).status).toBe(401);
    await browser.signIn(store.ownerEmail);
    expect(await sessionsOf(store.ownerEmail)).toHaveLength(1);
  });

  it('writes down when it was last seen every 5 minutes at most', async () => {
    const browser = await Browser.signedIn(app, store.ownerEmail);
    const start = clock.now();
    const lastSeen = async () => (await sessionsOf(store.ownerEmail))[0].last_seen_at;
    clock.advance(5 * MINUTE - 1);
    await browser.get('me');
    expect(await lastSeen()).toEqual(start);
    clock.advance(1);
    await browser.get('me');
    expect(await lastSeen()).toEqual(clock.now());
  });

  describe('limits attempts', () => {
    it('to 10 per account in 15 minutes, the right password included, whether the account exists or not', async () => {
      const unknown = nobody();
      for (const email of [store.ownerEmail, unknown]) {
        for (let i = 0; i < 10; i++) expect((await new Browser(app).signIn(email, 'wrong horse battery')).status).toBe(401);
      }
      clock.advance(MINUTE);
      const refused = await new Browser(app).signIn(store.ownerEmail);
      expect(refused).toMatchObject(refusal(429, 'rate_limited'));
      expect(refused.headers.get('retry-after')).toBe(String(14 * 60));
      expect((await new Browser(app).signIn(unknown)).body).toEqual(refused.body);
      expect((await Browser.signedIn(app, (await app.store()).ownerEmail)).cookie).not.toBeNull();
      clock.advance(14 * MINUTE);
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
    });

    it('also on another instance and after a restart', async () => {
      for (let i = 0; i < 10; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
      const other = await TestApp.start({ clock, database: app.database });
      expect(await new Browser(other).signIn(store.ownerEmail)).toMatchObject(refusal(429, 'rate_limited'));
      await other.stop();
    });

    it('also when they come side by side', async () => {
      const all = await Promise.all(
        Array.from({ length: 16 }, () => new Browser(app).signIn(store.ownerEmail, 'wrong horse battery')),
      );
      expect(all.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(all.filter(({ status }) => status === 429)).toHaveLength(6);
    });

    it('and forgets them when the password was right', async () => {
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 9; i++) expect((await new Browser(app).signIn(store.ownerEmail, 'wrong')).status).toBe(401);
        expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
      }
    });

    it('to 100 per address, a /64 of IPv6 counting as one; what succeeded counts for nothing', async () => {
      const attempts = app.nest.get(SignInAttempts);
      const headers: Record<string, string> = {};
      const setHeader = (name: string, value: string) => void (headers[name] = value);
      const random = () => Math.floor(Math.random() * 0xffff).toString(16);
      const network = `2001:db8:${random()}:${random()}`;
      const from = (host: string) => ({ address: `${network}::${host}`, setHeader });
      for (let i = 0; i < 100; i++) await attempts.count(from(i.toString(16)), nobody());
      await expect(attempts.count(from('ffff'), nobody())).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfterSeconds: 900,
      });
      expect(headers['Retry-After']).toBe('900');
      // The refused attempt is no attempt on the account either.
      const victim = nobody();
      for (let i = 0; i < 20; i++) await attempts.count(from('1'), victim).catch(() => undefined);
      await attempts.count({ address: '192.0.2.1', setHeader }, victim);
      await attempts.forgive(from('1'), nobody());
      await attempts.count(from('2'), nobody());
      await expect(attempts.count(from('2'), nobody())).rejects.toMatchObject({ code: 'rate_limited' });
      clock.advance(15 * MINUTE);
      await attempts.count(from('2'), nobody());
    });

    it('stores neither address, and clears away old counts', async () => {
      const email = nobody();
      await new Browser(app).signIn(email, 'x');
      const subjects = async () =>
        (await app.query<{ subject: string }>('select subject from sign_in_attempts')).map((row) => row.subject);
      const before = await subjects();
      const mine = `account:${createHash('sha256').update(email).digest('hex')}`;
      expect(before).toContain(mine);
      expect(before.filter((subject) => !/^(account|address):[0-9a-f]{64}$/.test(subject))).toEqual([]);
      clock.advance(15 * MINUTE);
      for (let i = 0; i < 10 && (await subjects()).includes(mine); i++) await new Browser(app).signIn(nobody(), 'x');
      expect(await subjects()).not.toContain(mine);
    });
  });

  describe('change of password', () => {
    const NEW_PASSWORD = 'another horse battery';
    const change = (browser: Browser, currentPassword: unknown, newPassword: unknown) =>
      browser.post('auth/change-password', { currentPassword, newPassword });

    it('ends the other sessions and leaves this one', async () => {
      const [here, elsewhere] = [await Browser.signedIn(app, store.ownerEmail), await Browser.signedIn(app, store.ownerEmail)];
      expect((await change(here, OWNER_PASSWORD, NEW_PASSWORD)).status).toBe(200);
      expect([(await here.get('me')).status, (await elsewhere.get('me')).status]).toEqual([200, 401]);
      expect((await new Browser(app).signIn(store.ownerEmail, OWNER_PASSWORD)).status).toBe(401);
      expect((await new Browser(app).signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(200);
    });

    it.each([
      ['currentPassword', 'wrong horse battery', NEW_PASSWORD],
      ['newPassword', OWNER_PASSWORD, 'x'.repeat(9)],
      ['newPassword', OWNER_PASSWORD, 'x'.repeat(1001)],
      ['newPassword', OWNER_PASSWORD, null],
      ['currentPassword', '', NEW_PASSWORD],
    ])('is refused for its %s', async (field, current, fresh) => {
      const browser = await Browser.signedIn(app, store.ownerEmail);
      const answer = await change(browser, current, fresh);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(field)).toBe(true);
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
    });

    it('is no way to try passwords without a limit', async () => {
      const browser = await Browser.signedIn(app, store.ownerEmail);
      for (let i = 0; i < 10; i++) expect((await change(browser, `wrong horse ${i}`, NEW_PASSWORD)).status).toBe(400);
      expect(await change(browser, OWNER_PASSWORD, NEW_PASSWORD)).toMatchObject(refusal(429, 'rate_limited'));
    });
  });
});
