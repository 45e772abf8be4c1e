import { createHmac } from 'node:crypto';
import { ownDatabase } from '../../../support/database/own-database.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, OWNER_PASSWORD, refusal, StorePage } from '../browser.js';

const STEP = 30_000;
const HOUR = 3_600_000;

/**
 * What an authenticator app shows (RFC 6238, RFC 4226), written independently of the library that checks it.
 */
function codeAt(secret: string, time: number): string {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / STEP)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

describe('the second factor', () => {
  const clock = new TestClock();
  let store: TestStore;
  let browser: Browser;

  // Its clock runs ahead, and would clear away what other tests count.
  const app = useShop(async () => ({ clock, database: await ownDatabase() }));
  beforeEach(async () => {
    store = await app.store();
    browser = await Browser.signedIn(app, store.ownerEmail);
    clock.advance(24 * HOUR - (clock.now().getTime() % STEP));
    browser = await Browser.signedIn(app, store.ownerEmail);
  });

  const now = (secret: string) => codeAt(secret, clock.now().getTime());
  const signIn = (code?: unknown, who = new Browser(app)) =>
    who.post('auth/sign-in', { email: store.ownerEmail, password: OWNER_PASSWORD, code });
  const enrol = (who = browser) => who.post('auth/second-factor/enrol', { currentPassword: OWNER_PASSWORD });
  const state = async () => (await browser.get('auth/second-factor')).body.data;
  /** Turns it on; the code that did it is used up, so time goes on. */
  const on = async (): Promise<{ secret: string; recoveryCodes: string[] }> => {
    const { secret } = (await enrol()).body.data;
    const { recoveryCodes } = (await browser.post('auth/second-factor/confirm', { code: now(secret) })).body
      .data;
    clock.advance(2 * STEP);
    return { secret, recoveryCodes };
  };

  it('is enrolled, confirmed by a first code, and asked for from then on', async () => {
    const enrolled = await enrol();
    const { secret, uri } = enrolled.body.data;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const parsed = new URL(uri);
    expect([
      parsed.protocol,
      parsed.host,
      parsed.searchParams.get('secret'),
      parsed.searchParams.get('issuer'),
    ]).toEqual(['otpauth:', 'totp', secret, 'Shop administration']);
    expect(decodeURIComponent(parsed.pathname)).toContain(store.ownerEmail);
    // Not before it is confirmed: an app that was never set up would lock its owner out.
    expect((await signIn()).headers.getSetCookie()).not.toEqual([]);
    expect(await state()).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    const { recoveryCodes } = (await browser.post('auth/second-factor/confirm', { code: now(secret) })).body
      .data;
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(await state()).toEqual({
      enabled: true,
      enabledAt: clock.now().toISOString(),
      recoveryCodesLeft: 10,
    });

    clock.advance(2 * STEP);
    const asked = await signIn();
    expect([asked.status, asked.body, asked.headers.getSetCookie()]).toEqual([
      200,
      { ok: true, data: { codeRequired: true } },
      [],
    ]);
    const signedIn = new Browser(app);
    expect((await signIn(now(secret), signedIn)).body.data).toMatchObject({ email: store.ownerEmail });
    expect((await signedIn.get('me')).status).toBe(200);
  });

  it('is asked for only after the right password', async () => {
    const { secret } = await on();
    const wrong = (password: string, code?: string) =>
      new Browser(app).post('auth/sign-in', { email: store.ownerEmail, password, code });
    const unknown = await new Browser(app).signIn('nobody@test.example', 'wrong horse battery');
    expect((await wrong('wrong horse battery')).body).toEqual(unknown.body);
    expect((await wrong('wrong horse battery', now(secret))).body).toEqual(unknown.body);
    // Nor did that use the code up.
    expect((await signIn(now(secret))).status).toBe(200);
  });

  it('accepts a code only once, even concurrently, and no earlier code afterwards', async () => {
    const { secret } = await on();
    const before = codeAt(secret, clock.now().getTime() - STEP);
    const all = await Promise.all(Array.from({ length: 5 }, () => signIn(now(secret))));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(await signIn(before)).toMatchObject(refusal(401, 'invalid_token'));
  });

  it('accepts the codes of half a minute before and after, and no others', async () => {
    const { secret } = await on();
    const at = (steps: number) => codeAt(secret, clock.now().getTime() + steps * STEP);
    expect((await signIn(at(-2))).status).toBe(401);
    expect((await signIn(at(2))).status).toBe(401);
    expect((await signIn(at(-1))).status).toBe(200);
    const typed = at(1);
    expect((await signIn(`${typed.slice(0, 3)} ${typed.slice(3)}`)).status).toBe(200);
    expect((await signIn(at(0))).status).toBe(401);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const { recoveryCodes } = await on();
    const [first, second, third] = recoveryCodes;
    const both = await Promise.all([signIn(first), signIn(first)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signIn(` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect((await signIn(third.replaceAll('-', ''))).status).toBe(200);
    expect((await signIn(third)).status).toBe(401);
    expect((await state()).recoveryCodesLeft).toBe(7);
  });

  it('allows 20 wrong codes a day, counted separately for strangers and for a known browser', async () => {
    const { secret } = await on();
    for (let i = 0; i < 20; i++) {
      if (i === 10) clock.advance(HOUR);
      expect((await signIn('000000')).status).toBe(401);
    }
    clock.advance(HOUR);
    expect(await signIn(now(secret))).toMatchObject(refusal(429, 'rate_limited'));
    expect((await signIn(now(secret), browser)).status).toBe(200);
    clock.advance(22 * HOUR);
    expect((await signIn(now(secret))).status).toBe(200);
  });

  it('treats browsers that never had to give a code as strangers', async () => {
    const other = await Browser.signedIn(app, store.ownerEmail);
    await on();
    for (let i = 0; i < 10; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
    expect((await signIn(undefined, other)).status).toBe(429);
    expect((await signIn(undefined, browser)).status).toBe(200);
  });

  it('is also required by an invitation, and is not removed by a new password', async () => {
    const { secret } = await on();
    const page = await StorePage.ofOwner(await app.store());
    const { invitation } = await page.data('POST', 'members', { email: store.ownerEmail });
    const guest = new Browser(app);
    const accept = (code?: string) =>
      guest.post('auth/accept-invitation', { invitation, password: OWNER_PASSWORD, code });
    expect((await accept()).body.data).toEqual({ codeRequired: true });
    expect([guest.cookie, (await page.data('GET', 'members')).items.length]).toEqual([null, 1]);
    expect((await accept('000000')).status).toBe(401);
    expect((await accept(now(secret))).body.data).toMatchObject({ storeId: page.storeId });
    expect((await guest.get('me')).status).toBe(200);

    const newPassword = 'another horse battery';
    await browser.post('auth/change-password', { currentPassword: OWNER_PASSWORD, newPassword });
    expect((await new Browser(app).signIn(store.ownerEmail, newPassword)).body.data).toEqual({
      codeRequired: true,
    });
  });

  it.each(['password', 'code', 'recovery code'])('is turned off with the %s', async (way) => {
    const { secret, recoveryCodes } = await on();
    const proof =
      way === 'password'
        ? { currentPassword: OWNER_PASSWORD }
        : { code: way === 'code' ? now(secret) : recoveryCodes[0] };
    const { body } = await browser.post('auth/second-factor/disable', proof);
    expect(body.data).toEqual({ enabled: false, enabledAt: null, recoveryCodesLeft: 0 });
    expect((await signIn()).headers.getSetCookie()).not.toEqual([]);
    expect(
      await app.query('select from second_factors f join users u on u.id = f.user_id where u.email = $1', [
        store.ownerEmail,
      ]),
    ).toEqual([]);
  });

  it('replaces the old recovery codes with new ones', async () => {
    const { secret, recoveryCodes: old } = await on();
    const { recoveryCodes } = (await browser.post('auth/second-factor/recovery-codes', { code: now(secret) }))
      .body.data;
    expect(recoveryCodes).toHaveLength(10);
    expect((await signIn(old[0])).status).toBe(401);
    expect((await signIn(recoveryCodes[0])).status).toBe(200);
  });

  it.each(['disable', 'recovery-codes'])('requires proof in addition to a session: %s', async (action) => {
    await on();
    for (const [proof, field] of [
      [{}, 'currentPassword'],
      [{ currentPassword: OWNER_PASSWORD, code: '000000' }, 'currentPassword'],
      [{ currentPassword: 'wrong horse battery' }, 'currentPassword'],
      [{ code: '000000' }, 'code'],
      [{ code: '' }, 'code'],
    ] as const) {
      const answer = await browser.post(`auth/second-factor/${action}`, proof);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(field)).toBe(true);
    }
    for (let i = 0; i < 8; i++) await browser.post(`auth/second-factor/${action}`, { code: '000000' });
    expect(
      await browser.post(`auth/second-factor/${action}`, { currentPassword: OWNER_PASSWORD }),
    ).toMatchObject(refusal(429, 'rate_limited'));
    expect((await state()).enabled).toBe(true);
  });

  it('is not enrolled without the password, confirmed without its code, or enrolled twice', async () => {
    const without = await browser.post('auth/second-factor/enrol', {
      currentPassword: 'wrong horse battery',
    });
    expect(without).toMatchObject(refusal(400, 'invalid_input'));
    const confirm = (code: string) => browser.post('auth/second-factor/confirm', { code });
    expect(await confirm('000000')).toMatchObject(refusal(400, 'invalid_input'));
    const first = (await enrol()).body.data.secret;
    const second = (await enrol()).body.data.secret;
    expect(await confirm(now(first))).toMatchObject(refusal(400, 'invalid_input'));
    expect((await confirm(now(second))).status).toBe(200);
    expect(await enrol()).toMatchObject(refusal(400, 'invalid_input'));
    expect(await confirm(now(second))).toMatchObject(refusal(400, 'invalid_input'));
  });

  it('cannot be confirmed by guessing', async () => {
    await enrol();
    for (let i = 0; i < 10; i++) await browser.post('auth/second-factor/confirm', { code: '000000' });
    expect(await browser.post('auth/second-factor/confirm', { code: '000000' })).toMatchObject(
      refusal(429, 'rate_limited'),
    );
  });

  it('is stored sealed and hashed, and survives a restart of the service', async () => {
    const { secret, recoveryCodes } = await on();
    const rows = JSON.stringify([
      await app.query('select * from second_factors'),
      await app.query('select * from recovery_codes'),
    ]);
    for (const hidden of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ]) {
      expect(rows).not.toContain(hidden);
    }
    const other = await TestApp.start({ clock, database: app.database });
    expect((await signIn(now(secret), new Browser(other))).status).toBe(200);
    await other.stop();
  });

  it('is sealed for one person, so that a copied row is useless', async () => {
    await on();
    const other = await app.store();
    await app.query(
      `insert into second_factors (user_id, sealed_secret, created_at, confirmed_at, last_step)
       select v.id, f.sealed_secret, f.created_at, f.confirmed_at, 0 from second_factors f join users u
         on u.id = f.user_id, users v
       where u.email = $1 and v.email = $2`,
      [store.ownerEmail, other.ownerEmail],
    );
    const answer = await new Browser(app).post('auth/sign-in', {
      email: other.ownerEmail,
      password: OWNER_PASSWORD,
      code: '000000',
    });
    expect(answer.status).toBe(500);
  });
});
