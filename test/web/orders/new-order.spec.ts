import { axe, expect, open, run, SERVICE, test, tooWide } from '../support.js';

const SIZES = [360, 820, 1360];

interface Order {
  messengerUserId: string;
  totalPrice: number;
  items: { productId: string; quantity: number }[];
  checkoutData: { label: string; value: string }[];
}

test('an order is placed by hand for a customer, as the service then has it', async ({ page, request }) => {
  const productId = `hand-${Date.now().toString(36)}`;
  await run(request, 'create_product', {
    ...{ productId, title: `Kettle ${productId}`, description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  const { items } = await run<{ items: { id: string; name: string; phone: string | null }[] }>(
    request,
    'find_customers',
    { minOrders: 1, isBanned: false, take: 20 },
  );
  const customer = items.find(({ phone }) => phone !== null)!;
  await open(page, 'orders');
  await page.getByRole('link', { name: 'New order' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New order' })).toBeVisible();
  const place = page.getByRole('button', { name: 'Place the order' });
  await expect(place).toBeDisabled();
  expect(await axe(page)).toEqual([]);

  await page.getByRole('combobox', { name: 'Customer' }).fill(customer.phone!);
  await page.getByRole('option', { name: customer.name }).first().click();
  await page.getByRole('combobox', { name: 'Add a product' }).fill(productId);
  await page.getByRole('option', { name: `Kettle ${productId}` }).click();
  await page.getByRole('textbox', { name: `Quantity: Kettle ${productId}` }).fill('3');
  const sum = page.getByRole('status').filter({ hasText: 'Total' });
  await expect(sum).toContainText('$15.00');
  await page.getByLabel('Delivery', { exact: true }).selectOption('Courier');
  await expect(sum).toContainText('$19.90');
  // What the form asks for is said before anything is sent.
  await place.click();
  const missing = page.getByText('This is asked for.');
  await expect(missing).toHaveCount(1);
  await page.getByLabel(/^Address/).fill('Lviv, Rynok 1');
  await expect(missing).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 800 });
    expect(await tooWide(page), String(width)).toBeLessThanOrEqual(0);
  }
  await place.click();
  await expect(page).toHaveURL(/orders\/\d+$/);
  const orderId = Number(/\d+$/.exec(page.url())![0]);
  const order = await run<Order>(request, 'get_order', { orderId });
  expect(order).toMatchObject({
    ...{ messengerUserId: customer.id, totalPrice: 1990, items: [{ productId, quantity: 3 }] },
    checkoutData: [{ value: 'Courier' }, { value: 'Lviv, Rynok 1' }],
  });
  // This order has no number; the customer keeps the one of an earlier order, on their page too.
  await open(page, `customers/${customer.id}`);
  await expect(page.getByRole('link', { name: customer.phone!, exact: true })).toBeVisible();
});
