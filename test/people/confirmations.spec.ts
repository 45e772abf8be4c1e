import { Secret, TOTP } from 'otpauth';
import { Browser, OWNER_PASSWORD, PROOF, refusal, StorePage } from '../doors/dashboard/browser.js';
import { useOauth } from '../doors/oauth/oauth-app.js';
import { ownDatabase } from '../support/database/own-database.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/servers/mail-server.js';
import { TestClock, type TestStore } from '../support/test-app.js';

const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)![0];
const NEW_PASSWORD = 'another horse battery';

/** docs/behaviour.md §10 and §12: what a stolen session cannot do, and who an address belongs to. */
describe('with an e-mail server', () => {
  const clock = new TestClock();
  let mail: MailServer;
  let store: TestStore;
  let owner: StorePage;

  const oauth = useOauth(async () => {
    mail = await MailServer.start();
    const env = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, SMTP_FROM: 'shops@shop.example' };
    return { clock, database: await ownDatabase(), env };
  });
  afterAll(() => mail.stop());
  beforeEach(async () => {
    clock.advance(24 * 3_600_000);
    store = await oauth.app.store();
    owner = await StorePage.ofOwner(store);
  });

  const somebody = () => `somebody-${Math.random().toString(36).slice(2)}@test.example`;
  /** The letters to an address since the mark, of which there must be some. */
  const lettersTo = async (address: string, mark: number, text = '') => {
    const found = () =>
      mail.letters.slice(mark).filter((letter) => letter.to.includes(address) && letter.text.includes(text));
    await eventually(`a letter comes to ${address}`, () => found().length > 0);
    return found();
  };
  const secondFactorOf = async (browser: Browser) => {
    const { secret } = (await browser.post('auth/second-factor/enrol', PROOF)).body.data;
    const code = () =>
      new TOTP({ secret: Secret.fromBase32(secret as string) }).generate({
        timestamp: clock.now().getTime(),
      });
    expect((await browser.post('auth/second-factor/confirm', { code: code() })).status).toBe(200);
    clock.advance(60_000);
    return code;
  };

  describe('whoever has only the session of an owner', () => {
    it('makes and removes no owner, and creates no access of scope admin', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const second = await StorePage.ofStaff(store, owner);
      await owner.data('PUT', `members/${second.userId}`, { role: 'owner', ...PROOF });
      const attempts: [string, string, object][] = [
        ['POST', 'members', { email: somebody(), role: 'owner' }],
        ['PUT', `members/${staff.userId}`, { role: 'owner' }],
        ['PUT', `members/${second.userId}`, { role: 'staff' }],
        ['DELETE', `members/${second.userId}`, {}],
        ['POST', `tokens`, { name: 'all', scope: 'admin' }],
      ];
      for (const [method, path, body] of attempts) {
        // A session may be wrong only so often.
        const session = await StorePage.ofOwner(store);
        for (const proof of [{}, { currentPassword: 'wrong horse battery' }, { code: '000000' }]) {
          const answer = await session.send(method, path, { ...body, ...proof });
          expect([path, answer]).toMatchObject([path, refusal(400, 'invalid_input')]);
          expect(answer.body.error!.message).toMatch(/^(currentPassword|code) /);
        }
      }
      const roles = (await owner.data('GET', 'members')).items.map(({ role }: any) => role);
      expect(roles.sort()).toEqual(['owner', 'owner', 'staff']);
      for (const [method, path, body] of attempts)
        expect([path, (await owner.send(method, path, { ...body, ...PROOF })).status]).toEqual([path, 200]);
    });

    it('lets no app in with scope admin', async () => {
      const person = oauth.person(store);
      const asked = await person.arrive(oauth.request({ scope: 'admin' }));
      expect(asked.page).toContain('name="currentPassword"');
      const allow = (proof: Record<string, string>) =>
        person.answer(asked, { store: store.id, scope: 'admin', decision: 'allow', ...proof });
      const wrong: Record<string, string>[] = [
        {},
        { currentPassword: 'wrong horse battery' },
        { code: '000000' },
      ];
      for (const proof of wrong) {
        const { status, callback, page } = await allow(proof);
        expect([status, callback]).toEqual([400, null]);
        expect(page).toContain('role="alert"');
      }
      const mark = mail.letters.length;
      expect((await allow(PROOF)).callback?.searchParams.get('code')).toBeTruthy();
      expect((await lettersTo(store.ownerEmail, mark))[0].text).toContain('let in the app "Agent"');
    });

    it('turns off no second factor', async () => {
      const code = await secondFactorOf(owner.browser);
      const off = (proof: object) => owner.browser.post('auth/second-factor/disable', proof);
      expect((await off({})).status).toBe(400);
      const mark = mail.letters.length;
      expect((await off({ code: code() })).status).toBe(200);
      expect((await lettersTo(store.ownerEmail, mark))[0].text).toContain('turned off their second factor');
    });
  });

  it('every owner is told of a new owner, of a removed one, and of a token of scope admin', async () => {
    const second = await StorePage.ofStaff(store, owner);
    let mark = mail.letters.length;
    const toBoth = async (text: string) => {
      for (const address of [store.ownerEmail, second.email])
        expect((await lettersTo(address, mark, text))[0].text).toContain(text);
      mark = mail.letters.length;
    };
    await owner.data('PUT', `members/${second.userId}`, { role: 'owner', ...PROOF });
    await toBoth(`${store.ownerEmail} made ${second.email} an owner`);
    await second.data('POST', 'tokens', { name: 'all', scope: 'admin', ...PROOF });
    await toBoth(`${second.email} created the API token "all" of scope admin`);
    const third = `third-${Math.random().toString(36).slice(2)}@test.example`;
    const { invitation } = await owner.data('POST', 'members', { email: third, role: 'owner', ...PROOF });
    mark = mail.letters.length;
    await new Browser(store.app).accept(invitation);
    await toBoth(`${third} became an owner`);
    await owner.data('DELETE', `members/${second.userId}`, PROOF);
    await toBoth(`removed the owner ${second.email}`);
  });

  it('owners are told what becomes of what somebody made who is an owner no longer', async () => {
    const told = async (keepTokens: boolean) => {
      const second = await StorePage.ofStaff(store, owner);
      await owner.data('PUT', `members/${second.userId}`, { role: 'owner', ...PROOF });
      await second.data('POST', 'tokens', { name: 'all', scope: 'admin', ...PROOF });
      const person = Object.assign(oauth.person(store), { email: second.email });
      await oauth.tokens(person, { scope: 'admin' }, { scope: 'admin' });
      const mark = mail.letters.length;
      await owner.data('PUT', `members/${second.userId}`, { role: 'staff', keepTokens, ...PROOF });
      const [{ text }] = await lettersTo(store.ownerEmail, mark, `made ${second.email} staff`);
      return text.replaceAll(/\s+/g, ' ');
    };
    expect(await told(false)).toContain(
      'the tokens of scope admin that they made were revoked: "all"; ' +
        'the apps to which they gave scope admin were revoked: "Agent"',
    );
    expect(await told(true)).toContain(
      'the tokens of scope admin that they made go on working: "all"; ' +
        'the apps to which they gave scope admin go on with scope write: "Agent"',
    );
  });

  it('the tokens that a member made are revoked with the membership, unless they are kept', async () => {
    const statuses = async (keepTokens?: boolean) => {
      const second = await StorePage.ofStaff(store, owner);
      await owner.data('PUT', `members/${second.userId}`, { role: 'owner', ...PROOF });
      const { id, token } = await second.data('POST', 'tokens', { name: 'theirs', scope: 'admin', ...PROOF });
      const listed = (await owner.data('GET', 'tokens')).items[0];
      expect(listed).toMatchObject({ id, createdBy: second.userId, createdByEmail: second.email });
      expect((await store.call('list_orders', {}, { token })).status).toBe(200);
      const removed = await owner.data('DELETE', `members/${second.userId}`, { keepTokens, ...PROOF });
      const revoked = keepTokens !== true;
      expect(removed.tokens).toEqual([{ id, name: 'theirs', scope: 'admin', revoked }]);
      return (await store.call('list_orders', {}, { token })).status;
    };
    expect([await statuses(), await statuses(false), await statuses(true)]).toEqual([401, 401, 200]);
  });

  describe('somebody who is only said to have an address', () => {
    /** Redeems the link that the inviter sees, and turns on a second factor. */
    const taken = async () => {
      const email = somebody();
      const browser = new Browser(oauth.app);
      const mark = mail.letters.length;
      await browser.accept((await owner.data('POST', 'members', { email })).invitation);
      // The letter goes after the answer, and is none of those that the tests wait for.
      await lettersTo(email, mark);
      await secondFactorOf(browser);
      const { id } = (await browser.get('me')).body.data;
      await owner.data('DELETE', `members/${id}`);
      return { email, browser };
    };

    it('keeps nothing when the address is proven by a reset', async () => {
      const { email, browser } = await taken();
      const mark = mail.letters.length;
      await new Browser(oauth.app).post('auth/request-password-reset', { email });
      const link = linkIn((await lettersTo(email, mark))[0].text);
      const answer = await new Browser(oauth.app).post('auth/reset-password', {
        link,
        newPassword: NEW_PASSWORD,
      });
      expect(answer.status).toBe(200);
      expect((await browser.get('me')).status).toBe(401);
      const theirs = new Browser(oauth.app);
      expect((await theirs.signIn(email, NEW_PASSWORD)).body.data.email).toBe(email);

      // From then on the address is proven, and a reset leaves the second factor.
      const enrolled = await theirs.post('auth/second-factor/enrol', { currentPassword: NEW_PASSWORD });
      const secret = Secret.fromBase32(enrolled.body.data.secret as string);
      const code = new TOTP({ secret }).generate({ timestamp: clock.now().getTime() });
      expect((await theirs.post('auth/second-factor/confirm', { code })).status).toBe(200);
      clock.advance(24 * 3_600_000);
      const next = mail.letters.length;
      await new Browser(oauth.app).post('auth/request-password-reset', { email });
      const again = linkIn((await lettersTo(email, next))[0].text);
      await new Browser(oauth.app).post('auth/reset-password', { link: again, newPassword: OWNER_PASSWORD });
      const { body } = await new Browser(oauth.app).signIn(email, OWNER_PASSWORD);
      expect(body.data).toEqual({ codeRequired: true });
    });

    it('keeps nothing when the address is proven by an e-mailed invitation', async () => {
      const { email, browser } = await taken();
      const other = await StorePage.ofOwner(await oauth.app.store());
      const mark = mail.letters.length;
      const { invitation } = await other.data('POST', 'members', { email });
      const mailed = linkIn((await lettersTo(email, mark))[0].text);
      const accept = (link: string) =>
        new Browser(oauth.app).post('auth/accept-invitation', { invitation: link, password: NEW_PASSWORD });
      // The link that the inviter sees proves nothing.
      expect(await accept(invitation as string)).toMatchObject(refusal(401, 'invalid_token'));
      expect((await accept(mailed.slice(0, -1))).status).toBe(400);
      expect((await accept(mailed)).body.data).toMatchObject({ storeId: other.storeId, role: 'staff' });
      expect((await browser.get('me')).status).toBe(401);
      expect((await new Browser(oauth.app).signIn(email, NEW_PASSWORD)).body.data.email).toBe(email);
    });
  });
});
