import type { APIRequestContext, Page } from '@playwright/test';
import { expect, open, ordersIn, run, SERVICE, test } from '../support.js';

/** Forms and dialogs that no other test saves. What they did is read back from the service. */
test.describe('is saved, as the service says afterwards:', () => {
  test.beforeEach(({ isMobile }) => test.skip(isMobile, 'the forms are the same'));

  const stamp = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);
  interface Id {
    id: string;
  }
  const product = (request: APIRequestContext, fields: object = {}) =>
    run<Id & { productId: string; title: string }>(request, 'create_product', {
      ...{ productId: `saved-${stamp()}`, title: `Kept ${stamp()}`, description: 'x', price: 5 },
      images: [`${SERVICE()}/dashboard/favicon.svg`],
      ...fields,
    });
  const size = (...values: string[]) => [
    { optionTitle: 'Size', values: values.map((variantValue) => ({ variantValue, price: 7 })) },
  ];
  const act = async (page: Page, name: string | RegExp, item: string) => {
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('menuitem', { name: item }).filter({ visible: true }).click();
  };
  const save = (page: Page, name = 'Save') =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const closed = (page: Page) => expect(page.getByRole('dialog')).toHaveCount(0);

  interface Line {
    productId: string;
    variantValue: string | null;
    quantity: number;
    price: number;
  }
  const linesOf = async (request: APIRequestContext, orderId: number) =>
    (await run<{ items: Line[] }>(request, 'get_order', { orderId })).items;

  test('products that are added to an order', async ({ page, request }) => {
    const [{ id }] = await ordersIn(request, 'PENDING', 1);
    const before = await linesOf(request, Number(id));
    const plain = await product(request);
    const tee = await product(request, { variants: size('S', 'M') });
    const hidden = await product(request);
    await run(request, 'update_product', { id: hidden.id, isHidden: true });
    await open(page, `orders/${id}`);
    await act(page, 'Actions', 'Change items');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    const picker = dialog.getByRole('combobox', { name: 'Add a product' });
    for (const [typed, option] of [
      [plain.title, plain.title],
      [tee.title, `${tee.title}, Size: M`],
    ]) {
      await picker.fill(typed);
      await page.getByRole('option', { name: option }).click();
    }
    await picker.fill(hidden.title);
    await expect(page.getByText('Nothing found')).toBeVisible();
    await picker.fill('');
    await dialog.getByRole('textbox', { name: `Quantity: ${plain.title}` }).fill('2');
    await save(page);
    await closed(page);
    const after = await linesOf(request, Number(id));
    expect(after).toHaveLength(before.length + 2);
    expect(after.slice(-2)).toMatchObject([
      { productId: plain.productId, quantity: 2, price: 500 },
      { productId: tee.productId, variantValue: 'M', quantity: 1, price: 700 },
    ]);
  });

  test('an edited brand, category, contest, variant, and one that is removed', async ({ page, request }) => {
    const kinds = { brand: 'brands', category: 'categories', contest: 'contests' };
    for (const [kind, path] of Object.entries(kinds)) {
      const [name, field] = [`Kept ${stamp()}`, kind === 'contest' ? 'title' : 'name'];
      const dates = { startDate: '2030-01-01T00:00:00Z', endDate: '2030-02-01T00:00:00Z' };
      const { id } = await run<Id>(request, `create_${kind}`, {
        ...{ [field]: name, slug: `saved-${stamp()}` },
        ...(kind === 'contest' && dates),
      });
      await open(page, path);
      await act(page, `Actions: ${name}`, 'Edit');
      const dialog = page.getByRole('dialog');
      // Nothing is sent, and nothing is said to be saved, where nothing was changed.
      await save(page);
      const notice = page.getByRole('alert').filter({ hasText: 'Nothing was changed' });
      await notice.getByRole('button', { name: 'Close' }).click();
      await dialog
        .getByLabel(kind === 'contest' ? /^Title/ : /^Name/)
        .first()
        .fill(`${name} anew`);
      await save(page);
      await closed(page);
      expect(await run(request, `get_${kind}`, { id })).toMatchObject({ [field]: `${name} anew` });
      await act(page, `Actions: ${name} anew`, 'Delete');
      await dialog.getByLabel(/^Type/).fill(`${name} anew`);
      await save(page, 'Delete');
      await closed(page);
      const ids = async () =>
        (await run<{ items: Id[] }>(request, `list_${path}`, { take: 100 })).items.map((one) => one.id);
      await expect.poll(ids).not.toContain(id);
    }
    const code = `KEPT${stamp()}`.toUpperCase();
    const percent = { discountType: 'PERCENTAGE', discountValue: 10 };
    const { id: promocodeId } = await run<Id>(request, 'create_promocode', { code, ...percent });
    await open(page, 'promocodes');
    await act(page, `Actions: ${code}`, 'Delete');
    await page.getByRole('dialog').getByLabel(/^Type/).fill(code);
    await save(page, 'Delete');
    await closed(page);
    const promocodes = await run<{ items: Id[] }>(request, 'list_promocodes', { take: 100 });
    expect(promocodes.items.map((one) => one.id)).not.toContain(promocodeId);
    const tee = await product(request, { variants: size('S', 'M') });
    await open(page, `products/${tee.id}`);
    await act(page, 'Actions: S', 'Edit');
    await page
      .getByRole('dialog')
      .getByLabel(/^Price/)
      .fill('8');
    await save(page);
    await closed(page);
    await act(page, 'Actions: M', 'Delete');
    await page.getByRole('dialog').getByLabel(/^Type/).fill('M');
    await save(page, 'Delete');
    await closed(page);
    const { variants } = await run<{ variants: object[] }>(request, 'get_product', { id: tee.id });
    expect(variants).toMatchObject([{ values: [{ variantValue: 'S', price: 8 }] }]);
  });

  test('a category that takes products off sale, once its number was read', async ({ page, request }) => {
    const name = `Kept ${stamp()}`;
    const { id } = await run<Id>(request, 'create_category', { name, slug: `saved-${stamp()}` });
    const { id: productId } = await product(request, { categoryId: id });
    await open(page, 'categories');
    await act(page, `Actions: ${name}`, 'Edit');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: /^Active/ }).click({ force: true });
    await save(page);
    await expect(dialog.getByRole('alert')).toContainText('Shoppers will not see 1 product any more.');
    expect(await run(request, 'get_category', { id })).toMatchObject({ isActive: true });
    await save(page, 'Save all the same');
    await closed(page);
    expect(await run(request, 'get_category', { id })).toMatchObject({ isActive: false });
    expect(await run(request, 'get_product', { id: productId })).toMatchObject({
      ...{ onSale: false, notOnSaleBecause: 'category_inactive' },
    });
  });

  test('a reference of a customer, and a note that is deleted again', async ({ page, request }) => {
    const { items } = await run<{ items: Id[] }>(request, 'list_customers', { take: 1 });
    await open(page, `customers/${items[0].id}`);
    const reference = `saved-${stamp()}`;
    await page.getByLabel('Reference', { exact: true }).first().fill(reference);
    await page.getByRole('button', { name: 'Set the reference' }).click();
    await expect
      .poll(() => run(request, 'find_customers', { text: reference }))
      .toMatchObject({ items: [{ id: items[0].id, externalId: reference }] });

    const [{ id }] = await ordersIn(request, 'DELIVERED', 1);
    const notes = async () =>
      (await run<{ items: { text: string }[] }>(request, 'list_order_notes', { orderId: Number(id) })).items;
    const before = await notes();
    await open(page, `orders/${id}`);
    await page.getByRole('textbox', { name: 'New note' }).fill(reference);
    await page.getByRole('button', { name: 'Add the note' }).click();
    await expect.poll(notes).toHaveLength(before.length + 1);
    await page.getByRole('button', { name: 'Take back' }).first().click();
    await expect.poll(notes).toHaveLength(before.length);
  });
});
