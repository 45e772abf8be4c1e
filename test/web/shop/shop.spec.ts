import type { APIRequestContext } from '@playwright/test';
import { signInitData } from '../../doors/storefront/mini-app.js';
import { axe, clickTwice, expect, open, openLive, run, STORE, test } from '../support.js';

test('settings are saved, and a refused field says what is wrong', async ({ page }) => {
  await open(page, 'settings');
  const keywords = page.getByLabel('Keywords, separated by commas');
  await keywords.fill(`tea, ${Date.now()}`);
  await page.getByRole('textbox', { name: 'Logo (address of a picture)' }).fill('nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A full address that starts with https://')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Logo (address of a picture)' }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('leaving a form with changes asks for confirmation', async ({ page, isMobile }) => {
  await open(page, 'bot');
  if (isMobile) await page.getByRole('button', { name: 'Menu' }).click();
  await page.locator('a[href$="/settings"]').click();
  await page.getByLabel('Keywords, separated by commas').fill('not saved');
  const asked = page.waitForEvent('dialog').then(async (dialog) => {
    await dialog.dismiss();
    return dialog.message();
  });
  await page.goBack();
  expect(await asked).toContain('not saved');
});

/** Orders the way the shop in the messenger does. @returns the order's number */
async function orderInMessenger(request: APIRequestContext, token: string): Promise<number> {
  const headers = { Authorization: `tma ${signInitData({ id: '555000111', first_name: 'Ann' }, { token })}` };
  const catalog = await request.get(`/storefront/${STORE()}/catalog`, { headers });
  const { data } = (await catalog.json()) as {
    data: { items: { productId: string; itemAmount: number | null; variants: object[] }[] };
  };
  const isPlain = (one: (typeof data.items)[number]) => one.variants.length === 0 && one.itemAmount !== 0;
  const { productId } = data.items.find(isPlain)!;
  const answer = await request.post(`/storefront/${STORE()}/orders`, {
    headers,
    data: { items: [{ productId, quantity: 1 }], paymentMethod: 'cash' },
  });
  const body = (await answer.json()) as { data: { id: number }; error?: unknown };
  expect(body.error).toBeUndefined();
  return body.data.id;
}

test('the bot is written for, connected, its orders told at once, and it is disconnected', async ({
  page,
}) => {
  await openLive(page, 'bot');
  for (const kind of ['Welcome message', 'Message about shipping']) {
    if (kind !== 'Welcome message') await page.getByRole('link', { name: 'Shipped', exact: true }).click();
    const section = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: kind, exact: true }) });
    const words = `${kind} of ${Date.now()}`;
    await section.getByLabel('Text', { exact: true }).fill(`${words}: {orderId}`);
    const shown = section.getByRole('figure');
    await expect(shown).toContainText(kind === 'Welcome message' ? `${words}: {orderId}` : `${words}: 1042`);
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByRole('button', { name: 'Save' })).toBeDisabled();
  }
  // A button that loads is disabled too.
  const stored = async () => {
    const answer = await page.request.get(`/dashboard/api/stores/${STORE()}/bot/messages/shipped`);
    return ((await answer.json()) as { data: { text: string } }).data.text;
  };
  await expect.poll(stored).toMatch(/^Message about shipping of \d+: \{orderId\}$/);
  await page.getByRole('button', { name: /^Connect (a|another) bot$/ }).click();
  const token = `${10 ** 9 + (Date.now() % 10 ** 9)}:${'A'.repeat(35)}`;
  await page.getByLabel(/^Token of the bot/).fill(token);
  await page.getByRole('dialog').getByRole('button', { name: 'Connect a bot' }).click();
  await expect(page.getByRole('button', { name: 'Disconnect', exact: true })).toBeVisible();

  // A new order is told on whatever page one is.
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sound for new orders Off' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sound for new orders On' })).toBeVisible();
  await page.keyboard.press('Escape');
  const id = await orderInMessenger(page.request, token);
  const notice = page.getByRole('alert').filter({ hasText: `New order #${id}` });
  await expect(notice).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await notice.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(String(id));

  await open(page, 'bot');
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('shoppers cannot open the shop');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Not connected')).toBeVisible();
});

test('what an order earns is seen before the rules are saved', async ({ page }) => {
  await open(page, 'monetization');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('switch', { name: 'Switched on' }).first().check({ force: true });
  const before = await page.getByText('It earns:').textContent();
  const rate = page.getByRole('group', { name: 'Levels' }).getByLabel('Rate').first();
  await rate.fill('37');
  await expect(page.getByText('It earns:')).not.toHaveText(before!);
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a field of the checkout form appears by its condition', async ({ page }) => {
  await open(page, 'checkout');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add a field' }).click();
  const label = page.getByRole('group', { name: 'Fields' }).getByLabel('Label').last();
  await expect(label).toBeFocused();
  await label.fill('Gift note');
  await expect(page.getByRole('textbox', { name: 'Gift note' })).toBeVisible();

  // The id of a new field follows its label until somebody edits it.
  const fields = page.getByRole('group', { name: 'Fields' });
  const ids = fields.getByLabel('Id, for conditions and partners');
  await expect(ids.last()).toHaveValue('gift_note');
  const count = await ids.count();
  await page.getByRole('button', { name: 'Add a field' }).click();
  await fields.getByLabel('Label').last().fill('Gift note');
  await expect(ids.last()).toHaveValue('gift_note_2');
  await page.getByRole('button', { name: 'Add a condition' }).last().click();
  const dependsOn = page.getByRole('combobox', { name: 'When the field' }).last();
  await dependsOn.click();
  await page.getByRole('option', { name: 'Gift note', exact: true }).click();
  await fields
    .getByLabel('Label')
    .nth(count - 1)
    .fill('Card');
  await expect(ids.nth(count - 1)).toHaveValue('card');
  await expect(dependsOn).toHaveValue('Card');
  await ids.last().fill('own_id');
  await fields.getByLabel('Label').last().fill('Other note');
  await expect(ids.last()).toHaveValue('own_id');
  const label0 = await fields.getByLabel('Label').first().inputValue();
  const id0 = await ids.first().inputValue();
  await fields.getByLabel('Label').first().fill(`${label0} anew`);
  await expect(ids.first()).toHaveValue(id0);
  await page.getByRole('button', { name: 'Remove: Other note' }).click();
  await label.fill('Gift note');

  await page.getByRole('button', { name: 'Add a condition' }).last().click();
  // A condition about a choice offers the answers of that choice.
  await page
    .getByRole('group', { name: 'Conditions' })
    .last()
    .getByRole('combobox', { name: 'Value' })
    .click();
  const values = page.getByRole('listbox').getByRole('option');
  await expect(values).toHaveText(['Pickup', 'Courier', 'Post']);
  await values.filter({ hasText: 'Courier' }).click();
  await page.getByRole('switch', { name: 'Shown at first' }).last().uncheck({ force: true });
  await expect(page.getByRole('textbox', { name: 'Gift note' })).toHaveCount(0);
  await page.locator('.in-sight').getByLabel(`${label0} anew`).selectOption('Courier');
  await expect(page.getByRole('textbox', { name: 'Gift note' })).toBeVisible();
  await expect(page.getByRole('status').getByText('$4.90')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('a payment provider keeps a secret that is left as dots', async ({ page }) => {
  await open(page, 'payment-providers?new=1');
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Merchant keys' }).click();
  const name = `merchant-${Date.now()}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Merchant id').fill('M-1');
  await page.getByRole('textbox', { name: 'Client key' }).fill('client-secret-1234');
  await page.getByRole('textbox', { name: 'Server key' }).fill('server-secret-5678');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Merchant id').fill('M-2');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const { items } = await run<{ items: { id: string; providerName: string; metadata: object }[] }>(
    page.request,
    'list_payment_providers',
    {},
  );
  const { id, metadata } = items.find(({ providerName }) => providerName === name)!;
  expect(metadata).toEqual({ merchantId: 'M-2', clientKey: '••••1234', serverKey: '••••5678' });
  await page.getByRole('button', { name: `Actions: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByLabel(/^Type/).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  const ids = async () =>
    (await run<{ items: { id: string }[] }>(page.request, 'list_payment_providers', {})).items.map(
      (provider) => provider.id,
    );
  await expect.poll(ids).not.toContain(id);
});

test('invoice fields take tips in the units people know', async ({ page }) => {
  await open(page, 'invoice-fields');
  expect(await axe(page)).toEqual([]);
  const tip = page.getByLabel('Largest tip');
  const amount = (Date.now() % 1000) / 100 + 20;
  await tip.fill(amount.toFixed(2));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const { maxTipAmount } = await run<{ maxTipAmount: number }>(page.request, 'get_invoice_field_config', {});
  expect(maxTipAmount).toBe(Math.round(amount * 100));

  // What is no amount stays as it was typed, and is not saved without it.
  const suggested = page.getByRole('combobox', { name: 'Suggested tips' });
  for (const text of ['1,200.5', '2.555']) {
    await suggested.fill(text);
    await suggested.press('Enter');
  }
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(suggested).toBeFocused();
  await expect(page.getByText('A number with at most 2 decimals')).toBeVisible();
  await expect(page.getByText('2.555', { exact: true })).toBeVisible();
  await suggested.press('Backspace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => run<{ suggestedTipAmounts: number[] }>(page.request, 'get_invoice_field_config', {}))
    .toMatchObject({ suggestedTipAmounts: expect.arrayContaining([120050]) as number[] });
});

test('a campaign is composed beside its picture; past ones say who has not got it', async ({ page }) => {
  await open(page, 'campaigns');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'New campaign' }).click();
  await page.getByLabel(/^Text \*?$/).fill('New tea has come');
  await expect(page.getByRole('figure')).toContainText('New tea has come');
  await page.getByRole('button', { name: 'Count and send…' }).click();
  await expect(page.getByText('Fill this in.')).toBeVisible();
  expect(await axe(page)).toEqual([]);
  await page.getByLabel(/^Name/).fill('Tea');
  const button = page.getByLabel('Text of a button');
  await button.fill('Open the shop');
  await page.getByRole('button', { name: 'Count and send…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This message goes out without one.');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button.fill('');
  await page.getByRole('button', { name: 'Count and send…' }).click();
  await expect(dialog).toContainText('cannot be called back');
  await expect(dialog).not.toContainText('without one');
  const [, count] = /Type (\d+) to confirm/.exec(await dialog.innerText())!;
  await dialog.getByRole('textbox').fill(count);
  await clickTwice(page, dialog.getByRole('button', { name: 'Send' }));
});

test('a campaign goes to customers found by name, @username or phone, or listed by their ids', async ({
  page,
  context,
}) => {
  interface Customers {
    items: { id: string; name: string; phone: string | null }[];
  }
  const { items } = await run<Customers>(page.request, 'find_customers', { take: 100 });
  const [named, called, phoned, ...listed] = items.filter(({ name, phone }) => name && phone);
  const stamp = Date.now().toString(36);
  const rename = (id: string, names: object) => run(page.request, 'update_customer', { id, ...names });
  await rename(named.id, { firstName: 'Zoriana', lastName: stamp });
  await rename(called.id, { firstName: 'Petro', lastName: stamp, username: `petro_${stamp}` });
  await open(page, 'campaigns/new');
  await page.getByLabel(/^Name/).fill('Tea');
  await page.getByLabel(/^Text \*?$/).fill('New tea has come');
  await page.getByText('Chosen ones', { exact: true }).click();
  const box = page.getByRole('combobox', { name: 'Ids of the shoppers' });
  const chips = page.locator('.mantine-Pill-label');
  await box.fill(`zoriana ${stamp}`);
  await page.getByRole('option', { name: `Zoriana ${stamp}` }).click();
  // Enter takes who is offered first, and does not send the form.
  await box.fill(`@petro_${stamp}`);
  await expect(page.getByRole('option')).toContainText([`@petro_${stamp}`]);
  await box.press('Enter');
  await box.fill(phoned.phone!);
  await page.getByRole('option', { name: phoned.name }).click();
  await expect(chips).toHaveText([`Zoriana ${stamp}`, `Petro ${stamp}`, phoned.name]);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [first, second] = listed;
  await page.evaluate(`navigator.clipboard.writeText('${first.id}\\n${second.id}\\n')`);
  await box.press('Control+v');
  const names = [`Zoriana ${stamp}`, `Petro ${stamp}`, phoned.name, first.name, second.name];
  await expect(chips).toHaveText(names);
  await box.press('Escape');
  expect(await axe(page)).toEqual([]);
  // A reload knows who they are.
  await page.reload();
  await expect(chips).toHaveText(names);
  const counted = page.waitForRequest(/send_campaign/);
  await page.getByRole('button', { name: 'Count and send…' }).click();
  const { audience } = (await counted).postDataJSON() as { audience: { customerIds: string[] } };
  expect(audience.customerIds).toEqual([named, called, phoned, first, second].map(({ id }) => id));
});
