import { expect, open, run, SERVICE, test } from '../support.js';

/** More than one page of each list, which is newest first: what is chosen is the oldest. */
const COUNT = 150;

test('what stands behind the first hundred brands and categories can be chosen everywhere', async ({
  page,
  isMobile,
}) => {
  const stamp = Date.now();
  const [brand, category] = [`Brand ${stamp} 0`, `Category ${stamp} 0`];
  for (let i = 0; i < COUNT; i++)
    await Promise.all([
      run(page.request, 'create_brand', { name: `Brand ${stamp} ${i}`, slug: `b-${stamp}-${i}` }),
      run(page.request, 'create_category', { name: `Category ${stamp} ${i}`, slug: `c-${stamp}-${i}` }),
    ]);
  const { id } = await run<{ id: string }>(page.request, 'create_product', {
    ...{ productId: `p-${stamp}`, title: `Picked ${stamp}`, description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  const choose = async (label: RegExp | string, name: string, within = page.locator('body')) => {
    const box = within.getByRole('combobox', { name: label }).last();
    await box.fill(name);
    await page.getByRole('option', { name, exact: true }).click();
    await expect(box).toHaveValue(name);
  };

  // A product's form offers them, and shows the ones that the product has.
  await open(page, `products/${id}`);
  await choose(/^Brand/, brand);
  await choose(/^Category/, category);
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  const product = () => run<{ brandId: string; categoryId: string }>(page.request, 'get_product', { id });
  await expect.poll(async () => (await product()).brandId).toBeTruthy();
  await page.reload();
  await expect(page.getByRole('combobox', { name: /^Brand/ })).toHaveValue(brand);
  await expect(page.getByRole('combobox', { name: /^Category/ })).toHaveValue(category);
  const { brandId, categoryId } = await product();

  // So do the filters of products,
  await open(page, 'products');
  await choose('Brand', brand);
  await choose('Category', category);
  await expect(page).toHaveURL(new RegExp(`brandId=${brandId}`));
  await expect(page.locator('.row-link')).toHaveText([`Picked ${stamp}`]);
  if (!isMobile)
    for (const name of [brand, category]) await expect(page.locator('.row').first()).toContainText(name);

  // the change of several products,
  await page.getByRole('checkbox', { name: /^Select Picked/ }).check();
  await page.getByRole('region', { name: 'Actions' }).getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await choose('Brand', `Brand ${stamp} 1`, dialog);
  await choose('Category', `Category ${stamp} 1`, dialog);
  await dialog.getByRole('button', { name: 'Change 1 product' }).click();
  await expect.poll(async () => (await product()).categoryId).not.toBe(categoryId);

  // who bought something of a category, and the rates of bonus.
  await open(page, 'customers?by=purchases');
  await choose('Bought from the category', category);
  await expect(page).toHaveURL(new RegExp(`categoryId=${categoryId}`));
  await open(page, 'monetization');
  await page.getByRole('button', { name: 'Add a category' }).click();
  await choose('Category', category, page.getByRole('group', { name: /^Rates of categories/ }));

  // A list by a brand that has been deleted meanwhile says so.
  await run(page.request, 'delete_brand', { id: brandId, confirm: true });
  await open(page, `products?brandId=${brandId}&text=${stamp}`);
  await expect(page.getByText('Brand: what this filter looks for no longer exists')).toBeVisible();
  await expect(page.locator('.row-link')).toHaveText([`Picked ${stamp}`]);
});
