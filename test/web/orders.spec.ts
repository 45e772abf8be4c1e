import { axe, expect, open, run, test } from './support.js';

interface Found {
  items: { id: number; status: string; customerId: string; customerName: string | null }[];
}

test('orders are found by status, words and shopper', async ({ page }) => {
  await open(page, 'orders');
  expect(await axe(page)).toEqual([]);
  const tabs = page.getByRole('navigation', { name: 'Status' });
  await expect(tabs.locator('[aria-current=page]')).toHaveText(/^All\d/);
  await tabs.getByRole('link', { name: /^Delivered/ }).click();
  await expect(page).toHaveURL(/status=DELIVERED/);
  await expect(tabs.locator('[aria-current=page]')).toHaveText(/^Delivered\d/);
  await expect(page.getByText('Pending', { exact: true })).toHaveCount(0);
  const [order] = (await run<Found>(page.request, 'find_orders', { statuses: ['DELIVERED'], take: 1 })).items;
  await page.getByRole('textbox', { name: /^Number, name/ }).fill(String(order.id));
  await expect(page).toHaveURL(new RegExp(`text=${order.id}`));
  await expect(page.getByRole('link', { name: `Order ${order.id}`, exact: true })).toBeVisible();
  await open(page, `orders?customerId=${order.customerId}`);
  await page.getByRole('button', { name: 'Shopper:' }).click();
  await expect(page).not.toHaveURL(/customerId/);
  await open(page, 'orders?text=there-is-nothing-like-it');
  await expect(page.getByText('No such orders')).toBeVisible();
});

test('many orders get one status, and back', async ({ page }) => {
  const { items } = await run<Found>(page.request, 'find_orders', { statuses: ['PENDING'], take: 2 });
  const [first, second] = items.map(({ id }) => id);
  await open(page, 'orders?status=PENDING');
  for (const id of [first, second]) await page.getByRole('checkbox', { name: `Select Order ${id}`, exact: true }).check();
  const bar = page.getByRole('region', { name: 'Actions' });
  await expect(bar).toContainText('2 selected');
  expect(await axe(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Processing' }).click();
  await expect(page.getByRole('link', { name: `Order ${first}`, exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: `Order ${first}`, exact: true })).toBeVisible();
  expect(await run(page.request, 'get_order', { orderId: second })).toMatchObject({ status: 'PENDING' });
});

test('several orders are printed, each on a sheet of its own', async ({ page }) => {
  const { items } = await run<Found>(page.request, 'find_orders', { take: 2 });
  await open(page, `orders/print?ids=${items.map(({ id }) => id).join(',')}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Print 2 orders');
  for (const { id } of items) await expect(page.getByRole('heading', { name: `Order ${id}`, level: 2 })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
});
