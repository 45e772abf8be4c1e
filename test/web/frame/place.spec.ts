import type { Page } from '@playwright/test';
import { expect, open, ordersIn, run, STORE, test } from '../support.js';

interface Found {
  items: { id: number }[];
}

const scrollOf = (page: Page) => page.evaluate<number>('Math.round(scrollY)');

test('"back" finds a list as it was left: its place, its selection and the row', async ({ page }) => {
  await open(page, 'orders');
  const rows = page.getByRole('link', { name: /^Order \d+$/ });
  await expect(rows.first()).toBeVisible();
  const shown = await rows.count();
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(shown);
  await page
    .getByRole('checkbox', { name: /^Select Order/ })
    .nth(1)
    .check();
  const row = rows.nth(shown + 2);
  await row.scrollIntoViewIfNeeded();
  expect(await scrollOf(page)).toBeGreaterThan(500);
  const { y: place } = (await row.boundingBox())!;
  const name = (await row.getAttribute('aria-label'))!;
  await row.click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
  await page.goBack();
  const again = page.getByRole('link', { name, exact: true });
  await expect(again).toBeFocused();
  await expect(again).toBeInViewport();
  // On the screen, not in the page: rows above that have not been shown yet get their real heights later.
  await expect.poll(async () => Math.abs((await again.boundingBox())!.y - place)).toBeLessThan(200);
  await expect(page.getByRole('region', { name: 'Actions' })).toContainText('1 selected');
});

test('the tab is named by the record that it shows', async ({ page }) => {
  const { items } = await run<Found>(page.request, 'find_orders', { take: 1 });
  await open(page, `orders/${items[0].id}`);
  await expect(page).toHaveTitle(new RegExp(`^Order ${items[0].id} · `));
  const products = await run<{ items: { id: string; title: string }[] }>(page.request, 'find_products', {
    take: 1,
  });
  const [{ id, title }] = products.items;
  await open(page, `products/${id}`);
  await expect.poll(() => page.title()).toMatch(new RegExp(`^${title.replace(/\W/g, '.')} · `));
  await page.goto(`/dashboard/${STORE()}/brands`);
  await expect(page).toHaveTitle(/^Brands · /);
});

test('the focus returns to what opened a dialog, and starts in its first field', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'there is no keyboard');
  await open(page, 'brands');
  const create = page.getByRole('button', { name: 'Create a brand' }).first();
  await create.click();
  await expect(page.getByLabel(/^Name/).first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(create).toBeFocused();
  const items = await ordersIn(page.request, 'PENDING', 1);
  await open(page, `orders/${items[0].id}`);
  const ship = page.getByRole('button', { name: 'Ship', exact: true });
  await ship.click();
  await expect(page.getByLabel('Carrier')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(ship).toBeFocused();
  const actions = page.getByRole('button', { name: 'Actions' });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Refund' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(actions).toBeFocused();
});

test('j and k go through a list and from order to order, and Ctrl+K works in a field', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'there is no keyboard');
  const { items } = await run<Found>(page.request, 'find_orders', { take: 3 });
  const [first, second, third] = items.map(({ id }) => `Order ${id}`);
  await open(page, 'orders');
  await expect(page.getByRole('link', { name: first, exact: true })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: second, exact: true })).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByRole('link', { name: first, exact: true })).toBeFocused();
  // A ticked row is where one goes on from, too.
  await page.getByRole('checkbox', { name: `Select ${second}`, exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('j');
  await expect(page.getByRole('link', { name: third, exact: true })).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toContainText(second);
  // The link that was pressed is gone.
  await expect(page.locator('#page')).toBeFocused();
  await expect(page.getByRole('link', { name: 'Older order' })).toBeVisible();
  await page.keyboard.press('j');
  await expect(heading).toContainText(third);
  const note = page.getByLabel('New note');
  await note.pressSequentially('jk/?');
  await expect(note).toHaveValue('jk/?');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(note).toHaveValue('jk/?');
});
