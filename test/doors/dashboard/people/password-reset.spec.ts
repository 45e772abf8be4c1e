import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { inspect } from 'node:util';
import { loadConfig } from '../../../../src/platform/config/config.js';
import { createLogger } from '../../../../src/platform/logging/logger.js';
import { eventually } from '../../../support/eventually.js';
import { MailServer, silentServer } from '../../../support/servers/mail-server.js';
import { ownDatabase } from '../../../support/database/own-database.js';
import { TestApp, TestClock, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, OWNER_PASSWORD, PROOF, refusal, StorePage } from '../browser.js';

const MINUTE = 60_000;
const NEW_PASSWORD = 'another horse battery';
const linkIn = (text: string) => /https?:\/\/\S+/.exec(text)![0];

describe('e-mail', () => {
  const clock = new TestClock();
  let mail: MailServer;
  let store: TestStore;

  const app = useShop(async () => {
    mail = await MailServer.start({ user: 'shop', password: 'p@ss' });
    const env = {
      BASE_URL: 'https://shop.example',
      SMTP_URL: `smtp://shop:p%40ss@127.0.0.1:${mail.port}`,
      SMTP_FROM: 'The Shops <shops@shop.example>',
    };
    // Its clock runs ahead, and would clear away what other tests count.
    return { clock, database: await ownDatabase(), env };
  });
  afterAll(() => mail.stop());
  beforeEach(async () => {
    store = await app.store();
    // Requests are counted by network, and all tests share one.
    clock.advance(24 * 60 * MINUTE);
  });

  const nobody = () => `nobody-${Math.random().toString(36).slice(2)}@test.example`;
  const request = (email: string) => new Browser(app).post('auth/request-password-reset', { email });
  const reset = (link: string, newPassword: unknown = NEW_PASSWORD, browser = new Browser(app)) =>
    browser.post('auth/reset-password', { link, newPassword });
  /** Asks for a link and reads it in the e-mail. */
  const linkOf = async (email: string): Promise<string> => {
    const count = mail.letters.length;
    expect((await request(email)).status).toBe(200);
    const letter = await mail.next(count);
    expect(letter.to).toEqual([email]);
    return linkIn(letter.text);
  };

  const letterTo = async (email: string) => {
    const letter = () => mail.letters.find(({ to }) => to.includes(email));
    await eventually('the letter has come', () => letter() !== undefined);
    return letter()!;
  };

  describe('to somebody who lost their password', () => {
    it('has a link that works once, ends all sessions, and signs nobody in', async () => {
      const [here, elsewhere] = [
        await Browser.signedIn(app, store.ownerEmail),
        await Browser.signedIn(app, store.ownerEmail),
      ];
      const link = await linkOf(store.ownerEmail.toUpperCase().toLowerCase());
      expect(link).toMatch(/^https:\/\/shop\.example\/dashboard\/reset-password#[\w-]{43}$/);
      const answer = await reset(link, NEW_PASSWORD, here);
      expect(answer.body).toEqual({ ok: true, data: { reset: true } });
      expect([(await here.get('me')).status, (await elsewhere.get('me')).status]).toEqual([401, 401]);
      expect((await new Browser(app).signIn(store.ownerEmail, OWNER_PASSWORD)).status).toBe(401);
      expect((await new Browser(app).signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(200);
      const again = await reset(link, 'yet another horse');
      expect(again).toMatchObject(refusal(400, 'invalid_input'));
      expect(again.body.error!.message).toMatch(/^link has been used or is too old/);
      expect((await new Browser(app).signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(200);
    });

    it('is plain text from the configured sender, and says what it is about', async () => {
      const link = await linkOf(store.ownerEmail);
      const { raw, subject, text, from } = mail.letters.at(-1)!;
      expect(raw).toMatch(/^From: The Shops <shops@shop\.example>\r$/m);
      expect(raw).toMatch(/^Content-Type: text\/plain/im);
      expect([from, subject]).toEqual(['shops@shop.example', 'Choose a new password']);
      expect(text).toContain(`Somebody asked for a new password for your account (${store.ownerEmail}).`);
      expect(text).toContain(`\r\n${link}\r\n`);
    });

    it('has a link to this service, whatever host the request names', async () => {
      const count = mail.letters.length;
      // fetch does not send a Host of the caller's choice.
      const asked = send(`${app.url}/dashboard/api/auth/request-password-reset`, {
        method: 'POST',
        headers: {
          Host: 'shop.elsewhere.example',
          'X-Forwarded-Host': 'shop.elsewhere.example',
          Forwarded: 'host=shop.elsewhere.example;proto=http',
          Origin: 'https://shop.example',
          'Content-Type': 'application/json',
        },
      }).end(JSON.stringify({ email: store.ownerEmail }));
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(200);
      expect(linkIn((await mail.next(count)).text)).toMatch(/^https:\/\/shop\.example\/dashboard\//);
    });

    it('is only sent to an address with an account, which the answer does not reveal', async () => {
      const unknown = nobody();
      const count = mail.letters.length;
      const [first, second] = [await request(unknown), await request(store.ownerEmail)];
      expect([first.status, first.body]).toEqual([second.status, second.body]);
      expect(first.body.data).toEqual({ requested: true });
      expect((await mail.next(count)).to).toEqual([store.ownerEmail]);
      expect(mail.letters.map(({ to }) => to[0])).not.toContain(unknown);
    });

    it('does not delay the answer, even if the mail server hangs', async () => {
      const silent = await silentServer();
      const slow = await TestApp.start({ env: { SMTP_URL: silent.url } });
      const { ownerEmail } = await slow.store();
      const asked = new Browser(slow).post('auth/request-password-reset', { email: ownerEmail });
      expect(await asked).toMatchObject({ status: 200 });
      expect(silent.ended()).toBe(0);
      await eventually('the mail server is asked', () => silent.connections() > 0);
      expect(silent.connections()).toBe(1);
      await silent.stop();
      await slow.stop();
    });

    it('is still sent when the service stops in the meantime', async () => {
      const stopping = await TestApp.start({
        env: { SMTP_URL: `smtp://shop:p%40ss@127.0.0.1:${mail.port}` },
      });
      const { ownerEmail } = await stopping.store();
      const count = mail.letters.length;
      await new Browser(stopping).post('auth/request-password-reset', { email: ownerEmail });
      await stopping.stop();
      expect((await mail.next(count)).to).toEqual([ownerEmail]);
    });

    it('is no longer valid after an hour, or after a newer one', async () => {
      const [old, fresh] = [await linkOf(store.ownerEmail), await linkOf(store.ownerEmail)];
      expect((await reset(old)).status).toBe(400);
      clock.advance(60 * MINUTE);
      expect((await reset(fresh)).status).toBe(400);
      const last = await linkOf(store.ownerEmail);
      clock.advance(60 * MINUTE - 1);
      expect((await reset(last)).status).toBe(200);
    });

    it('is no longer valid after a change of the password', async () => {
      const link = await linkOf(store.ownerEmail);
      const browser = await Browser.signedIn(app, store.ownerEmail);
      await browser.post('auth/change-password', {
        currentPassword: OWNER_PASSWORD,
        newPassword: NEW_PASSWORD,
      });
      expect((await reset(link, 'yet another horse')).status).toBe(400);
    });

    it('sets only one password if it is used twice at the same time', async () => {
      const link = await linkOf(store.ownerEmail);
      const answers = await Promise.all([reset(link, `${NEW_PASSWORD} 0`), reset(link, `${NEW_PASSWORD} 1`)]);
      const statuses = answers.map(({ status }) => status);
      expect([...statuses].sort()).toEqual([200, 400]);
      expect(
        (await new Browser(app).signIn(store.ownerEmail, `${NEW_PASSWORD} ${statuses.indexOf(200)}`)).status,
      ).toBe(200);
    });

    it('lets its recipient in while strangers try passwords', async () => {
      const [browser, link] = [new Browser(app), await linkOf(store.ownerEmail)];
      for (let i = 0; i < 10; i++) await new Browser(app).signIn(store.ownerEmail, 'wrong horse battery');
      await reset(link, NEW_PASSWORD, browser);
      expect((await new Browser(app).signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(429);
      expect((await browser.signIn(store.ownerEmail, NEW_PASSWORD)).status).toBe(200);
    });

    it.each([
      ['newPassword', 'correct ho9'],
      ['newPassword', 'x'.repeat(12)],
      ['newPassword', 'password1234'],
      ['newPassword', 'x'.repeat(1001)],
      ['newPassword', null],
    ])('is not used up by a bad %s (%#)', async (field, password) => {
      const link = await linkOf(store.ownerEmail);
      const answer = await reset(link, password);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(field)).toBe(true);
      expect((await reset(link)).status).toBe(200);
    });

    it.each(['', 'x', 'a'.repeat(43), 1, null])('does not accept an invented link (%j)', async (link) => {
      const answer = await new Browser(app).post('auth/reset-password', { link, newPassword: NEW_PASSWORD });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^link /);
    });

    it('is stored only as a hash', async () => {
      const secret = (await linkOf(store.ownerEmail)).split('#')[1];
      const rows = JSON.stringify(await app.query('select * from password_resets'));
      expect(rows).toContain(createHash('sha256').update(secret).digest('hex'));
      expect(rows).not.toContain(secret);
    });

    it('is sent at most 5 times an hour', async () => {
      const count = mail.letters.length;
      for (let i = 0; i < 7; i++) expect((await request(store.ownerEmail)).status).toBe(200);
      const other = await app.store();
      await request(other.ownerEmail);
      for (let i = 0; i < 6; i++) await mail.next(count + i);
      const recipients = mail.letters.slice(count).map(({ to }) => to[0]);
      expect(recipients.filter((to) => to === store.ownerEmail)).toHaveLength(5);
    });

    it('can be requested 20 times in 15 minutes from one network, whatever the addresses', async () => {
      for (let i = 0; i < 20; i++) expect((await request(nobody())).status).toBe(200);
      for (const email of [nobody(), store.ownerEmail])
        expect(await request(email)).toMatchObject(refusal(429, 'rate_limited'));
      clock.advance(15 * MINUTE);
      expect((await request(store.ownerEmail)).status).toBe(200);
      // Else it would be counted by one of the next tests.
      await letterTo(store.ownerEmail);
    });
  });

  it('is logged if it cannot be sent, without its recipient or content', async () => {
    const lines: string[] = [];
    const write = (...what: unknown[]) => void lines.push(inspect(what, { depth: 5 }));
    const log = Object.assign(createLogger('silent'), { info: write, warn: write, error: write });
    const other = await MailServer.start();
    other.refuses = 'no mailbox';
    const refusing = await TestApp.start({ log, env: { SMTP_URL: other.url } });
    const { ownerEmail } = await refusing.store();
    expect(
      (await new Browser(refusing).post('auth/request-password-reset', { email: ownerEmail })).status,
    ).toBe(200);
    await eventually('the failure is in the log', () => lines.join('').includes('could not be sent'));
    await refusing.stop();
    await other.stop();
    const text = lines.join('');
    expect(text).toContain('an e-mail could not be sent');
    expect(text).not.toContain(ownerEmail);
    expect(text).not.toContain('reset-password#');
  });

  describe('to somebody who is invited', () => {
    it('contains the link that the owner sees, and no markup from the store', async () => {
      await app.query('update stores set name = $2 where id = $1', [
        store.id,
        `Corner\r\nBcc: all@test.example ${'x'.repeat(200)}`,
      ]);
      const owner = await StorePage.ofOwner(store);
      const email = nobody();
      const count = mail.letters.length;
      const { invitation, emailed } = await owner.data('POST', 'members', { email, role: 'owner', ...PROOF });
      expect(emailed).toBe(true);
      const letter = await letterTo(email);
      expect(letter.to).toEqual([email]);
      expect(linkIn(letter.text).startsWith(`${invitation}.`)).toBe(true);
      expect(letter.raw).not.toMatch(/^Bcc:/m);
      expect(letter.text).toContain(
        `${store.ownerEmail} invites you to the store "Corner Bcc: all@test.example xxx`,
      );
      expect(letter.text).toContain('as an owner');
      await new Browser(app).accept(linkIn(letter.text));
      // The invitation itself, to the owner that there is one, and to both that it was accepted.
      await eventually('all letters have come', () => mail.letters.length === count + 4);
    });

    it('is the same for an address with an account and for one without', async () => {
      const owner = await StorePage.ofOwner(store);
      const { ownerEmail } = await app.store();
      const texts: string[] = [];
      for (const email of [ownerEmail, nobody()]) {
        await owner.data('POST', 'members', { email });
        texts.push((await letterTo(email)).text.replace(/#\S+/, '#'));
      }
      expect(texts[0]).toBe(texts[1]);
    });

    it('is not sent if the invitation is refused, and a limited number of times to one address', async () => {
      const owner = await StorePage.ofOwner(store);
      const count = mail.letters.length;
      await owner.send('POST', 'members', { email: store.ownerEmail });
      const email = nobody();
      const sent: boolean[] = [];
      for (let i = 0; i < 7; i++) sent.push((await owner.data('POST', 'members', { email })).emailed);
      expect(sent).toEqual([true, true, true, true, true, false, false]);
      for (let i = 0; i < 5; i++) expect((await mail.next(count + i)).to).toEqual([email]);
    });

    it('is sent for at most 100 invitations of a store a day, against spam through our server', async () => {
      const inviting = await app.store();
      const owner = await StorePage.ofOwner(inviting);
      const invite = async () => {
        const { id, emailed } = await owner.data('POST', 'members', { email: nobody() });
        // Else the number of open invitations would be the limit.
        await owner.data('DELETE', `invitations/${id}`);
        return emailed as boolean;
      };
      expect(await invite()).toBe(true);
      await app.query('update sign_in_attempts set attempts = 99 where subject = $1', [
        `mail-store:${inviting.id}`,
      ]);
      expect([await invite(), await invite()]).toEqual([true, false]);
      expect(
        await (await StorePage.ofOwner(store)).data('POST', 'members', { email: nobody() }),
      ).toMatchObject({
        emailed: true,
      });
    });
  });

  it('is reported as available or not', async () => {
    expect((await new Browser(app).get('auth/options')).body.data).toEqual({
      passwordReset: true,
      contact: null,
    });
  });
});

describe('without e-mail', () => {
  it('a lost password can only be replaced by the operator', async () => {
    const app = await TestApp.start({ env: { SUPPORT_CONTACT: 'help@shops.example' } });
    const { ownerEmail } = await app.store();
    expect((await new Browser(app).get('auth/options')).body.data).toEqual({
      passwordReset: false,
      contact: 'help@shops.example',
    });
    for (const email of [ownerEmail, 'nobody@test.example']) {
      const answer = await new Browser(app).post('auth/request-password-reset', { email });
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toContain('ask its operator');
    }
    await app.stop();
  });
});

describe('the configuration of e-mail', () => {
  it.each([
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMTP_FROM', 'nobody'],
    ['SMTP_FROM', 'A <a@b.example>\r\nBcc: x@y.example'],
  ])('is refused with the name of %s if that is %j', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name);
  });

  it('uses a sender at the host of BASE_URL by default', () => {
    const smtp = { SMTP_URL: 'smtps://u:p@mail.example:465' };
    expect(loadConfig({ ...smtp, BASE_URL: 'https://shop.example/x' }).smtp).toEqual({
      url: smtp.SMTP_URL,
      from: 'no-reply@shop.example',
    });
    expect(loadConfig({ ...smtp, SMTP_FROM: 'a@b.example' }).smtp?.from).toBe('a@b.example');
    expect(loadConfig({}).smtp).toBeNull();
  });
});
