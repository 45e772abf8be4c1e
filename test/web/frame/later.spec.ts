import { expect, open, test } from '../support.js';

/** Keeps back what React does in slices, so that a test says when each of them is done. */
const IN_SLICES = `
  const post = MessagePort.prototype.postMessage;
  const kept = [];
  let isKept = false;
  MessagePort.prototype.postMessage = function (...given) {
    if (isKept) kept.push(() => post.apply(this, given));
    else post.apply(this, given);
  };
  addEventListener('keep', () => (isKept = true));
  addEventListener('slice', () => kept.shift()());
  addEventListener('release', () => {
    isKept = false;
    for (const slice of kept.splice(0)) slice();
  });`;

const tell = (event: string) => `dispatchEvent(new Event('${event}'))`;

test('code that comes between drawing without it and asking for it is drawn', async ({ page, isMobile }) => {
  test.skip(isMobile, 'nothing is pointed at');
  await page.addInitScript(IN_SLICES);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  const code = /\/overlays-[\w-]+\.js/;
  await page.route(code, async (route) => {
    await isAnswered;
    await route.fallback();
  });
  // It is fetched once the page is drawn.
  const asked = page.waitForRequest(code);
  await open(page, 'orders');
  const time = page.locator('.row time').first();
  await expect(time).toBeVisible();
  const address = (await asked).url();

  await page.evaluate(tell('keep'));
  await time.dispatchEvent('pointerover');
  await page.evaluate(tell('slice'));
  answer();
  await page.evaluate(`import(${JSON.stringify(address)}).then(() => undefined)`);
  await page.evaluate(tell('release'));
  await expect(page.getByRole('tooltip')).toBeVisible();
});

test('orders are drawn before the texts of other pages are there, which wait for them', async ({
  page,
  isMobile,
}) => {
  test.skip(isMobile, 'the menu is closed');
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/rest-[\w-]+\.js/, async (route) => {
    await isAnswered;
    await route.fallback();
  });
  await open(page, 'orders');
  await page.locator('.row a').first().click();
  await expect(page.locator('.timeline')).toBeVisible();
  expect(await page.locator('body').innerText()).not.toContain('undefined');
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  answer();
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
});

test('what is refused before all texts are there is said in words', async ({ page }) => {
  await page.context().clearCookies();
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail').fill('nobody@example.com');
  await page.locator('input[name=password]').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is wrong.');
});
