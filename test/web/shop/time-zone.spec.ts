import { expect, open, run, STORE, test } from '../support.js';

// The clocks of the two never show the same day.
test.use({ timezoneId: 'Pacific/Pago_Pago' });
const DAYS_AHEAD = 'Pacific/Kiritimati';

const dayIn = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(moment));
const shown = (timeZone: string, moment: string) =>
  new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(moment),
  );

test("pages show and take times by the store's clock, not by the browser's", async ({ page, isMobile }) => {
  test.skip(isMobile, 'the times are the same');
  const slug = `clock-${Date.now()}`;
  const contest = await run<{ id: string }>(page.request, 'create_contest', {
    ...{ slug, title: slug, startDate: '2026-03-29T00:59:00Z', endDate: '2026-03-29T01:00:00Z' },
  });
  await open(page, 'settings');
  await page.getByRole('button', { name: 'Take that of this browser: Pacific/Pago_Pago' }).click();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('Pacific/Pago_Pago');
  const choose = async (name: string) => {
    // A list that moves or closes under the pointer chooses nothing.
    await expect(async () => {
      await zone.fill('');
      await zone.fill(name.split('/')[1].toLowerCase());
      await page.getByRole('option', { name, exact: true }).click({ timeout: 1_000 });
      await expect(zone).toHaveValue(name, { timeout: 1_000 });
    }).toPass();
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Set the time zone' }).click();
    expect(await (await answered).json()).toMatchObject({ ok: true, data: { timeZone: name } });
    await expect(page.getByText(`The time zone is now ${name}`)).toBeVisible();
  };
  await choose(DAYS_AHEAD);

  const [order] = (
    await run<{ items: { id: number; createdAt: string }[] }>(page.request, 'find_orders', { take: 1 })
  ).items;
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expect(page.getByText(`Times are those of ${DAYS_AHEAD}.`)).toBeVisible();
  const row = page.getByRole('row').filter({
    has: page.getByRole('link', { name: `Order ${order.id}`, exact: true }),
  });
  await expect(row).toContainText(shown(DAYS_AHEAD, order.createdAt));
  const day = (end: string) => page.getByLabel(end, { exact: true });
  const today = dayIn(DAYS_AHEAD, order.createdAt);
  await day('Placed from').fill(today);
  await day('Placed until').fill(today);
  await expect(page).toHaveURL(new RegExp(`to=${today}`));
  await expect(row).toBeVisible();
  const theirs = dayIn('Pacific/Pago_Pago', order.createdAt);
  await day('Placed from').fill(theirs);
  await day('Placed until').fill(theirs);
  await expect(page).toHaveURL(new RegExp(`to=${theirs}`));
  await expect(row).toHaveCount(0);
  await page.goto(`/dashboard/${STORE()}/orders/print?ids=${order.id}`);
  await expect(page.locator('.sheet')).toContainText(shown(DAYS_AHEAD, order.createdAt));

  // A file has the first day of its report, which began the day before in UTC.
  await page.goto(`/dashboard/${STORE()}/reports?period=chosen&from=2026-10-01&to=2026-10-31`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('sales-by-day-2026-10-01.csv');

  // In the night to 29 March 2026 the clocks of Kyiv go from 2:59 to 4:00.
  await open(page, 'settings');
  await choose('Europe/Kyiv');
  await page.goto(`/dashboard/${STORE()}/contests?edit=${contest.id}`);
  const dialog = page.getByRole('dialog');
  const [start, end] = [dialog.getByLabel(/^Start date/), dialog.getByLabel(/^End date/)];
  await expect(start).toHaveValue('2026-03-29T02:59');
  await expect(end).toHaveValue('2026-03-29T04:00');
  await end.fill('2026-03-30T00:30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  // The contest is over by then.
  await dialog.getByRole('button', { name: 'Save all the same' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await run(page.request, 'get_contest', { id: contest.id })).toMatchObject({
    ...{ startDate: '2026-03-29T00:59:00.000Z', endDate: '2026-03-29T21:30:00.000Z' },
  });
  await run(page.request, 'delete_contest', { id: contest.id, confirm: true });
  await page.request.put(`/dashboard/api/stores/${STORE()}/profile`, { data: { timeZone: 'UTC' } });
});

test('a page that is opened before the stores were read again goes by the new zone', async ({ page }) => {
  await open(page, 'settings');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await page.getByRole('button', { name: 'Take that of this browser: Pacific/Pago_Pago' }).click();
  await expect(zone).toHaveValue('Pacific/Pago_Pago');
  let read = () => {};
  await page.route('**/dashboard/api/stores', async (route) => {
    await new Promise<void>((resolve) => (read = resolve));
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Set the time zone' }).click();
  await expect(page.getByText('The time zone is now Pacific/Pago_Pago')).toBeVisible();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByText(/Times are those of/)).toHaveCount(0);
  read();
  await page.unroute('**/dashboard/api/stores');
  await page.request.put(`/dashboard/api/stores/${STORE()}/profile`, { data: { timeZone: 'UTC' } });
});

test('the time zone comes with the form above it, which would push it away', async ({ page }) => {
  let answer = () => {};
  const isAsked = new Promise<void>((asked) => {
    void page.route('**/operations/get_settings', async (route) => {
      const isAnswered = new Promise<void>((resolve) => (answer = resolve));
      asked();
      await isAnswered;
      await route.fallback();
    });
  });
  await open(page, 'settings');
  await isAsked;
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveCount(0);
  answer();
  await zone.fill('lisbon');
  // The list of a field that is not on the screen is hidden.
  await expect(async () => {
    await zone.scrollIntoViewIfNeeded();
    await expect(page.getByRole('option', { name: 'Europe/Lisbon' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
});
