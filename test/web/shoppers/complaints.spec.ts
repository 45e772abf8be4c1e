import type { Page } from '@playwright/test';
import { expect, run, test } from '../support.js';
import { asOnAPhone, connectBot, launchOf, shopOf, tell, THEMES, told } from './client.js';

/** People complain of these about other shops in the messenger's clients; a browser can show so many. */
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
test.beforeAll(({ browser }) => connectBot(browser));
test.beforeEach(({ page }) => asOnAPhone(page));

const products = async (page: Page, text: string) =>
  (await run<{ items: { id: string }[] }>(page.request, 'find_products', { text })).items;

const mainButton = async (page: Page) =>
  ((await told(page, 'web_app_setup_main_button')) ?? {}) as { text?: string; is_active?: boolean };

/** Presses the client's button once it says so and can be pressed. */
async function pressMain(page: Page, text: string | RegExp): Promise<void> {
  await expect.poll(async () => (await mainButton(page)).text).toMatch(text);
  await expect.poll(async () => (await mainButton(page)).is_active).toBe(true);
  await tell(page, 'main_button_pressed');
}

/** Opens a product, puts it into the cart, and goes to a page of the shop. */
async function withCart(page: Page, path: string, title = 'Wool socks'): Promise<void> {
  const [{ id }] = await products(page, title);
  await page.goto(shopOf(`/p/${id}`) + launchOf());
  await pressMain(page, 'Add to cart');
  await expect(page.getByRole('link', { name: /In the cart/ })).toBeVisible();
  await page.goto('about:blank');
  await page.goto(shopOf(path) + launchOf());
}

test('a keyboard covers no field that is typed into, and no inner container scrolls', async ({ page }) => {
  await withCart(page, '/checkout');
  await page.getByLabel('Delivery').selectOption('Courier');
  const address = page.getByLabel('Address');
  await address.focus();
  await page.setViewportSize({ width: 390, height: 360 });
  const isCovered = () =>
    page.evaluate<boolean>(`(({ top, bottom }) => top < 0 || bottom > innerHeight)(
      document.activeElement.getBoundingClientRect())`);
  await expect.poll(isCovered).toBe(false);
  const inner = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((one) => one.scrollHeight > one.clientHeight + 1)
    .filter((one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowY))
    .map((one) => one.className)`);
  expect(inner).toEqual([]);
});

test('a viewport of one pixel, as clients report one, moves nothing', async ({ page }) => {
  await page.goto(shopOf() + launchOf());
  const first = page.getByRole('listitem').first();
  await expect(first).toBeVisible();
  const before = await first.boundingBox();
  await tell(page, 'viewport_changed', { height: 1, width: 390, is_state_stable: true, is_expanded: true });
  expect(await first.boundingBox()).toEqual(before);
});

test('the insets of the device and of the client add up', async ({ page }) => {
  await page.goto(shopOf() + launchOf());
  await tell(page, 'safe_area_changed', { top: 20, bottom: 34 });
  await tell(page, 'content_safe_area_changed', { top: 46, bottom: 0 });
  const padding = (side: string) =>
    page.evaluate<string>(`getComputedStyle(document.getElementById('root')).getPropertyValue('${side}')`);
  await expect.poll(() => padding('padding-top')).toBe('66px');
  expect(await padding('padding-bottom')).toBe('50px');
});

test('a swipe does not close it, and a question before closing is asked at the checkout alone', async ({
  page,
}) => {
  const asks = async () => (await told(page, 'web_app_setup_closing_behavior'))?.need_confirmation ?? false;
  await withCart(page, '/cart');
  await expect(page.getByRole('heading', { name: 'Cart' })).toBeVisible();
  expect(await told(page, 'web_app_setup_swipe_behavior')).toEqual({ allow_vertical_swipe: false });
  expect(await asks()).toBe(false);
  await pressMain(page, 'Checkout');
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
  await expect.poll(asks).toBe(true);
  await tell(page, 'back_button_pressed');
  await expect.poll(asks).toBe(false);
});

test('back leads to the page before, and from a link to the first page, which has no such button', async ({
  page,
}) => {
  const button = async () => (await told(page, 'web_app_setup_back_button'))?.is_visible ?? false;
  const [{ id }] = await products(page, 'Wool socks');
  await page.goto(shopOf(`/p/${id}`) + launchOf());
  await expect.poll(button).toBe(true);
  await tell(page, 'back_button_pressed');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  await expect.poll(button).toBe(false);
  await page.getByRole('link', { name: 'Cart' }).click();
  await expect.poll(button).toBe(true);
  await tell(page, 'back_button_pressed');
  await expect.poll(button).toBe(false);
});

test('the cart comes back from the cloud when a client has forgotten what pages store', async ({ page }) => {
  const [{ id }] = await products(page, 'Wool socks');
  await page.goto(shopOf(`/p/${id}`) + launchOf());
  await pressMain(page, 'Add to cart');
  const asked = async () => (await told(page, 'web_app_invoke_custom_method'))?.method;
  await expect.poll(asked).toBe('saveStorageValue');
  await page.evaluate('localStorage.clear()');
  await page.goto(shopOf('/cart') + launchOf());
  await expect(page.getByRole('link', { name: 'Wool socks' })).toBeVisible();
});

test('an order tells that it is paid, whatever a client says of its invoice, or if it says nothing', async ({
  page,
}) => {
  await run(page.request, 'update_checkout', { mode: 'native_payments' });
  await withCart(page, '/checkout');
  await page.getByLabel('Delivery').selectOption('Pickup');
  await pressMain(page, /^Pay/);
  const heading = page.getByRole('heading', { name: /^Order \d+$/ });
  await expect(heading).toBeVisible();
  await expect(page.getByText('It is not paid yet.')).toBeVisible();
  const orderId = Number((await heading.textContent())!.replace(/\D/g, ''));
  await run(page.request, 'set_order_status', { orderId, status: 'PROCESSING' });
  // A client of the web says nothing, and shows the page again.
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await expect(page.getByText('Being prepared')).toBeVisible();
  // One of the desktop says so once it is paid, and then that it was closed.
  await tell(page, 'invoice_closed', { slug: 'x', status: 'paid' });
  await tell(page, 'invoice_closed', { slug: 'x', status: 'cancelled' });
  await expect(page.getByText('It is not paid yet.')).toHaveCount(0);
  await run(page.request, 'update_checkout', { mode: 'manual' });
});

test('links of the messenger and of others are opened by the client', async ({ page }) => {
  const [{ id }] = await products(page, 'Wool socks');
  await page.goto(shopOf(`/p/${id}`) + launchOf());
  await page.getByRole('button', { name: 'Share' }).click();
  const { path_full } = (await told(page, 'web_app_open_tg_link'))!;
  expect(path_full).toMatch(/^\/share\/url\?url=https%3A%2F%2Ft\.me%2F.+start%3Dp_/);
});

test('a changed theme is the shop and the client, at once', async ({ page }) => {
  await page.goto(shopOf() + launchOf());
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  await tell(page, 'theme_changed', { theme_params: THEMES.dark });
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await expect.poll(background).toBe('rgb(14, 22, 33)');
  await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
  expect(await told(page, 'web_app_set_background_color')).toEqual({ color: '#0e1621' });
  expect(await told(page, 'web_app_set_header_color')).toEqual({ color_key: 'secondary_bg_color' });
});
