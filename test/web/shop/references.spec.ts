import { axe, expect, open, run, test } from '../support.js';

test('what other systems know an order and a customer by is shown and set', async ({ page }) => {
  const { items } = await run<{ items: { id: number; customerId: string }[] }>(page.request, 'find_orders', {
    statuses: ['DELIVERED'],
    take: 1,
  });
  const [{ id: orderId, customerId }] = items;
  const code = `SO-${Date.now()}`;
  await run(page.request, 'set_order_reference', { orderId, metadata: { warehouse: 'B2' } });
  const reference = page.getByRole('textbox', { name: 'Reference', exact: true });
  const set = page.getByRole('button', { name: 'Set the reference', exact: true });

  await open(page, `orders/${orderId}`);
  await expect(page.getByText('"warehouse": "B2"')).toBeVisible();
  await expect(set).toBeDisabled();
  await reference.fill(code);
  await set.click();
  await expect(set).toBeDisabled();
  await expect(reference).toHaveValue(code);
  expect(await axe(page)).toEqual([]);
  const found = await run<typeof items>(page.request, 'find_orders', { text: code, take: 2 });
  expect(found).toMatchObject({ items: [{ id: orderId, externalId: code }], total: 1 });

  await open(page, `customers/${customerId}`);
  await reference.fill(`C-${code}`);
  await set.click();
  await expect(set).toBeDisabled();
  expect(await run(page.request, 'find_customers', { text: `C-${code}`, take: 2 })).toMatchObject({
    items: [{ id: customerId, externalId: `C-${code}` }],
    total: 1,
  });
  await reference.fill('');
  await set.click();
  await expect(set).toBeDisabled();
  expect(await run(page.request, 'find_customers', { text: `C-${code}`, take: 2 })).toMatchObject({
    items: [],
  });
  expect(await axe(page)).toEqual([]);
});
