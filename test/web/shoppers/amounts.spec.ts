import type { APIRequestContext, Page } from '@playwright/test';
import { newStore } from '../new-store.js';
import { axe, expect, SERVICE, test, tooWide } from '../support.js';
import { launchOf, shopOf } from './client.js';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const change = async (request: APIRequestContext, store: string, operation: string, data: object) => {
  const answer = await request.post(`/dashboard/api/stores/${store}/operations/${operation}`, { data });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { data: { id: string } }).data;
};
let bots = 0;
const sold = (title: string, price: number) => ({
  ...{ productId: title, title, description: title, price },
  images: [`${SERVICE()}/dashboard/favicon.svg`],
});

/** A store of a currency with a bot, whose shop opens by the launch that is returned. */
async function storeIn(request: APIRequestContext, currency: string, name = `In ${currency}`) {
  const store = await newStore(request, { currency, name });
  const token = `71234570${bots++}:${'B'.repeat(35)}`;
  await change(request, store, 'connect_bot', { token });
  return { store, launch: (options = {}) => launchOf({ token, ...options }) };
}

/**
 * Price, what the card says, what two pieces cost, and what the owner's form says of the price. The decimals
 * are ISO 4217's: browsers have none for HUF.
 */
const AMOUNTS = [
  ['JPY', 1200, '¥1,200', '¥2,400', '1,200'],
  ['KWD', 1.25, 'KWD 1.250', 'KWD 2.500', '1.250'],
  ['XTR', 50, '⭐ 50', '⭐ 100', '50'],
  ['HUF', 1234.5, 'Ft 1,234.50', 'Ft 2,469', '1,234.50'],
] as const;

for (const [currency, price, one, two, typed] of AMOUNTS) {
  test(`amounts in ${currency} are those that the service counts`, async ({ page, request }) => {
    const { store, launch } = await storeIn(request, currency);
    const { id } = await change(request, store, 'create_product', sold('One', price));
    await page.goto(shopOf('', store) + launch());
    await expect(page.getByText(one, { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'One', exact: true }).click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await page.getByRole('link', { name: /In the cart: 2/ }).click();
    await page.getByRole('button', { name: 'Checkout' }).click();
    const place = page.getByRole('button', { name: /^Place order/ });
    await expect(place).toHaveText(`Place order · ${two}`);
    await place.click();
    await expect(page.getByRole('heading', { name: /^Order \d+$/ })).toBeVisible();
    const orders = await request.post(`/dashboard/api/stores/${store}/operations/find_orders`, { data: {} });
    const { data } = (await orders.json()) as { data: { items: { totalPrice: number }[] } };
    const decimals = { JPY: 0, KWD: 3, XTR: 0, HUF: 2 }[currency];
    expect(data.items.map(({ totalPrice }) => totalPrice)).toEqual([Math.round(price * 2 * 10 ** decimals)]);
    await page.goto(`${SERVICE()}/dashboard/${store}/products/${id}`);
    await expect(page.getByLabel(/^Price/)).toHaveValue(typed);
    // The sheet in the parcel says where the shop is found.
    await page.goto(`${SERVICE()}/dashboard/${store}/orders/print?ids=1`);
    await expect(page.locator('.sheet')).toContainText(/t\.me\/\w+/);
  });
}

/** A store with an order of ten digits, of a product with a long name. */
async function largeOrder(page: Page, request: APIRequestContext, currency: string) {
  const { store, launch } = await storeIn(request, currency, `Corner ${'x'.repeat(60)}`);
  const title = `Kettle ${'x'.repeat(64)}`;
  const { id } = await change(request, store, 'create_product', sold(title, 98_765_432.1));
  await page.goto(shopOf('', store) + launch());
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('link', { name: /In the cart: 1/ }).click();
  await page.getByRole('button', { name: 'Checkout' }).click();
  await page.getByRole('button', { name: /^Place order/ }).click();
  await expect(page.getByRole('heading', { name: /^Order \d+$/ })).toBeVisible();
  return { store, id, title };
}

test('sums of ten digits and long names fit the screens of the owner', async ({ page, request }) => {
  test.setTimeout(240_000);
  const { store, id, title } = await largeOrder(page, request, 'EUR');
  const pages = ['overview', 'orders', 'orders/1', 'orders/print?ids=1', 'products', `products/${id}`];
  for (const width of [1360, 820, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [...pages, 'customers']) {
      await page.goto(`${SERVICE()}/dashboard/${store}/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await tooWide(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
  // On the smallest phone the sums of an order are in sight, and the name has more than a letter a line.
  await page.goto(`${SERVICE()}/dashboard/${store}/orders/1`);
  const lines = page.locator('.order-lines');
  for (const sum of await lines.getByText('€98,765,432.10').all()) {
    const { x, width } = (await sum.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(360);
  }
  expect((await lines.getByText(title).boundingBox())!.width).toBeGreaterThan(150);
});

test('a Ukrainian reads tables with sums of ten digits without scrolling them sideways', async ({
  page,
  request,
}) => {
  const { store } = await largeOrder(page, request, 'UAH');
  // The longest of the states that an order is often in.
  await change(request, store, 'set_order_status', { orderId: 1, status: 'PROCESSING' });
  await page.evaluate(`localStorage.setItem('language', 'uk')`);
  for (const width of [820, 1000, 1360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['orders', 'products', 'customers']) {
      await page.goto(`${SERVICE()}/dashboard/${store}/${path}`);
      await expect(page.getByRole('table')).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('lang', 'uk');
      const hidden = await page
        .locator('.list-scroll')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect.soft(hidden, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test('names from right to left stand so, beside amounts as they are', async ({ page, request }) => {
  const { store, launch } = await storeIn(request, 'EUR', 'חנות הספרים');
  const title = 'قهوة عربية (250 غرام)';
  await change(request, store, 'create_product', sold(title, 7.5));
  await page.goto(shopOf('', store) + launch());
  const directed = (text: string, direction: string) =>
    expect(page.getByText(text, { exact: true }).first()).toHaveCSS('direction', direction);
  await directed(title, 'rtl');
  await directed('חנות הספרים', 'rtl');
  await directed('€7.50', 'ltr');
  expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { name: title })).toHaveCSS('direction', 'rtl');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('link', { name: /In the cart: 1/ }).click();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
  expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
});

test('a shop that no order can be placed in says why, and so does the dashboard', async ({
  page,
  request,
}) => {
  const { store, launch } = await storeIn(request, 'EUR');
  await change(request, store, 'create_product', sold('One', 5));
  await change(request, store, 'update_checkout', { mode: 'native_payments' });
  await page.goto(shopOf('', store) + launch());
  const why = page.getByText('This shop cannot take orders yet: there is no way to pay.');
  await expect(why).toBeVisible();
  await page.getByRole('link', { name: 'One', exact: true }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('link', { name: /In the cart/ }).click();
  await expect(why).toBeVisible();
  await expect(page.getByRole('button', { name: 'Checkout' })).toBeDisabled();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${SERVICE()}/dashboard/${store}/checkout`);
  await page.getByRole('button', { name: 'View my shop' }).click();
  await expect(page.getByText('Orders cannot be placed yet')).toBeVisible();
  expect(await axe(page)).toEqual([]);
});

test.describe('without a connection', () => {
  test.use({ causes: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ });

  test('the shop says so, and goes on where it was', async ({ page, context, request }) => {
    const { store, launch } = await storeIn(request, 'EUR');
    await change(request, store, 'create_product', sold('One', 5));
    await page.goto(shopOf('', store) + launch());
    await expect(page.getByRole('link', { name: 'One', exact: true })).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'One', exact: true }).click();
    await expect(page.getByText('The shop cannot be reached.')).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'One' })).toBeVisible();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await context.setOffline(true);
    await page.getByRole('link', { name: /In the cart/ }).click();
    await expect(page.getByText('The shop cannot be reached.')).toBeVisible();
    await context.setOffline(false);
  });
});
