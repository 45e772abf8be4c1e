import { expect } from '@playwright/test';
import { SERVICE, STORE, test } from '../support.js';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test('a newcomer orders in the demo shop, in a plain browser', async ({ page }) => {
  const shop = `${SERVICE()}/shop/${STORE()}`;
  await page.goto(shop);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Demo store');
  await expect(page.locator('.card').first()).toBeVisible();
  await page.screenshot({ path: '/tmp/shop1.png' });
  await page.locator('.card').nth(1).click();
  await page.getByRole('button', { name: 'Add to cart' }).waitFor();
  await page.screenshot({ path: '/tmp/shop2.png' });
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('button', { name: 'Cart', exact: true }).click();
  await page.getByRole('button', { name: 'Checkout' }).waitFor();
  await page.screenshot({ path: '/tmp/shop3.png' });
  await page.getByRole('button', { name: 'Checkout' }).click();
  await page.getByRole('button', { name: /^Place order/ }).waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/shop4.png', fullPage: true });
  await page.getByRole('button', { name: /^Place order/ }).click();
  await page.getByRole('heading', { name: /^Order \d+/ }).waitFor();
  await page.waitForTimeout(1000);
  await page.screenshot({ path: '/tmp/shop5.png', fullPage: true });
  await page.goto(`${shop}/orders`);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/shop6.png', fullPage: true });
});
