import type { Page } from '@playwright/test';
import { expect, open, run, SERVICE, test, tooWide } from '../support.js';

const undoOf = (page: Page, notice: string) =>
  page.getByRole('alert').filter({ hasText: notice }).last().getByRole('button', { name: 'Undo' });
const undo = (page: Page, notice: string) => undoOf(page, notice).click();

test('a price, stock, settings and a deletion are undone by their notices', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the notices are the same');
  const name = `Undone ${Date.now()}`;
  const slug = name.toLowerCase().replace(' ', '-');
  const { id: productId } = await run<{ id: string }>(page.request, 'create_product', {
    ...{ productId: slug, title: `${name} ${'W'.repeat(200)}`, description: 'x', price: 5, itemAmount: 10 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  const width = () => tooWide(page);
  const product = () => run(page.request, 'get_product', { id: productId });
  await open(page, `products/${productId}`);
  // A title without a space is broken rather than the page.
  expect(await width()).toBeLessThanOrEqual(0);
  await page
    .getByLabel(/^Price/)
    .first()
    .fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  // Two clicks undo it once, also while the notice fades away.
  const undone: string[] = [];
  page.on('request', (request) => void (/undo_change/.test(request.url()) && undone.push(request.url())));
  await undoOf(page, 'Saved').evaluate<void, { click: () => void }>((button) => {
    button.click();
    button.click();
  });
  await expect.poll(product).toMatchObject({ price: 5 });
  await expect(page.getByRole('alert').filter({ hasText: 'Undone' })).toBeVisible();
  expect(undone).toHaveLength(1);
  await expect(page.getByLabel(/^Price/).first()).toHaveValue(/^5/);

  // A count is undone by its difference, so that what was bought meanwhile stays bought.
  await page
    .getByRole('button', { name: /^Stock of / })
    .first()
    .click();
  await page.getByText('Set to', { exact: true }).click();
  await page.getByLabel('Stock', { exact: true }).fill('30');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect.poll(product).toMatchObject({ itemAmount: 30 });
  await run(page.request, 'update_stock', { productId, delta: -1 });
  await undo(page, 'Stock');
  await expect.poll(product).toMatchObject({ itemAmount: 9 });

  const { keywords } = await run<{ keywords: string }>(page.request, 'get_settings', {});
  await open(page, 'settings');
  await page.getByLabel('Keywords, separated by commas').fill(slug);
  await page.getByRole('button', { name: 'Save' }).click();
  await undo(page, 'Saved');
  await expect.poll(() => run(page.request, 'get_settings', {})).toMatchObject({ keywords });

  const brand = await run<{ id: string }>(page.request, 'create_brand', { name, slug });
  await open(page, 'brands');
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('The notice that follows can undo it.')).toBeVisible();
  await page.getByLabel(/^Type/).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: `Actions: ${name}` })).toHaveCount(0);
  await undo(page, 'Deleted');
  await expect(page.getByRole('button', { name: `Actions: ${name}` })).toBeVisible();
  expect(await run(page.request, 'get_brand', { id: brand.id })).toMatchObject({ name });

  // What somebody else has changed since is left as it is.
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel(/^Name/).first().fill(`${name} anew`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run(page.request, 'update_brand', { id: brand.id, name: `${name} by another` });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByText('It has been changed since, so nothing was undone.')).toBeVisible();
  expect(await run(page.request, 'get_brand', { id: brand.id })).toMatchObject({
    name: `${name} by another`,
  });
});
