import type { Page } from '@playwright/test';
import { axe, expect, open, run, STORE, test, tooWide } from '../support.js';

const views = (page: Page) => page.getByRole('navigation', { name: 'Saved views' });
const view = (page: Page, name: string) => views(page).getByRole('link', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const AT = () => `/dashboard/api/stores/${STORE()}/views`;

interface Stored {
  id: string;
  name: string;
  query: string;
}

async function stored(page: Page, of = 'orders'): Promise<Stored[]> {
  const response = await page.request.get(`${AT()}?page=${of}`);
  return ((await response.json()) as { data: { items: Stored[] } }).data.items;
}

test.afterEach(async ({ page }) => {
  for (const of of ['orders', 'customers'])
    for (const { id } of await stored(page, of)) await page.request.delete(`${AT()}/${id}`);
});

test('a view of the orders is saved once, opened, changed, renamed, deleted and brought back', async ({
  page,
}) => {
  await open(page, 'orders');
  await expect(page.getByRole('button', { name: 'Save this view' })).toHaveCount(0);
  await open(page, 'orders?status=SHIPPED&sort=oldest');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await dialog(page).getByLabel('Name of the view').fill(' On their way ');
  expect(await axe(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Save' }).dblclick();
  await expect(view(page, 'On their way')).toHaveAttribute('aria-current', 'page');
  await expect(page).toHaveURL(/view=/);
  expect(await stored(page)).toMatchObject([{ name: 'On their way', query: 'sort=oldest&status=SHIPPED' }]);

  // Another whose name differs by case only is refused beside the field.
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('newest');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await dialog(page).getByLabel('Name of the view').fill('ON their way');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByText('This is used already. Choose another.')).toBeVisible();
  await expect(dialog(page).getByLabel('Name of the view')).toBeFocused();
  await dialog(page).getByLabel('Name of the view').fill('Newest on their way');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(view(page, 'Newest on their way')).toHaveAttribute('aria-current', 'page');
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);

  // Links, Back and a reload find the view that was open.
  await view(page, 'On their way').click();
  await expect(page).toHaveURL(/sort=oldest.*status=SHIPPED/);
  await views(page).getByRole('link', { name: 'All orders' }).click();
  await expect(page).toHaveURL(/orders$/);
  await page.goBack();
  await page.reload();
  await expect(view(page, 'On their way')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('combobox', { name: 'Sort' })).toHaveValue('oldest');

  // Other filters do not leave the view: they can become its own.
  await page.getByRole('textbox', { name: /^Number/ }).fill('mug');
  await page.getByRole('button', { name: 'Save changes to On their way' }).click();
  await expect(page.getByRole('button', { name: /^Save changes/ })).toHaveCount(0);
  expect((await stored(page))[0].query).toBe('sort=oldest&status=SHIPPED&text=mug');

  await page.getByRole('button', { name: 'Actions of the view On their way' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name of the view').fill('Sent');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(view(page, 'Sent')).toBeVisible();
  await page.getByRole('button', { name: 'Actions of the view Sent' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(view(page, 'Sent')).toHaveCount(0);
  const names = async () => (await stored(page)).map(({ name }) => name);
  await expect.poll(names).not.toContain('Sent');
  await page
    .getByRole('alert')
    .filter({ hasText: 'Sent is deleted' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(view(page, 'Sent')).toHaveAttribute('aria-current', 'page');
});

test('one view too many is refused in words of the page', async ({ page }) => {
  for (let i = 0; i < 50; i++)
    await page.request.post(AT(), { data: { page: 'orders', name: `View ${i}`, query: `text=${i}` } });
  await open(page, 'orders?status=SHIPPED');
  await page.getByRole('button', { name: 'Save this view' }).click();
  await dialog(page).getByLabel('Name of the view').fill('One more');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'This page has 50 views, which is the most. Delete one first.',
  );
});

test('a view of the customers keeps what they bought, and says when that no longer exists', async ({
  page,
}) => {
  const name = `Gone ${Date.now()}`;
  const category = await run<{ id: string }>(page.request, 'create_category', {
    ...{ name, slug: name.toLowerCase().replace(' ', '-') },
  });
  await open(page, `customers?by=purchases&minOrders=2&categoryId=${category.id}`);
  await expect(page.getByRole('combobox', { name: 'Bought from the category' })).toHaveValue(name);
  await page.getByRole('button', { name: 'Save this view' }).click();
  await dialog(page).getByLabel('Name of the view').fill('Loyal');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(view(page, 'Loyal')).toBeVisible();
  await run(page.request, 'delete_category', { id: category.id, confirm: true });

  await open(page, 'customers');
  await view(page, 'Loyal').click();
  const gone = page.getByRole('status').filter({ hasText: 'this filter looks for no longer exists' });
  await expect(gone).toBeVisible();
  await expect(page.getByText(/^\d+ customers$/)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await gone.getByRole('button', { name: 'Take the filter away' }).click();
  await expect(gone).toHaveCount(0);
  await page.getByRole('button', { name: 'Save changes to Loyal' }).click();
  await expect.poll(() => stored(page, 'customers')).toMatchObject([{ query: 'by=purchases&minOrders=2' }]);
});

test('a view of orders opens although its status or shopper no longer exists', async ({ page }) => {
  const query = 'customerId=999999999&status=ON_HOLD';
  await page.request.post(AT(), { data: { page: 'orders', name: 'Held', query } });
  await open(page, 'orders');
  await view(page, 'Held').click();
  const gone = page.getByRole('status').filter({ hasText: 'this filter looks for no longer exists' });
  await expect(gone).toHaveCount(2);
  await expect(page.locator('.row-link').first()).toBeVisible();
  expect(await axe(page)).toEqual([]);
});
