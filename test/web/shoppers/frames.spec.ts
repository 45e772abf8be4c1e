import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { chromiumPath } from '../../support/servers/chromium.js';
import { expect, REPORT_POLICY, test } from '../support.js';
import { connectBot, launchOf, shopOf, THEMES } from './client.js';

/** As the messenger's web clients write it. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-popups allow-forms allow-modals ' +
  'allow-storage-access-by-user-activation';
const PARENT = `<!doctype html><title>Client</title><script>
  said = [];
  addEventListener('message', ({ data }) => said.push(JSON.parse(data).eventType));
  tell = (eventType, eventData) =>
    document.querySelector('iframe').contentWindow.postMessage(JSON.stringify({ eventType, eventData }), '*');
</script><iframe sandbox="${SANDBOX}" width="390" height="800"></iframe>`;
const FRAMING = ['web.telegram.org', 'webk.telegram.org', 'weba.telegram.org'];
const STRANGERS = ['evil.example', 'web.telegram.org.evil.example', 'telegram.org.example'];

interface ParentWindow {
  said: string[];
  tell(name: string, data: object): void;
}

/** A server under the names of the messenger's web clients, and of strangers. */
async function startParents(folder: string): Promise<{ server: Server; rules: string }> {
  const [key, cert] = ['key.pem', 'cert.pem'].map((file) => path.join(folder, file));
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  execFileSync('openssl', [...request, '-subj', '/CN=parents', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.setHeader('Content-Type', 'text/html').end(PARENT),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const rules = [...FRAMING, ...STRANGERS].map((name) => `MAP ${name}:443 127.0.0.1:${port}`).join(',');
  return { server, rules };
}

test.describe('in frames of the web', () => {
  let parents: Awaited<ReturnType<typeof startParents>>;
  let folder: string;
  test.beforeAll(async ({ browser }, info) => {
    folder = info.outputPath('parents');
    mkdirSync(folder, { recursive: true });
    parents = await startParents(folder);
    await connectBot(browser);
  });
  test.afterAll(() => void parents.server.close());

  /** A browser that finds these hosts here. */
  async function browse(preferences: object, work: (context: BrowserContext) => Promise<void>) {
    const profile = path.join(folder, JSON.stringify(preferences).length.toString());
    mkdirSync(path.join(profile, 'Default'), { recursive: true });
    writeFileSync(path.join(profile, 'Default/Preferences'), JSON.stringify(preferences));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: chromiumPath(),
      args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${parents.rules}`],
      ignoreHTTPSErrors: true,
    });
    try {
      await work(context);
    } finally {
      await context.close();
    }
  }

  /** Opens the shop in a frame of a host, as its client does. */
  async function frameOf(context: BrowserContext, host: string) {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.addInitScript(REPORT_POLICY);
    await page.goto(`https://${host}/k/`);
    await page
      .locator('iframe')
      .evaluate((frame, src) => frame.setAttribute('src', src), shopOf() + launchOf());
    return { page, problems, shop: page.frameLocator('iframe') };
  }

  test("of the messenger's clients it works, with a changed theme and after a reload", async () => {
    await browse({}, async (context) => {
      for (const host of FRAMING) {
        const { page, problems, shop } = await frameOf(context, host);
        await shop.getByRole('searchbox', { name: 'Search' }).fill('poster');
        await expect(shop.getByRole('link', { name: 'City poster', exact: true })).toBeVisible();
        const said = () => page.evaluate(() => (globalThis as unknown as ParentWindow).said);
        expect(await said()).toEqual(expect.arrayContaining(['iframe_ready', 'web_app_ready']));
        const tell = (name: string, data: object) =>
          page.evaluate(([event, given]) => (globalThis as unknown as ParentWindow).tell(event, given), [
            name,
            data,
          ] as const);
        await tell('theme_changed', { theme_params: THEMES.dark });
        await expect(shop.locator('html')).toHaveAttribute('data-scheme', 'dark');
        await shop.getByRole('link', { name: 'City poster', exact: true }).click();
        await expect(shop.getByRole('heading', { name: 'City poster' })).toBeVisible();
        await tell('reload_iframe', {});
        await expect
          .poll(async () => (await said()).filter((name) => name === 'iframe_ready'))
          .toHaveLength(2);
        await expect(shop.getByRole('heading', { name: 'City poster' })).toBeVisible();
        expect(problems).toEqual([]);
        await page.close();
      }
    });
  });

  test('of a stranger it is not shown', async () => {
    await browse({}, async (context) => {
      for (const host of STRANGERS) {
        const { page, problems, shop } = await frameOf(context, host);
        await expect.poll(() => problems.join()).toContain('frame-ancestors');
        await expect(shop.getByRole('searchbox')).toHaveCount(0);
        await page.close();
      }
    });
  });

  test('works where the frame has no storage', async () => {
    const preferences = { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } };
    await browse(preferences, async (context) => {
      const { page, problems, shop } = await frameOf(context, FRAMING[0]);
      await shop.getByRole('searchbox', { name: 'Search' }).fill('poster');
      await shop.getByRole('link', { name: 'City poster', exact: true }).click();
      const storage = await page.frames()[1].evaluate(() => {
        try {
          return String(localStorage.length);
        } catch (error) {
          return (error as Error).name;
        }
      });
      expect(storage).toBe('SecurityError');
      await shop.getByRole('button', { name: 'Add to cart' }).click();
      await shop.getByRole('link', { name: /In the cart: 1/ }).click();
      await expect(shop.getByRole('heading', { name: 'Cart' })).toBeVisible();
      await expect(shop.getByRole('link', { name: 'City poster' })).toBeVisible();
      expect(problems).toEqual([]);
    });
  });
});
