import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/servers/free-port.mjs';
import { startService } from '../service.js';
import { expect, openSections, test } from '../support.js';

const PREFIX = '/shop';
/** In a minute: more than the pages of this test read. */
const READS = 150;

/** As docs/connect-agents.md asks of a proxy: the path is taken off, and nothing else is passed on. */
async function proxyTo(port: number): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming;
    if (!url!.startsWith(`${PREFIX}/`)) return void outgoing.writeHead(404).end();
    const passed = request({ port, method, headers, path: url!.slice(PREFIX.length) }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

test('everything works behind a proxy, below a path and with small budgets', async ({
  browser,
  isMobile,
}) => {
  test.skip(isMobile, 'the document is the same');
  test.setTimeout(240_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-below-'));
  const port = await freePort();
  const proxy = await proxyTo(port);
  const home = `http://localhost:${(proxy.address() as AddressInfo).port}${PREFIX}`;
  const { email, password, stop } = await startService(folder, {
    ...{
      PORT: String(port),
      BASE_URL: home,
      SESSION_RATE_LIMIT_WRITE: '2',
      SESSION_RATE_LIMIT_READ: String(READS),
    },
  });
  try {
    const context = await browser.newContext({ storageState: { cookies: [], origins: [] }, locale: 'en-GB' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('response', (response) => response.status() === 404 && problems.push(response.url()));
    const heading = page.getByRole('heading', { level: 1 });

    await page.goto(`${home}/dashboard/`);
    await page.getByLabel(/^E-mail/).fill(email);
    await page.getByRole('textbox', { name: /^Password/ }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(heading).toHaveText('Overview');
    expect(new URL(page.url()).pathname).toMatch(/^\/shop\/dashboard\/[\w-]+\/overview$/);

    const store = new URL(page.url()).pathname.split('/')[3];
    await page.goto(`${home}/dashboard/${store}/brands?text=`);
    await expect(heading).toHaveText('Brands');
    await expect(page).toHaveTitle(/^Brands/);

    // What somebody else changes shows by itself.
    const operations = `${home}/dashboard/api/stores/${store}/operations`;
    const pending = await page.request.post(`${operations}/find_orders`, {
      data: { statuses: ['PENDING'], take: 1 },
    });
    const [{ id: orderId }] = ((await pending.json()) as { data: { items: { id: number }[] } }).data.items;
    const live = page.waitForResponse(/\/events$/);
    await page.goto(`${home}/dashboard/${store}/orders/${orderId}`);
    await live;
    const status = page.getByRole('main').locator('.badge').first();
    await expect(status).toHaveText('Pending');
    const data = { orderId, status: 'PROCESSING' };
    expect((await page.request.post(`${operations}/set_order_status`, { data })).ok()).toBe(true);
    await expect(status).toHaveText('Processing');

    // The second change of the minute is the last.
    await page.request.post(`${operations}/create_brand`, { data: { name: 'The last', slug: 'the-last' } });
    await page.goto(`${home}/dashboard/${store}/brands?new=1`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Too many');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect(dialog.getByText(/Too much at once\. Wait \d+ seconds?\./)).toBeVisible();
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Too many');

    await page.goto(`${home}/dashboard/${store}/overview`);
    await expect(heading).toHaveText('Overview');
    for (let i = 0; i < READS; i++)
      await page.request.get(`${home}/dashboard/api/stores/${store}/orders/counts`);
    await openSections(page);
    await page.getByRole('link', { name: 'Categories' }).click();
    await expect(page.getByRole('alert').getByText(/Too much at once\. Wait \d+ seconds?\./)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();

    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(heading).toHaveText('Sign in');
    expect(new URL(page.url()).pathname).toBe('/shop/dashboard/sign-in');
    expect(problems).toEqual([]);
    await context.close();
  } finally {
    await stop();
    proxy.closeAllConnections();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
