import { axe, expect, open, OWNER, run, STORE, test } from '../support.js';

test('the audit shows who changed what, before and after, and is filtered by its address', async ({
  page,
  isMobile,
}) => {
  const name = `Audited ${isMobile ? 'phone' : 'desktop'}`;
  const { id } = await run<{ id: string }>(page.request, 'create_brand', {
    name,
    slug: `audited-${Date.now()}`,
  });
  await run(page.request, 'update_brand', { id, name: `${name} anew` });

  await open(page, 'audit');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Who' }).click();
  await page.getByRole('option', { name: OWNER().email }).click();
  await expect(page).toHaveURL(/actor=[0-9a-f-]{36}/);
  await page.getByRole('combobox', { name: 'Operation' }).fill('change a brand');
  await page.getByRole('option', { name: 'Change a brand' }).click();
  await expect(page).toHaveURL(/operation=update_brand/);
  await page.getByRole('button', { name: `Change a brand Brand ${name} anew` }).click();
  const drawer = page.getByRole('dialog', { name: 'Change a brand' });
  const change = drawer.getByRole('row').filter({ hasText: `${name} anew` });
  await expect(change.getByRole('cell')).toHaveText([name, `${name} anew`]);
  await expect(drawer.getByRole('region', { name: 'Input' })).toContainText(`"name": "${name} anew"`);
  await expect(drawer.getByRole('link', { name: `Brand ${name} anew` })).toHaveAttribute(
    'href',
    new RegExp(`${STORE()}/brands`),
  );
  expect(await axe(page)).toEqual([]);

  await drawer.getByRole('button', { name: 'All about this record' }).click();
  await expect(page).toHaveURL(/target=brand/);
  await open(page, `audit?target=brand:${id}`);
  await expect(page.getByRole('button', { name: `Create a brand Brand ${name} anew` })).toBeVisible();
  await page.goto(`/dashboard/${STORE()}/audit?target=brand:${id}&outcome=forbidden`);
  // The lists of the filters have these words too.
  await expect(page.locator('#page').getByText('Nothing found')).toBeVisible();
  await run(page.request, 'delete_brand', { id, confirm: true });
  // The name that the service gives begins with the kind too.
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  await run(page.request, 'add_order_note', { orderId: items[0].id, note: 'Called back' });
  await open(page, `audit?target=order:${items[0].id}`);
  const noted = page.getByRole('button', { name: `Add a note to an order Order ${items[0].id}, ` });
  await expect(noted.first()).toBeVisible();

  // What is the store's own is named as that, and not by an id.
  await page.request.put(`/dashboard/api/stores/${STORE()}/profile`, { data: { timeZone: 'UTC' } });
  await open(page, `audit?target=store:${STORE()}`);
  await expect(
    page
      .locator('#page')
      .getByText(/^Store$/)
      .first(),
  ).toBeVisible();
  await expect(page.locator('#page table')).not.toContainText(STORE());
});
