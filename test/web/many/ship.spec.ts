import { axe, expect, open, ordersIn, run, test, tooWide } from '../support.js';

test('five parcels are shipped with a scanner in a dozen actions, and the carrier is remembered', async ({
  page,
}) => {
  const ids = (await ordersIn(page.request, 'PENDING', 5, 'oldest')).map(({ id }) => id);
  expect(ids).toHaveLength(5);
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/ship_orders') && sent.push(request.postData()!));
  await open(page, `orders/ship?ids=${ids.join(',')}`);
  expect(await axe(page)).toEqual([]);
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  // Opening the list, choosing all and "Ship several" are the first three.
  let actions = 3;
  const numbers = page.getByRole('textbox', { name: /^Tracking number: / });
  await expect(numbers).toHaveCount(5);
  await page.getByLabel('Carrier', { exact: true }).fill('Nova Poshta');
  await page.keyboard.press('Enter');
  actions += 1;
  for (const id of ids) {
    // A scanner types the code and Enter.
    await page.keyboard.type(`SCAN-${id}`);
    await page.keyboard.press('Enter');
    actions += 1;
  }
  const ship = page.getByRole('button', { name: 'Ship 5 orders' });
  await expect(ship).toBeFocused();
  await ship.click();
  expect((actions += 1)).toBeLessThanOrEqual(12);
  await expect(numbers).toHaveCount(0);
  await expect(page.getByText('Shipped', { exact: true })).toHaveCount(5);
  expect(await axe(page)).toEqual([]);
  expect(sent).toHaveLength(1);
  for (const id of ids) {
    const order = await run(page.request, 'get_order', { orderId: id });
    expect(order).toMatchObject({
      ...{ status: 'SHIPPED', carrier: 'Nova Poshta', trackingNumber: `SCAN-${id}` },
    });
  }

  // Without a choice, all that wait are there, and the carrier is filled in.
  await open(page, 'orders');
  await page.getByRole('link', { name: 'Ship several' }).click();
  await expect(page.getByLabel('Carrier', { exact: true })).toHaveValue('Nova Poshta');
  const { items } = await run<{ items: object[] }>(page.request, 'find_orders', {
    ...{ statuses: ['PROCESSING'], take: 100 },
  });
  await expect(numbers).toHaveCount(items.length);
});

test('a chosen order goes from the list to the line of its parcel', async ({ page }) => {
  const [{ id }] = await ordersIn(page.request, 'PROCESSING', 1, 'oldest');
  await open(page, 'orders?status=PROCESSING&sort=oldest');
  await page.getByRole('checkbox', { name: `Select Order ${id}`, exact: true }).check();
  await page.getByRole('region', { name: 'Actions' }).getByRole('link', { name: 'Ship' }).click();
  await expect(page.getByLabel(/^Tracking number: /)).toHaveCount(1);
  await expect(page.getByLabel(`Tracking number: Order ${id}`)).toBeFocused();
});

test('an order that was cancelled while its line stood there stays cancelled', async ({ page }) => {
  const ids = (await ordersIn(page.request, 'PROCESSING', 2)).map(({ id }) => id);
  const [cancelled, other] = ids;
  await open(page, `orders/ship?ids=${ids.join(',')}`);
  for (const id of ids) await page.getByLabel(`Tracking number: Order ${id}`).fill(`LATE-${id}`);
  await run(page.request, 'set_order_status', { orderId: cancelled, status: 'CANCELLED' });
  await page.getByRole('button', { name: 'Ship 2 orders' }).click();
  // What was typed is still there, with the reason.
  await expect(page.getByLabel(/^Tracking number: /)).toHaveCount(1);
  await expect(page.getByText('The order is now: Cancelled')).toBeVisible();
  await expect(page.getByLabel(`Tracking number: Order ${cancelled}`)).toHaveValue(`LATE-${cancelled}`);
  expect(await run(page.request, 'get_order', { orderId: cancelled })).toMatchObject({ status: 'CANCELLED' });
  expect(await run(page.request, 'get_order', { orderId: other })).toMatchObject({ status: 'SHIPPED' });
});
