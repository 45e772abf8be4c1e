import { createHash } from 'node:crypto';
import pg from 'pg';
import { Accounts } from '../../../../src/people/accounts/accounts.service.js';
import { CAPS } from '../../../../src/platform/caps/caps.js';
import { SignInDatabase } from '../../../../src/platform/database/system.js';
import { Attempts } from '../../../../src/people/sign-in/attempts.service.js';
import { signInLimits } from '../../../../src/people/sign-in/attempt-limits.js';
import { Sessions } from '../../../../src/people/sign-in/sessions.service.js';
import { Cookies } from '../../../../src/doors/dashboard/cookies.js';
import { Retention } from '../../../../src/platform/database/retention.service.js';
import { ownDatabase } from '../../../support/database/own-database.js';
import { waitsForLock } from '../../../support/database/waits-for-lock.js';
import { eventually } from '../../../support/eventually.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, OWNER_PASSWORD, refusal } from '../browser.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('sign-in to the dashboard', () => {
  const clock = new TestClock();
  let store: TestStore;

  // Its clock runs weeks ahead, and attempts are counted for the address all tests share.
  const app = useShop(async () => ({ clock, database: await ownDatabase() }));
  beforeEach(async () => {
    store = await app.store();
  });

  const nobody = () => `nobody-${Math.random().toString(36).slice(2)}@test.example`;
  const sessionsOf = (email: string) =>
    app.query<{ token_hash: string; last_seen_at: Date }>(
      'select s.* from sessions s join users u on u.id = s.user_id where u.email = $1 order by s.created_at',
      [email],
    );

  it('sets a cookie that scripts cannot read nor other sites send, and stores only its hash', async () => {
    const browser = new Browser(app);
    const { status, headers, body } = await browser.signIn(store.ownerEmail);
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      data: { id: expect.any(String), email: store.ownerEmail, createdAt: expect.any(String) },
    });
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^shop_session=[\w-]{43}; Max-Age=2592000; HttpOnly; SameSite=Strict; Path=\/dashboard$/,
      ),
      expect.stringMatching(
        /^shop_browser=[\w-]{43}; Max-Age=34560000; HttpOnly; SameSite=Strict; Path=\/dashboard$/,
      ),
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    const token = browser.cookie!.split('=')[1];
    const [session] = await sessionsOf(store.ownerEmail);
    expect(session.token_hash).toBe(createHash('sha256').update(token).digest('hex'));
    expect(JSON.stringify(session)).not.toContain(token);
    expect((await browser.get('me')).body).toEqual(body);
  });

  it('accepts the address in any letter case', async () => {
    const { status } = await new Browser(app).signIn(` ${store.ownerEmail.toUpperCase()} `);
    expect(status).toBe(200);
  });

  const cookieAt = (baseUrl: string) => {
    let set: string[] = [];
    const call = { setHeader: (_: string, value: string[]) => void (set = value) };
    new Cookies({ baseUrl }).signIn(call as never, { sessionToken: 't', browserCookie: 'b' });
    return set;
  };

  it.each([
    ['http://localhost:3000', '/dashboard'],
    ['http://127.0.0.1:3000', '/dashboard'],
    ['http://[::1]:3000', '/dashboard'],
    ['http://localhost:3000/shop', '/shop/dashboard'],
  ])('uses plain cookies on a developer machine, %s, for %s', (baseUrl, path) => {
    for (const cookie of cookieAt(baseUrl)) {
      expect(cookie).toMatch(/^shop_(session|browser)=/);
      expect(cookie.endsWith(`; Path=${path}`)).toBe(true);
      expect(cookie).not.toContain('Secure');
    }
  });

  it.each([
    'https://localhost',
    'https://shop.example',
    'http://shop.example',
    'http://localhost.shop.example',
    'https://example.org/shop',
  ])('uses cookies that no other host can set at %s', (baseUrl) => {
    for (const cookie of cookieAt(baseUrl)) {
      expect(cookie).toMatch(/^__Host-shop_(session|browser)=\w; .*; Secure; Path=\/$/);
      expect(cookie).not.toContain('Domain');
    }
  });

  it('finds its cookie among others, and ignores similar names', () => {
    const token = 'a'.repeat(43);
    const read = (cookie: string | undefined, baseUrl = 'http://localhost:3000') =>
      new Cookies({ baseUrl }).sessionOf({ headers: { cookie } });
    expect(read(`a=1; shop_session=${token}; b=2`)).toBe(token);
    expect(read(`shop_session=${token}`)).toBe(token);
    for (const header of [
      undefined,
      '',
      `xshop_session=${token}`,
      `shop_session=${token}a`,
      `shop_session="${token}"`,
    ]) {
      expect(read(header)).toBeNull();
    }
    expect(read(`shop_session=${token}`, 'https://shop.example')).toBeNull();
    expect(read(`__Host-shop_session=${token}`, 'https://shop.example')).toBe(token);
  });

  it('lists only the stores of the user', async () => {
    await app.store();
    const browser = await Browser.signedIn(app, store.ownerEmail);
    expect((await browser.get('stores')).body.data).toEqual({
      items: [
        {
          id: store.id,
          name: 'Test store',
          accent: null,
          currency: 'USD',
          currencyDecimals: 2,
          timeZone: 'UTC',
          plan: 'pro',
          role: 'owner',
          groups: null,
          uploads: true,
          isFirstSaleHidden: false,
          ...{ language: 'en', logoUrl: null },
          createdAt: expect.any(String),
        },
      ],
      nextCursor: null,
    });
    for (const [currency, decimals] of [
      ['XTR', 0],
      ['KWD', 3],
    ]) {
      const other = await Browser.signedIn(app, (await app.store({ currency: String(currency) })).ownerEmail);
      expect((await other.get('stores')).body.data.items).toMatchObject([
        { currency, currencyDecimals: decimals },
      ]);
    }
  });

  it('gives the same answer for a wrong password and an unknown account', async () => {
    const [wrong, unknown] = await Promise.all([
      new Browser(app).signIn(store.ownerEmail, 'wrong horse battery'),
      new Browser(app).signIn(nobody(), 'wrong horse battery'),
    ]);
    expect(wrong).toMatchObject(refusal(401, 'invalid_token'));
    expect(unknown.body).toEqual(wrong.body);
    expect([
      wrong.status,
      wrong.headers.getSetCookie(),
      unknown.status,
      unknown.headers.getSetCookie(),
    ]).toEqual([401, [], 401, []]);
  });

  it('verifies a password hash for an unknown account too, so that it takes the same time', async () => {
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
    const answer = await new Browser(app).send('GET', 'me', undefined, {
      Authorization: `Bearer ${store.tokens.admin}`,
    });
    expect(answer).toMatchObject(refusal(401, 'invalid_token'));
  });

  it('ends at once on every instance when the user signs out', async () => {
    const other = await TestApp.start({ clock, database: app.database });
    const here = await Browser.signedIn(app, store.ownerEmail);
    const there = new Browser(other);
    const elsewhere = await Browser.signedIn(app, store.ownerEmail);
    const cookie = (there.cookie = here.cookie);
    expect((await there.get('me')).status).toBe(200);
    const { headers, body } = await here.post('auth/sign-out');
    expect(body).toEqual({ ok: true, data: { signedOut: true } });
    expect(headers.getSetCookie()).toEqual([
      'shop_session=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/dashboard',
    ]);
    here.cookie = cookie;
    expect([
      (await there.get('me')).status,
      (await here.get('me')).status,
      (await elsewhere.get('me')).status,
    ]).toEqual([401, 401, 200]);
    await other.stop();
  });

  it('can be ended on all browsers at once', async () => {
    const [here, elsewhere] = [
      await Browser.signedIn(app, store.ownerEmail),
      await Browser.signedIn(app, store.ownerEmail),
    ];
    await here.post('auth/sign-out', { everywhere: true });
    expect((await elsewhere.get('me')).status).toBe(401);
    expect(await sessionsOf(store.ownerEmail)).toEqual([]);
  });

  it('replaces the previous session of the browser', async () => {
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

  it('stores the time of last use at most every 5 minutes', async () => {
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
    /** Sign-ins of one network wait for each other, on a busy machine longer than they may. */
    const patiently = () => {
      for (const cap of [CAPS.attempts, CAPS.passwords]) jest.replaceProperty(cap, 'maxWaitMs', 60_000);
    };
    afterEach(() => jest.restoreAllMocks());

    it('to 10 per account and network in 15 minutes, whether or not the account exists', async () => {
      const unknown = nobody();
      for (const email of [store.ownerEmail, unknown]) {
        for (let i = 0; i < 10; i++)
          expect((await new Browser(app).signIn(email, 'wrong horse battery')).status).toBe(401);
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

    it('made on another instance or before a restart too', async () => {
      for (let i = 0; i < 10; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
      const other = await TestApp.start({ clock, database: app.database });
      expect(await new Browser(other).signIn(store.ownerEmail)).toMatchObject(refusal(429, 'rate_limited'));
      await other.stop();
    });

    it('that are made at the same time, too', async () => {
      patiently();
      const all = await Promise.all(
        Array.from({ length: 16 }, () => new Browser(app).signIn(store.ownerEmail, 'wrong horse battery')),
      );
      expect(all.filter(({ status }) => status === 401)).toHaveLength(10);
      expect(all.filter(({ status }) => status === 429)).toHaveLength(6);
    });

    it('and forgets the wrong ones after a right password', async () => {
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 9; i++)
          expect((await new Browser(app).signIn(store.ownerEmail, 'wrong')).status).toBe(401);
        expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
      }
    });

    const from = (address: string) => ({ address, setHeader: () => undefined });
    const attempts = () => app.nest.get(Attempts);
    const tryFrom = (address: string, email: string) =>
      attempts().count(from(address), signInLimits(email, address, null));
    const refused = { code: 'rate_limited' };
    const anywhere = () => Array.from({ length: 3 }, () => Math.floor(Math.random() * 256)).join('.');

    it('without a row or a connection of the database for those it refuses', async () => {
      const network = `${anywhere()}.`;
      for (let i = 0; i < 100; i++) await tryFrom(`${network}${i}`, nobody());
      // A refusal is remembered for a second, of which none passes by this clock.
      await expect(tryFrom(`${network}1`, nobody())).rejects.toMatchObject(refused);
      const rows = async () => (await app.query<any>('select count(*)::int from sign_in_attempts'))[0].count;
      const before = await rows();
      const { pool } = app.nest.get(SignInDatabase);
      const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
      for (let i = 0; i < 200; i++)
        await expect(tryFrom(`${network}${i}`, nobody())).rejects.toMatchObject(refused);
      for (const client of taken) client.release();
      expect(await rows()).toBe(before);
    });

    it('by counting and giving back in one order, so that neither ends the other', async () => {
      const limits = ['b', 'a'].map((name) => ({
        subject: `${name}:${createHash('sha256').update(nobody()).digest('hex')}`,
        max: 10,
        windowMs: MINUTE,
        afterSuccess: 'not counted' as const,
      }));
      await attempts().count(from('192.0.2.1'), limits);
      const holder = new pg.Client(app.database.ownerUrl);
      await holder.connect();
      await holder.query('begin');
      await holder.query('select from sign_in_attempts where subject = $1 for update', [limits[1].subject]);
      const counted = attempts().count(from('192.0.2.1'), limits);
      await waitsForLock(holder);
      const givenBack = attempts().giveBack(limits);
      await waitsForLock(holder, 2);
      await holder.end();
      await expect(Promise.all([counted, givenBack])).resolves.toEqual([undefined, undefined]);
    });

    it('without taking the connections by which sessions and tokens are looked up', async () => {
      patiently();
      const other = await app.store();
      // The other tests of this file have used up attempts of this network.
      clock.advance(15 * MINUTE);
      const they = await Browser.signedIn(app, other.ownerEmail);
      // Every sign-in that has given the right password waits for this row.
      const holder = new pg.Client(app.database.ownerUrl);
      await holder.connect();
      await holder.query('begin');
      await holder.query('select from users where email = $1 for update', [store.ownerEmail]);
      const signIns = Array.from({ length: 10 }, () => new Browser(app).signIn(store.ownerEmail));
      const { pool } = app.nest.get(SignInDatabase);
      try {
        await eventually('sign-ins hold all connections that they may', () => pool.waitingCount > 0);
        expect((await they.get('me')).status).toBe(200);
        // This token has not been used before, so it is looked up.
        expect((await other.call('list_orders')).status).toBe(200);
      } finally {
        await holder.end();
      }
      expect(new Set((await Promise.all(signIns)).map(({ status }) => status))).toEqual(new Set([200]));
    });

    it('to 100 per network, a /24 of IPv4 or a /64 of IPv6; successful attempts do not count', async () => {
      const hex = () => Math.floor(Math.random() * 0xffff).toString(16);
      const [four, six] = [`${anywhere()}.`, `2001:db8:${hex()}:${hex()}::`];
      for (const network of [four, six]) {
        for (let i = 0; i < 100; i++) await tryFrom(`${network}${i}`, nobody());
        await expect(tryFrom(`${network}200`, nobody())).rejects.toMatchObject({
          ...refused,
          retryAfterSeconds: 900,
        });
        // The refused attempt is no attempt on the account either.
        const victim = nobody();
        for (let i = 0; i < 20; i++) await tryFrom(`${network}1`, victim).catch(() => undefined);
        await tryFrom('192.0.2.1', victim);
        await attempts().giveBack(signInLimits(nobody(), `${network}1`, null));
        await tryFrom(`${network}2`, nobody());
        await expect(tryFrom(`${network}2`, nobody())).rejects.toMatchObject(refused);
        clock.advance(15 * MINUTE);
        await tryFrom(`${network}2`, nobody());
      }
    });

    it('of each network separately, so that strangers elsewhere do not lock the owner out', async () => {
      for (let i = 0; i < 10; i++) await tryFrom('198.51.100.7', store.ownerEmail);
      await expect(tryFrom('198.51.100.8', store.ownerEmail)).rejects.toMatchObject(refused);
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
    });

    it('to 100 a day per account, from however many networks', async () => {
      for (let i = 0; i < 10; i++) {
        const network = anywhere();
        for (let j = 0; j < 10; j++) await tryFrom(`${network}.${j}`, store.ownerEmail);
      }
      clock.advance(HOUR);
      await expect(tryFrom(`${anywhere()}.1`, store.ownerEmail)).rejects.toMatchObject({
        ...refused,
        retryAfterSeconds: 23 * 3600,
      });
      clock.advance(23 * HOUR);
      await tryFrom(`${anywhere()}.1`, store.ownerEmail);
    });

    it('of strangers separately from those of a browser that has signed in before', async () => {
      const known = await Browser.signedIn(app, store.ownerEmail);
      await known.post('auth/sign-out');
      for (let i = 0; i < 10; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
      for (let i = 0; i < 9; i++) {
        const network = anywhere();
        for (let j = 0; j < 10; j++) await tryFrom(`${network}.${j}`, store.ownerEmail);
      }
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(429);
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 9; i++) expect((await known.signIn(store.ownerEmail, 'wrong')).status).toBe(401);
        expect((await known.signIn(store.ownerEmail)).status).toBe(200);
      }
      // It has a limit of its own, and is a stranger to every other account.
      for (let i = 0; i < 10; i++) expect((await known.signIn(store.ownerEmail, 'wrong')).status).toBe(401);
      expect((await known.signIn(store.ownerEmail)).status).toBe(429);
      const other = await app.store();
      for (let i = 0; i < 10; i++) await new Browser(app).signIn(other.ownerEmail, 'wrong horse battery');
      expect((await known.signIn(other.ownerEmail)).status).toBe(429);
    });

    it('of a browser with a forged mark like those of a stranger', async () => {
      const browser = new Browser(app);
      const planted = (browser.mark = `shop_browser=${'p'.repeat(43)}`);
      await browser.signIn(store.ownerEmail);
      expect(browser.mark).not.toBe(planted);
      const kept = browser.mark;
      await browser.signIn(store.ownerEmail);
      expect(browser.mark).toBe(kept);
    });

    it('and remembers 20 browsers of a person, which are stored as hashes', async () => {
      const first = await Browser.signedIn(app, store.ownerEmail);
      clock.advance(1000);
      const last = await Browser.signedIn(app, store.ownerEmail);
      for (let i = 0; i < 19; i++) {
        clock.advance(1000);
        await Browser.signedIn(app, store.ownerEmail);
      }
      const hashes = (
        await app.query<{ hash: string }>(
          `select token_hash as hash from known_browsers b join users u on u.id = b.user_id
           where u.email = $1`,
          [store.ownerEmail],
        )
      ).map(({ hash }) => hash);
      const hashOf = ({ mark }: Browser) => createHash('sha256').update(mark!.split('=')[1]).digest('hex');
      expect([hashes.length, hashes.includes(hashOf(first)), hashes.includes(hashOf(last))]).toEqual([
        20,
        false,
        true,
      ]);
    });

    it('without storing an address, and deletes old counts', async () => {
      const email = nobody();
      await new Browser(app).signIn(email, 'x');
      const subjects = async () =>
        (await app.query<{ subject: string }>('select subject from sign_in_attempts')).map(
          (row) => row.subject,
        );
      const before = await subjects();
      const mine = `account:${createHash('sha256').update(email).digest('hex')}`;
      expect(before).toContain(mine);
      expect(before.filter((subject) => !/^[a-z-]+(:[0-9a-f]{64}){1,2}$/.test(subject))).toEqual([]);
      clock.advance(24 * HOUR);
      await app.nest.get(Retention).purge();
      expect(await subjects()).not.toContain(mine);
    });
  });

  describe('change of password', () => {
    const NEW_PASSWORD = 'another horse battery';
    const change = (browser: Browser, currentPassword: unknown, newPassword: unknown) =>
      browser.post('auth/change-password', { currentPassword, newPassword });

    it('ends the other sessions and keeps this one', async () => {
      const [here, elsewhere] = [
        await Browser.signedIn(app, store.ownerEmail),
        await Browser.signedIn(app, store.ownerEmail),
      ];
      expect((await change(here, OWNER_PASSWORD, NEW_PASSWORD)).status).toBe(200);
      expect([(await here.get('me')).status, (await elsewhere.get('me')).status]).toEqual([200, 401]);
      expect((await new Browser(app).signIn(store.ownerEmail, OWNER_PASSWORD)).status).toBe(401);
      expect((await new Browser(app).signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(200);
    });

    it.each([
      ['currentPassword', 'wrong horse battery', NEW_PASSWORD],
      ['newPassword', OWNER_PASSWORD, 'correct ho9'],
      ['newPassword', OWNER_PASSWORD, 'x'.repeat(12)],
      ['newPassword', OWNER_PASSWORD, 'x'.repeat(1001)],
      ['newPassword', OWNER_PASSWORD, null],
      ['currentPassword', '', NEW_PASSWORD],
    ])('is refused for a bad %s', async (field, current, fresh) => {
      const browser = await Browser.signedIn(app, store.ownerEmail);
      const answer = await change(browser, current, fresh);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(field)).toBe(true);
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
    });

    it('limits attempts to guess the password', async () => {
      const browser = await Browser.signedIn(app, store.ownerEmail);
      for (let i = 0; i < 10; i++)
        expect((await change(browser, `wrong horse ${i}`, NEW_PASSWORD)).status).toBe(400);
      expect(await change(browser, OWNER_PASSWORD, NEW_PASSWORD)).toMatchObject(refusal(429, 'rate_limited'));
    });

    it('is not blocked by strangers who try to sign in', async () => {
      const browser = await Browser.signedIn(app, store.ownerEmail);
      for (let i = 0; i < 11; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(429);
      expect((await change(browser, OWNER_PASSWORD, NEW_PASSWORD)).status).toBe(200);
    });

    it('turns the other browsers into strangers', async () => {
      const [here, elsewhere] = [
        await Browser.signedIn(app, store.ownerEmail),
        await Browser.signedIn(app, store.ownerEmail),
      ];
      await change(here, OWNER_PASSWORD, NEW_PASSWORD);
      for (let i = 0; i < 10; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
      expect((await elsewhere.signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(429);
      expect((await here.signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(200);
    });

    it('ends a sign-in with the old password that was under way', async () => {
      const account = (await app.nest.get(Accounts).authenticate(store.ownerEmail, OWNER_PASSWORD))!;
      await change(await Browser.signedIn(app, store.ownerEmail), OWNER_PASSWORD, NEW_PASSWORD);
      const visitor = {
        address: '192.0.2.1',
        userAgent: undefined,
        browserCookie: null,
        setHeader: () => undefined,
      };
      expect(await app.nest.get(Sessions).start(account, visitor)).toBeNull();
    });
  });
});
