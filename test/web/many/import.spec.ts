import { axe, expect, open, run, SERVICE, STORE, test, tooWide } from '../support.js';

test('what the export writes changes nothing, and an edited file changes what can be changed', async ({
  page,
}) => {
  const tag = `csv${Date.now()}`;
  const product = (name: string, price: number) => ({
    ...{ productId: `${tag}-${name}`, title: `=${name}`, description: 'a;\r\n@b "c"', price, itemAmount: 4 },
    ...{ images: [`${SERVICE()}/dashboard/favicon.svg`], tags: tag },
  });
  const variants = [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 9, itemAmount: 1 }] }];
  const made = await run<{ failed: number }>(page.request, 'create_products', {
    items: [product('one', 5), product('two', 6), { ...product('three', 7), variants }],
  });
  expect(made.failed).toBe(0);
  const csv = async () => {
    const answer = await page.request.get(`/dashboard/api/stores/${STORE()}/products/export.csv`);
    return answer.text();
  };
  const choose = (text: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  await open(page, 'products');
  await page.getByRole('link', { name: 'Import CSV' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import products');
  await choose(await csv());
  await expect(page.getByText('Nothing would change.')).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await choose(
    [
      'productId;title;variant;price;itemAmount;image;brand',
      `${tag}-one;'=one;;8,50;40;;`,
      `${tag}-two;two;;cheap;4;;`,
      `${tag}-three;'=three;Size: M;11;2;;`,
      `${tag}-new;New;;3;;${SERVICE()}/dashboard/favicon.svg;`,
      `${tag}-new;New;Size: L;3;5;;`,
      `${tag}-one;'=one;;9;40;;`,
      `${tag}-other;Other;;1;;x;No such brand ${tag}`,
      `;;;1;;;`,
    ].join('\r\n'),
  );
  const left = page.getByRole('alert').filter({ hasText: '4 lines are left out' });
  for (const text of ['Line 3: price: ', 'Line 7: ', 'Line 8: brand: ', 'Line 9: '])
    await expect(left).toContainText(text);
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Import 4 lines' }).click();
  await expect(page.getByText('4 lines are imported.')).toBeVisible();
  const { items } = await run<{ items: { productId: string }[] }>(page.request, 'find_products', {
    ...{ text: tag, take: 100 },
  });
  const byId = Object.fromEntries(items.map((item) => [item.productId.replace(`${tag}-`, ''), item]));
  expect(byId).toMatchObject({
    one: { title: '=one', price: 8.5, itemAmount: 40 },
    two: { title: '=two', price: 6, itemAmount: 4 },
    three: { variants: [{ price: 11, itemAmount: 2 }] },
  });
  // It is undone, but for what is new.
  const stored = (name: string) => run(page.request, 'get_product', { id: `${tag}-${name}` });
  const { id } = await run<{ id: string }>(page.request, 'get_product', { id: `${tag}-new` });
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('New products stay. Delete those you do not want.')).toBeVisible();
  expect(await stored('one')).toMatchObject({ price: 5, itemAmount: 4 });
  expect(await stored('three')).toMatchObject({ variants: [{ values: [{ price: 9, itemAmount: 1 }] }] });

  // All pictures of a product stand in a column, and their change is undone too.
  const [first, second] = ['favicon.svg', 'favicon.svg?2'].map((name) => `${SERVICE()}/dashboard/${name}`);
  await choose(`productId,title,images\r\n${tag}-one,One,${second} ${first}`);
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByText('1 line is imported.')).toBeVisible();
  expect(await stored('one')).toMatchObject({ title: 'One', images: [second, first] });
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone', { exact: true }).last()).toBeVisible();
  await expect.poll(() => stored('one')).toMatchObject({ title: '=one', images: [first] });

  expect(await run(page.request, 'get_product', { id })).toMatchObject({
    title: 'New',
    variants: [{ optionTitle: 'Size', values: [{ variantValue: 'L', price: 3, itemAmount: 5 }] }],
  });
});

test('an import that made nothing says so, and only what can be undone is offered, until it is', async ({
  page,
}) => {
  const tag = `say${Date.now()}`;
  const image = `${SERVICE()}/dashboard/favicon.svg`;
  const stored = { productId: `${tag}-old`, title: 'Old', description: '', price: 5, images: [image] };
  await run(page.request, 'create_product', stored);
  const choose = async (...lines: string[]) => {
    const text = ['productId,title,variant,price,images,isHidden', ...lines].join('\r\n');
    const buffer = Buffer.from(text);
    await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: /^Import \d line/ }).click();
  };
  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  await open(page, 'products/import');

  // A product that is refused takes its variants with it, and is not hidden either.
  const long = 'x'.repeat(600);
  await choose(`${tag}-a,${long},,5,${image},true`, `${tag}-a,${long},Size: M,5,,`);
  await expect(page.getByRole('alert').filter({ hasText: '2 lines are left out' })).toBeVisible();
  await expect(page.getByText('0 lines are imported.')).toBeVisible();
  await expect(undo).toHaveCount(0);
  await expect(page.getByText(/^Line \d: /)).toHaveCount(2);

  // New products stay.
  await choose(`${tag}-b,New,,5,${image},`);
  await expect(page.getByText('1 line is imported.')).toBeVisible();
  await expect(undo).toHaveCount(0);

  // What could not be undone may be tried again.
  await choose(`${tag}-old,Old,,7,${image},`);
  const refuse = { status: 404, json: { ok: false, error: { code: 'not_found', message: 'x' } } };
  await page.route(/undo_change/, (route) => route.fulfill(refuse), { times: 1 });
  await undo.click();
  await expect(page.getByText('Undone', { exact: true })).toHaveCount(0);
  await undo.click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  await expect(undo).toHaveCount(0);
  expect(await run(page.request, 'get_product', { id: stored.productId })).toMatchObject({ price: 5 });
});
