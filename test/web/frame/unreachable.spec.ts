import type { Browser } from '@playwright/test';
import { expect, open, SERVICE, STORE, test } from '../support.js';

const ENTRY = /\/assets\/app-[^/]+\.js$/;
const anew = (browser: Browser, javaScriptEnabled = true) =>
  browser.newPage({ baseURL: SERVICE(), javaScriptEnabled, storageState: process.env.WEB_STATE! });

test('a browser that cannot run the pages shows the reason', async ({ browser, isMobile }) => {
  test.skip(isMobile, 'the document is the same');
  const without = await anew(browser, false);
  await without.goto('/dashboard');
  await expect(without.locator('noscript p')).toBeVisible();
  expect(await without.locator('noscript').innerText()).toContain('The dashboard needs JavaScript.');
  await without.close();

  // An old browser stumbles over the first word that it does not know.
  const old = await anew(browser);
  await old.route(ENTRY, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'let new syntax' }),
  );
  await old.goto('/dashboard');
  await expect(old.getByText('This browser is too old for the dashboard.')).toBeVisible();
  await old.close();

  const lost = await anew(browser);
  await lost.route(ENTRY, (route) => route.abort());
  await lost.goto('/dashboard');
  await expect(lost.getByText('The dashboard could not be loaded')).toBeVisible();
  await lost.close();
});

test('a lost connection shows a sentence and a button, never a white page', async ({ browser, isMobile }) => {
  test.skip(isMobile, 'the document is the same');
  const page = await anew(browser);
  await open(page, 'brands');
  await page.route('**/dashboard/api/**', (route) => route.abort());
  await page.getByRole('link', { name: 'Customers' }).click();
  await expect(page.getByText('The service could not be reached.').first()).toBeVisible({ timeout: 60_000 });
  await page.goto(`/dashboard/${STORE()}/overview`);
  await expect(page.getByText('The service could not be reached.').first()).toBeVisible({ timeout: 60_000 });
  await page.unroute('**/dashboard/api/**');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');

  // The part of a page that an update has taken away.
  await page.route(/\/assets\/orders-page-[^/]+\.js$/, (route) => route.abort());
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expect(page.getByText('This page could not be shown')).toBeVisible();
  await page.close();
});
