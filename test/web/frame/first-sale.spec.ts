import type { Page } from '@playwright/test';
import { newStore } from '../new-store.js';
import { axe, expect, SERVICE, test } from '../support.js';

const steps = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Before the first sale' }) });
const run = (page: Page, store: string, operation: string, data: object) =>
  page.request.post(`/dashboard/api/stores/${store}/operations/${operation}`, { data });

test('a new store is led to its first sale, step by step, until somebody hides that', async ({ page }) => {
  const store = await newStore(page.request);
  await page.goto(`/dashboard/${store}/overview`);
  const todo = steps(page)
    .getByRole('listitem')
    .filter({ hasText: /^To do/ });
  await expect(todo).toHaveText([
    /A product is on sale.*Create a product$/,
    /The order form asks where to send the order$/,
    /The bot of the store is connected$/,
    /New orders are told to you$/,
    /Shoppers are told of their orders$/,
    /An order was placed to try it$/,
  ]);
  await expect(steps(page).getByRole('img', { name: '1 of 7 steps are done' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Revenue' })).toHaveCount(0);
  await expect(steps(page).getByRole('listitem').filter({ hasText: /^Done/ })).toHaveText([
    /Shoppers pay you by hand/,
  ]);
  await expect(steps(page)).not.toContainText(/webhook/i);
  expect(await axe(page)).toEqual([]);

  await run(page, store, 'create_product', {
    ...{ productId: 'first', title: 'First', description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  await page.reload();
  await expect(todo).toHaveCount(5);
  await expect(steps(page).getByRole('link', { name: 'Add the fields' })).toBeVisible();

  await steps(page).getByRole('button', { name: 'Hide this list' }).dblclick();
  await expect(steps(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Orders by status' })).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
});

test('the bot is connected, and shoppers are told of orders, without leaving the steps', async ({ page }) => {
  const store = await newStore(page.request);
  await run(page, store, 'create_product', {
    ...{ productId: 'first', title: 'First', description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  const field = { id: 'name', label: 'Name', type: 'text', required: true, defaultVisible: true };
  await run(page, store, 'update_checkout', { fields: [field] });
  const get = async (path: string) =>
    ((await (await page.request.get(`/dashboard/api/stores/${store}/${path}`)).json()) as { data: object })
      .data;
  await page.goto(`/dashboard/${store}/overview`);
  await steps(page).getByRole('button', { name: 'Connect the bot' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('link', { name: '@BotFather' })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await drawer.getByLabel(/^Token of the bot/).fill(`${10 ** 9 + (Date.now() % 10 ** 9)}:${'A'.repeat(35)}`);
  await drawer.getByRole('button', { name: 'Connect a bot' }).click();
  await expect(drawer).toHaveCount(0);
  await expect(steps(page).getByRole('link', { name: 'Switch notices on' })).toBeVisible();
  await steps(page).getByRole('button', { name: 'Shoppers are told of their orders' }).click();
  await drawer.getByLabel('Language of the shop').selectOption('uk');
  await expect.poll(() => get('profile')).toMatchObject({ language: 'uk' });
  const placed = drawer.getByRole('switch', { name: 'Message about a new order' });
  await placed.click({ force: true });
  await expect(placed).toBeChecked();
  expect(await axe(page)).toEqual([]);
  expect(await get('bot/messages/placed')).toMatchObject({
    ...{ enabled: true, text: expect.stringContaining('Дякуємо') as unknown },
  });
  expect(await get('bot/messages/paid')).toMatchObject({ enabled: false });
  await page.keyboard.press('Escape');
  await expect(
    steps(page).getByRole('listitem').filter({ hasText: 'Shoppers are told of their orders' }),
  ).toContainText('Done');
});

test('shoppers can pay once a provider is for the currency of the store', async ({ page }) => {
  const store = await newStore(page.request);
  const provide = (supportedCurrencies: string[]) =>
    run(page, store, 'create_payment_provider', {
      ...{ providerName: supportedCurrencies[0], providerToken: 'x', supportedCurrencies, metadata: {} },
      ...{ isTestMode: false, isActive: true },
    });
  const payment = steps(page).getByRole('listitem').filter({ hasText: 'Shoppers can pay' });
  // By hand every shopper can pay.
  await run(page, store, 'update_checkout', { mode: 'native_payments' });
  await provide(['USD']);
  await page.goto(`/dashboard/${store}/overview`);
  await expect(payment).toContainText('To do');
  await provide(['EUR']);
  await page.reload();
  await expect(payment).toContainText('Done');
});

test('hiding the steps to the first sale is undone', async ({ page }) => {
  const store = await newStore(page.request);
  await page.goto(`/dashboard/${store}/overview`);
  await steps(page).getByRole('button', { name: 'Hide this list' }).click();
  await expect(steps(page)).toHaveCount(0);
  const isHidden = async () => {
    const response = await page.request.get('/dashboard/api/stores');
    const { data } = (await response.json()) as {
      data: { items: { id: string; isFirstSaleHidden: boolean }[] };
    };
    return data.items.find(({ id }) => id === store)?.isFirstSaleHidden;
  };
  expect(await isHidden()).toBe(true);
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
  await expect(steps(page)).toBeVisible();
  expect(await isHidden()).toBe(false);
});
