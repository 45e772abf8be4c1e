import { axe, expect, open, run, test } from '../support.js';
import { shopOf } from './client.js';

test('the colour of the shop is on its buttons, pages and printed sheets', async ({ page }) => {
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  const products = await run<{ items: { id: string }[] }>(page.request, 'list_products', { take: 1 });
  const styleOf = (selector: string, name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${name}']`);
  await open(page, 'settings');
  const set = page.getByRole('button', { name: 'Set the colour' });
  await expect(set).toBeDisabled();
  await page.getByLabel('Colour of the shop').fill('#ffd500');
  expect(await axe(page)).toEqual([]);
  await set.click();
  await expect(page.getByText('The colour of the shop is set')).toBeVisible();
  await expect.poll(() => styleOf('.bar', 'boxShadow')).toContain('rgb(255, 213, 0)');
  await open(page, `orders/print?ids=${items[0].id}`);
  await expect(page.locator('.sheet')).toBeVisible();
  expect(await styleOf('.sheet', 'borderTop')).toBe('4px solid rgb(255, 213, 0)');

  await page.goto(`${shopOf()}/p/${products.items[0].id}`);
  await expect(page.locator('.button').first()).toBeVisible();
  expect(await styleOf('.button', 'backgroundColor')).toBe('rgb(255, 213, 0)');
  expect(await styleOf('.button', 'color')).toBe('rgb(0, 0, 0)');
  await page.goto(shopOf());
  await expect(page.locator('.grid img').first()).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await open(page, 'settings');
  await page.getByRole('button', { name: 'No colour of its own' }).click();
  await set.click();
  await expect(page.getByText('The shop has the colours of the messenger')).toBeVisible();
  await page.goto(`${shopOf()}/p/${products.items[0].id}`);
  await expect(page.locator('.button').first()).toBeVisible();
  expect(await styleOf('.button', 'backgroundColor')).toBe('rgb(26, 111, 176)');
});
