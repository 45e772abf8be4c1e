import { randomUUID } from 'node:crypto';
import { expect, open, openLive, run, SERVICE, test } from '../support.js';

interface Brand {
  name: string;
  isActive: boolean;
}

test('a form takes what others save until something is typed in it, and then asks', async ({ page }) => {
  const productId = `form-${randomUUID()}`;
  const { id } = await run<{ id: string }>(page.request, 'create_product', {
    ...{ productId, title: 'Fresh', description: 'first', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  const save = (description: string) => run(page.request, 'update_product', { id, description });
  await openLive(page, `products/${id}`);
  const description = page.getByLabel(/^Description/);
  await expect(description).toHaveValue('first');
  await save('of somebody else');
  await expect(description).toHaveValue('of somebody else');
  await description.fill('mine');
  await save('of somebody else again');
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog');
  await expect(conflict).toContainText('of somebody else again');
  await expect(description).toHaveValue('mine');
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(conflict).toHaveCount(0);
  // The dialog closes when it is sent, not when it is saved.
  await expect.poll(() => run(page.request, 'get_product', { id })).toMatchObject({ description: 'mine' });
});

test("others' changes of a payment provider are kept, and one of a variant's price is asked about", async ({
  page,
}) => {
  const name = `Till ${randomUUID()}`;
  const { id } = await run<{ id: string }>(page.request, 'create_payment_provider', {
    ...{ providerName: name, providerToken: 'secret', supportedCurrencies: ['USD'], metadata: {} },
    ...{ isTestMode: true, isActive: true },
  });
  await open(page, `payment-providers?edit=${id}`);
  const conflict = page.getByRole('dialog').filter({ hasText: 'Save mine over it' });
  await page.getByRole('switch', { name: 'Test mode' }).click({ force: true });
  await run(page.request, 'update_payment_provider', { id, isActive: false, supportedCurrencies: ['GBP'] });
  await page.getByRole('button', { name: 'Save' }).click();
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await run(page.request, 'get_payment_provider', { id })).toMatchObject({
    ...{ isActive: false, supportedCurrencies: ['GBP'] },
  });
  await run(page.request, 'delete_payment_provider', { id });

  const product = await run<{ id: string }>(page.request, 'create_product', {
    ...{ productId: name.slice(5), title: 'Versions', description: 'x', price: 5 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
    variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 7 }] }],
  });
  const { items } = await run<{ items: { id: string }[] }>(page.request, 'list_variants', {
    productId: product.id,
  });
  await open(page, `products/${product.id}`);
  await page.getByRole('button', { name: 'Actions: M' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const price = page.getByRole('dialog').getByLabel(/^Price/);
  await expect(price).toHaveValue('7.00');
  await price.fill('77');
  await run(page.request, 'update_variant', { id: items[0].id, price: 33 });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(conflict).toContainText('33');
});

test('a promocode that somebody else changed, which is read with its list only, is asked about', async ({
  page,
}) => {
  const code = `MEANWHILE${Date.now()}`;
  const { id } = await run<{ id: string }>(page.request, 'create_promocode', {
    ...{ code, discountType: 'PERCENTAGE', discountValue: 10 },
  });
  await open(page, 'promocodes');
  await page.getByRole('button', { name: `Actions: ${code}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel(/^Discount value/).fill('15');
  await run(page.request, 'update_promocode', { id, discountValue: 13 });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog').filter({ hasText: 'Save mine over it' });
  await expect(conflict.getByRole('cell', { name: '13' })).toBeVisible();
  await conflict.getByRole('button', { name: 'Save mine over it' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const { items } = await run<{ items: { id: string }[] }>(page.request, 'list_promocodes', { take: 100 });
  expect(items.find((row) => row.id === id)).toMatchObject({ discountValue: 15 });
  await run(page.request, 'delete_promocode', { id, confirm: true });
});

test('what somebody else changed of a configuration is named and written as its form does', async ({
  page,
}) => {
  await open(page, 'invoice-fields');
  const tip = page.getByLabel('Largest tip');
  const { maxTipAmount } = await run<{ maxTipAmount: number }>(page.request, 'get_invoice_field_config', {});
  await tip.fill('7.5');
  await run(page.request, 'update_invoice_field_config', { maxTipAmount: maxTipAmount === 800 ? 900 : 800 });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog').filter({ hasText: 'Save mine over it' });
  await expect(conflict.getByRole('row', { name: /^Largest tip 7\.50 [89]\.00$/ })).toBeVisible();
  await conflict.getByRole('button', { name: 'Take what is saved' }).click();
  await expect(tip).toHaveValue(/^[89]\.00$/);
});

test('a refusal is where the cursor is', async ({ page }) => {
  await open(page, 'products/new');
  await page.getByLabel(/^Title/).fill('A title');
  const id = page.getByLabel(/^Id in your systems/);
  await id.fill('');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(id).toBeFocused();
  await expect(id).toBeInViewport();
  await expect(id).toHaveAttribute('aria-invalid', 'true');
});

test('a list that is empty is to be filled in, and one with a wrong address is to be mended', async ({
  page,
}) => {
  await open(page, 'products/new');
  const pictures = page.getByRole('group', { name: 'Pictures' });
  const create = page.getByRole('button', { name: 'Create', exact: true });
  await page.getByLabel(/^Title/).fill('A title');
  await create.click();
  await expect(pictures.getByRole('alert')).toHaveText('Fill this in.');
  await pictures.getByRole('button', { name: 'Add a picture' }).click();
  await create.click();
  await expect(pictures.getByRole('alert')).toHaveText('Fill this in.');
  await pictures.getByRole('textbox').fill('picture.png');
  await create.click();
  await expect(pictures.getByRole('alert')).toHaveText(/^A full address/);
});

test('what a form shows of a new record is what is saved', async ({ page }) => {
  for (const isActive of [true, false]) {
    const name = `Shown ${randomUUID()}`;
    await open(page, 'brands?new=1');
    await page.getByLabel(/^Name \*?$/).fill(name);
    const active = page.getByRole('dialog').getByRole('switch', { name: 'Active' });
    await expect(active).toBeChecked();
    await active.setChecked(isActive, { force: true });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const { items } = await run<{ items: Brand[] }>(page.request, 'list_brands', { take: 100 });
    expect(items.find((brand) => brand.name === name)?.isActive).toBe(isActive);
  }
});

interface CheckoutFields {
  fields: { id: string; conditions?: { dependsOn: string }[] }[];
}

test('an id that another field has is refused while it is typed, and conditions keep to theirs', async ({
  page,
}) => {
  const stored = await run<CheckoutFields>(page.request, 'get_checkout', {});
  const field = (id: string, dependsOn?: string) => ({
    ...{ id, label: id.toUpperCase(), type: 'text', required: false, defaultVisible: true },
    ...(dependsOn && { conditions: [{ dependsOn, operator: 'is_empty', action: 'hide' }] }),
  });
  const save = (fields: object[]) => run(page.request, 'update_checkout', { fields });
  await save([field('a'), field('a'), field('b', 'a')]);
  await open(page, 'checkout');
  const ids = page.getByLabel('Id, for conditions and partners');
  await expect(ids).toHaveCount(3);
  await expect(ids.nth(1)).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('combobox', { name: 'When the field' }).click();
  await expect(page.getByRole('option')).toHaveText(['A', 'B (this field)']);
  await page.keyboard.press('Escape');
  // The condition means the first, which still has the id.
  await ids.nth(1).press('End');
  await ids.nth(1).pressSequentially('2');
  await expect(ids.nth(1)).not.toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('combobox', { name: 'When the field' })).toHaveValue('A');

  await page.getByRole('button', { name: 'Add a field' }).click();
  await ids.last().fill('');
  await ids.last().pressSequentially('a');
  await expect(page.getByText('This is used already.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(ids.last()).toBeFocused();
  await ids.last().pressSequentially('3');
  await page.getByRole('group', { name: 'Fields' }).getByLabel('Label').last().fill('Third');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Saved');
  const { fields } = await run<CheckoutFields>(page.request, 'get_checkout', {});
  expect(fields.map(({ id }) => id)).toEqual(['a', 'a2', 'b', 'a3']);
  expect(fields[2].conditions).toMatchObject([{ dependsOn: 'a' }]);
  await save(stored.fields);
});

test('an amount is never altered while it is typed, and one that cannot be read is not sent', async ({
  page,
}) => {
  const { items } = await run<{ items: { id: string }[] }>(page.request, 'list_customers', { take: 1 });
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/adjust_bonus') && sent.push(request.postData()!));
  await open(page, `customers/${items[0].id}`);
  await page.getByRole('button', { name: 'Adjust bonus' }).click();
  const dialog = page.getByRole('dialog');
  const amount = dialog.getByLabel(/^Change/);
  await amount.pressSequentially('5');
  await amount.pressSequentially('.555');
  await expect(amount).toHaveValue('5.555');
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(amount).toBeFocused();
  await expect(dialog).toContainText('A number with at most 2 decimals');
  await amount.fill('1,000.5');
  await amount.blur();
  await expect(amount).toHaveValue('1,000.50');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(sent.map((text) => (JSON.parse(text) as { delta: number }).delta)).toEqual([1000.5]);
});
