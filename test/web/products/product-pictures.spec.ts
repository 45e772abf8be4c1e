import type { Page } from '@playwright/test';
import { axe, expect, open, run, test, tooWide } from '../support.js';

interface Product {
  id: string;
  productId: string;
  title: string;
  images: string[];
}

/** A picture that the browser has drawn, as a file of a device would be. */
const DRAWN = `async (width, height, type) => {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d').fillRect(0, 0, width / 2, height);
  const blob = await new Promise((done) => canvas.toBlob(done, type));
  const data = new DataTransfer();
  data.items.add(new File([blob], 'drawn.' + type.split('/')[1], { type }));
  return data;
}`;

const give = async (page: Page, event: 'drop' | 'paste', size: string) => {
  // The form is fetched after the page.
  await page.locator('.drop').first().waitFor();
  await page.evaluate(`(${DRAWN})(${size}).then((data) => {
    const target = document.querySelector('.drop');
    const init = { bubbles: true, cancelable: true };
    if ('${event}' === 'drop') {
      target.dispatchEvent(new DragEvent('dragover', { ...init, dataTransfer: data }));
      target.dispatchEvent(new DragEvent('drop', { ...init, dataTransfer: data }));
    } else document.body.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }));
  })`);
};

test('pictures are dropped and pasted, made smaller, and put in order', async ({ page, isMobile }) => {
  await open(page, 'products/new');
  await give(page, 'drop', `3000, 1500, 'image/png'`);
  const first = page.getByLabel('Pictures 1', { exact: true });
  await expect(first).toHaveValue(/\.png$/);
  await give(page, 'paste', `100, 100, 'image/jpeg'`);
  const second = page.getByLabel('Pictures 2', { exact: true });
  await expect(second).toHaveValue(/\.jpg$/);
  await expect
    .poll(() =>
      page.evaluate(`[...document.querySelectorAll('form img')].map(({ naturalWidth }) => naturalWidth)`),
    )
    // A tile shows the small one, if there is one.
    .toEqual([640, 100]);
  expect(await axe(page)).toEqual([]);
  const [png, jpg] = [await first.inputValue(), await second.inputValue()];
  const widthOf = (address: string) =>
    page.evaluate<number>(`new Promise((done) => {
      const picture = new Image();
      picture.onload = () => done(picture.naturalWidth);
      picture.src = '${address}';
    })`);
  expect(await widthOf(png)).toBe(2048);
  // A finger that drags would move the page.
  if (isMobile) await page.getByRole('button', { name: 'Move up: Pictures 2' }).press('Enter');
  else await page.locator('.grip').nth(1).dragTo(page.locator('.row-editor').first());
  await expect(first).toHaveValue(jpg);
  await page.getByRole('button', { name: 'Move down: Pictures 1' }).press('Enter');
  await expect(first).toHaveValue(png);
  // Two tiles stand beside each other on every screen, and the first is called the main one.
  for (const width of [360, 820, 1360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await tooWide(page), String(width)).toBeLessThanOrEqual(0);
    const tiles = await Promise.all([0, 1].map((i) => page.locator('.tiles > *').nth(i).boundingBox()));
    expect(tiles[0]!.y).toBe(tiles[1]!.y);
  }
  await expect(page.locator('.tiles > *').first()).toContainText('Main');
  await expect(page.getByText('Main', { exact: true })).toHaveCount(1);
});

test('a form is not sent while a picture is on its way', async ({ page }) => {
  let arrive = () => undefined as void;
  const mayArrive = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/uploads', async (route) => {
    await mayArrive;
    await route.continue();
  });
  await open(page, 'products/new');
  const title = `On its way ${Date.now()}`;
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('Drawn');
  await page.getByLabel(/^Price/).fill('5');
  await give(page, 'drop', `60, 60, 'image/png'`);
  const status = page.getByRole('status').filter({ hasText: 'Uploading' });
  await expect(status).toBeVisible();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(status).toBeFocused();
  arrive();
  await expect(page.getByLabel('Pictures 1', { exact: true })).toHaveValue(/\.png$/);
  await expect(status).toBeHidden();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  const { items } = await run<{ items: Product[] }>(page.request, 'find_products', { text: title });
  expect(items).toHaveLength(1);
  const { images } = await run<Product>(page.request, 'get_product', { id: items[0].id });
  expect(images).toHaveLength(1);
});

test('a phone takes a picture with its camera', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, 'products/new');
  await expect(page.getByRole('button', { name: 'Take a photo' })).toBeVisible();
  await expect(page.locator('input[type=file][capture]')).toHaveAttribute('accept', 'image/*');
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
});

test('pictures stand in the list, in an order, in its picker and on its sheet', async ({
  page,
  isMobile,
}) => {
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', {
    statuses: ['PENDING'],
    take: 1,
  });
  const order = await run<{ items: { productId: string }[] }>(page.request, 'get_order', {
    orderId: items[0].id,
  });
  const product = await run<Product>(page.request, 'get_product', { id: order.items[0].productId });
  const picture = page.locator(`img[src="${product.images[0]}"]`);
  await open(page, `products?text=${product.productId}`);
  await expect(picture.first()).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await open(page, `orders/print?ids=${items[0].id}`);
  if (isMobile) {
    // Names need the room of its screen; paper has more.
    await expect(picture.first()).toBeHidden();
    await page.emulateMedia({ media: 'print' });
  }
  await expect(picture.first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await open(page, `orders/${items[0].id}`);
  await expect(picture.first()).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Change items' }).click();
  await page.getByRole('combobox', { name: 'Add a product' }).fill(product.productId);
  await expect(page.getByRole('option').locator('img').first()).toBeVisible();
});
