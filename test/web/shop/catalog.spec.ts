import { axe, expect, isChange, open, run, SERVICE, slowDoubleClick, test } from '../support.js';

test('a product is made, priced, stocked, given a variant and deleted', async ({ page }) => {
  const id = `web-${Date.now()}`;
  await open(page, 'products/new');
  expect(await axe(page)).toEqual([]);
  await page.getByLabel(/^Id in your systems/).fill(id);
  await page.getByLabel(/^Title/).fill(`Kettle ${id}`);
  await page.getByLabel(/^Description/).fill('Boils water.');
  await page.getByLabel(/^Price/).fill('19.99');
  await page.getByRole('button', { name: 'Add a picture' }).click();
  await page.getByLabel('Pictures 1', { exact: true }).fill(`${SERVICE()}/dashboard/favicon.svg`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Kettle ${id}`);
  await page.getByRole('button', { name: `Stock of Kettle ${id}` }).click();
  await page.getByText('Set to', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Stock', exact: true }).fill('7');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: `Stock of Kettle ${id}` })).toHaveText('7');
  // A mouse that happens to be over the notice would keep it over the next button.
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Add a variant' }).click();
  await page.getByLabel(/^Option title/).fill('Colour');
  await page.getByLabel(/^Variant value/).fill('Blue');
  await page
    .getByRole('dialog')
    .getByLabel(/^Price/)
    .fill('21.5');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('cell', { name: 'Blue', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: '$21.50' })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.locator('summary.summary').click();
  const codes = page.locator('form').filter({ has: page.getByLabel('SKU: Colour: Blue') });
  await codes.getByLabel(`Barcode: Kettle ${id}`).fill('4820000000017');
  await codes.getByLabel('SKU: Colour: Blue').fill('KETTLE-BLUE');
  await codes.getByRole('button', { name: 'Set the codes' }).click();
  // The button is disabled while it is set, too.
  await expect
    .poll(() => run(page.request, 'find_products', { text: 'KETTLE-BLUE' }))
    .toMatchObject({
      items: [{ productId: id, barcode: '4820000000017', variants: [{ sku: 'KETTLE-BLUE' }] }],
    });
  // What somebody else has set since it was typed is said before it is replaced.
  await codes.getByLabel(`SKU: Kettle ${id}`).fill('MINE');
  await run(page.request, 'update_products', { items: [{ id, sku: 'THEIRS' }] });
  await codes.getByRole('button', { name: 'Set the codes' }).click();
  await expect(codes.getByText('Saved now: THEIRS')).toBeVisible();
  const sku = async () => {
    const { items } = await run<{ items: object[] }>(page.request, 'find_products', { text: id });
    return items[0];
  };
  expect(await sku()).toMatchObject({ sku: 'THEIRS' });
  await codes.getByRole('button', { name: 'Set the codes' }).click();
  await expect.poll(sku).toMatchObject({ sku: 'MINE' });
  const hidden: unknown[] = [];
  page.on('request', (request) => {
    if (isChange(request)) hidden.push((request.postDataJSON() as { isHidden: boolean }).isHidden);
  });
  const hide = page.getByRole('button', { name: 'Hide' });
  const show = page.getByRole('button', { name: 'Show to shoppers' });
  await slowDoubleClick(page, hide, () => expect(show).toBeVisible());
  await show.click();
  await expect(hide).toBeVisible();
  expect(hidden).toEqual([true, false]);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByLabel(/^Type/).fill(id);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Products');
});

test('what lies over a product gives the focus back, also if its code comes late', async ({ page }) => {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/dialogs-/, (route) => isReleased.then(() => route.continue()));
  const { id } = await run<{ id: string }>(page.request, 'get_product', { id: 'mug-travel' });
  await open(page, `products/${id}`);
  const [dialog, entry] = [page.getByRole('dialog'), page.getByRole('menuitem', { name: 'Edit' })];
  const stock = page.getByRole('button', { name: /^Stock of/ }).first();
  await stock.press('Enter');
  await expect(dialog.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(stock).toBeFocused();
  const actions = page.getByRole('button', { name: /^Actions: / }).first();
  await actions.press('Enter');
  await entry.press('Enter');
  await expect(entry).toHaveCount(0);
  await expect(actions).toBeFocused();
  release();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(actions).toBeFocused();
});

test('the products have pictures, which pages on other hosts may show too', async ({ page }) => {
  const { id, images } = await run<{ id: string; images: string[] }>(page.request, 'get_product', {
    id: 'tea-pot',
  });
  await open(page, `products/${id}`);
  const picture = page.locator(`img[src="${images[0]}"]`).first();
  const widthOf = (img: unknown) => (img as { naturalWidth: number }).naturalWidth;
  await expect.poll(() => picture.evaluate(widthOf)).toBeGreaterThan(0);
  const answer = await page.request.get(images[0]);
  const { 'content-type': type, 'cross-origin-resource-policy': policy } = answer.headers();
  expect([new URL(answer.url()).origin, type, policy]).toEqual([SERVICE(), 'image/svg+xml', 'cross-origin']);
});

test('products are found, and their stock is changed in the list and back', async ({ page }) => {
  // Nobody orders what is hidden.
  const { title, itemAmount } = await run<{ title: string; itemAmount: number }>(
    page.request,
    'get_product',
    { id: 'bowl-set' },
  );
  await open(page, 'products');
  await page.getByLabel('Title, id, tag').fill(title);
  await expect(page).toHaveURL(/text=/);
  const stock = page.getByRole('button', { name: `Stock of ${title}: ` });
  await stock.click();
  await page.getByRole('textbox', { name: 'Stock', exact: true }).fill('3');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(stock).toHaveText(String(itemAmount + 3));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(stock).toHaveText(String(itemAmount));
  expect(await axe(page)).toEqual([]);
});

test('categories stand in a tree and are moved', async ({ page }) => {
  const stamp = Date.now();
  const make = (name: string, parentId?: string) =>
    run<{ id: string }>(page.request, 'create_category', {
      name,
      slug: `${name}-${stamp}`.toLowerCase(),
      parentId,
    });
  const top = await make(`Top${stamp}`);
  await make(`First${stamp}`, top.id);
  await make(`Second${stamp}`, top.id);
  await open(page, 'categories');
  expect(await axe(page)).toEqual([]);
  const names = () =>
    page.getByRole('button', { name: new RegExp(`^(First|Second)${stamp}$`) }).allTextContents();
  await page.getByRole('button', { name: `Move down: First${stamp}` }).click();
  await expect.poll(names).toEqual([`Second${stamp}`, `First${stamp}`]);
  await page.getByRole('button', { name: `First${stamp}`, exact: true }).click();
  await page.getByLabel(/^Name/).first().fill(`Third${stamp}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: `Third${stamp}`, exact: true })).toBeVisible();
  const below = async () =>
    (
      await run<{ items: { name: string }[] }>(page.request, 'list_categories', { parentId: top.id })
    ).items.map(({ name }) => name);
  await expect.poll(below).toEqual([`Second${stamp}`, `Third${stamp}`]);
});

test('a promocode is switched off in the list, and a contest has its period', async ({ page }) => {
  const code = `WEB${Date.now()}`;
  await open(page, 'promocodes?new=1');
  await page.getByLabel(/^Code/).fill(code);
  await page.getByRole('combobox', { name: /^Discount type/ }).click();
  await page.getByRole('option', { name: 'Percentage' }).click();
  await page.getByLabel(/^Discount value/).fill('10');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const active = page.getByRole('switch', { name: `${code} is active` });
  await expect(active).toBeChecked();
  const set: unknown[] = [];
  page.on('request', (request) => {
    if (isChange(request)) set.push((request.postDataJSON() as { active: boolean }).active);
  });
  await slowDoubleClick(page, active, () => expect(active).not.toBeChecked());
  const isActive = async () =>
    (
      await run<{ items: { code: string; isActive: boolean }[] }>(page.request, 'list_promocodes', {})
    ).items.find((promocode) => promocode.code === code)?.isActive;
  await expect.poll(isActive).toBe(false);
  await active.click({ force: true });
  await expect(active).toBeChecked();
  expect(set).toEqual([false, true]);
  expect(await axe(page)).toEqual([]);
  await open(page, 'contests');
  await expect(page.getByRole('meter').first()).toBeVisible();
  expect(await axe(page)).toEqual([]);
});

test('the list says as the product does that shoppers do not see what is in a category that is off', async ({
  page,
}) => {
  await open(page, 'products?text=gift-box');
  await expect(page.getByRole('row', { name: /Gift box/ })).toContainText('Not on sale');
  await page.getByRole('link', { name: /Gift box/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Gift box/);
  await expect(page.locator('#page').getByText('Not on sale')).toBeVisible();
});
