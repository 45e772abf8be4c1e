import { TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { axe, clickTwice, expect, open, openSections, OWNER, STORE, test, tooWide } from '../support.js';

/** Somebody invited by the owner, in a browser of their own, so that the owner's account stays as it is. */
test('somebody is invited, joins, secures the account and is removed', async ({
  page,
  browser,
  isMobile,
}) => {
  test.setTimeout(120_000);
  const email = `packer-${isMobile ? 'phone' : 'desktop'}@shop.example`;
  const password = 'staple of all orchards';
  await open(page, 'members');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel(/^E-mail/).fill(email);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  const made = page.getByRole('dialog', { name: `Invitation for ${email}` });
  const link = (await made.getByRole('region').innerText()).trim();
  await made.getByLabel('I have saved it').check();
  await made.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: `Withdraw: ${email}` })).toBeVisible();

  // Another invitation is taken back: its link is worth nothing.
  const unwanted = `not-${email}`;
  const invited = await page.request.post(`/dashboard/api/stores/${STORE()}/members`, {
    data: { email: unwanted, role: 'staff' },
  });
  expect(invited.ok()).toBe(true);
  await page.reload();
  await page.getByRole('button', { name: `Withdraw: ${unwanted}` }).click();
  await expect(page.getByRole('button', { name: `Withdraw: ${unwanted}` })).toHaveCount(0);

  const theirs = await browser.newContext({ storageState: { cookies: [], origins: [] }, locale: 'en-GB' });
  const guest = await theirs.newPage();
  await guest.goto(`/dashboard/accept-invitation${new URL(link).hash}`);
  const chosen = guest.getByRole('textbox', { name: /^Password/ });
  await chosen.fill('short');
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(chosen).toHaveAccessibleDescription(/From 12 to 1,000 characters\./);
  await expect(chosen).toBeFocused();
  await chosen.fill(password);
  await clickTwice(guest, guest.getByRole('button', { name: 'Join' }));
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Overview');

  // Staff: no page of tokens, none of members, and none that the service refuses, from the menu or by its
  // address.
  const refused: string[] = [];
  guest.on('response', (response) => response.status() === 403 && refused.push(response.url()));
  if (!isMobile) {
    await openSections(guest);
    const menu = guest.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const names = await menu.allInnerTexts();
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      await openSections(guest);
      await menu.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await expect(guest.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(guest.locator('[aria-busy=true]')).toHaveCount(0);
    }
  }
  for (const address of ['members', 'tokens']) {
    await open(guest, address);
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Overview');
    await expect(guest.getByText('You have no access to that page.')).toBeVisible();
  }
  expect(refused).toEqual([]);
  await open(guest, 'security');
  await expect(guest.getByRole('link', { name: 'Members' })).toHaveCount(0);
  await expect(guest.getByRole('link', { name: 'API tokens' })).toHaveCount(0);
  expect(await axe(guest)).toEqual([]);
  await guest.getByLabel(/^Current password/).fill('not the password');
  await guest.getByLabel(/^New password/).fill(`${password} anew`);
  await guest.getByRole('button', { name: 'Change the password' }).click();
  await expect(guest.getByText('This is not your password.')).toBeVisible();
  await guest.getByLabel(/^Current password/).fill(password);
  await clickTwice(guest, guest.getByRole('button', { name: 'Change the password' }));
  await expect(guest.getByText('The password is changed.')).toBeVisible();

  await guest.getByRole('button', { name: 'Turn it on' }).click();
  const dialog = guest.getByRole('dialog');
  await dialog.getByLabel(/^Current password/).fill(`${password} anew`);
  await clickTwice(guest, dialog.getByRole('button', { name: 'Next' }));
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  expect(await axe(guest)).toEqual([]);
  const secret = (await dialog.getByRole('region', { name: 'Secret' }).innerText()).trim();
  await dialog.getByLabel(/^Code of the app/).fill(new TOTP({ secret }).generate());
  await clickTwice(guest, dialog.getByRole('button', { name: 'Turn it on' }));
  const codes = guest.getByRole('dialog', { name: 'Recovery codes' });
  const [code] = (await codes.getByRole('region').innerText()).trim().split('\n');
  await codes.getByLabel('I have saved it').check();
  await codes.getByRole('button', { name: 'Close' }).click();
  await expect(guest.getByText('10 recovery codes are left.')).toBeVisible();
  await guest.getByRole('button', { name: 'Turn it off' }).click();
  await guest.getByRole('dialog').getByRole('textbox').fill(code);
  await clickTwice(guest, guest.getByRole('dialog').getByRole('button', { name: 'Turn it off' }));
  await expect(guest.getByRole('button', { name: 'Turn it on' })).toBeVisible();

  // Two more browsers: the one is ended by itself, then all others.
  const [third, other] = await Promise.all(
    ['Firefox/146.0 (Windows)', ''].map(async (userAgent) => {
      const elsewhere = await browser.newContext({
        storageState: { cookies: [], origins: [] },
        ...(userAgent && { userAgent }),
      });
      await elsewhere.request.post('/dashboard/api/auth/sign-in', {
        data: { email, password: `${password} anew` },
      });
      return elsewhere;
    }),
  );
  await guest.reload();
  await guest.getByRole('button', { name: 'End: Firefox, Windows' }).click();
  await expect(guest.getByRole('button', { name: 'End: Firefox, Windows' })).toHaveCount(0);
  expect((await third.request.get('/dashboard/api/me')).status()).toBe(401);
  expect((await other.request.get('/dashboard/api/me')).status()).toBe(200);
  await guest.getByRole('button', { name: 'End all others' }).click();
  await expect(guest.getByRole('button', { name: 'End all others' })).toHaveCount(0);
  expect((await other.request.get('/dashboard/api/me')).status()).toBe(401);

  await page.reload();
  const change = async (item: string) => {
    await page.getByRole('button', { name: `Actions: ${email}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const roleOf = async () => {
    const response = await page.request.get(`/dashboard/api/stores/${STORE()}/members`);
    const { data } = (await response.json()) as { data: { items: { email: string; role: string }[] } };
    return data.items.find((member) => member.email === email)?.role;
  };
  // Making and removing an owner asks for the password once more.
  for (const [item, role] of [
    ['Make an owner', 'owner'],
    ['Make staff', 'staff'],
  ]) {
    await change(item);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Current password/).fill('not the password');
    const keep = dialog.getByLabel('Keep their tokens working; their apps go on with scope write');
    // It is asked of somebody who is an owner no longer.
    await expect(keep).toHaveCount(role === 'staff' ? 1 : 0);
    if (role === 'staff') await keep.check();
    await dialog.getByRole('button', { name: item }).click();
    await expect(dialog.getByText('This is not your password.')).toBeVisible();
    expect(await axe(page)).toEqual([]);
    await dialog.getByLabel(/^Current password/).fill(OWNER().password);
    await clickTwice(page, dialog.getByRole('button', { name: item }));
    await expect.poll(roleOf).toBe(role);
  }

  // Narrowed to two groups, they see the pages of these.
  await change('Change what they work with');
  const narrow = page.getByRole('dialog');
  await narrow.getByLabel('Works with everything').uncheck();
  await narrow.getByLabel('Orders', { exact: true }).check();
  await narrow.getByLabel('Products', { exact: true }).check();
  expect(await axe(page)).toEqual([]);
  await clickTwice(page, narrow.getByRole('button', { name: 'Save' }));
  await expect(narrow).toHaveCount(0);
  await open(guest, 'overview');
  if (!isMobile) {
    const menu = guest.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expect(menu.filter({ hasText: /^Orders$/ })).toHaveCount(1);
    await expect(menu.filter({ hasText: /^Brands$/ })).toHaveCount(0);
  }
  await open(guest, 'brands');
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Overview');
  expect(refused).toEqual([]);
  await change('Change what they work with');
  await narrow.getByLabel('Works with everything').check();
  await narrow.getByRole('button', { name: 'Save' }).click();
  await expect(narrow).toHaveCount(0);

  // The store is handed over, and handed back.
  const handOver = async (from: Page, to: string, word: string) => {
    await open(from, 'members');
    await from.getByRole('button', { name: `Actions: ${to}` }).click();
    await from.getByRole('menuitem', { name: 'Hand the store over' }).click();
    const dialog = from.getByRole('dialog');
    await dialog.getByLabel(/^Current password/).fill('not the password');
    await dialog.getByRole('button', { name: 'Hand the store over' }).click();
    await expect(dialog.getByText('This is not your password.')).toBeVisible();
    await dialog.getByLabel(/^Current password/).fill(word);
    await clickTwice(from, dialog.getByRole('button', { name: 'Hand the store over' }));
    await expect(from.getByRole('heading', { level: 1 })).toHaveText('Overview');
    await expect(from.getByRole('link', { name: 'Members' })).toHaveCount(0);
  };
  await handOver(page, email, OWNER().password);
  await handOver(guest, OWNER().email, `${password} anew`);

  await open(page, 'members');
  await change('Remove');
  await clickTwice(page, page.getByRole('dialog').getByRole('button', { name: 'Remove' }));
  await expect(page.getByRole('button', { name: `Actions: ${email}` })).toHaveCount(0);
  expect((await theirs.request.get(`/dashboard/api/stores/${STORE()}/audit`)).status()).toBe(404);
  for (const context of [theirs, third, other]) await context.close();
});

test('who has lost a password is told whom to ask while no e-mail is sent', async ({ browser }) => {
  const somebody = await browser.newContext({ storageState: { cookies: [], origins: [] }, locale: 'en-GB' });
  const page = await somebody.newPage();
  await page.goto('/dashboard/sign-in');
  await page.getByRole('button', { name: 'Forgot the password?' }).click();
  const contact = page.getByRole('link', { name: 'help@shops.example' });
  await expect(contact).toHaveAttribute('href', 'mailto:help@shops.example');
  expect(await axe(page)).toEqual([]);
  await somebody.close();
});

test('the plan with its usage and invoices, and the payments by their outcome', async ({
  page,
  isMobile,
}) => {
  await open(page, 'billing');
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(
    page.getByText('In the plan').or(page.getByRole('list', { name: 'In the plan' })),
  ).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await open(page, 'payments');
  const unfit = page.locator('.row').filter({ hasText: 'No such order' });
  await expect(unfit.getByText(/^demo_charge_\d{10,}$/)).toBeVisible();
  await expect(unfit.getByText(/^Payer: \d+, Olena, \+\d+$/)).toBeVisible();
  if (!isMobile) {
    // Beside the menu.
    await page.setViewportSize({ width: 820, height: 800 });
    expect(await tooWide(page)).toBeLessThanOrEqual(0);
    const hidden = `({ scrollWidth, clientWidth }) => scrollWidth - clientWidth`;
    expect(await page.evaluate(`(${hidden})(document.querySelector('.list-scroll'))`)).toBe(0);
  }
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Another amount' }).click();
  await expect(page).toHaveURL(/outcome=other_amount/);
  expect(await axe(page)).toEqual([]);
});
