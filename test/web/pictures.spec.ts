import type { Page } from '@playwright/test';
import { axe, expect, open, run, test, tooWide } from './support.js';

/**
 * Pages as they look, before any other test changes the demo store: these run first. The desktop is light,
 * the phone dark.
 */
const PAGES: Record<string, string | ((page: Page) => Promise<string>)> = {
  overview: 'overview',
  orders: 'orders',
  order: async ({ request }) => {
    const { items } = await run<{ items: { id: number }[] }>(request, 'find_orders', {
      statuses: ['DELIVERED'],
      take: 1,
    });
    return `orders/${items[0].id}`;
  },
  products: 'products',
  product: async ({ request }) => {
    const { items } = await run<{ items: { id: string }[] }>(request, 'find_products', {
      take: 1,
      sort: 'oldest',
    });
    return `products/${items[0].id}`;
  },
  categories: 'categories',
  customers: 'customers',
  monetization: 'monetization',
  checkout: 'checkout',
  webhooks: 'webhooks',
  bot: 'bot',
  'new-campaign': 'campaigns/new',
};

test('twelve pages look as in their stored pictures, are accessible, and fit the screen', async ({
  page,
  isMobile,
}) => {
  test.setTimeout(240_000);
  await page.emulateMedia({ colorScheme: isMobile ? 'dark' : 'light' });
  for (const [name, path] of Object.entries(PAGES)) {
    await test.step(name, async () => {
      await open(page, typeof path === 'string' ? path : await path(page));
      expect.soft(await axe(page)).toEqual([]);
      expect.soft(await tooWide(page)).toBeLessThanOrEqual(0);
      await page.evaluate(`(${STEADY})()`);
      await expect.soft(page).toHaveScreenshot(`${name}.png`, { caret: 'initial' });
    });
  }
});

/**
 * Runs in the page. Moments, figures of a period and plots change with the clock: their place is compared,
 * not what they say.
 */
const STEADY = `async () => {
  // The policy lets no <style> in; a sheet that is made here is none of the page's.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('[role=img] *, img { visibility: hidden !important }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  // Names in scripts that the pages' font does not have would be drawn with one of the machine's.
  const foreign = /[^\\u0000-\\u00ff\\u2010-\\u2027]/g;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.parentElement.closest('style, script')) continue;
    const isMoment = node.parentElement.closest('time');
    const text = node.nodeValue.replace(/[0-9]/g, '0').replace(foreign, 'x');
    node.nodeValue = isMoment ? 'a moment in time' : text;
  }
  await document.fonts.ready;
}`;
