import { expect, open, run, SERVICE, test } from '../support.js';

/** How far things have moved by themselves. */
const SHIFT = `window.moved = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) moved.push(value);
}).observe({ type: 'layout-shift', buffered: true });`;

for (const [locale, said] of [
  ['en-GB', { state: 'On sale', stock: 'Stock', codes: 'Codes' }],
  ['uk-UA', { state: 'У продажу', stock: 'Залишок', codes: 'Коди' }],
] as const) {
  test.describe(locale, () => {
    test.use({ locale });

    test('a product begins with its title, price and state, and nothing moves when the rest comes', async ({
      page,
    }) => {
      const productId = `page-${locale}-${Date.now()}`.toLowerCase();
      const images = [`${SERVICE()}/dashboard/favicon.svg`];
      const input = { productId, title: 'Chair', price: 1234.5, itemAmount: 3, description: 'Wood', images };
      const { id } = await run<{ id: string }>(page.request, 'create_product', input);
      let answer = () => {};
      const isAnswered = new Promise<void>((resolve) => (answer = resolve));
      await page.route(/\/product-details-[\w-]+\.js/, async (route) => {
        await isAnswered;
        await route.fallback();
      });
      await page.addInitScript(SHIFT);
      await open(page, `products/${id}`);
      const head = page.locator('.head-text');
      await expect(head).toContainText(/1.?234[.,]50/);
      await expect(head).toContainText(said.state);
      await expect(head).toContainText(productId);
      // Letters of another font are as wide as they are. From here on, all places are kept.
      await page.evaluate('document.fonts.ready.then(() => { moved.length = 0; })');
      answer();
      await expect(page.locator('.drop')).toBeVisible();
      await expect(page.getByText(said.stock).first()).toBeVisible();
      // The pictures are the first of the form, and the codes the last of the page, folded.
      const form = page.locator('form').first();
      await expect(form.locator('.drop, input, textarea').first()).toHaveClass(/drop/);
      await expect(page.locator('main details').last()).not.toHaveAttribute('open');
      await expect(page.locator('main details').last()).toContainText(said.codes);
      const moved = await page.evaluate<number[]>('moved');
      expect(moved.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
      await run(page.request, 'delete_product', { id, confirm: true });
    });
  });
}
