import type { Request } from '@playwright/test';
import { axe, clickTwice, expect, open, OWNER, run, STORE, test } from '../support.js';

test.describe('signing in', () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test('leads to where the person wanted to go', async ({ page }) => {
    await page.goto(`/dashboard/${STORE()}/brands`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('E-mail').fill(OWNER().email);
    await page.getByRole('textbox', { name: /^Password/ }).fill('not the password');
    await clickTwice(page, page.getByRole('button', { name: 'Sign in' }));
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByRole('textbox', { name: /^Password/ }).fill(OWNER().password);
    await clickTwice(page, page.getByRole('button', { name: 'Sign in' }));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Brands');
    expect((await page.request.get('/dashboard/api/me')).status()).toBe(200);
  });

  test('a link to a new password is used once by two clicks', async ({ page }) => {
    await page.goto('/dashboard/reset-password#of-nobody');
    await page.getByRole('textbox', { name: /^New password/ }).fill('staple of all orchards');
    await clickTwice(page, page.getByRole('button', { name: 'Change the password' }));
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('the palette leads to a page and to an order by its number', async ({ page, isMobile }) => {
  test.skip(isMobile, 'there is no keyboard');
  await open(page, 'overview');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('brands');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Brands');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // On a busy machine the second key may come too late to belong to the first.
  await expect(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders', { timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('/');
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeFocused();
  expect(await axe(page)).toEqual([]);
});

test('the palette knows what is on a page, and takes no phone number for an order', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'no keyboard');
  await open(page, 'overview');
  await page.keyboard.press('Control+k');
  const box = page.getByRole('textbox', { name: 'Search' });
  const found = page.getByRole('dialog').getByRole('button');
  for (const [typed, place] of [
    ['logo', 'Settings'],
    ['time zone', 'Settings'],
    ['password', 'Security'],
    ['welcome', 'Bot'],
    ['delivery', 'Checkout'],
  ]) {
    await box.fill(typed);
    await expect(found.filter({ hasText: place }).first()).toBeVisible();
  }
  await box.fill('0671234502');
  await expect(found.filter({ hasText: 'Order 067' })).toHaveCount(0);
});

test('Esc in the palette closes the palette, and not the dialog under it', async ({ page, isMobile }) => {
  test.skip(isMobile, 'there is no keyboard');
  await open(page, 'brands');
  await page.getByRole('button', { name: 'Create a brand' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create a brand' });
  await dialog.getByLabel(/^Name/).first().focus();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('textbox', { name: 'Search' });
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(search).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a generated group of pages creates, edits and deletes', async ({ page }) => {
  await open(page, 'brands');
  expect(await axe(page)).toEqual([]);
  const name = `Maker ${Date.now()}`;
  await page.getByRole('button', { name: 'Create a brand' }).first().click();
  await page.getByLabel('Website').fill('nonsense');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('Fill this in.').first()).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByLabel(/^Name/).first().fill(name);
  await page.getByLabel('Website').fill('https://maker.example');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel(/^Name/).first().fill(`${name}!`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Actions: ${name}!` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByLabel(/^Type/).fill(`${name}!`);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`${name}!`)).toHaveCount(0);
});

test('somebody else has changed the record meanwhile: nothing typed is lost', async ({ page }) => {
  await open(page, 'brands');
  const name = `Contested ${Date.now()}`;
  const { id } = await run<{ id: string }>(page.request, 'create_brand', {
    name,
    slug: `contested-${Date.now()}`,
  });
  await page.reload();
  await page.getByRole('button', { name, exact: true }).click();
  await run(page.request, 'update_brand', { id, name: `${name} by another` });
  await page.getByLabel(/^Name/).first().fill(`${name} by me`);
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Somebody has changed this meanwhile' });
  await expect(dialog.getByText(`${name} by me`)).toBeVisible();
  await expect(dialog.getByText(`${name} by another`)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByRole('button', { name: `${name} by me`, exact: true })).toBeVisible();
  await run(page.request, 'delete_brand', { id, confirm: true });
});

test('what a page shows first is asked for once, before the code that shows it is there', async ({
  page,
}) => {
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  const reads = {
    orders: /\/orders\?take=\d+$/,
    [`orders/${items[0].id}`]: /\/get_order(_pricing)?$/,
  };
  for (const [path, read] of Object.entries(reads)) {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/assets\/app-/, async (route) => {
      await held;
      await route.continue();
    });
    const asked: string[] = [];
    const note = (request: Request) =>
      void (read.test(request.url()) && asked.push(`${request.url()} ${request.postData()}`));
    page.on('request', note);
    const answered = page.waitForResponse(read);
    const opened = open(page, path);
    await answered;
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
    release();
    await opened;
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(new Set(asked).size).toBe(asked.length);
    page.off('request', note);
    await page.unroute(/assets\/app-/);
  }
});

test('a field has the id that React gives it, for which it is not drawn twice', async ({ page }) => {
  await open(page, 'orders');
  expect(await page.getByRole('main').getByRole('textbox').first().getAttribute('id')).toMatch(/^_r_\w+_$/);
});
