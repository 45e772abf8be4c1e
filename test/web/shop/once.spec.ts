import type { APIRequestContext, Page, Request } from '@playwright/test';
import { expect, isChange, open, STORE, test } from '../support.js';
import { type Form, FORMS, OTHERS } from './forms-to-fill.js';

/** How many effects the operation has had since then. */
async function effects(request: APIRequestContext, operation: string, since: string): Promise<number> {
  const query = new URLSearchParams({ operation, from: since });
  const response = await request.get(`/dashboard/api/stores/${STORE()}/audit?${query.toString()}`);
  return ((await response.json()) as { data: { items: unknown[] } }).data.items.length;
}

const submitOf = (page: Page, submit: string | RegExp) => {
  const buttons = page.getByRole('button', { name: submit, exact: true });
  return page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).or(buttons).last();
};

async function fill(page: Page, { at, fill: type }: Form) {
  await open(page, typeof at === 'string' ? at : await at(page.request));
  await type(page);
}

/** Two clicks while the first one's request is under way have one effect. */
async function clickTwice(page: Page, form: Form, sent: Request[]) {
  await fill(page, form);
  const button = submitOf(page, form.submit);
  await expect(button).toBeEnabled();
  const since = new Date().toISOString();
  sent.length = 0;
  await Promise.all([page.waitForResponse((response) => isChange(response.request())), button.dblclick()]);
  expect(sent.map((request) => typeof request.headers()['idempotency-key'])).toEqual(['string']);
  expect(await effects(page.request, form.operation, since)).toBe(1);
}

// The browser itself reports the answer that is taken away.
test.use({ causes: /^Failed to load resource: net::ERR_FAILED$/ });

test('every other form is saved once by two clicks', async ({ page, isMobile }) => {
  test.skip(isMobile, 'the guard is the same');
  const sent: Request[] = [];
  page.on('request', (request) => isChange(request) && sent.push(request));
  for (const [name, form] of Object.entries(OTHERS))
    await test.step(name, () => clickTwice(page, form, sent));
  await page.request.put(`/dashboard/api/stores/${STORE()}/profile`, { data: { timeZone: 'UTC' } });
});

for (const [name, form] of Object.entries(FORMS)) {
  test(`${name} is saved once by two clicks, and once although its answer was lost`, async ({
    page,
    isMobile,
  }) => {
    test.skip(isMobile, 'the guard is the same');
    const sent: Request[] = [];
    page.on('request', (request) => isChange(request) && sent.push(request));
    await clickTwice(page, form, sent);

    // The service carries it out, and its answer never arrives.
    await fill(page, form);
    const button = submitOf(page, form.submit);
    const since = new Date().toISOString();
    sent.length = 0;
    await page.route('**/dashboard/api/**', async (route) => {
      if (!isChange(route.request()) || sent.length > 1) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    const failed = page.waitForEvent('requestfailed', { predicate: isChange });
    await button.click();
    await failed;
    await expect(page.getByRole('alert').filter({ hasText: 'could not be reached' }).first()).toBeVisible();
    await Promise.all([page.waitForResponse((response) => isChange(response.request())), button.click()]);
    const keys = sent.map((request) => request.headers()['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await effects(page.request, form.operation, since)).toBe(1);
  });
}
