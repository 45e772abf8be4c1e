import { botApi } from '../../support/servers/bot-api-server.js';
import { axe, expect, open, OWNER, ordersIn, run, STORE, test } from '../support.js';

/** What pages say of money, of the messenger and of the store's owner, and what the service says then. */
test.describe('is as the service says afterwards:', () => {
  test.beforeEach(({ isMobile }) => test.skip(isMobile, 'the pages are the same'));

  interface Id {
    id: string;
  }
  const api = (path: string) => `/dashboard/api/stores/${STORE()}/${path}`;

  test('what the messenger says of a provider and of a bot', async ({ page, shop: { messenger } }) => {
    await open(page, 'bot');
    await expect(page.getByText('No bot can be connected here')).toBeVisible();
    const token = `${10 ** 9 + (Date.now() % 10 ** 9)}:${'B'.repeat(35)}`;
    messenger.next('setWebhook', botApi.error(400, 'Bad Request: an HTTPS URL must be provided'));
    await page.getByRole('button', { name: 'Connect a bot' }).click();
    await page.getByLabel(/^Token of the bot/).fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Connect a bot' }).click();
    await expect(page.getByRole('dialog')).toContainText('an HTTPS URL must be provided');
    expect(await run(page.request, 'get_bot', {})).toMatchObject({ connected: false });
    await run(page.request, 'connect_bot', { token });

    const [{ id: orderId }] = await ordersIn(page.request, 'PENDING', 1);
    const { currency } = await run<{ currency: string }>(page.request, 'get_order', { orderId });
    const { id } = await run<Id>(page.request, 'create_payment_provider', {
      ...{ providerName: 'told', providerToken: '100000001:TEST:x', isTestMode: true, isActive: true },
      supportedCurrencies: [currency],
    });
    const { mode } = await run<{ mode: string }>(page.request, 'get_checkout', {});
    await run(page.request, 'update_checkout', { mode: 'native_payments' });
    await open(page, 'payment-providers');
    await expect(page.getByText(/^Shoppers pay without money.*told/)).toBeVisible();
    messenger.next('createInvoiceLink', botApi.error(400, 'Bad Request: PAYMENT_PROVIDER_INVALID'));
    await page.getByRole('button', { name: 'Test: told' }).click();
    await expect(page.getByText(/PAYMENT_PROVIDER_INVALID/)).toBeVisible();
    // The same once more is made again only after the time of a double click.
    await expect(async () => {
      await page.getByRole('button', { name: 'Test: told' }).click();
      await expect(page.getByText('The messenger makes invoices with it.')).toBeVisible({ timeout: 1_000 });
    }).toPass();
    expect(await axe(page)).toEqual([]);
    const { items } = await run<{ items: object[] }>(page.request, 'list_activity', {
      operation: 'test_payment_provider',
    });
    expect(items.length).toBeGreaterThanOrEqual(2);
    await run(page.request, 'update_checkout', { mode });
    await run(page.request, 'delete_payment_provider', { id });
    await page.request.delete(api('bot'));
  });

  test('a status that returns money, which asks first, and a refund that keeps the rest', async ({
    page,
  }) => {
    const { items } = await run<{ items: { id: number; status: string; paid: number }[] }>(
      page.request,
      'find_orders',
      { statuses: ['PROCESSING', 'SHIPPED', 'DELIVERED'], sort: 'oldest', take: 100 },
    );
    const { id: orderId, status } = items.find(({ paid }) => paid > 0)!;
    const order = () => run(page.request, 'get_order', { orderId });
    const payment = async () =>
      ((await (await page.request.get(api(`orders/${orderId}/payment`))).json()) as { data: object }).data;
    await open(page, `orders/${orderId}`);
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('menuitem', { name: 'Cancelled' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Cancelling returns no money');
    expect(await axe(page)).toEqual([]);
    expect(await order()).toMatchObject({ status });
    await dialog.getByRole('button', { name: 'Record a refund' }).click();
    await dialog.getByLabel(/^Amount/).fill('1');
    await dialog.getByRole('combobox', { name: 'Status afterwards' }).click();
    await page.getByRole('option', { name: 'Delivered' }).click();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(dialog).toHaveCount(0);
    expect(await order()).toMatchObject({ status: 'DELIVERED' });
    expect(await payment()).toMatchObject({ refunded: 100, owedBack: 0 });
    await expect(page.getByText('Kept', { exact: true })).toBeVisible();
    await run(page.request, 'set_order_status', { orderId, status });
  });

  test('a parcel that goes by a carrier without a number, and a slip without prices', async ({ page }) => {
    const [{ id }] = await ordersIn(page.request, 'PENDING', 1, 'oldest');
    const { items, totalPrice } = await run<{ items: { title: string }[]; totalPrice: number }>(
      page.request,
      'get_order',
      { orderId: id },
    );
    await open(page, `orders/ship?ids=${id}`);
    await expect(page.getByText(new RegExp(items[0].title))).toBeVisible();
    await page.getByLabel(`Carrier: Order ${id}`).fill('Our courier');
    await page.getByLabel(`Without a number: Order ${id}`).check();
    await page.getByLabel('Tell the shopper').uncheck({ force: true });
    await page.getByRole('button', { name: 'Ship 1 order' }).click();
    await expect(page.getByText('Shipped', { exact: true })).toHaveCount(1);
    expect(await run(page.request, 'get_order', { orderId: id })).toMatchObject({
      ...{ status: 'SHIPPED', carrier: 'Our courier', trackingNumber: null },
    });
    await open(page, `orders/print?ids=${id}`);
    const sheet = page.locator('.sheet');
    await expect(sheet.getByText(/^Payment: /)).toBeVisible();
    await page.getByLabel('Packing slip, without prices').check({ force: true });
    await expect(sheet.getByText(items[0].title)).toBeVisible();
    await expect(sheet.getByText('Price', { exact: true })).toHaveCount(0);
    await expect(sheet.getByText(/^Payment: /)).toHaveCount(0);
    await expect(sheet.locator('tfoot')).toBeHidden();
    expect(totalPrice).toBeGreaterThan(0);
    expect(await axe(page)).toEqual([]);
  });

  test('the store is handed over, and back', async ({ page, browser }) => {
    const email = `told-${Date.now()}@test.example`;
    const invited = await page.request.post(api('members'), { data: { email } });
    const { data } = (await invited.json()) as { data: { invitation: string } };
    const theirs = await browser.newContext({ storageState: { cookies: [], origins: [] } });
    const password = 'correct horse battery staple';
    const accepted = await theirs.request.post('/dashboard/api/auth/accept-invitation', {
      data: { invitation: data.invitation, password },
    });
    expect(accepted.status()).toBe(200);
    await open(page, 'members');
    await page.getByRole('button', { name: `Actions: ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Hand the store over' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Current password/).fill(OWNER().password);
    await dialog.getByRole('button', { name: 'Hand the store over' }).click();
    await expect(dialog).toHaveCount(0);
    const response = await theirs.request.get(api('members'));
    const { items } = (
      (await response.json()) as {
        data: { items: { email: string; role: string; userId: string }[] };
      }
    ).data;
    const roleOf = (address: string) => items.find((member) => member.email === address)!.role;
    expect([roleOf(email), roleOf(OWNER().email)]).toEqual(['owner', 'staff']);
    const { userId } = items.find((member) => member.email === OWNER().email)!;
    const back = await theirs.request.post(api(`members/${userId}/transfer-ownership`), {
      data: { currentPassword: password },
    });
    expect(back.status()).toBe(200);
    await theirs.close();
  });
});
