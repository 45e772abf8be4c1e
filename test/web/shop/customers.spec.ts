import { axe, expect, open, run, test, tooWide } from '../support.js';

interface Customers {
  items: { id: string; firstName: string | null; lastName: string | null; bonusBalance: number }[];
}

test('a customer is found, gets a bonus, is banned, and both are undone', async ({ page }) => {
  await open(page, 'customers');
  expect(await axe(page)).toEqual([]);
  const { items } = await run<Customers>(page.request, 'list_customers', { take: 50 });
  const { id, bonusBalance } = items.find(({ firstName }) => firstName)!;
  await page.getByRole('textbox', { name: /^Name, @username/ }).fill(id);
  await expect(page).toHaveURL(new RegExp(`text=${id}`));
  await open(page, `customers/${id}`);
  await expect(page.getByText(id, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bonus history' })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Adjust bonus' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Change/).fill('5.5');
  const reason = `Late delivery ${Date.now()}`;
  await dialog.getByLabel('Reason').fill(reason);
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(reason).first()).toBeVisible();
  expect(await run(page.request, 'get_customer', { id })).toMatchObject({
    bonusBalance: Math.round((bonusBalance + 5.5) * 100) / 100,
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  expect(await run(page.request, 'get_customer', { id })).toMatchObject({ bonusBalance });
  await page.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Banned');
  await page.getByRole('button', { name: 'Lift the ban' }).click();
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Banned');
  expect(await run(page.request, 'get_customer', { id })).toMatchObject({ isBanned: false });
});

test('an amount to choose customers by stays as typed; unreadable it chooses nobody', async ({ page }) => {
  await open(page, 'customers?by=purchases');
  const spent = page.getByLabel('Spent, at least');
  const found = page.getByText(/^\d+ customers?$/);
  await spent.pressSequentially('1,200');
  await expect(spent).toHaveValue('1,200');
  await expect(page).toHaveURL(/minSpent=1200$/);
  await page.reload();
  await expect(spent).toHaveValue('1,200');
  await spent.fill('0.05');
  await expect(found).toBeVisible();
  const counts: string[] = [];
  page.on('request', (request) => request.url().endsWith('/send_campaign') && counts.push(request.url()));
  for (const typed of ['$100', '0.055', '-1']) {
    await spent.fill(typed);
    await expect(spent).toHaveAttribute('aria-invalid', 'true');
    await expect(spent).toHaveValue(typed);
    await expect(found).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Write to them' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: /CSV/ })).toHaveCount(0);
  }
  await page.getByLabel('Orders, at least').fill('1.5');
  await expect(page.getByText('A whole number, for example 1200.')).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await open(page, 'campaigns/new?by=purchases&minSpent=$100');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Thanks');
  await page.getByLabel(/^Text \*/).fill('Thank you');
  await page.getByRole('button', { name: 'Count and send…' }).click();
  await expect(page.getByRole('alert')).toContainText('Spent, at least: A number with at most 2 decimals');
  await page.getByRole('button', { name: 'Empty the form' }).click();
  expect(counts).toEqual([]);
});

test('customers are chosen by what they bought, and written to', async ({ page }) => {
  const { items, total } = await run<{ items: { name: string }[]; total: number }>(
    page.request,
    'find_customers',
    { minOrders: 2, minSpent: 5_000 },
  );
  await open(page, 'customers');
  await page.getByRole('link', { name: 'By purchases' }).click();
  await page.getByLabel('Orders, at least').fill('2');
  await page.getByLabel('Spent, at least').fill('50.00');
  await expect(page).toHaveURL(/by=purchases.*minOrders=2.*minSpent=50/);
  await expect(page.getByText(`${total} customers`, { exact: true })).toBeVisible();
  await expect(page.getByText(items[0].name).first()).toBeVisible();
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  expect(await axe(page)).toEqual([]);

  await page.getByRole('link', { name: 'Write to them' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Thanks');
  await page.getByLabel(/^Text \*/).fill('Thank you');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Count and send…' }).click();
  const reachable = (await run<{ total: number }>(page.request, 'find_customers', {
    ...{ minOrders: 2, minSpent: 5_000, isBanned: false, isBotBlocked: false },
  })) as { total: number };
  await expect(page.getByRole('dialog')).toContainText(`Send to ${reachable.total} shoppers?`);
});
