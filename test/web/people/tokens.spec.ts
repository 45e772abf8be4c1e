import { axe, expect, open, SERVICE, test } from '../support.js';

test('a token is shown once, works, and is revoked by its name', async ({ page, isMobile }) => {
  const name = `Warehouse ${isMobile ? 'phone' : 'desktop'}`;
  await open(page, 'tokens');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create a token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByRole('button', { name: 'Create a token' }).click();
  await expect(form.getByText('Fill this in.')).toBeVisible();
  await form.getByLabel(/^Name/).fill(name);
  await form.getByLabel('Look and change').check();
  expect(await axe(page)).toEqual([]);
  await form.getByRole('button', { name: 'Create a token' }).click();

  const secret = page.getByRole('dialog', { name: `Token ${name}` });
  const token = (await secret.getByRole('region').innerText()).trim();
  expect(token).toMatch(/^shop_live_/);
  await expect(secret.getByRole('button', { name: 'Close' })).toBeDisabled();
  await page.keyboard.press('Escape');
  expect(await axe(page)).toEqual([]);
  await secret.getByLabel('I have saved it').check();
  await secret.getByRole('button', { name: 'Close' }).click();
  await expect(secret).toHaveCount(0);

  const call = () =>
    page.request.post(`${SERVICE()}/v1/get_store_overview`, {
      headers: { Authorization: `Bearer ${token}` },
      data: {},
    });
  expect((await call()).status()).toBe(200);
  await page.getByRole('button', { name: `Revoke: ${name}` }).click();
  const ask = page.getByRole('dialog', { name: `Revoke: ${name}` });
  await expect(ask.getByRole('button', { name: 'Revoke' })).toBeDisabled();
  await ask.getByLabel(/^Type/).fill(name);
  await ask.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: `Revoke: ${name}` })).toHaveCount(0);
  expect((await call()).status()).toBe(401);
});
