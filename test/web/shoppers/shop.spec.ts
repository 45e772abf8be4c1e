import type { Page } from '@playwright/test';
import { axe, expect, openLive, run, STORE, test, tooWide } from '../support.js';
import { asOnAPhone, connectBot, launchOf, shopOf, tell, told } from './client.js';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const card = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true });

test('a newcomer orders in the demo shop, in a plain browser', async ({ page, request }) => {
  await page.goto(shopOf());
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Demo store');
  // Newer products of other tests may fill the first page.
  await page.getByRole('searchbox', { name: 'Search' }).fill('poster');
  await expect(card(page, 'City poster')).toBeVisible();
  expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
  await page.getByRole('searchbox', { name: 'Search' }).fill('blanket');
  await expect(card(page, 'City poster')).toHaveCount(0);
  await card(page, 'Wool blanket').click();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
  await page.getByRole('link', { name: /In the cart: 2/ }).click();
  await expect(page.getByText('Total: $190')).toBeVisible();
  await page.getByRole('button', { name: 'Fewer', exact: true }).click();
  await expect(page.getByText('Total: $95')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Checkout' }).click();
  await page.getByLabel('Delivery').selectOption('Courier');
  await page.getByRole('button', { name: 'Place order · $99.90' }).click();
  // The address is asked for only with this delivery, and the order waits for it.
  await expect(page.getByText('Please fill this in.')).toBeVisible();
  await page.getByLabel('Address').fill('Khreshchatyk 1');
  await page.getByLabel('Promocode').fill('nope');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('There is no such promocode.')).toBeVisible();
  await page.getByLabel('Promocode').fill('');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByLabel('Pay with bonus').check();
  await expect(page.getByRole('button', { name: 'Place order · $69.93' })).toBeEnabled();
  expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
  const dashboard = await page.context().newPage();
  await openLive(dashboard, 'orders');
  await page.getByRole('button', { name: /^Place order/ }).click();
  const heading = page.getByRole('heading', { name: /^Order \d+$/ });
  await expect(heading).toBeVisible();
  const id = Number((await heading.textContent())!.replace(/\D/g, ''));
  expect(await run(request, 'get_order', { orderId: id })).toMatchObject({
    totalPrice: 6993,
    status: 'PENDING',
  });
  await expect(dashboard.getByText(`New order #${id}`)).toBeVisible();
  await dashboard.close();
  await page.goBack();
  await page.getByRole('button', { name: /Back/ }).click();
  await page.goto(shopOf('/orders'));
  await expect(page.getByRole('heading', { name: 'My orders' })).toBeVisible();
  await expect(page.getByRole('link', { name: new RegExp(`^Order ${id}`) })).toBeVisible();
  expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
});

test.describe('in Ukrainian', () => {
  test.use({ locale: 'uk-UA' });

  test('its scripts stay small, those of the first page and all of them', async ({ page }) => {
    const sizes = new Map<string, number>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.endsWith('.js')) sizes.set(pathname, Number(response.headers()['content-length']));
    });
    const kilobytes = (isCounted: (file: string) => boolean) =>
      [...sizes].reduce((sum, [file, size]) => sum + (isCounted(file) ? size : 0), 0) / 1024;
    const list = page.waitForResponse(/\/products\?take=20$/);
    await page.goto(shopOf());
    await expect(page.getByRole('searchbox', { name: 'Пошук' })).toBeVisible();
    expect((await (await list).body()).length).toBeLessThan(6 * 1024);
    const isLater = (file: string) => file.includes('/later-');
    await expect.poll(() => [...sizes.keys()].some(isLater)).toBe(true);
    expect(kilobytes(isLater)).toBeGreaterThan(1);
    expect(kilobytes((file) => !isLater(file))).toBeGreaterThan(5);
    expect(kilobytes((file) => !isLater(file))).toBeLessThanOrEqual(16);
    expect(kilobytes(() => true)).toBeLessThanOrEqual(26);
  });
});

test.describe('with a lost answer', () => {
  test.use({ causes: /ERR_FAILED/ });

  test('an order is placed once, and a changed price is shown before it is ordered', async ({
    page,
    request,
  }) => {
    const { items } = await run<{ items: { id: string }[] }>(request, 'find_products', {
      text: 'Wool blanket',
    });
    await page.goto(shopOf(`/p/${items[0].id}`));
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.goto(shopOf('/checkout'));
    const place = page.getByRole('button', { name: /^Place order/ });
    await expect(place).toHaveText('Place order · $95');
    await run(request, 'update_product', { id: items[0].id, salePrice: 96 });
    await place.click();
    await expect(page.getByText('The price has changed: it is $96 now.')).toBeVisible();
    await expect(place).toHaveText('Place order · $96');
    // The order arrives, and its answer is lost.
    const count = async () => (await run<{ total: number }>(request, 'find_orders', { take: 1 })).total;
    const before = await count();
    await page.route('**/orders', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await place.click();
    await expect(page.getByText('No answer came.')).toBeVisible();
    await page.unroute('**/orders');
    await place.click();
    await expect(page.getByRole('heading', { name: /^Order \d+$/ })).toBeVisible();
    expect(await count()).toBe(before + 1);
    await run(request, 'update_product', { id: items[0].id, salePrice: 95 });
  });
});

test.describe('in the messenger', () => {
  test.beforeAll(({ browser }) => connectBot(browser));

  test('a link opens its product; the client has the buttons; the order says what is paid', async ({
    page,
    request,
  }) => {
    await run(request, 'update_checkout', { mode: 'native_payments' });
    await asOnAPhone(page);
    const { items } = await run<{ items: { id: string }[] }>(request, 'find_products', {
      text: 'Wool blanket',
    });
    await page.goto(shopOf() + launchOf({ startParam: `p_${items[0].id}` }));
    await expect(page.getByRole('heading', { name: 'Wool blanket' })).toBeVisible();
    const button = async () => ((await told(page, 'web_app_setup_main_button')) as { text?: string })?.text;
    await expect.poll(button).toBe('Add to cart');
    await expect(page.getByRole('button', { name: 'Add to cart' })).toHaveCount(0);
    await tell(page, 'main_button_pressed');
    await page.getByRole('link', { name: /In the cart/ }).click();
    await expect.poll(button).toBe('Checkout');
    await tell(page, 'main_button_pressed');
    await expect.poll(button).toBe('Pay $95');
    // Reloaded by the client, the page still knows its shopper.
    await page.reload();
    await expect.poll(button).toBe('Pay $95');
    await expect.poll(async () => (await told(page, 'web_app_setup_main_button'))?.is_active).toBe(true);
    await tell(page, 'main_button_pressed');
    await expect(page.getByRole('heading', { name: /^Order \d+$/ })).toBeVisible();
    expect(await told(page, 'web_app_open_invoice')).toMatchObject({
      slug: expect.stringContaining('invoice'),
    });
    expect(await told(page, 'web_app_request_write_access')).toEqual({});
    await tell(page, 'invoice_closed', { slug: 'x', status: 'cancelled' });
    await expect(page.getByText('It is not paid yet.')).toBeVisible();
    const id = Number((await page.getByRole('heading', { level: 1 }).textContent())!.replace(/\D/g, ''));
    await run(request, 'set_order_status', { orderId: id, status: 'PROCESSING' });
    await tell(page, 'invoice_closed', { slug: 'x', status: 'paid' });
    await expect(page.getByText('Being prepared')).toBeVisible();
    await expect(page.getByText('It is not paid yet.')).toHaveCount(0);
    await tell(page, 'back_button_pressed');
    await expect(page.getByRole('heading', { name: /Cart|Wool|Demo/ })).toBeVisible();
    await run(request, 'update_checkout', { mode: 'manual' });
  });

  test('speaks Ukrainian, and says why it cannot be opened', async ({ page, request }) => {
    await page.goto(shopOf() + launchOf({ language: 'uk' }));
    await expect(page.getByRole('searchbox', { name: 'Пошук' })).toBeVisible();
    await page.goto(`about:blank`);
    await page.goto(shopOf() + launchOf({ at: new Date(Date.now() - 25 * 3_600_000) }));
    await expect(page.getByText('Please open the shop again.')).toBeVisible();
    await page.goto(`about:blank`);
    await run(request, 'update_customer', { id: '7001', isBanned: true });
    await page.goto(shopOf() + launchOf());
    await expect(page.getByText('This shop is closed to you.')).toBeVisible();
    await run(request, 'update_customer', { id: '7001', isBanned: false });
    // Passed on by a proxy, a browser is nobody the shop knows.
    const outside = await page.context().newPage();
    await outside.setExtraHTTPHeaders({ 'X-Forwarded-For': '203.0.113.5' });
    await outside.goto(shopOf());
    await expect(outside.getByText('Open the shop in the messenger')).toBeVisible();
    await expect(outside.getByRole('link')).toHaveAttribute('href', /t\.me\/shop_712345678_bot\?start=shop/);
  });

  test('the owner says what the button opens', async ({ page }) => {
    await page.goto(`/dashboard/${STORE()}/bot`);
    await expect(page.getByText('Not without an https address')).toBeVisible();
    await page.getByLabel('The buttons open').selectOption('app');
    await page.getByLabel('Address of the app').fill('https://app.example/shop');
    await page.getByRole('button', { name: 'Set the button' }).click();
    await expect(page.getByText('The button is set')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Address of the app')).toHaveValue('https://app.example/shop');
    const app = await page.request.get(`/dashboard/api/stores/${STORE()}/bot/app`);
    expect(await app.json()).toMatchObject({ data: { opens: 'app', url: 'https://app.example/shop' } });
    await page.getByLabel('The buttons open').selectOption('shop');
    await page.getByRole('button', { name: 'Set the button' }).click();
    await expect(page.getByText('Not without an https address')).toBeVisible();
  });
});
