import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { v7 as uuidv7 } from 'uuid';
import { Stores } from '../../../../src/stores/stores.service.js';
import { ownDatabase } from '../../../support/database/own-database.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, OWNER_PASSWORD, PROOF, refusal, StorePage } from '../browser.js';

const NOTHING_MADE = { tokens: [], connections: [] };

const DAY = 86_400_000;

describe('members of a store', () => {
  const clock = new TestClock();
  let store: TestStore;
  let owner: StorePage;

  // Its clock runs ahead, and its tables are searched for what must not be in them.
  const app = useShop(async () => ({ clock, database: await ownDatabase() }));
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const somebody = () => `somebody-${Math.random().toString(36).slice(2)}@test.example`;
  const invite = async (email: string, role?: string): Promise<any> =>
    owner.data('POST', 'members', { email, role, ...(role === 'owner' ? PROOF : {}) });
  const linkFor = async (email: string, role?: string): Promise<string> =>
    (await invite(email, role)).invitation;
  const accept = (browser: Browser, invitation: string, more: object = {}) =>
    browser.post('auth/accept-invitation', { invitation, ...more });
  const roles = async (page = owner) =>
    Object.fromEntries(
      (await page.data('GET', 'members')).items.map((member: any) => [member.email, member.role]),
    );
  const audited = async (operation: string) =>
    (await owner.data('GET', `audit?operation=${operation}`)).items;

  describe('an account that somebody else has registered for an address', () => {
    it('gives its creator no access to a store that is created for the address later', async () => {
      const victim = somebody();
      const invited = await invite(victim);
      expect(JSON.stringify(invited)).not.toMatch(/password/i);
      // The first owner redeems the link they made, so the account of the victim's address is theirs.
      const attacker = new Browser(app);
      await attacker.accept(invited.invitation, 'attackers horse');
      expect((await attacker.get('me')).body.data.email).toBe(victim);

      const made = await app.nest.get(Stores).create({ name: 'Second', currency: 'USD', ownerEmail: victim });
      expect(made).toMatchObject({
        ownerPassword: null,
        invitation: expect.stringContaining('/dashboard/accept-invitation#'),
      });
      await attacker.signIn(victim, 'attackers horse');
      const mine = (await attacker.get('stores')).body.data.items;
      expect(mine.map(({ id }: { id: string }) => id)).toEqual([store.id]);
      expect(await attacker.get(`stores/${made.id}/tokens`)).toMatchObject(refusal(404, 'not_found'));

      // The victim has the operator's link, and joins with whatever account is theirs.
      const { ownerEmail } = await app.store();
      const victimsBrowser = await Browser.signedIn(app, ownerEmail);
      await victimsBrowser.accept(made.invitation!);
      expect((await victimsBrowser.get(`stores/${made.id}/tokens`)).status).toBe(200);
      expect((await attacker.get(`stores/${made.id}/tokens`)).status).toBe(404);
    });

    it('does not get a new password from a store that is created for the address', async () => {
      const stores = app.nest.get(Stores);
      const values = { name: 'Third', currency: 'USD', ownerEmail: store.ownerEmail.toUpperCase() };
      const before = await stores.list();
      await expect(stores.create({ ...values, ownerPassword: 'operators horse' })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^ownerPassword/),
      });
      expect(await stores.list()).toEqual(before);
      expect((await new Browser(app).signIn(store.ownerEmail)).status).toBe(200);
    });
  });

  describe('an invitation', () => {
    it('is the same for an address with an account and for one without', async () => {
      const { ownerEmail } = await app.store();
      const [known, unknown] = [await invite(ownerEmail), await invite(somebody())];
      const shape = {
        id: expect.any(String),
        email: expect.any(String),
        role: 'staff',
        groups: null,
        createdAt: expect.any(String),
        expiresAt: new Date(clock.now().getTime() + 7 * DAY).toISOString(),
        invitation: expect.stringMatching(/^http:\/\/localhost:\d+\/dashboard\/accept-invitation#[\w-]{43}$/),
        emailed: false,
      };
      expect([known, unknown]).toEqual([shape, shape]);
    });

    it('shows its holder the store and the role', async () => {
      const email = somebody();
      const link = await linkFor(email, 'owner');
      const offer = await new Browser(app).post('auth/invitation', { invitation: link });
      expect(offer.body.data).toEqual({
        storeName: 'Test store',
        email,
        role: 'owner',
        expiresAt: expect.any(String),
      });
    });

    it('creates an account for the address, signed in, with the rights of its role', async () => {
      const email = somebody();
      const browser = new Browser(app);
      const { body } = await accept(browser, await linkFor(email.toUpperCase()), {
        password: OWNER_PASSWORD,
      });
      expect(body).toEqual({ ok: true, data: { storeId: store.id, storeName: 'Test store', role: 'staff' } });
      expect((await browser.get(`stores/${store.id}/webhook`)).status).toBe(200);
      expect((await browser.get(`stores/${store.id}/tokens`)).status).toBe(403);
      expect((await new Browser(app).signIn(email)).status).toBe(200);
      expect(await roles()).toEqual({ [store.ownerEmail]: 'owner', [email]: 'staff' });
    });

    it('creates an owner if its role is owner', async () => {
      const browser = new Browser(app);
      await browser.accept(await linkFor(somebody(), 'owner'));
      expect((await browser.get(`stores/${store.id}/tokens`)).status).toBe(200);
    });

    it('adds the signed-in account to the store, whatever its address, and creates none', async () => {
      const { ownerEmail } = await app.store();
      const guest = await Browser.signedIn(app, ownerEmail);
      const invited = somebody();
      await guest.accept(await linkFor(invited));
      const { items } = (await guest.get('stores')).body.data;
      expect(items.map(({ role }: { role: string }) => role).sort()).toEqual(['owner', 'staff']);
      expect(await app.query('select from users where email = $1', [invited])).toEqual([]);
    });

    it('accepts the password of an existing account, within the limits of signing in', async () => {
      const { ownerEmail } = await app.store();
      const link = await linkFor(ownerEmail);
      for (let i = 0; i < 10; i++) {
        const wrong = await accept(new Browser(app), link, { password: `wrong horse ${i}` });
        expect(wrong.body).toEqual((await new Browser(app).signIn(somebody(), 'wrong horse battery')).body);
      }
      expect(await accept(new Browser(app), link, { password: OWNER_PASSWORD })).toMatchObject(
        refusal(429, 'rate_limited'),
      );
      clock.advance(15 * 60_000);
      const browser = new Browser(app);
      await browser.accept(link);
      expect((await browser.get('me')).body.data.email).toBe(ownerEmail);
    });

    it('accepts the link or the part after its #, with an ended session or with none', async () => {
      const browser = new Browser(app);
      browser.cookie = `shop_session=${'a'.repeat(43)}`;
      await accept(browser, (await linkFor(somebody())).split('#')[1], { password: OWNER_PASSWORD });
      expect((await browser.get(`stores/${store.id}/webhook`)).status).toBe(200);
    });

    it.each([
      ['password', { password: 'short' }, 400],
      ['password', { password: null }, 400],
      ['email', { password: OWNER_PASSWORD, email: 'other@test.example' }, 400],
      ['Sign in', {}, 401],
    ])('is refused with a message about %s and stays valid (%#)', async (word, more, status) => {
      const link = await linkFor(somebody());
      const answer = await accept(new Browser(app), link, more);
      expect([answer.status, answer.body.error!.message.startsWith(word)]).toEqual([status, true]);
      await new Browser(app).accept(link);
    });

    it('accepts no password from somebody who is signed in', async () => {
      const { ownerEmail } = await app.store();
      const guest = await Browser.signedIn(app, ownerEmail);
      const answer = await accept(guest, await linkFor(somebody()), { password: OWNER_PASSWORD });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toContain(`signed in as ${ownerEmail}`);
    });

    it('works only once', async () => {
      const link = await linkFor(somebody());
      await new Browser(app).accept(link);
      for (const path of ['auth/invitation', 'auth/accept-invitation']) {
        const again = await new Browser(app).post(path, {
          invitation: link,
          ...(path.endsWith('accept-invitation') ? { password: OWNER_PASSWORD } : {}),
        });
        expect(again).toMatchObject(refusal(400, 'invalid_input'));
        expect(again.body.error!.message).toMatch(/^invitation has been used/);
      }
    });

    it('works once if two redeem it at the same time, and creates no account for the other', async () => {
      for (let round = 0; round < 5; round++) {
        const email = somebody();
        const link = await linkFor(email);
        const { ownerEmail } = await app.store();
        const guest = await Browser.signedIn(app, ownerEmail);
        const answers = await Promise.all([
          accept(guest, link),
          accept(new Browser(app), link, { password: OWNER_PASSWORD }),
          accept(guest, link),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
        const joined = Object.keys(await roles()).filter((member) => [email, ownerEmail].includes(member));
        expect(joined).toHaveLength(1);
        expect(await app.query('select from users where email = $1', [email])).toHaveLength(
          joined[0] === email ? 1 : 0,
        );
      }
    });

    it('ends after 7 days', async () => {
      const [good, late] = [await linkFor(somebody()), await linkFor(somebody())];
      clock.advance(7 * DAY - 1);
      await new Browser(app).accept(good);
      clock.advance(1);
      const answer = await accept(new Browser(app), late, { password: OWNER_PASSWORD });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^invitation has expired/);
    });

    it('is listed without its link, and can be withdrawn', async () => {
      const email = somebody();
      const { id, invitation } = await invite(email);
      const listed = await owner.data('GET', 'invitations');
      expect(listed.items).toEqual([
        {
          id,
          email,
          role: 'staff',
          groups: null,
          createdAt: expect.any(String),
          expiresAt: expect.any(String),
        },
      ]);
      expect(await owner.data('DELETE', `invitations/${id}`)).toEqual({ id, deleted: true });
      const answer = await accept(new Browser(app), invitation, { password: OWNER_PASSWORD });
      expect(answer.body.error!.message).toMatch(/^invitation has been withdrawn/);
      expect((await owner.data('GET', 'invitations')).items).toEqual([]);
      expect(await owner.send('DELETE', `invitations/${id}`)).toMatchObject(refusal(404, 'not_found'));
      expect(await app.query('select from users where email = $1', [email])).toEqual([]);
    });

    it('replaces the earlier one of the same address', async () => {
      const email = somebody();
      const [old, fresh] = [await linkFor(email), await linkFor(email, 'owner')];
      expect((await accept(new Browser(app), old, { password: OWNER_PASSWORD })).status).toBe(400);
      await new Browser(app).accept(fresh);
      expect(await roles()).toMatchObject({ [email]: 'owner' });
    });

    it("does not exist for another store's owner", async () => {
      const stranger = await StorePage.ofOwner(await app.store());
      const { id } = await invite(somebody());
      const member = (await owner.data('GET', 'members')).items[0].userId;
      for (const [method, path, body] of [
        ['DELETE', `invitations/${id}`],
        ['DELETE', `members/${member}`],
        ['PUT', `members/${member}`, { role: 'staff' }],
        ['POST', `members/${member}/transfer-ownership`, { currentPassword: OWNER_PASSWORD }],
      ] as [string, string, object?][]) {
        expect(await stranger.send(method, path, body)).toMatchObject(refusal(404, 'not_found'));
        expect(await stranger.browser.send(method, `stores/${store.id}/${path}`, body)).toMatchObject(
          refusal(404, 'not_found'),
        );
      }
      expect((await stranger.data('GET', 'invitations')).items).toEqual([]);
      expect((await owner.data('GET', 'invitations')).items).toHaveLength(1);
    });

    it('cannot be redeemed by a member, and stays valid for somebody else', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const link = await linkFor(somebody(), 'owner');
      const answer = await accept(staff.browser, link);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/you are a member/);
      expect(await roles()).toMatchObject({ [staff.email]: 'staff' });
      await new Browser(app).accept(link);
    });

    it('is not created for a member', async () => {
      const answer = await owner.send('POST', 'members', { email: store.ownerEmail.toUpperCase() });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^email is a member/);
    });

    it.each([
      {},
      { email: 'x' },
      { email: null },
      { email: 'a b@test.example' },
      { email: `${'a'.repeat(250)}@b.example` },
      { email: 'a@b.example', role: 'admin' },
      { email: 'a@b.example', role: null },
    ])('is not created from bad input (%#)', async (input) => {
      const answer = await owner.send('POST', 'members', input);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^(email|role) /);
    });

    it.each([
      '',
      'x',
      'a'.repeat(43),
      `http://localhost/dashboard/accept-invitation#${'a'.repeat(43)}`,
      null,
      1,
    ])('is no text that somebody made up (%j)', async (invitation) => {
      const answer = await new Browser(app).post('auth/accept-invitation', {
        invitation,
        password: OWNER_PASSWORD,
      });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^invitation /);
    });

    it('is one of at most 100', async () => {
      await app.query(
        `insert into invitations (store_id, id, email, email_key, role, token_hash, invited_by, created_at,
           expires_at)
         select $1, gen_random_uuid(), n || '@test.example', n || '@test.example', 'staff',
           gen_random_uuid()::text, 'x', $2,
           $2::timestamptz + interval '1 day'
         from generate_series(1, 100) n`,
        [store.id, clock.now()],
      );
      expect(await owner.send('POST', 'members', { email: somebody() })).toMatchObject(
        refusal(400, 'invalid_input'),
      );
      await linkFor('1@test.example');
      clock.advance(DAY);
      await (owner = await StorePage.ofOwner(store)).data('POST', 'members', { email: somebody() });
    });

    it('is stored only as a hash, and no secret is in the audit log', async () => {
      const email = somebody();
      const link = await linkFor(email);
      const secret = link.split('#')[1];
      const dump = async () => {
        const tables = await app.query<{ name: string }>(
          `select relname as name from pg_class where relnamespace = 'public'::regnamespace
            and relkind = 'r'`,
        );
        const rows = await Promise.all(
          tables.map(({ name }) => app.query(`select t::text as row from "${name}" t`)),
        );
        return JSON.stringify(rows);
      };
      for (const text of [await dump(), (await new Browser(app).accept(link), await dump())]) {
        expect(text).toContain(createHash('sha256').update(secret).digest('hex'));
        for (const hidden of [secret, OWNER_PASSWORD]) expect(text).not.toContain(hidden);
      }
    });

    it('is in the audit log, from the invitation to the joining', async () => {
      const email = somebody();
      const { id, invitation } = await invite(email, 'staff');
      const browser = new Browser(app);
      await browser.accept(invitation);
      const userId = (await browser.get('me')).body.data.id;
      const { id: withdrawn } = await invite(somebody());
      await owner.data('DELETE', `invitations/${withdrawn}`);
      expect(await audited('member.invite')).toMatchObject([
        {},
        { target: `invitation:${id}`, input: { email, role: 'staff' } },
      ]);
      expect(await audited('member.join')).toMatchObject([
        {
          actor: { kind: 'user', id: userId, name: email },
          transport: 'dashboard',
          target: `user:${userId}`,
          input: { invitation: id },
          changes: { role: [null, 'staff'] },
          outcome: 'ok',
        },
      ]);
      expect(await audited('invitation.withdraw')).toMatchObject([{ target: `invitation:${withdrawn}` }]);
    });
  });

  describe('their roles', () => {
    const put = (page: StorePage, userId: string, role: unknown) =>
      page.send('PUT', `members/${userId}`, { role, ...PROOF });
    const another = async () => {
      const staff = await StorePage.ofStaff(store, owner);
      expect((await put(owner, staff.userId, 'owner')).status).toBe(200);
      return staff;
    };
    const ownerId = async () => (await owner.browser.get('me')).body.data.id as string;

    it('change at once, on every instance', async () => {
      const other = await TestApp.start({ clock, database: app.database });
      const staff = await StorePage.ofStaff(store, owner);
      const there = new Browser(other);
      there.cookie = staff.browser.cookie;
      const may = async () => [
        (await staff.send('GET', 'tokens')).status,
        (await there.get(`stores/${store.id}/tokens`)).status,
        (await there.post(`stores/${store.id}/operations/delete_brand`, { id: 'x', confirm: true })).status,
      ];
      expect(await may()).toEqual([403, 403, 403]);
      expect((await put(owner, staff.userId, 'owner')).body.data).toEqual({
        userId: staff.userId,
        role: 'owner',
        groups: null,
        ...NOTHING_MADE,
      });
      expect(await may()).toEqual([200, 200, 404]);
      await put(owner, staff.userId, 'staff');
      expect(await may()).toEqual([403, 403, 403]);
      await owner.data('DELETE', `members/${staff.userId}`);
      expect([
        await staff.send('GET', 'webhook'),
        await there.get(`stores/${store.id}/webhook`),
      ]).toMatchObject([refusal(404, 'not_found'), refusal(404, 'not_found')]);
      expect((await staff.browser.get('stores')).body.data.items).toEqual([]);
      await other.stop();
    });

    it('can only be changed so that the store keeps an owner', async () => {
      const id = await ownerId();
      for (const [method, body] of [
        ['PUT', { role: 'staff', ...PROOF }],
        ['DELETE', PROOF],
      ] as const) {
        const answer = await owner.send(method, `members/${id}`, body);
        expect(answer).toMatchObject(refusal(400, 'invalid_input'));
        expect(answer.body.error!.message).toMatch(/only owner/);
      }
      const second = await another();
      expect((await put(owner, id, 'staff')).status).toBe(200);
      expect(await second.send('DELETE', `members/${second.userId}`, PROOF)).toMatchObject(
        refusal(400, 'invalid_input'),
      );
      expect(await roles(second)).toEqual({ [store.ownerEmail]: 'staff', [second.email]: 'owner' });
    });

    it('leave the store an owner when two owners demote or remove each other at the same time', async () => {
      for (let round = 0; round < 6; round++) {
        store = await app.store();
        owner = await StorePage.ofOwner(store);
        const second = await another();
        const id = await ownerId();
        const demotes = round % 2 === 0;
        const end = (page: StorePage, userId: string) =>
          demotes ? put(page, userId, 'staff') : page.send('DELETE', `members/${userId}`, PROOF);
        const [one, two] = await Promise.all([end(owner, second.userId), end(second, id)]);
        const owners = await app.query(`select from store_members where store_id = $1 and role = 'owner'`, [
          store.id,
        ]);
        expect([[one.status, two.status].filter((status) => status === 200).length, owners.length]).toEqual([
          1, 1,
        ]);
      }
    });

    it.each([
      '<v@x.example>',
      'v@x.example>',
      '"v"@x.example',
      '＜v@x.example＞',
      'v@localhost',
      'v@x..example',
      'v@-x.example',
      'v@127.0.0.1',
      'v@x.example.',
      'v@x。example',
      'a,b@x.example',
    ])('are not invited at %s', async (email) => {
      const answer = await owner.send('POST', 'members', { email });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^email /);
    });

    it.each(["o'neil@x.example", 'a+b@shop.test', 'ü@münchen.example'])(
      'are invited at %s',
      async (email) => {
        expect((await owner.send('POST', 'members', { email })).status).toBe(200);
      },
    );

    it('keep no access of scope admin when they become staff, unless another owner keeps it', async () => {
      const statusOf = async (token: string) => (await store.call('list_brands', {}, { token })).status;
      for (const keepTokens of [undefined, true]) {
        const second = await another();
        const made = [];
        for (const scope of ['admin', 'write'])
          made.push(await second.data('POST', 'tokens', { name: scope, scope, ...PROOF }));
        const body = { role: 'staff', keepTokens, ...PROOF };
        const answer = await owner.send('PUT', `members/${second.userId}`, body);
        const token = { id: made[0].id, name: 'admin', scope: 'admin', revoked: !keepTokens };
        expect(answer.body.data).toMatchObject({ role: 'staff', tokens: [token], connections: [] });
        expect([await statusOf(made[0].token), await statusOf(made[1].token)]).toEqual([
          keepTokens ? 200 : 401,
          200,
        ]);
        expect((await owner.data('GET', 'audit?operation=member.role&take=1')).items).toMatchObject([
          { target: `user:${second.userId}`, changes: keepTokens ? {} : { tokens: [[made[0].id], null] } },
        ]);
      }
    });

    it('keep no access of scope admin for themselves', async () => {
      const second = await another();
      const id = await ownerId();
      const made = await owner.data('POST', 'tokens', { name: 'mine', scope: 'admin', ...PROOF });
      const keeping = await owner.send('PUT', `members/${id}`, { role: 'staff', keepTokens: true, ...PROOF });
      expect(keeping).toMatchObject(refusal(400, 'invalid_input'));
      const answer = await owner.send('POST', `members/${second.userId}/transfer-ownership`, PROOF);
      expect(answer.body.data.tokens).toMatchObject([{ id: made.id, revoked: true }]);
      expect((await store.call('list_brands', {}, { token: made.token })).status).toBe(401);
    });

    const transfer = (page: StorePage, userId: string, proof: object = { currentPassword: OWNER_PASSWORD }) =>
      page.send('POST', `members/${userId}/transfer-ownership`, proof);

    it('are exchanged when the ownership is transferred', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const id = await ownerId();
      const answer = await transfer(owner, staff.userId);
      expect(answer.body.data).toEqual({
        ...{ userId: staff.userId, role: 'owner', yourRole: 'staff' },
        ...NOTHING_MADE,
      });
      expect((await owner.send('GET', 'members')).status).toBe(403);
      expect(await roles(staff)).toEqual({ [store.ownerEmail]: 'staff', [staff.email]: 'owner' });
      const { items } = await staff.data('GET', 'audit?operation=member.transfer_ownership');
      expect(items).toMatchObject([
        { target: `user:${staff.userId}`, changes: { owner: [id, staff.userId] } },
      ]);
      expect(JSON.stringify(items)).not.toContain(OWNER_PASSWORD);
      expect(await transfer(staff, staff.userId)).toMatchObject(refusal(400, 'invalid_input'));
      expect(await transfer(staff, uuidv7())).toMatchObject(refusal(404, 'not_found'));
    });

    it.each([
      [{}, /currentPassword/],
      [{ currentPassword: 'not the password' }, /^currentPassword is not the password/],
      [{ code: '000000' }, /^code is wrong/],
      [{ currentPassword: OWNER_PASSWORD, code: '000000' }, /code/],
    ])('are not exchanged without the password or a code (%#)', async (proof, message) => {
      const staff = await StorePage.ofStaff(store, owner);
      const answer = await transfer(owner, staff.userId, proof);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(message);
      expect(await transfer(staff, await ownerId())).toMatchObject(refusal(403, 'forbidden'));
      expect(await roles(owner)).toEqual({ [store.ownerEmail]: 'owner', [staff.email]: 'staff' });
    });

    it('are exchanged with a code of the second factor', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const { data } = (
        await owner.browser.post('auth/second-factor/enrol', { currentPassword: OWNER_PASSWORD })
      ).body;
      const code = new TOTP({ secret: data.secret }).generate({ timestamp: clock.now().getTime() });
      const confirmed = await owner.browser.post('auth/second-factor/confirm', { code });
      const [recovery] = confirmed.body.data.recoveryCodes;
      expect((await transfer(owner, staff.userId, { code: recovery })).body.data).toMatchObject({
        yourRole: 'staff',
      });
    });

    it('are exchanged only once when two transfers run at the same time', async () => {
      for (let round = 0; round < 4; round++) {
        store = await app.store();
        owner = await StorePage.ofOwner(store);
        const [one, two] = [await StorePage.ofStaff(store, owner), await StorePage.ofStaff(store, owner)];
        const answers = await Promise.all([transfer(owner, one.userId), transfer(owner, two.userId)]);
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
        const owners = await app.query(`select from store_members where store_id = $1 and role = 'owner'`, [
          store.id,
        ]);
        expect(owners).toHaveLength(1);
      }
    });

    it('take the invitations of an owner with them when they are lost', async () => {
      const second = await another();
      const back = (await second.data('POST', 'members', { email: somebody(), role: 'owner', ...PROOF }))
        .invitation;
      const mine = await linkFor(somebody());
      await put(owner, second.userId, 'staff');
      const answer = await accept(new Browser(app), back, { password: OWNER_PASSWORD });
      expect(answer.body.error!.message).toMatch(/^invitation has been withdrawn/);
      await new Browser(app).accept(mine);
    });

    it('are listed in the order in which people joined, and audited', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const { items } = await owner.data('GET', 'members');
      const record = { userId: expect.any(String), groups: null, createdAt: expect.any(String) };
      expect(items).toEqual([
        { ...record, email: store.ownerEmail, role: 'owner' },
        { ...record, email: staff.email, role: 'staff' },
      ]);
      await put(owner, staff.userId, 'owner');
      await owner.data('DELETE', `members/${staff.userId}`, PROOF);
      const target = `user:${staff.userId}`;
      expect(await audited('member.role')).toMatchObject([{ target, changes: { role: ['staff', 'owner'] } }]);
      expect(await audited('member.remove')).toMatchObject([{ target, changes: { role: ['owner', null] } }]);
    });

    it.each([
      [{ role: 'admin' }, 'role'],
      [{}, 'role'],
      [{ role: null }, 'role'],
      [{ role: 'staff', userId: 'x' }, 'userId'],
    ])('are not changed by bad input (%#)', async (body, field) => {
      const answer = await owner.send('PUT', `members/${await ownerId()}`, body);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(field)).toBe(true);
    });

    it.each(['x', uuidv7()])('are of members only (%s)', async (userId) => {
      for (const [method, body] of [
        ['PUT', { role: 'owner' }],
        ['DELETE', undefined],
      ] as const) {
        expect(await owner.send(method, `members/${userId}`, body)).toMatchObject(refusal(404, 'not_found'));
      }
    });
  });
});
