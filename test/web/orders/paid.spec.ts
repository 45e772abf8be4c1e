import type { APIRequestContext } from '@playwright/test';
import { axe, expect, open, ordersIn, run, test } from '../support.js';

const pending = async (request: APIRequestContext): Promise<number> =>
  (await ordersIn(request, 'PENDING', 1))[0].id;

test('an order is marked as paid, and its main button is the next step', async ({ page }) => {
  const orderId = await pending(page.request);
  await open(page, `orders?text=${orderId}`);
  const row = page.locator('.row').filter({ has: page.getByRole('link', { name: `Order ${orderId}` }) });
  await expect(row.getByText('Not paid', { exact: true })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await open(page, `orders/${orderId}`);
  const heading = page.getByRole('heading', { level: 1 });
  const payment = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Payment' }) });
  await expect(payment.getByText('Not paid', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Mark paid' }).click();
  await expect(heading).toContainText('Processing');
  await expect(payment.getByText('Paid', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark paid' })).toHaveCount(0);
  const ship = page.getByRole('button', { name: 'Ship', exact: true });
  await expect(ship).toHaveAttribute('data-variant', 'filled');
  expect(await axe(page)).toEqual([]);
  await ship.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Carrier').fill('DHL');
  await dialog.getByLabel('Tell the shopper').uncheck({ force: true });
  await dialog.getByRole('button', { name: 'Ship', exact: true }).click();
  await expect(heading).toContainText('Shipped');
  await page.getByRole('button', { name: 'Mark delivered' }).click();
  await expect(heading).toContainText('Delivered');
  await expect(ship).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Ship' })).toBeVisible();
  await run(page.request, 'set_order_status', { orderId, status: 'PENDING' });
});

test('nobody marks an order as paid that a provider takes the payment for', async ({ page }) => {
  const orderId = await pending(page.request);
  const order = await run<{ paymentMethod: string; currency: string }>(page.request, 'get_order', {
    orderId,
  });
  const { id } = await run<{ id: string }>(page.request, 'create_payment_provider', {
    ...{ providerName: order.paymentMethod, providerToken: '100000001:TEST:x', isTestMode: true },
    ...{ isActive: true, supportedCurrencies: [order.currency] },
  });
  const { mode } = await run<{ mode: string }>(page.request, 'get_checkout', {});
  await run(page.request, 'update_checkout', { mode: 'native_payments' });
  const known = page.waitForResponse(/operations\/list_payment_providers/);
  await open(page, `orders/${orderId}`);
  await known;
  await expect(page.getByRole('button', { name: 'Ship', exact: true })).toBeVisible();
  await expect(page.getByText('Not paid', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark paid' })).toHaveCount(0);
  await run(page.request, 'update_checkout', { mode });
  await run(page.request, 'delete_payment_provider', { id });
  await page.reload();
  await expect(page.getByRole('button', { name: 'Mark paid' })).toBeVisible();
});

test('a refund that is recorded is not offered again', async ({ page }) => {
  const orderId = await pending(page.request);
  await run(page.request, 'refund_order', { orderId, amount: 1 });
  await open(page, `orders/${orderId}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('menuitem', { name: 'Print' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Refund' })).toHaveCount(0);
  await run(page.request, 'set_order_status', { orderId, status: 'PENDING' });
});

test('an order that was paid and cancelled says everywhere that its money has to go back', async ({
  page,
}) => {
  const { items } = await run<{ items: { id: number; status: string; paid: number }[] }>(
    page.request,
    'find_orders',
    { statuses: ['PROCESSING', 'SHIPPED', 'DELIVERED'], take: 100 },
  );
  const { id: orderId, status } = items.find(({ paid }) => paid > 0)!;
  const owed = page.getByText('Paid, not returned', { exact: true });
  await run(page.request, 'set_order_status', { orderId, status: 'CANCELLED' });
  await open(page, `orders?text=${orderId}&status=CANCELLED`);
  const row = page.locator('.row').filter({ has: page.getByRole('link', { name: `Order ${orderId}` }) });
  await expect(row.getByText('Paid, not returned', { exact: true })).toBeVisible();
  await open(page, 'overview');
  await page.getByRole('link', { name: `Order ${orderId} was paid and cancelled` }).click();
  await expect(owed).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await run(page.request, 'refund_order', { orderId });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
  await expect(owed).toHaveCount(0);
  await run(page.request, 'set_order_status', { orderId, status });
});
