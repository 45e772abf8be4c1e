import { axe, expect, open, run, SERVICE, test, tooWide } from '../support.js';

interface Product {
  id: string;
  productId: string;
  title: string;
  variants: {
    optionTitle: string;
    values: { variantValue: string; price: number; itemAmount: number | null }[];
  }[];
}

const stamp = () => Date.now().toString(36);

test('a product with variants of two options is made in one form and one call', async ({ page }) => {
  const name = `Свитер ${stamp()}`;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'products/new');
  const inputs = page.locator('form input:not([type=file]), form textarea');
  await expect(inputs.first()).toHaveAccessibleName(/^Title/);
  await page.getByLabel(/^Title/).fill(name);
  await expect(page.getByLabel(/^Id in your systems/)).toHaveValue(
    name.toLowerCase().replace('свитер ', 'svyter-'),
  );
  await page.getByLabel(/^Id in your systems/).fill(`own-${stamp()}`);
  await page.getByLabel(/^Title/).fill(`${name}!`);
  await expect(page.getByLabel(/^Id in your systems/)).toHaveValue(/^own-/);
  await page.getByLabel(/^Description/).fill('Warm.');
  await page.getByRole('button', { name: 'Add a picture' }).click();
  await page.getByLabel('Pictures 1', { exact: true }).fill(`${SERVICE()}/dashboard/favicon.svg`);
  await page.getByLabel(/^Price/).fill('30');
  const variants = page.getByRole('group', { name: 'Variants' });
  await variants.getByRole('button', { name: 'Add an option' }).click();
  await variants.getByLabel('Option', { exact: true }).fill('Size');
  await variants.getByRole('combobox', { name: 'Values of Size' }).fill('M, L');
  await page.keyboard.press('Enter');
  await variants.getByRole('button', { name: 'Add an option' }).click();
  await variants.getByLabel('Option', { exact: true }).last().fill('Colour');
  await variants.getByRole('combobox', { name: 'Values of Colour' }).fill('red,blue');
  await page.keyboard.press('Enter');
  await expect(variants.getByRole('checkbox')).toHaveCount(4);
  await variants.getByLabel('Price: L / red', { exact: true }).fill('35.5');
  await variants.getByLabel('Stock: M / red').fill('4');
  await variants.getByRole('checkbox', { name: 'L / blue' }).uncheck({ force: true });
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name}!`);
  expect(calls.filter((url) => url.includes('create_'))).toHaveLength(1);
  const id = page.url().split('/').at(-1)!;
  const { variants: made } = await run<Product>(page.request, 'get_product', { id });
  const shown = made.map(({ optionTitle, values }) => [
    optionTitle,
    ...values.map(({ variantValue, price, itemAmount }) => `${variantValue} ${price} ${itemAmount}`),
  ]);
  expect(shown).toEqual([['Size / Colour', 'M / red 30 4', 'M / blue 30 null', 'L / red 35.5 null']]);
});

test('more combinations than there can be are not sent in part', async ({ page }) => {
  await open(page, 'products/new');
  await page.getByLabel(/^Title/).fill(`Many ${stamp()}`);
  const variants = page.getByRole('group', { name: 'Variants' });
  for (const [i, option] of ['Size', 'Colour'].entries()) {
    await variants.getByRole('button', { name: 'Add an option' }).click();
    await variants.getByLabel('Option', { exact: true }).nth(i).fill(option);
    const values = Array.from({ length: 15 }, (_, value) => `${option} ${value}`);
    await variants.getByRole('combobox', { name: `Values of ${option}` }).fill(values.join(', '));
    await page.keyboard.press('Enter');
  }
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(request.url()));
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(variants.getByRole('alert')).toHaveText('These are more than 200 variants. Take values away.');
  await expect(variants.getByRole('alert')).toBeFocused();
  expect(calls.filter((url) => url.includes('create_'))).toEqual([]);
});

test('a product with three pictures and six variants takes 25 actions on a phone', async ({ page }) => {
  const name = `Quick ${stamp()}`;
  await page.setViewportSize({ width: 360, height: 740 });
  let actions = 0;
  const act = async (action: Promise<unknown>) => {
    actions += 1;
    await action;
  };
  await act(open(page, 'products'));
  await act(page.getByRole('link', { name: 'Add a product' }).click());
  // The search box of the list is named by the title too.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add a product');
  await act(page.getByLabel(/^Title/).fill(name));
  await act(page.getByLabel(/^Description/).fill('Warm.'));
  const chooser = page.waitForEvent('filechooser');
  await act(page.getByRole('button', { name: 'Upload pictures' }).click());
  const drawn = await page.evaluate<string>(
    `Object.assign(document.createElement('canvas'), { width: 40, height: 40 }).toDataURL('image/png')`,
  );
  const buffer = Buffer.from(drawn.split(',')[1], 'base64');
  const files = [1, 2, 3].map((n) => ({ name: `${n}.png`, mimeType: 'image/png', buffer }));
  await act((await chooser).setFiles(files));
  await expect(page.getByLabel('Pictures 3', { exact: true })).toHaveValue(/\.png$/);
  await act(page.getByLabel(/^Price/).fill('30'));
  const variants = page.getByRole('group', { name: 'Variants' });
  for (const [i, [option, values]] of [
    ['Size', 'S, M, L'],
    ['Colour', 'red, blue'],
  ].entries()) {
    await act(variants.getByRole('button', { name: 'Add an option' }).click());
    await act(variants.getByLabel('Option', { exact: true }).nth(i).fill(option));
    await act(variants.getByRole('combobox', { name: `Values of ${option}` }).fill(values));
    await act(page.keyboard.press('Enter'));
  }
  await expect(variants.getByRole('checkbox')).toHaveCount(6);
  await act(page.getByRole('button', { name: 'Create', exact: true }).click());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  expect(actions).toBeLessThanOrEqual(25);
  const id = page.url().split('/').at(-1)!;
  const made = await run<Product & { images: string[] }>(page.request, 'get_product', { id });
  expect([made.images.length, made.variants[0].values.length]).toEqual([3, 6]);
});

test('a stored product gets the combinations of its options that it lacks, in one call', async ({ page }) => {
  const value = (variantValue: string, price: number) => ({ variantValue, price, itemAmount: 3 });
  const { id } = await run<Product>(page.request, 'create_product', {
    ...{ productId: `grown-${stamp()}`, title: 'Grown', description: 'x', price: 5, salePrice: 4 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    variants: [{ optionTitle: 'Size / Colour', values: [value('M / red', 6), value('L / red', 7)] }],
  });
  await open(page, `products/${id}`);
  await page.getByRole('button', { name: 'Add several variants' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Add 0 variants' })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Values of Colour' }).fill('blue, green');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('checkbox')).toHaveCount(4);
  await dialog.getByLabel('Price: L / blue', { exact: true }).fill('8.5');
  await dialog.getByRole('checkbox', { name: 'L / green' }).uncheck({ force: true });
  expect(await axe(page)).toEqual([]);
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('create_') && calls.push(request.url()));
  await dialog.getByRole('button', { name: 'Add 3 variants' }).dblclick();
  await expect(page.getByText('3 variants are added')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(calls).toHaveLength(1);
  const { variants } = await run<Product>(page.request, 'get_product', { id });
  expect(variants).toMatchObject([
    {
      optionTitle: 'Size / Colour',
      values: [
        { variantValue: 'M / red', price: 6, itemAmount: 3 },
        { variantValue: 'L / red', price: 7, itemAmount: 3 },
        { variantValue: 'M / blue', price: 5, itemAmount: null },
        { variantValue: 'M / green', price: 5, itemAmount: null },
        { variantValue: 'L / blue', price: 8.5, itemAmount: null },
      ],
    },
  ]);
});

test('values with a comma stay whole, stored ones and new ones', async ({ page }) => {
  const { id } = await run<Product>(page.request, 'create_product', {
    ...{ productId: `litres-${stamp()}`, title: 'Litres', description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    variants: [{ optionTitle: 'Size', values: [{ variantValue: '1,5 l', price: 5 }] }],
  });
  await open(page, `products/${id}`);
  // The form comes late, and moves what is below it.
  await expect(page.getByLabel(/^Title/)).toBeVisible();
  await page.getByRole('button', { name: 'Add several variants' }).click();
  const dialog = page.getByRole('dialog');
  const values = dialog.getByRole('combobox', { name: 'Values of Size' });
  await values.pressSequentially('2 l,2,5 l, 3 l');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Add 3 variants' }).click();
  await expect(dialog).toHaveCount(0);
  const { variants } = await run<Product>(page.request, 'get_product', { id });
  expect(variants[0].values.map(({ variantValue }) => variantValue)).toEqual([
    '1,5 l',
    '2 l',
    '2,5 l',
    '3 l',
  ]);
});

test('an option that comes or goes takes along what is typed, and needs a name', async ({ page }) => {
  await open(page, 'products/new');
  await page.getByLabel(/^Title/).fill(`Options ${stamp()}`);
  const variants = page.getByRole('group', { name: 'Variants' });
  const add = variants.getByRole('button', { name: 'Add an option' });
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes('create_product') && sent.push(request.url()));
  await add.click();
  await variants.getByLabel('Option', { exact: true }).fill('Size');
  await variants.getByRole('combobox', { name: 'Values of Size' }).fill('S, M');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await variants.getByLabel('Price: S', { exact: true }).fill('33');
  await variants.getByLabel('Stock: S').fill('4');
  await add.click();
  await variants.getByRole('combobox', { name: 'Values of Option 2' }).fill('red, blue');
  await page.keyboard.press('Enter');
  const cells = (field: string) =>
    variants
      .getByRole('textbox', { name: new RegExp(`^${field}: `) })
      .all()
      .then((all) => Promise.all(all.map((one) => one.inputValue())));
  await expect.poll(() => cells('Price')).toEqual(['33.00', '33.00', '', '']);
  expect(await cells('Stock')).toEqual(['4', '', '', '']);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(variants.getByLabel('Option', { exact: true }).last()).toBeFocused();
  await expect(variants.getByText('Fill this in.')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  expect(sent).toEqual([]);
  await variants.getByLabel('Option', { exact: true }).last().fill('Colour');
  await variants.getByLabel('Stock: S / blue').fill('2');
  await variants.getByLabel('Price: M / blue', { exact: true }).fill('40');
  await variants.getByRole('button', { name: 'Remove: Colour' }).click();
  await expect.poll(() => cells('Price')).toEqual(['33.00', '40.00']);
  expect(await cells('Stock')).toEqual(['6', '']);
});

test('a copy of a product has its variants, and an id of its own', async ({ page }) => {
  const productId = `copied-${stamp()}`;
  const value = (variantValue: string, price: number) => ({ variantValue, price, itemAmount: 3 });
  const source = await run<Product>(page.request, 'create_product', {
    ...{ productId, title: 'Copied', description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    variants: [
      { optionTitle: 'Size / Colour', values: [value('M / red', 5), value('L / blue', 6)] },
      { optionTitle: 'Gift', values: [value('Box', 1)] },
    ],
  });
  await open(page, `products/${source.id}`);
  await page.getByRole('link', { name: 'Duplicate' }).click();
  await expect(page.getByLabel(/^Id in your systems/)).toHaveValue(`${productId}-2`);
  await expect(page.getByRole('checkbox', { name: 'M / blue' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  // Shoppers choose one value of both options.
  await page.getByRole('button', { name: 'Save all the same' }).click();
  await expect(page).not.toHaveURL(/new/);
  const copy = await run<Product>(page.request, 'get_product', { id: `${productId}-2` });
  const known = ({ variants }: Product) =>
    variants.map(({ optionTitle, values }) => [
      optionTitle,
      ...values.map(({ variantValue, price, itemAmount }) => [variantValue, price, itemAmount]),
    ]);
  expect(known(copy)).toEqual(known(source));
});

test('prices that make no sense are asked about before they are saved', async ({ page }) => {
  await open(page, 'products/new');
  await page.getByLabel(/^Title/).fill(`Odd ${stamp()}`);
  await page.getByLabel(/^Description/).fill('x');
  await page.getByRole('button', { name: 'Add a picture' }).click();
  await page.getByLabel('Pictures 1', { exact: true }).fill(`${SERVICE()}/dashboard/favicon.svg`);
  await page.getByLabel(/^Price/).fill('30');
  await page.getByLabel(/^Sale price/).fill('35.5');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const notice = page.getByRole('alert');
  await expect(notice).toHaveText([
    'Nothing is saved yetThe sale price $35.50 is not below the price $30.00: shoppers pay $35.50.',
  ]);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save all the same' }).click();
  await expect(page).toHaveURL(/products\/[0-9a-f-]{36}/);
  const id = page.url().split('/').at(-1)!.split('?')[0];
  // The form before it stays until the code of this page has come.
  await expect(page.getByRole('button', { name: 'Hide' })).toBeVisible();
  await page.getByLabel(/^Sale price/).fill('400');
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(notice.filter({ hasText: 'Nothing is saved yet' })).toContainText([
    'Shoppers paid $35.50 and will now pay $400.00. Is that meant?',
  ]);
  expect(await run(page.request, 'get_product', { id })).toMatchObject({ salePrice: 35.5 });
  // Other values are another change, of which nothing is to be said.
  await page.getByLabel(/^Sale price/).fill('28');
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect.poll(() => run(page.request, 'get_product', { id })).toMatchObject({ salePrice: 28 });
  await page.getByLabel(/^Sale price/).fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await page.getByRole('button', { name: 'Save all the same' }).click();
  await expect.poll(() => run(page.request, 'get_product', { id })).toMatchObject({ salePrice: 2 });
});
