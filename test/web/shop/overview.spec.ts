import type { Page } from '@playwright/test';
import { axe, expect, open, run, test } from '../support.js';

/** Waits for a plot with its bars. */
async function plot(page: Page, name: string): Promise<void> {
  const place = page.getByRole('img', { name });
  await place.scrollIntoViewIfNeeded();
  await expect(place.locator('.plot-bar').first()).toBeVisible();
}

test('the overview shows the figures and leads to what waits', async ({ page }) => {
  await open(page, 'overview');
  await plot(page, 'Revenue');
  expect(await axe(page)).toEqual([]);
  await page.getByText('7 days', { exact: true }).click();
  await expect(page).toHaveURL(/period=7d/);
  await page.getByRole('link', { name: /orders? (is|are) pending$/ }).click();
  await expect(page).toHaveURL(/orders\?status=PENDING/);
});

test('analytics has a table under each plot', async ({ page }) => {
  await open(page, 'analytics?period=7d');
  await plot(page, 'Visitors');
  for (const summary of await page.getByText('As a table').all()) await summary.click();
  // The head, and each day that the window touches.
  await expect(page.getByRole('table').first().getByRole('row')).toHaveCount(9);
  expect(await axe(page)).toEqual([]);
});

test('the palette finds what the store has', async ({ page, isMobile }) => {
  test.skip(isMobile, 'there is no keyboard');
  const { items } = await run<{ items: { id: string; firstName: string | null }[] }>(
    page.request,
    'list_customers',
    {
      take: 50,
    },
  );
  const { id } = items.find(({ firstName }) => firstName)!;
  const customer = await run<{ firstName: string }>(page.request, 'get_customer', { id });
  await open(page, 'brands');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill(customer.firstName);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: customer.firstName })
    .filter({ hasText: 'Customer' })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(customer.firstName);
});
