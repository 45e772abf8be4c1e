import { axe, expect, open, run, STORE, test } from '../support.js';

test('a page that is open makes a sound for new orders if the person wants it', async ({ page }) => {
  await open(page, 'overview');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Notices of new orders' }).click();
  await page.getByRole('switch', { name: 'Sound for new orders' }).click({ force: true });
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Sound for new orders' })).toBeChecked();
});

test('a member links their chat with the bot by a link that works once', async ({ page }) => {
  await run(page.request, 'connect_bot', { token: '5550001234:AAH-n0tices_0123456789abcdefghijklmno' });
  await open(page, 'notices');
  const toggle = page.getByRole('switch', { name: 'Send me new orders in the messenger' });
  await toggle.click({ force: true });
  const link = page.getByRole('link', { name: 'Open the chat with @shop_5550001234_bot' });
  await expect(link).toHaveAttribute(
    'href',
    /^https:\/\/t\.me\/shop_5550001234_bot\?start=notices-[\w-]{43}$/,
  );
  await expect(page.getByText(/^Open the chat and press Start/)).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.reload();
  await expect(toggle).not.toBeChecked();
  await page.request.delete(`/dashboard/api/stores/${STORE()}/bot`);
  await page.reload();
  await expect(toggle).toBeDisabled();
});
