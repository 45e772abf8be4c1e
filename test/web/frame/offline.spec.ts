import type { Page } from '@playwright/test';
import { expect, open, openSections, run, test } from '../support.js';

const LOST = 'The service could not be reached.';
const MENU = /\/assets\/order-menus-[^/]+\.js$/;

const anOrder = async (page: Page) => {
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  return `orders/${items[0].id}`;
};
const tryAgain = (page: Page) => page.getByRole('alert').getByRole('button', { name: 'Try again' });

// The browser reports what it could not fetch, and React what a page said instead of being drawn.
test.use({ causes: /net::ERR_|status of 404|\/assets\/app-/ });

test('without a connection the page and what is typed stay, and go on with it', async ({
  page,
  context,
  isMobile,
}) => {
  test.skip(isMobile, 'the links are in a menu that is closed');
  await page.route(MENU, (route) => route.abort());
  await open(page, await anOrder(page));
  // What is still asked for would fail too.
  await page.waitForLoadState('networkidle');
  const note = page.getByLabel('New note');
  await note.fill('typed');
  await context.setOffline(true);
  const actions = page.getByRole('button', { name: 'Actions' });
  await actions.click();
  await expect(page.getByRole('alert')).toContainText(LOST);
  await expect(note).toHaveValue('typed');
  await page.unroute(MENU);
  await context.setOffline(false);
  await tryAgain(page).click();
  await expect(page.getByRole('menuitem', { name: 'Refund' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(note).toHaveValue('typed');

  // A change says that it was not made, and is made by the next click.
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(page.getByText(LOST).first()).toBeVisible();
  await expect(note).toHaveValue('typed');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(page.locator('.note', { hasText: 'typed' })).toBeVisible();

  // A page whose code was never fetched.
  await context.setOffline(true);
  await openSections(page);
  await page.getByRole('link', { name: 'Brands' }).click();
  await expect(page.getByRole('alert').filter({ hasText: LOST }).first()).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('link', { name: 'Customers' })).toBeVisible();
  await context.setOffline(false);
  await tryAgain(page).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Brands');
});

test('a new build is loaded where the old one has no file, but never over typed work', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'the links are in a menu that is closed');
  // The server that answers now has no file of the page's build.
  let isOld = true;
  await page.route(/\/assets\/(order-menus|customers-page)-[^/]+\.js$/, (route) =>
    isOld ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
  );
  await open(page, await anOrder(page));
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
  await page.route('**/dashboard/', async (route) => {
    const document = await route.fetch();
    const text = await document.text();
    await route.fulfill({ response: document, body: text.replace(/\/app-[^/"]+\.js/g, '/app-newer.js') });
  });
  const note = page.getByLabel('New note');
  await note.fill('typed');
  await page.getByRole('button', { name: 'Actions' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The dashboard has been updated.' });
  await expect(alert).toBeVisible();
  const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());
  await Promise.all([asked, alert.getByRole('button', { name: 'Load it again' }).click()]);
  await expect(note).toHaveValue('typed');

  await note.fill('');
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Customers' }).click()]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customers');
});
