import type { Page } from '@playwright/test';
import { botApi } from '../../support/servers/bot-api-server.js';
import { axe, expect, open, run, test, tooWide } from '../support.js';

interface Customers {
  items: { id: string; firstName: string | null; lastName: string | null; bonusBalance: number }[];
}

test('a customer is found, gets a bonus, is banned, and both are undone', async ({ page }) => {
  await open(page, 'customers');
  expect(await axe(page)).toEqual([]);
  const { items } = await run<Customers>(page.request, 'list_customers', { take: 50 });
  const { id, bonusBalance } = items.find(({ firstName }) => firstName)!;
  await page.getByRole('textbox', { name: /^Name, @username/ }).fill(id);
  await expect(page).toHaveURL(new RegExp(`text=${id}`));
  await open(page, `customers/${id}`);
  await expect(page.getByText(id, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Bonus history' })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Adjust bonus' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Change/).fill('5.5');
  const reason = `Late delivery ${Date.now()}`;
  await dialog.getByLabel('Reason').fill(reason);
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(reason).first()).toBeVisible();
  expect(await run(page.request, 'get_customer', { id })).toMatchObject({
    bonusBalance: Math.round((bonusBalance + 5.5) * 100) / 100,
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone', { exact: true })).toBeVisible();
  expect(await run(page.request, 'get_customer', { id })).toMatchObject({ bonusBalance });
  await page.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Banned');
  await page.getByRole('button', { name: 'Lift the ban' }).click();
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('Banned');
  expect(await run(page.request, 'get_customer', { id })).toMatchObject({ isBanned: false });
});

test('a customer is found by phone, and called or written to from the list and their page', async ({
  page,
}) => {
  interface Found {
    items: { id: string; name: string; phone: string | null; username: string | null }[];
  }
  const { items } = await run<Found>(page.request, 'find_customers', { minOrders: 1, take: 50 });
  const { id, phone, username } = items.find((one) => one.phone !== null && one.username !== null)!;
  await open(page, 'customers');
  await page.getByRole('textbox', { name: /phone/ }).fill(phone!.replace(/\s/g, ''));
  const number = page.getByRole('link', { name: phone!, exact: true });
  await expect(number.first()).toHaveAttribute('href', `tel:${phone!.replace(/[^\d+]/g, '')}`);
  await expect(page.getByText(/^\d+ customers?$/)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await open(page, `customers/${id}`);
  await expect(number).toHaveAttribute('href', /^tel:\+?\d+$/);
  await expect(page.getByRole('link', { name: `@${username}` })).toHaveAttribute(
    'href',
    /^https:\/\/t\.me\//,
  );
  expect(await axe(page)).toEqual([]);
  for (const width of [360, 820, 1360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['customers', `customers/${id}`]) {
      await open(page, path);
      expect(await tooWide(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test('an amount to choose customers by stays as typed; unreadable it chooses nobody', async ({ page }) => {
  await open(page, 'customers?by=purchases');
  const spent = page.getByLabel('Spent, at least');
  const found = page.getByText(/^\d+ customers?$/);
  await spent.pressSequentially('1,200');
  await expect(spent).toHaveValue('1,200');
  await expect(page).toHaveURL(/minSpent=1200$/);
  await page.reload();
  await expect(spent).toHaveValue('1,200');
  await spent.fill('0.05');
  await expect(found).toBeVisible();
  const counts: string[] = [];
  page.on('request', (request) => request.url().endsWith('/send_campaign') && counts.push(request.url()));
  for (const typed of ['$100', '0.055', '-1']) {
    await spent.fill(typed);
    await expect(spent).toHaveAttribute('aria-invalid', 'true');
    await expect(spent).toHaveValue(typed);
    await expect(found).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Write to them' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: /CSV/ })).toHaveCount(0);
  }
  await page.getByLabel('Orders, at least').fill('1.5');
  await expect(page.getByText('A whole number, for example 1200.')).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await open(page, 'campaigns/new?by=purchases&minSpent=$100');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Thanks');
  await page.getByLabel(/^Text \*/).fill('Thank you');
  await page.getByRole('button', { name: 'Count and send…' }).click();
  await expect(page.getByRole('alert')).toContainText('Spent, at least: A number with at most 2 decimals');
  await page.getByRole('button', { name: 'Empty the form' }).click();
  expect(counts).toEqual([]);
});

test('customers are chosen by what they bought, and written to', async ({ page }) => {
  const { items, total } = await run<{ items: { name: string }[]; total: number }>(
    page.request,
    'find_customers',
    { minOrders: 2, minSpent: 5_000 },
  );
  await open(page, 'customers');
  await page.getByRole('link', { name: 'By purchases' }).click();
  await page.getByLabel('Orders, at least').fill('2');
  await page.getByLabel('Spent, at least').fill('50.00');
  await expect(page).toHaveURL(/by=purchases.*minOrders=2.*minSpent=50/);
  await expect(page.getByText(`${total} customers`, { exact: true })).toBeVisible();
  await expect(page.getByText(items[0].name).first()).toBeVisible();
  expect(await tooWide(page)).toBeLessThanOrEqual(0);
  expect(await axe(page)).toEqual([]);

  await page.getByRole('link', { name: 'Write to them' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Thanks');
  await page.getByLabel(/^Text \*/).fill('Thank you');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Count and send…' }).click();
  const reachable = (await run<{ total: number }>(page.request, 'find_customers', {
    ...{ minOrders: 2, minSpent: 5_000, isBanned: false, isBotBlocked: false },
  })) as { total: number };
  await expect(page.getByRole('dialog')).toContainText(`Send to ${reachable.total} shoppers?`);
});

/** Composes a campaign to three shoppers who can be written to, and sends it. @returns their ids */
async function sendToThree(page: Page, text: string): Promise<string[]> {
  await run(page.request, 'connect_bot', { token: '5550001235:AAH-campa1gns_0123456789abcdefghijklmn' });
  const { items } = await run<{ items: { id: string; isBotBlocked: boolean; isBanned: boolean }[] }>(
    page.request,
    'find_customers',
    { take: 100 },
  );
  const reached = items.filter(({ isBotBlocked, isBanned }) => !isBotBlocked && !isBanned);
  const ids = reached.slice(0, 3).map(({ id }) => id);
  await open(page, 'campaigns/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(text);
  await page.getByLabel(/^Text \*/).fill(text);
  await page.getByText('Chosen ones', { exact: true }).click();
  const box = page.getByRole('combobox', { name: 'Ids of the shoppers' });
  for (const id of ids) {
    await box.fill(id);
    await box.press('Enter');
  }
  await page.getByRole('button', { name: 'Count and send…' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('3');
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  return ids.sort();
}

async function sendRest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send the rest…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page).toHaveURL(/campaigns\/[\w-]{36}$/);
  await expect(page.getByText('Sent', { exact: true })).toBeVisible();
}

test('a campaign that the messenger put off is gone on with, and nobody gets it twice', async ({
  page,
  shop: { messenger },
}) => {
  const got: string[] = [];
  let isBusy = true;
  messenger.always('sendMessage', ({ body }) => {
    if (isBusy && got.length === 1) return botApi.tooManyRequests(3_600);
    got.push(String(body.chat_id));
    return undefined;
  });
  const chosen = await sendToThree(page, 'Put off');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('2 shoppers have not been written to yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Count and send…' })).toHaveCount(0);
  expect(await axe(page)).toEqual([]);
  // What is left, and the message, is known on other pages and after a reload.
  await open(page, 'campaigns');
  await page.getByRole('link', { name: 'Put off' }).first().click();
  await expect(page.getByText('Interrupted', { exact: true })).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'Send the rest…' }).click();
  await page.reload();
  await expect(page.getByRole('figure')).toContainText('Put off');
  isBusy = false;
  await sendRest(page);
  expect(got.sort()).toEqual(chosen);
  await open(page, 'campaigns/new');
  await expect(page.getByLabel(/^Text \*/)).toHaveValue('');
  messenger.reset();
});

test('a campaign is gone on with after the page was left during the sending', async ({
  page,
  shop: { messenger },
}) => {
  const got: string[] = [];
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  messenger.always('sendMessage', ({ body }) => {
    got.push(String(body.chat_id));
    begin();
    return botApi.held(released, botApi.result({ message_id: 1 }));
  });
  const chosen = await sendToThree(page, 'Left');
  await begun;
  await page.reload();
  release();
  await sendRest(page);
  expect(got.sort()).toEqual(chosen);
  messenger.reset();
});
