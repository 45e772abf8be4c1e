import type { Page } from '@playwright/test';
import { axe, expect, onSeveralLines, run, test, tooWide } from '../support.js';
import { connectBot, launchOf, shopOf, THEMES } from './client.js';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
test.beforeAll(({ browser }) => connectBot(browser));

/** Words by which each page is known, in both languages. */
const SAID = {
  en: { search: 'Search', add: 'Add to cart', cart: 'Cart', checkout: 'Checkout', place: 'Place order' },
  uk: { search: 'Пошук', add: 'Додати в кошик', cart: 'Кошик', checkout: 'Оформлення', place: 'Замовити' },
};
const ORDERS = { en: 'My orders', uk: 'Мої замовлення' };

/** The page's own words: names of buttons, labels, headings. */
const ownWords = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelectorAll('button:not(.chip), h1, nav, .bar, [role=alert], .hint, .info, .total')]
      .map((one) => one.innerText + ' ' + (one.ariaLabel ?? '')).join(' ')`,
  );

for (const language of ['en', 'uk'] as const) {
  for (const theme of Object.keys(THEMES) as (keyof typeof THEMES)[]) {
    test(`every page of the shop is fit to be read, ${theme}, ${language}`, async ({ page }) => {
      const { items } = await run<{ items: { id: string }[] }>(page.request, 'find_products', {
        text: 'Plain T-shirt',
      });
      const say = SAID[language];
      const launch = launchOf({ language, theme, id: `720${Object.keys(THEMES).indexOf(theme)}` });
      const fit = async () => {
        expect([await axe(page), await tooWide(page)]).toEqual([[], 0]);
        // The words of the shop's owner stay as they are.
        if (language === 'uk')
          expect(
            (await ownWords(page)).replaceAll(/Demo store[^\n]*wardrobe|Plain T-shirt|XS|[SMLX]{1,2}\b/g, ''),
          ).not.toMatch(/[A-Za-z]{3,}/);
      };
      await page.goto(shopOf() + launch);
      await expect(page.getByRole('searchbox', { name: say.search })).toBeVisible();
      await expect(page.locator('html')).toHaveAttribute('data-scheme', theme);
      await expect(page.getByRole('listitem').first()).toBeVisible();
      await fit();
      await page.goto('about:blank');
      await page.goto(shopOf(`/p/${items[0].id}`) + launch);
      await page.getByRole('button', { name: say.add }).click();
      await fit();
      await page.getByRole('link', { name: /: 1$/ }).click();
      await expect(page.getByRole('heading', { name: say.cart })).toBeVisible();
      await fit();
      // On the narrowest phones too.
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await onSeveralLines(page, '.acts .plain')).toEqual([]);
      await fit();
      await page.getByRole('button', { name: say.checkout }).click();
      const place = page.getByRole('button', { name: new RegExp(`^${say.place}`) });
      await expect(place).toBeEnabled();
      await fit();
      await place.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\d+$/);
      await fit();
      await page.goto('about:blank');
      await page.goto(shopOf('/orders') + launch);
      await expect(page.getByRole('heading', { name: ORDERS[language] })).toBeVisible();
      await expect(page.getByRole('listitem').first()).toBeVisible();
      await fit();
    });
  }
}
