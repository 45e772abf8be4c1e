import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { chromiumPath } from '../../support/servers/chromium.js';
import { PushService, type Subscriber } from '../../support/servers/push-service.js';
import { axe, expect, open, run, STORE, test } from '../support.js';

// The shell gives no page the permission to notify.
test.use({ launchOptions: { executablePath: chromiumPath(), args: ['--no-sandbox'] } });

/**
 * The browser's own push service is outside, and is replaced by the tests' one: what it would give the page
 * on a subscription, and what it would hand the worker.
 */
const replacePushService = (page: Page, { subscription }: Subscriber) =>
  page.addInitScript(`PushManager.prototype.subscribe = (options) => {
    sessionStorage.setItem('serverKey', options.applicationServerKey);
    const { endpoint, ...keys } = ${JSON.stringify(subscription)};
    return Promise.resolve({ toJSON: () => ({ endpoint, keys }) });
  }`);

/** Hands the worker of the dashboard a message of its push service. */
async function deliver(context: BrowserContext, page: Page, data: object): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  const registration = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registration,
    data: JSON.stringify(data),
  });
  return session;
}

test('a browser is turned on, shows a new order, opens it, and is turned off', async ({ page, context }) => {
  const push = await PushService.start();
  const here = push.subscribe();
  await context.grantPermissions(['notifications']);
  await replacePushService(page, here);
  await open(page, 'overview');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Notices of new orders' }).click();
  const toggle = page.getByRole('switch', { name: 'Notify this browser of new orders' });
  await expect(toggle).not.toBeChecked();
  expect(await axe(page)).toEqual([]);
  await toggle.click({ force: true });
  await expect(toggle).toBeChecked();
  await expect(page.getByText('This browser tells you of new orders')).toBeVisible();
  push.serverKey = await page.evaluate<string>(`sessionStorage.getItem('serverKey')`);

  await page.getByRole('button', { name: 'Send a test notice' }).click();
  await expect(page.getByText('The test notice is sent')).toBeVisible();
  expect(push.problems).toEqual([]);
  expect(here.messages).toMatchObject([{ title: expect.stringMatching(/ · Test notice$/) }]);
  expect(await axe(page)).toEqual([]);

  // What came is what the browser hands its worker.
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  const path = `${STORE()}/orders/${items[0].id}`;
  await deliver(context, page, { title: 'Shop · New order 7', text: '$49.00 · Olena', path });
  const shown = () =>
    page.evaluate(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`);
  await expect.poll(shown).toEqual([{ title: 'Shop · New order 7', body: '$49.00 · Olena', tag: path }]);

  // A click that the operating system would report; windows open only for such a one of a person.
  const worker = context.serviceWorkers()[0];
  const opened = await worker.evaluate(`(async () => {
    const addresses = [];
    clients.openWindow = async (address) => void addresses.push(address);
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent('notificationclick', { notification });
    const done = [];
    event.waitUntil = (work) => done.push(work);
    dispatchEvent(event);
    await Promise.all(done);
    return { addresses, left: (await registration.getNotifications()).length };
  })()`);
  expect(opened).toEqual({ addresses: [new URL(`/dashboard/${path}`, page.url()).href], left: 0 });

  await toggle.click({ force: true });
  await expect(page.getByText('You are told there no more')).toBeVisible();
  await expect(toggle).not.toBeChecked();
  await push.close();
});

test('a browser that is blocked says so, and asks nothing', async ({ page }) => {
  await page.addInitScript(`Object.defineProperty(Notification, 'permission', { get: () => 'denied' })`);
  await open(page, 'notices');
  await expect(page.getByText(/^Blocked: allow notifications/)).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Notify this browser of new orders' })).toBeDisabled();
  await page.getByRole('switch', { name: 'Sound for new orders' }).click({ force: true });
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Sound for new orders' })).toBeChecked();
});

test('a member links their chat with the bot by a link that works once', async ({ page }) => {
  await run(page.request, 'connect_bot', { token: '5550001234:AAH-n0tices_0123456789abcdefghijklmno' });
  await open(page, 'notices');
  const toggle = page.getByRole('switch', { name: 'Send me new orders in the messenger' });
  await toggle.click({ force: true });
  const link = page.getByRole('link', { name: 'Open the chat with @shop_5550001234_bot' });
  await expect(link).toHaveAttribute(
    'href',
    /^https:\/\/t\.me\/shop_5550001234_bot\?start=notices-[\w-]{43}$/,
  );
  await expect(page.getByText(/^Open the chat and press Start/)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.reload();
  await expect(toggle).not.toBeChecked();
  await page.request.delete(`/dashboard/api/stores/${STORE()}/bot`);
  await page.reload();
  await expect(toggle).toBeDisabled();
});
