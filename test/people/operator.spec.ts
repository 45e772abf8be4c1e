import { Secret, TOTP } from 'otpauth';
import { Browser, OWNER_PASSWORD, StorePage } from '../doors/dashboard/browser.js';
import { commandCode } from '../support/servers/service-process.js';
import { TestClock, useShop } from '../support/test-app.js';

describe('the operator', () => {
  const clock = new TestClock();

  const app = useShop({ clock });

  const run = async (command: string, options: Record<string, string>): Promise<any> =>
    (await commandCode(command)).run({
      app: app.nest,
      options,
      runtime: {} as never,
    });

  it('makes a store for an address that has an account by handing a link on, which is audited', async () => {
    const { ownerEmail } = await app.store();
    const made = await run('store create', { name: 'Second', currency: 'EUR', 'owner-email': ownerEmail });
    expect(made).toMatchObject({ ownerEmail, ownerPassword: null });
    const person = await Browser.signedIn(app, ownerEmail);
    expect((await person.get('stores')).body.data.items).toHaveLength(1);
    await person.accept(made.invitation);
    const page = new StorePage(person, made.id);
    expect((await page.data('GET', 'members')).items).toMatchObject([{ email: ownerEmail, role: 'owner' }]);
    const { items } = await page.data('GET', 'audit');
    expect(items.map(({ operation, transport }: any) => [operation, transport])).toEqual([
      ['member.join', 'dashboard'],
      ['member.invite', 'cli'],
      ['store.create', 'cli'],
    ]);
    expect(JSON.stringify(items)).not.toContain(made.invitation.split('#')[1]);
  });

  it('gives a store a time zone, which is audited, and refuses what is none', async () => {
    const values = { name: 'Third', currency: 'EUR', 'owner-email': (await app.store()).ownerEmail };
    const wrong = run('store create', { ...values, 'time-zone': 'Mars/Olympus' });
    await expect(wrong).rejects.toThrow(/^timeZone must be an IANA time zone/);
    const { id } = await run('store create', { ...values, 'time-zone': 'Europe/Kyiv' });
    const rows = await app.query('select name, time_zone from stores where id = $1', [id]);
    expect(rows).toEqual([{ name: 'Third', time_zone: 'Europe/Kyiv' }]);
    const audited = await app.query(
      `select input->>'timeZone' as zone from audit_log where store_id = $1 and operation = 'store.create'`,
      [id],
    );
    expect(audited).toEqual([{ zone: 'Europe/Kyiv' }]);
  });

  it('makes a store; its changes to a member are in the audit log of each of their stores', async () => {
    const ownerEmail = `made-${Math.random().toString(36).slice(2)}@test.example`;
    const made = await run('store create', {
      name: 'First',
      currency: 'EUR',
      'owner-email': ownerEmail,
      plan: 'free',
    });
    const second = await run('store create', { name: 'Second', currency: 'EUR', 'owner-email': ownerEmail });
    await (await Browser.signedIn(app, ownerEmail, made.ownerPassword)).accept(second.invitation);
    const { password } = await run('user password', { email: ownerEmail });
    const owner = await Browser.signedIn(app, ownerEmail, password);
    const { id: userId } = (await owner.get('me')).body.data;
    const cli = { transport: 'cli', actor: { kind: 'system', id: null, name: 'operator' }, outcome: 'ok' };
    const reset = {
      ...cli,
      operation: 'user.password',
      target: `user:${userId}`,
      targetKind: 'user',
      input: { email: ownerEmail },
    };
    const input = { name: 'First', currency: 'EUR', plan: 'free', ownerEmail };
    const rows = async (storeId: string) => (await new StorePage(owner, storeId).data('GET', 'audit')).items;
    const first = await rows(made.id);
    expect(first).toMatchObject([
      reset,
      { ...cli, operation: 'store.create', target: `store:${made.id}`, input },
    ]);
    expect(first).toHaveLength(2);
    expect((await rows(second.id))[0]).toMatchObject(reset);
    expect(JSON.stringify(first)).not.toContain(password);
  });

  it('lets a person in again, with a new password, whom strangers had locked out', async () => {
    const { ownerEmail } = await app.store();
    const before = await Browser.signedIn(app, ownerEmail);
    for (let i = 0; i < 10; i++) await new Browser(app).signIn(ownerEmail, 'wrong horse battery');
    const { email, password } = await run('user password', { email: ` ${ownerEmail.toUpperCase()} ` });
    expect([email, password]).toEqual([ownerEmail, expect.stringMatching(/^[0-9a-f]{24}$/)]);
    expect((await before.get('me')).status).toBe(401);
    expect((await new Browser(app).signIn(ownerEmail, OWNER_PASSWORD)).status).toBe(401);
    expect((await new Browser(app).signIn(ownerEmail, password)).status).toBe(200);
    expect(await run('user password', { email: ownerEmail, password: 'operators horse' })).toEqual({
      email,
      password: null,
    });
    for (const password of ['short', 'x'.repeat(1001)]) {
      await expect(run('user password', { email: ownerEmail, password })).rejects.toThrow(
        /^password must be/,
      );
      const made = {
        name: 'Third',
        currency: 'EUR',
        'owner-email': 'third@test.example',
        'owner-password': password,
      };
      await expect(run('store create', made)).rejects.toThrow(/^ownerPassword must be/);
    }
    await expect(run('user password', { email: 'nobody@test.example' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('turns the second factor off for somebody who lost app and recovery codes', async () => {
    const store = await app.store();
    const { ownerEmail } = store;
    const person = await Browser.signedIn(app, ownerEmail);
    const { secret } = (await person.post('auth/second-factor/enrol', { currentPassword: OWNER_PASSWORD }))
      .body.data;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() });
    expect((await person.post('auth/second-factor/confirm', { code })).status).toBe(200);
    expect((await new Browser(app).signIn(ownerEmail)).body.data).toEqual({ codeRequired: true });
    const off = () => run('user second-factor-off', { email: ownerEmail });
    expect([await off(), await off()]).toEqual([
      { email: ownerEmail, turnedOff: true },
      { email: ownerEmail, turnedOff: false },
    ]);
    expect((await new Browser(app).signIn(ownerEmail)).body.data).toMatchObject({ email: ownerEmail });
    const { items } = await (await StorePage.ofOwner(store)).data('GET', 'audit');
    expect(items.map(({ operation }: any) => operation)).toEqual(['user.second_factor_off']);
    await expect(run('user second-factor-off', { email: 'nobody@test.example' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('lets a person in again, with a new password, after strangers used up the codes', async () => {
    const { ownerEmail } = await app.store();
    const person = await Browser.signedIn(app, ownerEmail);
    const { secret } = (await person.post('auth/second-factor/enrol', { currentPassword: OWNER_PASSWORD }))
      .body.data;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() });
    const { recoveryCodes } = (await person.post('auth/second-factor/confirm', { code })).body.data;
    await app.query(`insert into sign_in_attempts (subject, attempts, since) values ($1, 20, now())`, [
      `code:${(await person.get('me')).body.data.id}:strangers`,
    ]);
    const signIn = (password: string) =>
      new Browser(app).post('auth/sign-in', { email: ownerEmail, password, code: recoveryCodes[0] });
    expect((await signIn(OWNER_PASSWORD)).status).toBe(429);
    const { password } = await run('user password', { email: ownerEmail });
    // A process remembers for a second that there is no attempt left.
    expect((await signIn(password)).status).toBe(429);
    clock.advance(1_000);
    expect((await signIn(password)).status).toBe(200);
  });
});
