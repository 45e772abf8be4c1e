import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { axe, expect, open, run, test, tooWide } from '../support.js';

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
  // The figures are those of the report of the same days.
  const revenue = page.locator('.figure').filter({ hasText: 'Revenue' });
  const shown = await revenue.textContent();
  await open(page, 'reports?period=7d&compare=previous_period');
  await expect(revenue).toHaveText(shown!);
  await open(page, 'overview?period=7d');
  await page.getByRole('link', { name: /orders? (is|are) pending$/ }).click();
  await expect(page).toHaveURL(/orders\?status=PENDING/);
});

test('the names below the bars stand apart at every width', async ({ page }) => {
  const gaps = `[...document.querySelectorAll('.plot')].flatMap((plot) => {
    const boxes = [...plot.querySelectorAll('.plot-name')]
      .filter((name) => name.checkVisibility()).map((name) => name.getBoundingClientRect());
    return boxes.slice(1).map(({ left }, i) => left - boxes[i].right);
  })`;
  await page.addInitScript("localStorage.setItem('language', 'uk')");
  for (const width of [360, 820, 1000, 1100, 1360]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, 'overview');
    await expect(page.locator('.plot-bar').first()).toBeVisible();
    const found = await page.evaluate<number[]>(gaps);
    expect(found.length).toBeGreaterThan(2);
    expect(Math.min(...found), String(width)).toBeGreaterThan(4);
  }
});

test('reports by day have a table under each plot, where analytics was', async ({ page }) => {
  await open(page, 'analytics?period=7d');
  await expect(page).toHaveURL(/reports\?period=7d/);
  await plot(page, 'Visitors');
  for (const summary of await page.getByText('As a table').all()) await summary.click();
  // The head, and each day of the store.
  await expect(page.getByRole('table').last().getByRole('row')).toHaveCount(8);
  expect(await axe(page)).toEqual([]);
});

interface Report {
  total: { revenue: number };
  rows: { key: string | null; label: string | null }[];
}

test('reports add sales up by what one chooses, compare them, and are saved as a file', async ({ page }) => {
  await open(page, 'reports');
  await plot(page, 'Revenue');
  expect(await axe(page)).toEqual([]);
  // More days than a report has rows by default.
  const from = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10);
  await open(page, `reports?period=chosen&from=${from}`);
  await plot(page, 'Revenue');
  expect(await page.getByRole('img', { name: 'Revenue' }).locator('.plot-bar').count()).toBeGreaterThan(100);
  await open(page, 'reports');
  await page.getByLabel('Sales by').selectOption('Product');
  await page.getByLabel('Compared with').selectOption('The days before');
  await page.getByLabel('Period', { exact: true }).selectOption('Chosen days');
  await page.getByLabel('Placed from').fill('2026-01-01');
  await expect(page).toHaveURL(/group=product.*compare=previous_period.*period=chosen.*from=2026-01-01/);
  await page.reload();
  await expect(page.getByText('nothing before').first()).toBeVisible();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const report = await run<Report>(page.request, 'get_sales_report', {
    ...{ from: '2026-01-01T00:00:00Z', to: until, groupBy: 'product', take: 1000 },
  });
  await expect(page.getByText(report.rows[0].label!, { exact: true }).first()).toBeVisible();
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  expect(await axe(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toBe('\uFEFFkey,label,orders,quantity,revenue,discount,bonus,tips,refunded');
  expect(lines).toHaveLength(1 + report.rows.length);
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
