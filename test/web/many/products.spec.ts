import { axe, expect, onSeveralLines, open, run, SERVICE, test, tooWide } from '../support.js';

interface Found {
  items: { id: string; isHidden: boolean; categoryId: string | null; brandId: string | null }[];
  nextCursor: string | null;
}

const COUNT = 55;

test('all products that match a filter get a category and are hidden, and keep their brand', async ({
  page,
}) => {
  const tag = `many${Date.now()}`;
  const named = async (kind: string) =>
    (
      await run<{ id: string }>(page.request, `create_${kind}`, {
        name: `For ${tag}`,
        slug: `${kind}-${tag}`,
      })
    ).id;
  const [categoryId, brandId] = [await named('category'), await named('brand')];
  const items = Array.from({ length: COUNT }, (_, i) => ({
    ...{ productId: `${tag}-${i}`, title: `Pen ${i}`, description: 'x', tags: tag, price: 1, brandId },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  }));
  await run(page.request, 'create_products', { items });

  await open(page, `products?text=${tag}`);
  await page.getByRole('checkbox', { name: `Select Pen ${COUNT - 1}`, exact: true }).check();
  const bar = page.getByRole('region', { name: 'Actions' });
  await expect(bar).toContainText('1 selected');
  await bar.getByRole('button', { name: 'Select all that match' }).click();
  await expect(bar).toContainText(`${COUNT} selected`);
  expect(await axe(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Category' }).fill(tag);
  await page.getByRole('option', { name: `For ${tag}` }).click();
  await dialog.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Hidden' }).click();
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  await dialog.getByRole('button', { name: `Change ${COUNT} products` }).click();
  await expect(dialog).toHaveCount(0);
  await expect(bar).toHaveCount(0);
  const { items: after } = await run<Found>(page.request, 'find_products', { text: tag, take: 100 });
  expect(after).toHaveLength(COUNT);
  for (const product of after) expect(product).toMatchObject({ isHidden: true, categoryId, brandId });
});

const TITLE = 'A title of more words than the list has room for on a line';

test('prices, stock, category and brand stand on one line on every screen beside the menu', async ({
  page,
}) => {
  const productId = `dear-${Date.now()}`;
  const made = (operation: string, name: string) =>
    run<{ id: string }>(page.request, operation, { name, slug: productId });
  const category = await made('create_category', 'Winter specialities');
  const brand = await made('create_brand', 'Paper & Pinewood');
  await run(page.request, 'create_product', {
    ...{ productId, title: TITLE },
    ...{ description: 'x', price: 1234.5, salePrice: 1023.25 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    ...{ categoryId: category.id, brandId: brand.id },
  });
  for (const width of [1360, 1210, 1000, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, `products?text=${productId}`);
    await expect(page.getByText('$1,234.50')).toBeVisible();
    const cell = page.getByRole('cell', { name: 'Paper & Pinewood' });
    if (width > 1200) await expect(cell).toBeVisible();
    else await expect(cell).toBeHidden();
    expect((await page.getByRole('link', { name: TITLE }).boundingBox())!.width).toBeGreaterThan(70);
    expect(await onSeveralLines(page, '.list td.end, .list td.short')).toEqual([]);
    const tooWide = `[document.documentElement, ...document.querySelectorAll('.list-scroll')]
      .filter((part) => part.scrollWidth > part.clientWidth).length`;
    expect(await page.evaluate(tooWide)).toBe(0);
  }
  await run(page.request, 'delete_category', { id: category.id, confirm: true });
  await run(page.request, 'delete_brand', { id: brand.id, confirm: true });
});

test('a name of 200 characters without spaces is no wider than its page', async ({ page }) => {
  const long = 'x'.repeat(200);
  const { id } = await run<{ id: string }>(page.request, 'create_product', {
    ...{ productId: `long-${Date.now()}`, title: long, description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    variants: [{ optionTitle: long, values: [{ variantValue: long, price: 7 }] }],
  });
  for (const width of [1360, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, `products/${id}`);
    await expect(page.getByRole('cell', { name: long }).first()).toBeVisible();
    expect(await tooWide(page)).toBeLessThanOrEqual(0);
  }
  await run(page.request, 'delete_product', { id, confirm: true });
});
