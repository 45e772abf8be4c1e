import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, run, SERVICE, STORE, test } from '../support.js';
import { connectBot, launchOf } from './client.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const EXAMPLE = path.join(ROOT, 'examples/storefront');
const CLIENT = 'node_modules/chat-shop-client/';
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

test.beforeAll(async ({ browser }) => {
  execFileSync('npm', ['run', '--silent', 'build', '-w', 'packages/client'], { cwd: ROOT, stdio: 'inherit' });
  const tsc = ['node_modules/typescript/bin/tsc', '-p', EXAMPLE];
  execFileSync(process.execPath, tsc, { cwd: ROOT, stdio: 'inherit' });
  await connectBot(browser);
});

/** The example's folder as a host of its own serves it. */
async function startHost(): Promise<Server> {
  const server = createServer((request, response) => {
    const name = new URL(request.url!, 'http://host').pathname.slice(1) || 'index.html';
    const file = name.startsWith(CLIENT)
      ? path.join(ROOT, 'packages/client', name.slice(CLIENT.length))
      : path.join(EXAMPLE, name);
    if (!existsSync(file)) return void response.writeHead(404).end();
    const body = readFileSync(file, 'utf8')
      .replace('content="https://shop.example"', `content="${SERVICE()}"`)
      .replace('name="store" content=""', `name="store" content="${STORE()}"`);
    response.setHeader('Content-Type', TYPES[path.extname(file)]).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

test('the example, on a host of its own, lists products and places an order', async ({ page }) => {
  const host = await startHost();
  const { port } = host.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/${launchOf()}`);
  const socks = page.getByRole('button', { name: /^Wool socks/ });
  const more = page.getByRole('button', { name: 'More', exact: true });
  // Newer products of other tests may fill the first pages.
  await expect(async () => {
    await expect(socks.or(more).first()).toBeVisible();
    if ((await socks.count()) === 0) await more.click({ timeout: 2_000 });
    await expect(socks).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await socks.click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Comment').fill('By the example');
  await page.getByRole('button', { name: /^Place order · .*14\.00$/ }).click();
  const heading = page.getByRole('heading', { name: /^Order \d+: .*14\.00$/ });
  await expect(heading).toBeVisible();
  const [, orderId] = /^Order (\d+)/.exec((await heading.textContent())!)!;
  expect(await run(page.request, 'get_order', { orderId: Number(orderId) })).toMatchObject({
    totalPrice: 1400,
    checkoutData: [{ id: 'comment', value: 'By the example' }],
  });
  host.close();
});
