import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { axe, expect, open, STORE, test } from '../support.js';

const route = (path: string) => `/dashboard/api/stores/${STORE()}/webhook${path}`;

/** An endpoint of the test's own. */
let endpoint: Server;
let status = 200;
const received: { id: string; signature: string }[] = [];
const address = () => `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
let before: string | null = null;

test.beforeEach(async ({ page }) => {
  endpoint = createServer((request, response) => {
    // A test may set the next one as soon as this request is received.
    const answer = status;
    received.push({
      id: String(request.headers['x-shop-delivery']),
      signature: String(request.headers['x-shop-signature']),
    });
    request
      .resume()
      .on('end', () => response.writeHead(answer).end(answer === 200 ? 'thank you' : 'not now'));
  }).listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  before = ((await (await page.request.get(route(''))).json()) as { data: { url: string | null } }).data.url;
});

test.afterEach(async ({ page }) => {
  if (before) await page.request.put(route(''), { data: { url: before } });
  endpoint.close();
});

test('an endpoint is saved, tested, paused and rotated, and sends deliveries again', async ({ page }) => {
  // Something that waits when the endpoint is removed, and has failed then.
  status = 503;
  await page.request.put(route(''), { data: { url: address() } });
  const { data } = (await (await page.request.get(route('/deliveries?take=1'))).json()) as {
    data: { items: { id: string; orderId: number; createdAt: string }[] };
  };
  const [{ id, orderId, createdAt }] = data.items;
  await page.request.post(route(`/deliveries/${id}/redeliver`));
  await expect.poll(() => received.some((one) => one.id === id)).toBe(true);
  status = 200;

  await open(page, `webhooks?order=${orderId}`);
  await page.getByRole('button', { name: 'Remove the endpoint' }).click();
  await page.getByLabel(/^Type 127.0.0.1/).fill('127.0.0.1');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the endpoint' }).click();
  await page.getByLabel(/^Address/).fill('nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel(/^Address/)).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel(/^Address/).fill(address());
  await page.getByRole('button', { name: 'Save' }).click();
  const secret = page.getByRole('dialog', { name: 'Signing secret' });
  await expect(secret.getByRole('region', { name: 'Signing secret' })).toContainText('whsec_');
  expect(await axe(page)).toEqual([]);
  const first = await secret.getByRole('region', { name: 'Signing secret' }).innerText();
  await secret.getByLabel('I have saved it').check();
  await secret.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Rotate the secret' }).click();
  await page
    .getByRole('dialog', { name: 'Rotate the secret' })
    .getByRole('button', { name: 'Rotate the secret' })
    .click();
  const second = await secret.getByRole('region', { name: 'Signing secret' }).innerText();
  expect(second).toMatch(/whsec_\S{20}/);
  expect(second).not.toBe(first);
  await secret.getByLabel('I have saved it').check();
  await secret.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Rotate the secret' })).toBeVisible();
  expect(await page.content()).not.toContain('whsec_');

  status = 302;
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect(page.getByRole('status')).toContainText('It redirects (302), which is not followed');
  await page.evaluate(`localStorage.setItem('language', 'uk')`);
  await page.reload();
  await page.getByRole('button', { name: 'Надіслати пробну подію' }).click();
  await expect(page.getByRole('status')).toContainText('Перенаправляє (302), а за цим ми не йдемо');
  status = 200;
  await page.evaluate(`localStorage.setItem('language', 'en')`);
  await page.reload();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await expect(page.getByRole('region', { name: 'Answer of the endpoint' })).toHaveText('thank you');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();

  await page.getByRole('button', { name: 'Send failed ones again' }).click();
  await page.getByLabel(/^Failed since/).fill(createdAt.slice(0, 16));
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText(/sent again\.$/)).toBeVisible();
  await expect.poll(() => received.filter((one) => one.id === id).length).toBeGreaterThan(1);
  await expect(page.locator('[role=dialog]')).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
});

test('a delivery shows its attempts, its body and how to check it', async ({ page, isMobile }) => {
  status = 503;
  await page.request.put(route(''), { data: { url: address() } });
  await open(page, 'webhooks?status=delivered');
  const plot = page.getByRole('img', { name: 'Deliveries by day' });
  await plot.scrollIntoViewIfNeeded();
  await expect(plot.locator('.plot-bar').first()).toBeAttached();
  await page.getByLabel('Created since').fill('2030-01-01T00:00');
  await page.getByLabel('Created since').blur();
  await expect(page.getByText('Nothing found')).toBeVisible();
  await page.getByLabel('Created since').fill('');
  await page.getByLabel('Created since').blur();
  await page
    .getByRole('button', { name: /^order\./ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await expect(drawer.getByText(/^503 · \d+ ms/).last()).toBeVisible();
  await expect(drawer.getByRole('region', { name: /^Answer of the endpoint/ }).last()).toHaveText('not now');
  await expect(drawer.getByText(/^in \d/)).toBeVisible();
  await expect(drawer.getByRole('region', { name: 'Body' })).toContainText('"totalPrice"');
  await expect(drawer.getByRole('region', { name: 'Send it by hand' })).toContainText(address());
  await drawer.getByText('Python').click();
  await expect(drawer.getByRole('region', { name: 'Check the signature' })).toContainText(
    'hmac.compare_digest',
  );
  if (!isMobile) await page.mouse.move(0, 0);
  expect(await axe(page)).toEqual([]);
  status = 200;
  await drawer.getByRole('button', { name: 'Send again' }).click();
  await expect(drawer.getByText('Delivered', { exact: true })).toBeVisible();
});
