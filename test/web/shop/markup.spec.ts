import { expect, open, run, SERVICE, test } from '../support.js';

const MARKUP =
  '"><img src="x" onerror="window.ran=1"><svg onload="window.ran=1"><script>window.ran=1</script>';

test('whatever anybody typed is shown as text', async ({ page, request }) => {
  const named = { name: MARKUP, slug: 'markup', description: MARKUP };
  await run(request, 'create_brand', named);
  await run(request, 'create_category', named);
  const product = await run(request, 'create_product', {
    productId: MARKUP,
    title: MARKUP,
    description: MARKUP,
    images: [`${SERVICE()}/dashboard/favicon.svg#${encodeURI(MARKUP)}`],
    tags: MARKUP,
    price: 5,
    variants: [{ optionTitle: MARKUP, values: [{ variantValue: MARKUP, price: 5, itemAmount: 1 }] }],
  });
  const times = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-04-01T00:00:00Z' };
  await run(request, 'create_contest', { title: MARKUP, slug: 'markup', description: MARKUP, ...times });
  const { items } = await run<{ items: { id: number; customerId: string }[] }>(request, 'find_orders', {
    take: 1,
  });
  const [{ id: orderId, customerId }] = items;
  await run(request, 'add_order_note', { orderId, note: MARKUP });
  await run(request, 'set_order_reference', { orderId, externalId: MARKUP });
  await run(request, 'ship_order', { orderId, carrier: MARKUP, trackingNumber: MARKUP });
  await run(request, 'adjust_bonus', { customerId, delta: 1, reason: MARKUP });
  await run(request, 'update_welcome_message', { text: MARKUP, buttonText: MARKUP.slice(0, 60) });

  for (const at of [
    'products',
    `products/${product.id as string}`,
    'brands',
    'categories',
    'contests',
    `orders/${orderId}`,
    `customers/${customerId}`,
    'bot',
  ]) {
    await open(page, at);
    await expect(page.locator('body'), at).toContainText('onerror=');
    expect(await page.evaluate('window.ran'), at).toBeUndefined();
  }
});
