import type { Page } from '@playwright/test';
import { newStore } from '../new-store.js';
import { axe, expect, open, run, STORE, test } from '../support.js';

interface Form {
  fields: {
    id: string;
    options?: string;
    conditions?: { dependsOn: string; value: string; action: string }[];
  }[];
}

const ways = (page: Page) => page.getByRole('group', { name: 'Ways of delivery' });
const preview = (page: Page) => page.locator('.in-sight');

test('ways of delivery are rows, of which the form is made; its preview is the form of the shop', async ({
  page,
}) => {
  const store = await newStore(page.request);
  await page.goto(`/dashboard/${store}/checkout`);
  await page.getByRole('button', { name: 'Begin with a template' }).click();
  const names = ways(page).getByLabel('Name');
  await expect(names).toHaveCount(3);
  await names.nth(2).fill('Pickup, Rynok sq. 1');
  await ways(page).getByLabel('Price').first().fill('3.5');
  const delivery = preview(page).getByLabel('Delivery');
  // A line is one choice, as the service reads it.
  await expect(delivery.getByRole('option')).toHaveText(['', 'Courier', 'Post', 'Pickup, Rynok sq. 1']);
  await delivery.selectOption('Pickup, Rynok sq. 1');
  await expect(preview(page).getByLabel('Address')).toHaveCount(0);
  await delivery.selectOption('Courier');
  await expect(preview(page).getByLabel('Address')).toBeVisible();
  await expect(preview(page).getByText('€3.50')).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await ways(page).getByRole('button', { name: 'Add a way' }).click();
  await names.last().fill('Courier');
  await expect(page.getByText('This is used already.').first()).toBeVisible();
  await names.last().fill('By bicycle');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Saved');
  const answer = await page.request.post(`/dashboard/api/stores/${store}/operations/get_checkout`, {
    data: {},
  });
  const { fields } = ((await answer.json()) as { data: Form }).data;
  expect(fields.map(({ id }) => id)).toEqual(['name', 'phone', 'delivery', 'address', 'comment']);
  expect(fields[2]).toMatchObject({
    options: 'Courier\nPost\nPickup, Rynok sq. 1\nBy bicycle',
    conditions: [{ dependsOn: 'delivery', value: 'Courier', action: 'increase_price' }],
  });
  expect(fields[3].conditions!.map(({ value, action }) => [value, action])).toEqual([
    ['Courier', 'show'],
    ['Post', 'show'],
  ]);
});

test('a form made by hand opens in the rows, and one that they cannot say is left to the fields', async ({
  page,
}) => {
  await open(page, 'checkout');
  const names = ways(page).getByLabel('Name');
  await expect(names).toHaveCount(3);
  await expect(names.nth(1)).toHaveValue('Courier');
  await expect(ways(page).getByLabel('Price').nth(1)).toHaveValue('4.90');
  await expect(ways(page).getByLabel('Asks for the address').nth(1)).toBeChecked();
  const { fields } = await run<Form>(page.request, 'get_checkout', {});
  const cheaper = { dependsOn: 'delivery', operator: 'is_empty', action: 'decrease_price' };
  const priceAdjustment = { operator: 'subtract', value: 1 };
  const changed = fields.map((field) =>
    field.id === 'delivery' ? { ...field, conditions: [{ ...cheaper, priceAdjustment }] } : field,
  );
  await run(page.request, 'update_checkout', { fields: changed });
  await page.goto(`/dashboard/${STORE()}/checkout`);
  await expect(page.getByText('The form asks for delivery in a manner of its own.')).toBeVisible();
  await run(page.request, 'update_checkout', { fields });
});
