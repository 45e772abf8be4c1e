import path from 'node:path';
import { expect, open, run, SERVICE, STORE, test } from './support.js';

const FOLDER = path.resolve(import.meta.dirname, '../../docs/pictures');

interface Orders {
  items: { id: number }[];
}

/** `npm run pictures`: the pictures of the README, of the demo store as it is. */
test('the pictures of the README', async ({ page }) => {
  const take = async (
    name: string,
    address: string,
    colorScheme: 'light' | 'dark',
    width: number,
    height: number,
  ) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await open(page, address);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    if (address === 'overview')
      await expect(page.getByRole('img', { name: 'Revenue' }).locator('.plot-bar').first()).toBeVisible();
    await page.screenshot({ path: path.join(FOLDER, `${name}.png`), caret: 'initial' });
  };
  const { items } = await run<Orders>(page.request, 'find_orders', { statuses: ['SHIPPED'], take: 1 });
  await take('overview', 'overview', 'light', 1100, 860);
  await take('orders', 'orders', 'dark', 1100, 700);
  await page.setViewportSize({ width: 390, height: 860 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${SERVICE()}/shop/${STORE()}`);
  await expect(page.getByRole('link', { name: 'City poster', exact: true })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: path.join(FOLDER, 'shop-on-a-phone.png') });
  await take('order-on-a-phone', `orders/${items[0].id}`, 'light', 390, 760);
});
