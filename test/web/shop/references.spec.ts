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

  /** What finds by a code, once the page has sent it. */
  const finds = (operation: string, text: string) =>
    expect.poll(() => run<object>(page.request, operation, { text, take: 2 }));

  await open(page, `orders/${orderId}`);
  await expect(page.getByText('"warehouse": "B2"')).toBeVisible();
  await expect(set).toBeDisabled();
  await reference.fill(code);
  await set.click();
  await finds('find_orders', code).toMatchObject({ items: [{ id: orderId, externalId: code }], total: 1 });
  await expect(reference).toHaveValue(code);
  expect(await axe(page)).toEqual([]);

  await open(page, `customers/${customerId}`);
  await reference.fill(`C-${code}`);
  await set.click();
  await finds('find_customers', `C-${code}`).toMatchObject({
    items: [{ id: customerId, externalId: `C-${code}` }],
  });
  await expect(reference).toHaveValue(`C-${code}`);
  await expect(set).not.toHaveAttribute('data-loading');
  await reference.fill('');
  await set.click();
  await finds('find_customers', `C-${code}`).toMatchObject({ items: [], total: 0 });
  expect(await axe(page)).toEqual([]);
});
