import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { axe, expect, open, run, SERVICE, STORE, test, tooWide } from '../support.js';

const PICTURE = () => `${SERVICE()}/dashboard/favicon.svg`;

/** Chooses a file; what it is called says what it is. */
async function choose(page: Page, file: string | Buffer, name = 'products.csv') {
  const buffer = typeof file === 'string' ? Buffer.from(file) : file;
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click();
const exported = async (page: Page, query = '') =>
  (await page.request.get(`/dashboard/api/stores/${STORE()}/products/export.csv${query}`)).text();
const stored = <Product>(page: Page, id: string) => run<Product>(page.request, 'get_product', { id });

test('what the export writes changes nothing, and an edited file changes what can be changed', async ({
  page,
}) => {
  const tag = `csv${Date.now()}`;
  const product = (name: string, price: number) => ({
    ...{ productId: `${tag}-${name}`, title: `=${name}`, description: 'a;\r\n@b "c"', price, itemAmount: 4 },
    ...{ images: [PICTURE()], tags: tag },
  });
  const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 9, itemAmount: 1 }] }];
  const made = await run<{ failed: number }>(page.request, 'create_products', {
    items: [product('one', 5), product('two', 6), { ...product('three', 7), variants }],
  });
  expect(made.failed).toBe(0);

  await open(page, 'products');
  await page.getByRole('link', { name: 'Import a file' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import products');
  await choose(page, await exported(page));
  await expect(page.getByLabel('itemAmount')).toHaveValue('itemAmount');
  expect(await axe(page)).toEqual([]);
  await goOn(page);
  await expect(page.getByText('Nothing would change.')).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await choose(
    page,
    [
      'productId;title;variant;price;itemAmount;image;brand',
      `${tag}-one;'=one;;8,50;40;;`,
      `${tag}-two;two;;cheap;4;;`,
      `${tag}-three;'=three;Size: M;11;2;;`,
      `${tag}-three;'=three;Size: L;12;3;;`,
      `${tag}-new;New;;3;;${PICTURE()};`,
      `${tag}-new;New;Size: L;3;5;;`,
      `${tag}-other;Other;;1;;${PICTURE()};No such brand ${tag}`,
      `;;;1;;;`,
    ].join('\r\n'),
  );
  await goOn(page);
  const left = page.getByRole('alert').filter({ hasText: '3 lines are left out' });
  for (const text of ['Line 3: price: ', 'Line 8: brand: ', 'Line 9: '])
    await expect(left).toContainText(text);
  await expect(page.getByText('8 lines: 2 new, 3 changed, 3 left out.')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  const download = page.waitForEvent('download');
  await left.getByRole('button', { name: 'Download' }).click();
  const mended = readFileSync(await (await download).path(), 'utf8');
  expect(mended.split('\r\n')[1]).toBe(`price: “cheap” is no number.;${tag}-two;two;;cheap;4;;`);

  await page.getByRole('button', { name: 'Import 5 lines' }).click();
  await expect(page.getByRole('status').getByText('5 lines are imported.')).toBeVisible();
  expect(await stored(page, `${tag}-one`)).toMatchObject({ title: '=one', price: 8.5, itemAmount: 40 });
  expect(await stored(page, `${tag}-two`)).toMatchObject({ title: '=two', price: 6, itemAmount: 4 });
  expect(await stored(page, `${tag}-three`)).toMatchObject({
    variants: [
      {
        values: [
          { variantValue: 'M', price: 11, itemAmount: 2 },
          { variantValue: 'L', price: 12 },
        ],
      },
    ],
  });
  expect(await stored(page, `${tag}-new`)).toMatchObject({
    variants: [{ optionTitle: 'Size', values: [{ variantValue: 'L', price: 3, itemAmount: 5 }] }],
  });

  // All of it is taken back, what is new too.
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone', { exact: true }).last()).toBeVisible();
  expect(await stored(page, `${tag}-one`)).toMatchObject({ price: 5, itemAmount: 4 });
  expect(await stored(page, `${tag}-three`)).toMatchObject({
    variants: [{ values: [{ price: 9, itemAmount: 1 }] }],
  });
  const { items } = await run<{ items: object[] }>(page.request, 'find_products', { text: `${tag}-new` });
  expect(items).toEqual([]);

  // The mended lines are a file of their own.
  await choose(page, mended.replaceAll('cheap', '6,50'));
  await goOn(page);
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('status').getByText('1 line is imported.')).toBeVisible();
  expect(await stored(page, `${tag}-two`)).toMatchObject({ title: 'two', price: 6.5 });
});

test('a sale ends when the file says, and a price that may be a mistake is warned of', async ({ page }) => {
  const productId = `end${Date.now()}`;
  const made = await run<{ failed: number }>(page.request, 'create_products', {
    items: [{ productId, title: productId, description: '', price: 10, images: [PICTURE()] }],
  });
  expect(made.failed).toBe(0);
  await open(page, 'products');
  await page.getByRole('link', { name: 'Import a file' }).click();
  const head = 'productId;price;Sale price;Sale until';
  await choose(page, `${head}\r\n${productId};10;8;tomorrow`);
  await goOn(page);
  await expect(page.getByRole('alert')).toContainText('Sale until: “tomorrow” is no date or time.');
  await choose(page, `${head}\r\n${productId};10;0.5;2099-12-24T18:30:00Z`);
  await goOn(page);
  await expect(page.getByRole('row').filter({ hasText: 'The sale ends' })).toContainText('2099');
  const warning = page.getByText('Line 2: Shoppers paid $10.00 and will now pay $0.50. Is that meant?');
  await expect(warning).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByRole('status').getByText('1 line is imported.')).toBeVisible();
  await expect(warning).toBeVisible();
  expect(await stored(page, productId)).toMatchObject({
    salePrice: 0.5,
    saleUntil: '2099-12-24T18:30:00.000Z',
  });
});

test('a heading that is there twice is asked, and other letters can be chosen', async ({ page }) => {
  await open(page, 'products/import');
  await choose(page, 'productId;Preis;Preis\nnone;1;2');
  await goOn(page);
  await expect(page.getByText('Choose one.').first()).toBeVisible();
  const [first, second] = [page.getByLabel('Preis').first(), page.getByLabel('Preis').last()];
  await first.selectOption('Price');
  await second.selectOption('Leave out');
  await goOn(page);
  await expect(page.getByText('Line 2: No product with this id')).toBeVisible();

  const cyrillic = Buffer.from([
    0xcd, 0xe0, 0xe7, 0xe2, 0xe0, 0x3b, 0x70, 0x72, 0x69, 0x63, 0x65, 0x0a, 0x78, 0x3b, 0x31,
  ]);
  await choose(page, cyrillic);
  await expect(page.getByLabel('Letters')).toHaveValue('windows-1251');
  await expect(page.getByText('Назва;price')).toBeVisible();
  await page.getByLabel('Letters').selectOption('koi8-u');
  await expect(page.getByText('Назва;price')).toHaveCount(0);
  expect(await axe(page)).toEqual([]);

  await choose(page, Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'old.xls');
  await expect(page.getByText('Save it as .xlsx.')).toBeVisible();
});

test('an import can be stopped and goes on, and leaving it is asked', async ({ page }) => {
  const tag = `stop${Date.now()}`;
  const rows = Array.from({ length: 150 }, (_, i) => `${tag}-${i},${tag} ${i},5,${PICTURE()}`);
  await open(page, 'products/import');
  await choose(page, ['productId,title,price,images', ...rows].join('\n'));
  await goOn(page);
  let release = () => {};
  const held = new Promise<void>((go) => (release = go));
  let calls = 0;
  await page.route(/operations\/create_products$/, async (route) => {
    calls += 1;
    if (calls === 1) await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Import 150 lines' }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  release();
  await expect(page.getByText('Stopped after 100 of 150 changes.')).toBeVisible();
  expect(calls).toBe(1);
  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.getByRole('link', { name: 'Products' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import products');
  await page.getByRole('button', { name: 'Import 150 lines' }).click();
  await expect(page.getByRole('status').getByText('150 lines are imported.')).toBeVisible();
  const { total } = await run<{ total?: number; items: object[] }>(page.request, 'find_products', {
    text: tag,
    take: 1,
  });
  if (total !== undefined) expect(total).toBe(150);
  await stored(page, `${tag}-149`);
});
