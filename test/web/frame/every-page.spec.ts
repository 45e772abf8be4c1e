import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { axe, expect, onSeveralLines, run, SERVICE, STORE, test, tooWide } from '../support.js';

const PAGES = path.resolve(import.meta.dirname, '../../../web/dashboard/pages');

// A longer name than most, and a zone other than the store's, which the page Settings offers.
test.use({ timezoneId: 'America/Argentina/Buenos_Aires' });

/** What people open without a store, and an address without a page. */
const OTHERS = ['sign-in', 'reset-password#of-nobody', 'accept-invitation#of-nobody', 'no/such/page'];

const BROKEN_MOMENTS = `[...document.querySelectorAll('time')]
  .filter((time) => time.getClientRects().length > 1).map(({ textContent }) => textContent)`;
/** Tables that are wider than the box they stand in, and do not scroll within it. */
const WIDE_TABLES = `[...document.querySelectorAll('.surface table')]
  .filter((table) => !table.closest('.list-scroll') && table.checkVisibility())
  .map((table) => [table, table.closest('.surface')])
  .filter(([table, box]) => table.getBoundingClientRect().right > box.getBoundingClientRect().right)
  .map(([{ textContent }]) => textContent.slice(0, 80))`;
const CLIPPED = `[...document.querySelectorAll('.card-row')]
  .filter((card) => card.scrollWidth > card.clientWidth)
  .map(({ textContent }) => textContent.slice(0, 80))`;
/** Figures and short values, whose text stands on one line. */
const VALUES = '.list .end, .list .short, .table .end';
const SMALL_INPUTS = `[...document.querySelectorAll('input, textarea, select')]
  .filter((input) => !/checkbox|radio|file|hidden/.test(input.type))
  .filter((input) => input.checkVisibility() && parseFloat(getComputedStyle(input).fontSize) < 16)
  .map(({ outerHTML }) => outerHTML.slice(0, 160))`;

/** The pages of a store, as their groups declare them. */
const declared = () =>
  readdirSync(PAGES).flatMap((group) => {
    const index = readFileSync(path.join(PAGES, group, 'index.tsx'), 'utf8');
    return [...index.matchAll(/(?:\bpath: |\bresource(?:<\w+>)?\(\s*)'([^']+)'/g)].map(([, found]) => found);
  });

/** One record of each kind, for the pages that show one. */
async function recordsOf(request: APIRequestContext): Promise<Record<string, string>> {
  const first = async (operation: string) => {
    const { items } = await run<{ items: { id: string | number }[] }>(request, operation, { take: 1 });
    return String(items[0].id);
  };
  const [orderId, productId, customerId] = await Promise.all([
    first('find_orders'),
    first('find_products'),
    first('list_customers'),
  ]);
  const campaigns = await request.get(`/dashboard/api/stores/${STORE()}/campaigns`);
  const { data } = (await campaigns.json()) as { data: { items: { id: string }[] } };
  return { orderId, productId, customerId, campaignId: data.items[0].id };
}

test('every page is accessible and fits the screen, light and dark', async ({ page, isMobile }) => {
  test.skip(!process.env.SLOW_TESTS, 'the usual ones are judged where they are used');
  test.setTimeout(600_000);
  await page.setViewportSize(isMobile ? { width: 360, height: 740 } : { width: 1360, height: 900 });
  const records = await recordsOf(page.request);
  const addresses = declared().map((found) =>
    `${STORE()}/${found}`.replace(/\$(\w+)/g, (_, name: string) => records[name]),
  );
  expect(addresses.length).toBeGreaterThan(30);
  for (const address of [...addresses, ...OTHERS]) {
    await test.step(address, async () => {
      await page.goto(`${SERVICE()}/dashboard/${address}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect.soft(await axe(page), address).toEqual([]);
      expect.soft(await page.evaluate(BROKEN_MOMENTS), `${address}: moments on two lines`).toEqual([]);
      expect.soft(await onSeveralLines(page, VALUES), `${address}: values on two lines`).toEqual([]);
      expect.soft(await page.evaluate(WIDE_TABLES), `${address}: tables out of their boxes`).toEqual([]);
      // A phone zooms in on smaller texts that are typed in.
      if (isMobile) expect.soft(await page.evaluate(SMALL_INPUTS), `${address}: small inputs`).toEqual([]);
      expect.soft(await tooWide(page), address).toBeLessThanOrEqual(0);
    });
  }
});

test('a narrow window with a mouse breaks no number, and halves have filters each', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${SERVICE()}/dashboard/${STORE()}/products`);
  const stocks = page.locator('.card-values .in-line');
  await expect(stocks.filter({ hasText: /\d\d/ }).first()).toBeVisible();
  expect(await onSeveralLines(page, '.card-values .in-line')).toEqual([]);
  const [category, brand] = await Promise.all(
    ['Category', 'Brand'].map((name) => page.getByRole('combobox', { name }).boundingBox()),
  );
  expect(category!.width).toBe(brand!.width);
  expect(category!.width + brand!.width).toBeGreaterThan(300);
});

test('the zone of the browser and names without a space are broken, and not the page', async ({ page }) => {
  const productId = `${'p'.repeat(60)}${Date.now()}`;
  const { id } = await run<{ id: string }>(page.request, 'create_product', {
    ...{ productId, title: 'W'.repeat(150), description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    variants: [{ optionTitle: 'O'.repeat(60), values: [{ variantValue: 'V'.repeat(60), price: 5 }] }],
  });
  await page.setViewportSize({ ...page.viewportSize()!, width: Math.min(360, page.viewportSize()!.width) });
  for (const address of ['settings', `products/${id}`, `products/new?from=${id}`, 'products', 'audit']) {
    await page.goto(`${SERVICE()}/dashboard/${STORE()}/${address}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    if (address === 'settings')
      await expect(page.getByRole('button', { name: /Buenos_Aires/ })).toBeVisible();
    expect.soft(await tooWide(page), address).toBeLessThanOrEqual(0);
    expect.soft(await page.evaluate(CLIPPED), `${address}: cards that are clipped`).toEqual([]);
  }
  await run(page.request, 'delete_product', { id, confirm: true });
});
