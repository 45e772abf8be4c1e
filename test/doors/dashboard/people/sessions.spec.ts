import { v7 as uuidv7 } from 'uuid';
import { TestApp, TestClock, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, refusal } from '../browser.js';

const MINUTE = 60_000;

describe("a person's sessions", () => {
  const clock = new TestClock();
  let store: TestStore;

  const app = useShop({ clock });
  beforeEach(async () => {
    store = await app.store();
  });

  const signedInWith = async (userAgent: string) => {
    const browser = new Browser(app);
    const { status } = await browser.send(
      'POST',
      'auth/sign-in',
      { email: store.ownerEmail, password: 'correct horse battery' },
      { 'User-Agent': userAgent },
    );
    expect(status).toBe(200);
    return browser;
  };
  const list = async (browser: Browser): Promise<any[]> =>
    (await browser.get('auth/sessions')).body.data.items;

  it('are listed with browser, address and times, the last used first, without those of others', async () => {
    await Browser.signedIn(app, (await app.store()).ownerEmail);
    const phone = await signedInWith('Phone/1.0');
    const start = clock.now().toISOString();
    clock.advance(10 * MINUTE);
    const laptop = await signedInWith(`Laptop/2.0 ${'x'.repeat(1000)}`);
    clock.advance(MINUTE);
    const now = clock.now().toISOString();
    expect((await phone.get('me')).status).toBe(200);
    const mine = { id: expect.any(String), address: expect.stringMatching(/127\.0\.0\.1$/) };
    const sessions = await list(laptop);
    expect(sessions).toEqual([
      { ...mine, browser: 'Phone/1.0', createdAt: start, lastUsedAt: now, current: false },
      {
        ...mine,
        browser: expect.stringMatching(/^Laptop\/2\.0 x{289}$/),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        current: true,
      },
    ]);
    expect((await list(phone)).map(({ current }) => current)).toEqual([true, false]);
    for (const { id } of sessions) {
      expect(JSON.stringify([phone.cookie, laptop.cookie])).not.toContain(id);
    }
  });

  it('can be ended one by one, which takes effect at once on every instance', async () => {
    const other = await TestApp.start({ clock, database: app.database });
    const [phone, laptop] = [await signedInWith('Phone'), await signedInWith('Laptop')];
    const there = new Browser(other);
    there.cookie = phone.cookie;
    expect((await there.get('me')).status).toBe(200);
    const { id } = (await list(laptop)).find(({ browser }) => browser === 'Phone');
    expect((await laptop.send('DELETE', `auth/sessions/${id}`)).body.data).toEqual({ id, deleted: true });
    expect([
      (await phone.get('me')).status,
      (await there.get('me')).status,
      (await laptop.get('me')).status,
    ]).toEqual([401, 401, 200]);
    expect(await laptop.send('DELETE', `auth/sessions/${id}`)).toMatchObject(refusal(404, 'not_found'));
    await other.stop();
  });

  it('include the current one, and ending that also removes its cookie', async () => {
    const browser = await signedInWith('Laptop');
    const [{ id }] = await list(browser);
    const { headers } = await browser.send('DELETE', `auth/sessions/${id}`);
    expect(headers.getSetCookie()[0]).toMatch(/^shop_session=; Max-Age=0/);
    expect((await browser.get('me')).status).toBe(401);
  });

  it('can all be ended except the current one', async () => {
    const [one, two, three] = [await signedInWith('1'), await signedInWith('2'), await signedInWith('3')];
    expect((await two.post('auth/sessions/end-others')).body.data).toEqual({ ended: 2 });
    expect([
      (await one.get('me')).status,
      (await two.get('me')).status,
      (await three.get('me')).status,
    ]).toEqual([401, 200, 401]);
  });

  it('cannot be ended by another person', async () => {
    const victim = await signedInWith('Laptop');
    const [{ id }] = await list(victim);
    const stranger = await Browser.signedIn(app, (await app.store()).ownerEmail);
    for (const other of [id, uuidv7(), 'x']) {
      expect(await stranger.send('DELETE', `auth/sessions/${other}`)).toMatchObject(
        refusal(404, 'not_found'),
      );
    }
    await stranger.post('auth/sessions/end-others');
    expect((await victim.get('me')).status).toBe(200);
  });

  it('are at most 50: one more ends the oldest', async () => {
    const first = await signedInWith('first');
    clock.advance(1);
    const second = await signedInWith('second');
    await app.query(
      `insert into sessions (token_hash, user_id, created_at, last_seen_at)
       select gen_random_uuid()::text, u.id, $2, $2 from users u, generate_series(1, 48) where u.email = $1`,
      [store.ownerEmail, clock.now()],
    );
    expect(await list(second)).toHaveLength(50);
    expect((await first.get('me')).status).toBe(200);
    clock.advance(1);
    await signedInWith('one more');
    expect([(await first.get('me')).status, (await list(second)).length]).toEqual([401, 50]);
    await Promise.all(Array.from({ length: 5 }, () => signedInWith('side by side')));
    const [{ n }] = await app.query<{ n: number }>(
      'select count(*)::int as n from sessions s join users u on u.id = s.user_id where u.email = $1',
      [store.ownerEmail],
    );
    expect(n).toBe(50);
  });
});
