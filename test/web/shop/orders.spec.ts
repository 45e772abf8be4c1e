import { readFileSync } from 'node:fs';
import { axe, expect, open, openLive, ordersIn, run, SERVICE, STORE, test, tooWide } from '../support.js';

interface Found {
  items: { id: number; status: string; customerId: string; customerName: string | null }[];
}

test('orders are found by status, words and shopper', async ({ page, isMobile }) => {
  await openLive(page, 'orders');
  const tabs = page.getByRole('navigation', { name: 'Status' });
  await expect(tabs.locator('[aria-current=page]')).toHaveText(/^All\d/);
  // What somebody else changes shows by itself, sooner than pages ask again.
  const shipped = tabs.getByRole('link', { name: /^Shipped/ });
  const count = parseInt((await shipped.innerText()).replace(/\D/g, ''), 10);
  const [changed] = await ordersIn(page.request, 'PENDING', 1);
  await run(page.request, 'set_order_status', { orderId: changed.id, status: 'SHIPPED' });
  await expect(shipped).toHaveText(new RegExp(`^Shipped\\s*${count + 1}$`));
  await run(page.request, 'set_order_status', { orderId: changed.id, status: 'PENDING' });
  await expect(shipped).toHaveText(new RegExp(`^Shipped\\s*${count}$`));
  expect(await axe(page)).toEqual([]);
  await tabs.getByRole('link', { name: /^Delivered/ }).click();
  await expect(page).toHaveURL(/status=DELIVERED/);
  await expect(tabs.locator('[aria-current=page]')).toHaveText(/^Delivered\d/);
  await expect(page.getByText('Pending', { exact: true })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const [head, ...rows] = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(head.split(',')).toContain('status');
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => !row.includes('DELIVERED'))).toEqual([]);
  const [order] = (await run<Found>(page.request, 'find_orders', { statuses: ['DELIVERED'], take: 1 })).items;
  await page.getByRole('textbox', { name: /^Number, name/ }).fill(String(order.id));
  await expect(page).toHaveURL(new RegExp(`text=${order.id}`));
  await expect(page.getByRole('link', { name: `Order ${order.id}`, exact: true })).toBeVisible();
  if (!isMobile) {
    // A link that changes the filters changes the box too.
    const box = page.getByRole('textbox', { name: /^Number, name/ });
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await expect(page).not.toHaveURL(/text=/);
    await expect(box).toHaveValue('');
    await page.goBack();
    await expect(box).toHaveValue(String(order.id));
  }
  await open(page, `orders?customerId=${order.customerId}`);
  await page.getByRole('button', { name: 'Shopper:' }).click();
  await expect(page).not.toHaveURL(/customerId/);
  await open(page, 'orders?text=there-is-nothing-like-it');
  await expect(page.getByText('No such orders')).toBeVisible();
});

test('orders are found by payment and delivery, and the sheet has what a packer needs', async ({ page }) => {
  const { request } = page;
  const api = `/dashboard/api/stores/${STORE()}`;
  const productId = `packed-${Date.now().toString(36)}`;
  const images = [`${SERVICE()}/dashboard/favicon.svg`];
  await run(request, 'create_products', {
    items: [{ productId, title: 'Packed', description: 'x', price: 5, images, sku: `SKU ${productId}` }],
  });
  const { items } = await run<{ items: { id: string }[] }>(request, 'find_customers', {
    ...{ minOrders: 1, isBanned: false, take: 1 },
  });
  const placed = await request.post(`${api}/orders`, {
    data: {
      ...{ customerId: items[0].id, items: [{ productId, quantity: 1 }], paymentMethod: 'cash' },
      checkoutData: [{ id: 'delivery', label: 'Delivery', type: 'select', value: 'Post' }],
    },
  });
  const { id } = ((await placed.json()) as { data: { id: number } }).data;
  await open(page, 'orders');
  const order = page.getByRole('link', { name: `Order ${id}`, exact: true });
  const [payment, delivery] = [page.getByLabel('Payment'), page.getByLabel('Delivery')];
  await expect(order).toBeVisible();
  await payment.selectOption('Paid');
  await expect(page).toHaveURL(/payment=paid/);
  await expect(order).toHaveCount(0);
  await payment.selectOption('Not paid');
  await delivery.selectOption('Post');
  await expect(page).toHaveURL(/delivery=Post/);
  await expect(order).toBeVisible();
  await delivery.selectOption('Pickup');
  await expect(order).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
  for (const width of [360, 820, 1360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await tooWide(page), String(width)).toBeLessThanOrEqual(0);
  }
  await open(page, `orders/print?ids=${id}`);
  const sheet = page.locator('.sheet');
  await expect(sheet).toContainText(`SKU ${productId}`);
});

test('the ways of delivery, which arrive after the orders, do not move them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/orders\/deliveries/, async (route) => {
    await held;
    await route.continue();
  });
  await open(page, 'orders');
  const first = page.locator('.card-row').first();
  await expect(first).toBeVisible();
  const before = await first.boundingBox();
  answer();
  await expect(page.getByRole('combobox', { name: 'Delivery' }).getByRole('option')).not.toHaveCount(1);
  expect((await first.boundingBox())!.y).toBe(before!.y);
});

test('many orders get one status, and back', async ({ page }) => {
  const items = await ordersIn(page.request, 'PENDING', 2);
  const [first, second] = items.map(({ id }) => id);
  await open(page, 'orders?status=PENDING');
  for (const id of [first, second])
    await page.getByRole('checkbox', { name: `Select Order ${id}`, exact: true }).check();
  const bar = page.getByRole('region', { name: 'Actions' });
  await expect(bar).toContainText('2 selected');
  expect(await axe(page)).toEqual([]);
  await bar.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Processing' }).click();
  await expect(page.getByRole('link', { name: `Order ${first}`, exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: `Order ${first}`, exact: true })).toBeVisible();
  expect(await run(page.request, 'get_order', { orderId: second })).toMatchObject({ status: 'PENDING' });
});

test('undoing a status of many orders says which have been changed since', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the bar is the same');
  const of = async (status: string) => (await ordersIn(page.request, status, 2)).map(({ id }) => id);
  const [pending, processing] = [await of('PENDING'), await of('PROCESSING')];
  const ids = [...pending, ...processing];
  await open(page, 'orders?sort=newest');
  const rows = page.getByRole('link', { name: /^Order \d+$/ });
  await expect(rows.first()).toBeVisible();
  for (const id of ids) {
    const box = page.getByRole('checkbox', { name: `Select Order ${id}`, exact: true });
    while (!(await box.isVisible())) {
      // Not before the next rows are there: the box may be among them.
      const shown = await rows.count();
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => rows.count()).toBeGreaterThan(shown);
    }
    await box.check();
  }
  await page.getByRole('region', { name: 'Actions' }).getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Shipped' }).click();
  const notice = page.getByRole('alert').filter({ hasText: '4 orders: Shipped' });
  await expect(notice).toBeVisible();
  const [deleted, kept] = pending;
  const [delivered, back] = processing;
  await run(page.request, 'delete_order', { orderId: deleted, confirm: true });
  await run(page.request, 'set_order_status', { orderId: delivered, status: 'DELIVERED' });
  await notice.getByRole('button', { name: 'Undo' }).click();
  const failure = page.getByRole('alert').filter({ hasText: '2 of 4 orders undone.' });
  await expect(failure).toContainText(`so they stay as they are: #${deleted}, #${delivered}.`);
  await expect(page.getByRole('alert').filter({ hasText: /^Undone$/ })).toHaveCount(0);
  const statuses = [delivered, kept, back].map(async (orderId) => {
    const { status } = await run<{ status: string }>(page.request, 'get_order', { orderId });
    return status;
  });
  expect(await Promise.all(statuses)).toEqual(['DELIVERED', 'PENDING', 'PROCESSING']);
});

test('the bar says how many orders at most can be printed and shipped', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the bar is the same');
  await open(page, 'orders');
  await page
    .getByRole('checkbox', { name: /^Select Order/ })
    .first()
    .check();
  const bar = page.getByRole('region', { name: 'Actions' });
  await expect(bar.getByRole('link', { name: 'Print' })).toBeVisible();
  await bar.getByRole('button', { name: 'Select all that match' }).click();
  await expect(bar.getByRole('button', { name: 'Print (at most 50)' })).toBeDisabled();
  await expect(bar.getByRole('button', { name: 'Ship (at most 100)' })).toBeDisabled();
  expect(await axe(page)).toEqual([]);
});

test('a sheet is printed in the language of the store, which the settings say', async ({ page }) => {
  const { items } = await run<{ items: { id: number }[] }>(page.request, 'find_orders', { take: 1 });
  const profile = `/dashboard/api/stores/${STORE()}/profile`;
  const language = async () =>
    ((await (await page.request.get(profile)).json()) as { data: { language: string } }).data.language;
  await open(page, 'settings');
  await page.getByLabel('Language of the shop').selectOption('uk');
  await page.getByRole('button', { name: 'Set the language' }).click();
  await expect.poll(language).toBe('uk');
  await open(page, `orders/print?ids=${items[0].id}`);
  const sheet = page.locator('.sheet');
  await expect(sheet.getByRole('heading', { name: `Замовлення ${items[0].id}` })).toBeVisible();
  await expect(sheet).toContainText('Разом');
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await page.request.put(profile, { data: { language: 'en' } });
});

test('an address that names no order says so', async ({ page }) => {
  await open(page, 'orders/abc');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order');
  await expect(page.getByText('No such orders')).toBeVisible();
  expect(await axe(page)).toEqual([]);
});

test('several orders are printed, each on a sheet of its own', async ({ page }) => {
  const { items } = await run<Found>(page.request, 'find_orders', { take: 2 });
  await open(page, `orders/print?ids=${items.map(({ id }) => id).join(',')}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Print 2 orders');
  for (const { id } of items)
    await expect(page.getByRole('heading', { name: `Order ${id}`, level: 2 })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
});

test('an order is read, noted on, shipped, and its status undone', async ({ page }) => {
  const [{ id: orderId }] = await ordersIn(page.request, 'PROCESSING', 1);
  await open(page, `orders/${orderId}`);
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Older order' })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  const heading = page.getByRole('heading', { level: 1 });
  await page.getByRole('link', { name: 'Older order' }).click();
  await expect(heading).not.toContainText(`Order ${orderId}`);
  await page.getByRole('link', { name: 'Newer order' }).click();
  await expect(heading).toContainText(`Order ${orderId}`);
  await page.getByRole('button', { name: 'Set status' }).click();
  await page.getByRole('menuitem', { name: 'Pending' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Pending');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Processing');
  const note = `Gift wrap ${Date.now()}`;
  await page.getByLabel('New note').fill(note);
  await page.getByRole('button', { name: 'Add the note' }).click();
  await page.locator('.note', { hasText: note }).getByRole('button', { name: 'Take back' }).click();
  await expect(page.locator('.note', { hasText: note })).toHaveCount(0);
  await page.getByRole('button', { name: 'Ship', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tracking link').fill('not an address');
  await dialog.getByRole('button', { name: 'Ship', exact: true }).click();
  await expect(dialog.getByText('A full address that starts with https://')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await dialog.getByLabel('Tracking link').fill('https://track.example/1');
  await dialog.getByLabel('Carrier').fill('DHL');
  await dialog.getByLabel('Tell the shopper').uncheck({ force: true });
  await dialog.getByRole('button', { name: 'Ship', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Shipped');
  await expect(page.getByRole('link', { name: 'https://track.example/1' })).toBeVisible();
  await run(page.request, 'set_order_status', { orderId, status: 'PROCESSING' });
});

test('a refund says that no money moves, and a change of somebody else is not overwritten', async ({
  page,
}) => {
  const [{ id: orderId }] = await ordersIn(page.request, 'PENDING', 1, 'oldest');
  await open(page, `orders/${orderId}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog', { name: `Refund: Order ${orderId}` });
  await expect(dialog.getByText('No money moves')).toBeVisible();
  await run(page.request, 'set_order_status', { orderId, status: 'PROCESSING' });
  await dialog.getByLabel('Reason').fill('Broken');
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Somebody has changed this meanwhile' })
    .getByRole('button', { name: 'Save mine over it' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Cancelled');
  await expect(page.getByText(/The refund is recorded, \$[\d,.]+: Broken/)).toBeVisible();
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
  await expect(remove).toBeDisabled();
  await page.getByLabel(/^Type/).fill(String(orderId));
  await remove.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders');
});

test('the lines of an order are changed', async ({ page }) => {
  const [{ id: orderId }] = await ordersIn(page.request, 'PENDING', 1, 'oldest');
  const before = await run<{ items: { quantity: number }[] }>(page.request, 'get_order', { orderId });
  await open(page, `orders/${orderId}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Change items' }).click();
  const dialog = page.getByRole('dialog');
  const quantity = before.items[0].quantity + 1;
  await dialog
    .getByRole('textbox', { name: /^Quantity/ })
    .first()
    .fill(String(quantity));
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await run(page.request, 'get_order', { orderId })).toMatchObject({
    items: [{ quantity }, ...before.items.slice(1)],
  });
});
