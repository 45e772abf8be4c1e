import { axe, expect, open, STORE, test } from '../support.js';

test('an agent is connected: a snippet for its program, a token in place, the tools of its scope', async ({
  page,
  isMobile,
}) => {
  await open(page, 'connections');
  await page.getByRole('button', { name: 'Disconnect: Shop assistant' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disconnect: Shop assistant' });
  expect(await axe(page)).toEqual([]);
  // The demo store has one app: where there are tests on the phone, they come last.
  const isLast = isMobile || !process.env.SLOW_TESTS;
  await dialog.getByRole('button', { name: isLast ? 'Disconnect' : 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  if (isLast) {
    await expect(page.getByText('No app is connected')).toBeVisible();
    const connections = await page.request.get(`/dashboard/api/stores/${STORE()}/connections`);
    expect(await connections.json()).toMatchObject({ data: { items: [] } });
  }

  await open(page, 'agents');
  await expect(page.getByText(/^You sign in|The address is enough/).first()).toBeVisible();
  expect(await axe(page)).toEqual([]);

  await page.getByRole('combobox', { name: 'Program' }).click();
  await page.getByRole('option', { name: 'Cursor' }).click();
  const snippet = page.getByRole('region', { name: 'Write into ~/.cursor/mcp.json' });
  await expect(snippet).toContainText(`${new URL(page.url()).origin}/mcp`);
  await page.getByLabel('With an API token').check();
  await expect(snippet).toContainText('Bearer shop_live_…');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel(/^Name/).fill(`Cursor ${isMobile ? 'phone' : 'desktop'}`);
  await form.getByRole('button', { name: 'Create a token' }).click();
  await page.getByLabel('I have saved it').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(snippet).toContainText(/Bearer shop_live_\w{10}/);

  const count = page.getByRole('status').filter({ hasText: /tools$/ });
  const few = parseInt(await count.innerText(), 10);
  await page.getByLabel('Also delete').check();
  await expect(page.getByRole('listitem').filter({ hasText: /^delete_order$/ })).toBeVisible();
  expect(parseInt(await count.innerText(), 10)).toBeGreaterThan(few);
});
