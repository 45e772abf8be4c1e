import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { expect, OWNER, REPORT_POLICY, SERVICE, shopTest, STORE } from '../support.js';
import { FIREFOX } from './place.js';

const WAIT_MS = 20_000;

/** The element with this role and exactly this name, as screen readers have them. */
export const named = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`;

/** A page in Firefox, driven by WebDriver BiDi: Playwright's own Firefox is another than people's. */
export class Person {
  constructor(readonly page: Page) {}

  /** Opens a page of the demo store, whose title that is. */
  async open(path: string, title: string): Promise<void> {
    await this.page.goto(`${SERVICE()}/dashboard/${STORE()}/${path}`);
    await this.sees('heading', title);
  }

  async signIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.page.goto(`${SERVICE()}/dashboard/${STORE()}/overview`);
    await this.types('E-mail', email);
    // Firefox gives a password's box no role.
    await this.page.locator('input[type=password]').fill(password);
    await this.presses('Sign in');
    await this.sees('heading', 'Overview');
  }

  async sees(role: string, name: string): Promise<void> {
    await this.page.locator(named(role, name)).wait();
  }

  async presses(name: string, role = 'button'): Promise<void> {
    await this.page.locator(named(role, name)).click();
  }

  /** In place of what stands in the box. */
  async types(name: string, text: string): Promise<void> {
    await this.page.locator(named('textbox', name)).fill(text);
  }
}

/** Tests with a signed-in person in Firefox. They fail on the same problems as those in Chromium. */
export const test = shopTest.extend<{ person: Person }, { firefox: Browser }>({
  firefox: [
    async ({ shop: _ }, use) => {
      const firefox = await puppeteer.launch({
        ...{ browser: 'firefox', executablePath: FIREFOX!, headless: true },
        defaultViewport: { width: 1280, height: 800 },
        // Nothing moves, so nothing has to be waited for.
        extraPrefsFirefox: { 'ui.prefersReducedMotion': 1, 'intl.accept_languages': 'en-GB' },
      });
      const page = await firefox.newPage();
      page.setDefaultTimeout(WAIT_MS);
      await new Person(page).signIn(OWNER());
      await page.close();
      await use(firefox);
      await firefox.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  person: async ({ firefox }, use) => {
    const problems: string[] = [];
    const page = await firefox.newPage();
    page.setDefaultTimeout(WAIT_MS);
    await page.evaluateOnNewDocument(REPORT_POLICY);
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await use(new Person(page));
    await page.close();
    expect(problems).toEqual([]);
  },
});
