import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { headlessBrowser } from '../support/servers/chromium.js';
import { OauthApp } from '../doors/oauth/oauth-app.js';
import type { TestStore } from '../support/test-app.js';

/**
 * What only a browser can tell of the sign-in pages (docs/behaviour.md §15.3): cookies, policies, framing,
 * keyboard, a phone's width.
 */
describe('in Chromium, the page where a person decides about an app', () => {
  let oauth: OauthApp;
  let store: TestStore;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Another site, and the app's callback: to a browser 127.0.0.1 and localhost are two sites. */
  let elsewhere: Server;
  let there: string;
  let link: string;
  const callbacks: URLSearchParams[] = [];

  beforeAll(async () => {
    oauth = await OauthApp.start();
    store = await oauth.app.store({ name: 'Tea' });
    elsewhere = createServer((request, response) => {
      const url = new URL(request.url!, 'http://127.0.0.1');
      if (url.pathname === '/callback') callbacks.push(url.searchParams);
      response.setHeader('Content-Type', 'text/html');
      const href = link.replaceAll('&', '&amp;');
      response.end(
        url.pathname === '/frame'
          ? `<iframe src="${href}"></iframe>`
          : `<h1>elsewhere</h1><a href="${href}">go</a>`,
      );
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    oauth.documents.set(oauth.agent, {
      client_id: oauth.agent,
      client_name: 'Agent',
      redirect_uris: ['http://127.0.0.1/callback'],
    });
    link = oauth.request({ redirect_uri: `${there}/callback`, scope: 'admin' });
    browser = await puppeteer.launch(headlessBrowser());
  });
  afterAll(async () => {
    await browser.close();
    elsewhere.closeAllConnections();
    elsewhere.close();
    await oauth.app.stop();
  });
  beforeEach(async () => {
    context = await browser.createBrowserContext();
    page = await context.newPage();
    callbacks.length = 0;
  });
  afterEach(() => context.close());

  const title = () => page.$eval('h1', (heading) => heading.textContent);
  const follow = (action: () => Promise<unknown>) => Promise.all([page.waitForNavigation(), action()]);
  const arrive = async () => {
    await page.goto(there);
    await follow(() => page.click('a'));
  };
  const signIn = async () => {
    await page.type('[name=email]', store.ownerEmail);
    await page.type('[name=password]', 'correct horse battery');
    await follow(() => page.keyboard.press('Enter'));
  };

  it('can be used by keyboard only, from another site to the app’s callback', async () => {
    await arrive();
    expect(await title()).toBe('Connect an app to your shop');
    // The first step of our own, after which the browser brings the session along.
    await page.keyboard.press('Tab');
    await follow(() => page.keyboard.press('Enter'));
    expect(await title()).toBe('Sign in to continue');
    const press = async (...keys: ('Tab' | 'ArrowUp')[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    await page.keyboard.type(store.ownerEmail);
    await press('Tab');
    await page.keyboard.type('correct horse battery');
    await follow(() => page.keyboard.press('Enter'));
    expect(await title()).toBe('Connect an app to your shop');
    // The store is the only one; then the levels, of which the one before is chosen; then groups and Allow.
    await press('Tab', 'Tab', 'ArrowUp', 'Tab');
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (let i = 0; i < 30 && (await focused()) !== 'Allow'; i++) await press('Tab');
    expect(await focused()).toBe('Allow');
    await follow(() => page.keyboard.press('Enter'));
    expect(page.url().startsWith(`${there}/callback?code=`)).toBe(true);
    expect(callbacks.map((query) => [query.get('iss'), query.get('state')])).toEqual([[oauth.issuer, 'st']]);
    const [grant] = await oauth.app.query('select scope from oauth_grants where store_id = $1', [store.id]);
    expect(grant.scope).toBe('write');
  });

  it('shows who is signed in after the intermediate page', async () => {
    await arrive();
    await follow(() => page.click('button'));
    await signIn();
    await arrive();
    expect(await page.$('[name=csrf]')).toBeNull();
    await follow(() => page.click('button'));
    expect(await page.$('[name=csrf]')).not.toBeNull();
  });

  it('leads to the field whose value was refused', async () => {
    await arrive();
    await follow(() => page.click('button'));
    await page.type('[name=email]', store.ownerEmail);
    await page.type('[name=password]', 'a wrong password');
    await follow(() => page.keyboard.press('Enter'));
    // A browser gives the focus when it first draws the page, which may be after it has loaded it.
    await page.waitForSelector('[name=password]:focus');
    const field = await page.evaluate(`(() => {
      const { name, ariaInvalid } = document.activeElement;
      const tied = document.getElementById(document.activeElement.getAttribute('aria-describedby'));
      return [name, ariaInvalid, tied.textContent];
    })()`);
    expect(field).toEqual(['password', 'true', expect.stringContaining('password')]);
  });

  it('cannot be framed', async () => {
    await page.goto(`${there}/frame`);
    const frame = await page.waitForFrame(
      (candidate) => candidate !== page.mainFrame() && candidate.url() !== 'about:blank',
    );
    const text = await frame.content().catch(() => '');
    expect(text).not.toMatch(/Sign in|Connect an app/);
  });

  it('has names and roles for screen readers', async () => {
    await page.goto(link);
    expect(await namesOf(page)).toEqual(
      expect.arrayContaining([
        'heading: Sign in to continue',
        'textbox: E-mail address',
        'textbox: Password',
        'button: Sign in',
      ]),
    );
    await signIn();
    expect(await namesOf(page)).toEqual(
      expect.arrayContaining([
        'heading: Connect an app to your shop',
        'group: Which store?',
        'radio: Tea You are an owner.',
        'group: What may it do?',
        'radio: Look only It sees orders, customers, products, settings and figures. It changes nothing.',
        'button: Allow',
        'button: Do not allow',
        'button: Use another account',
      ]),
    );
    expect(await page.$eval('html', (html) => html.lang)).toBe('en');
  });

  it('fits a phone, with its style, and writes nothing to the console', async () => {
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.setViewport({ width: 320, height: 640, isMobile: true });
    await page.goto(link);
    await signIn();
    const measured = (await page.evaluate(`({
      overflow: document.documentElement.scrollWidth - window.innerWidth,
      font: getComputedStyle(document.body).fontFamily,
      smallest: Math.min(...[...document.querySelectorAll('button')].map(
        (button) => button.getBoundingClientRect().height)),
    })`)) as { overflow: number; font: string; smallest: number };
    expect(measured).toEqual({
      overflow: 0,
      font: expect.stringContaining('system-ui'),
      smallest: expect.any(Number),
    });
    expect(measured.smallest).toBeGreaterThanOrEqual(44);
    expect(said).toEqual([]);
  });
});

/** Role and name of all that is not plain text. */
async function namesOf(page: Page): Promise<string[]> {
  const session = await page.createCDPSession();
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored, role }) => !ignored && role)
    .map(
      ({ role, name }) =>
        `${role!.value}: ${String(name?.value ?? '')
          .replace(/\s+/g, ' ')
          .trim()}`,
    );
}
