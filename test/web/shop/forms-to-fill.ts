import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { ordersIn, run, SERVICE, STORE } from '../support.js';

export interface Form {
  /** The address of the page below the store's, and the steps from there to the filled form. */
  at: string | ((request: APIRequestContext) => Promise<string>);
  fill: (page: Page) => Promise<void>;
  submit: string | RegExp;
  /** The operation of the audit log's row, of which each effect has one. */
  operation: string;
}

const stamp = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);
const field = (page: Page, label: string | RegExp) =>
  page.getByLabel(label, { exact: typeof label === 'string' }).first();
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();
const choose = async (page: Page, label: RegExp, option: string | RegExp) => {
  await field(page, label).click();
  await page.getByRole('option', { name: option }).first().click();
};

type Row = { id: string };
const first = async (request: APIRequestContext, list: string, input: object = {}) =>
  (await run<{ items: Row[] }>(request, list, { take: 1, ...input })).items[0].id;
const orderIn = (status: string) => async (request: APIRequestContext) =>
  `orders/${(await ordersIn(request, status, 1))[0].id}`;
const newProduct = async (request: APIRequestContext) => {
  const productId = `once-${stamp()}`;
  const product = { productId, title: productId, description: 'x', price: 5, itemAmount: 10 };
  const { id } = await run<Row>(request, 'create_product', {
    ...product,
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  return `products/${id}`;
};
const customer = async (request: APIRequestContext) => `customers/${await first(request, 'list_customers')}`;

/** Each with the row of the activity log that it leaves. */
export const FORMS: Record<string, Form> = {
  'a brand': {
    at: 'brands?new=1',
    fill: (page) => field(page, /^Name/).fill(`Once ${stamp()}`),
    submit: 'Create',
    operation: 'create_brand',
  },
  'a category': {
    at: 'categories?new=1',
    fill: (page) => field(page, /^Name/).fill(`Once ${stamp()}`),
    submit: 'Create',
    operation: 'create_category',
  },
  'a promocode': {
    at: 'promocodes?new=1',
    fill: async (page) => {
      await field(page, /^Code/).fill(`ONCE${stamp()}`);
      await choose(page, /^Discount type/, 'Percent');
      await field(page, /^Discount value/).fill('10');
    },
    submit: 'Create',
    operation: 'create_promocode',
  },
  'a new product': {
    at: 'products/new',
    fill: async (page) => {
      const id = `once-${stamp()}`;
      await field(page, /^Id in your systems/).fill(id);
      await field(page, /^Title/).fill(id);
      await field(page, /^Description/).fill('Once');
      await field(page, /^Price/).fill('5');
      await press(page, 'Add a picture');
      await field(page, 'Pictures 1').fill(`${SERVICE()}/dashboard/favicon.svg`);
    },
    submit: 'Create',
    operation: 'create_product',
  },
  'a product': {
    at: newProduct,
    fill: (page) => field(page, /^Description/).fill(`Once ${stamp()}`),
    submit: 'Save',
    operation: 'update_product',
  },
  'a variant': {
    at: newProduct,
    fill: async (page) => {
      await press(page, 'Add a variant');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(/^Option title/).fill('Colour');
      await dialog.getByLabel(/^Variant value/).fill(`Blue ${stamp()}`);
      await dialog.getByLabel(/^Price/).fill('5');
    },
    submit: 'Create',
    operation: 'create_variant',
  },
  'a difference of stock': {
    at: newProduct,
    fill: async (page) => {
      await press(page, /^Stock of /);
      await field(page, 'Stock').fill('7');
    },
    submit: 'Save',
    operation: 'update_stock',
  },
  'a note': {
    at: orderIn('PENDING'),
    fill: (page) => field(page, 'New note').fill(`Once ${stamp()}`),
    submit: 'Add the note',
    operation: 'add_order_note',
  },
  'a shipment': {
    at: orderIn('PROCESSING'),
    fill: async (page) => {
      await press(page, 'Ship');
      await field(page, 'Carrier').fill('DHL');
    },
    submit: 'Ship',
    operation: 'ship_order',
  },
  'a refund': {
    at: orderIn('DELIVERED'),
    fill: async (page) => {
      await press(page, 'Actions');
      await page.getByRole('menuitem', { name: /^Refund/ }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('Once');
    },
    submit: 'Refund',
    operation: 'refund_order',
  },
  'a bonus': {
    at: customer,
    fill: async (page) => {
      await press(page, 'Adjust bonus');
      await page
        .getByRole('dialog')
        .getByLabel(/^Change/)
        .fill('5');
    },
    submit: 'Save',
    operation: 'adjust_bonus',
  },
  'a ban': {
    at: customer,
    fill: async () => undefined,
    submit: /^Ban$|^Lift the ban$/,
    operation: 'update_customer',
  },
  'a token': {
    at: 'tokens',
    fill: async (page) => {
      await press(page, 'Create a token');
      await page.getByRole('dialog').getByLabel(/^Name/).fill(`once ${stamp()}`);
    },
    submit: 'Create a token',
    operation: 'token.create',
  },
  'an invitation': {
    at: 'members',
    fill: async (page) => {
      await press(page, 'Invite somebody');
      await field(page, /^E-mail/).fill(`once-${stamp()}@test.example`);
    },
    submit: 'Make the invitation',
    operation: 'member.invite',
  },
};

const within = (page: Page, heading: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) });

/** The other forms, which share the guard: only clicked twice, all in one test. */
export const OTHERS: Record<string, Form> = {
  'prices of a sheet': {
    at: async (request) => {
      const id = (await newProduct(request)).replace('products/', '');
      const { productId } = await run<{ productId: string }>(request, 'get_product', { id });
      return `products/prices?text=${productId}`;
    },
    fill: async (page) => {
      await field(page, /^Price: /).fill('6');
      await press(page, 'Review the changes');
      await expect(page.getByRole('dialog').getByRole('row')).toHaveCount(2);
      await expect(page.getByRole('dialog').locator('[aria-busy=true]')).toHaveCount(0);
    },
    submit: 'Save 1 change',
    operation: 'update_prices',
  },
  'a new product with variants': {
    at: 'products/new',
    fill: async (page) => {
      await field(page, /^Title/).fill(`Once ${stamp()}`);
      await field(page, /^Description/).fill('Once');
      await field(page, /^Price/).fill('5');
      await press(page, 'Add a picture');
      await field(page, 'Pictures 1').fill(`${SERVICE()}/dashboard/favicon.svg`);
      await press(page, 'Add an option');
      await field(page, 'Option').fill('Size');
      await page.getByRole('combobox', { name: 'Values of Size' }).fill('M, L');
      await page.keyboard.press('Enter');
    },
    submit: 'Create',
    operation: 'create_product',
  },
  'an order that is paid': {
    at: orderIn('PENDING'),
    fill: async () => undefined,
    submit: 'Mark paid',
    operation: 'set_order_status',
  },
  'an order that has arrived': {
    at: orderIn('SHIPPED'),
    fill: async () => undefined,
    submit: 'Mark delivered',
    operation: 'set_order_status',
  },
  'several shipments': {
    at: async (request) => (await orderIn('PROCESSING')(request)).replace('orders/', 'orders/ship?ids='),
    fill: (page) => field(page, /^Tracking number: /).fill(stamp()),
    submit: 'Ship 1 order',
    operation: 'ship_order',
  },
  'a reference': {
    at: orderIn('DELIVERED'),
    fill: (page) => field(page, 'Reference').fill(stamp()),
    submit: 'Set the reference',
    operation: 'set_order_reference',
  },
  'a delivery': {
    at: async (request) => {
      const response = await request.get(`/dashboard/api/stores/${STORE()}/webhook/deliveries?take=1`);
      const { data } = (await response.json()) as { data: { items: Row[] } };
      return `webhooks?delivery=${data.items[0].id}`;
    },
    fill: async () => undefined,
    submit: 'Send again',
    operation: 'webhook.redeliver',
  },
  'a file of products': {
    at: 'products/import',
    fill: async (page) => {
      const id = (await newProduct(page.request)).replace('products/', '');
      const buffer = Buffer.from(`id,price\n${id},7\n`);
      await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
      // The prices are rehearsed before they are changed.
      const rehearsed = page.waitForResponse(/operations\/update_prices$/);
      await page.getByRole('button', { name: 'Continue' }).click();
      await rehearsed;
    },
    submit: 'Import 1 line',
    operation: 'update_prices',
  },
  'several products': {
    at: async (request) => {
      const id = (await newProduct(request)).replace('products/', '');
      const { productId } = await run<{ productId: string }>(request, 'get_product', { id });
      return `products?text=${productId}`;
    },
    fill: async (page) => {
      await page.getByRole('checkbox', { name: /^Select once-/ }).check();
      await page.getByRole('region', { name: 'Actions' }).getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('dialog').getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Hidden' }).click();
    },
    submit: 'Change 1 product',
    operation: 'update_products',
  },
  'the settings': {
    at: 'settings',
    fill: (page) => field(page, /^Keywords/).fill(stamp()),
    submit: 'Save',
    operation: 'update_general',
  },
  'the time zone': {
    at: 'settings',
    fill: async (page) => {
      await page.getByRole('combobox', { name: 'Time zone' }).fill('lisbon');
      await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
    },
    submit: 'Set the time zone',
    operation: 'store.profile',
  },
  'the checkout form': {
    at: 'checkout',
    fill: async (page) => {
      await press(page, 'Add a field');
      await page.getByRole('group', { name: 'Fields' }).getByLabel('Label').last().fill(stamp());
    },
    submit: 'Save',
    operation: 'update_checkout',
  },
  'the rules of bonus': {
    at: 'monetization',
    fill: (page) => page.getByRole('group', { name: 'Levels' }).getByLabel('Rate').first().fill('3.25'),
    submit: 'Save',
    operation: 'update_monetization',
  },
  'the invoice fields': {
    at: 'invoice-fields',
    fill: (page) => page.getByLabel('Largest tip').fill('12.34'),
    submit: 'Save',
    operation: 'update_invoice_field_config',
  },
  'a message of the bot': {
    at: 'bot?message=shipped',
    fill: (page) => within(page, 'Message about shipping').getByLabel('Text', { exact: true }).fill(stamp()),
    submit: 'Save',
    operation: 'bot.update_message',
  },
  'a contest': {
    at: 'contests?new=1',
    fill: async (page) => {
      await field(page, /^Title/).fill(`Once ${stamp()}`);
      await field(page, /^Start date/).fill('2030-01-01T10:00');
      await field(page, /^End date/).fill('2030-02-01T10:00');
    },
    submit: 'Create',
    operation: 'create_contest',
  },
  'a payment provider': {
    at: 'payment-providers?new=1',
    fill: async (page) => {
      await page.getByRole('combobox', { name: 'Kind' }).click();
      await page.getByRole('option', { name: 'Merchant keys' }).click();
      await page.getByLabel('Name', { exact: true }).fill(`once-${stamp()}`);
      await page.getByLabel('Merchant id').fill('M-1');
      await page.getByRole('textbox', { name: 'Client key' }).fill('client-secret-1234');
      await page.getByRole('textbox', { name: 'Server key' }).fill('server-secret-5678');
    },
    submit: 'Create',
    operation: 'create_payment_provider',
  },
  'the lines of an order': {
    at: orderIn('PENDING'),
    fill: async (page) => {
      await press(page, 'Actions');
      await page.getByRole('menuitem', { name: 'Change items' }).click();
      const quantity = page
        .getByRole('dialog')
        .getByRole('textbox', { name: /^Quantity/ })
        .first();
      await quantity.fill(String(Number(await quantity.inputValue()) + 1));
    },
    submit: 'Save',
    operation: 'order.change_items',
  },
  'a deletion': {
    at: async (request) => {
      const name = `Once ${stamp()}`;
      await run(request, 'create_brand', { name, slug: name.toLowerCase().replace(' ', '-') });
      return 'brands';
    },
    fill: async (page) => {
      const actions = page.getByRole('button', { name: /^Actions: Once / }).first();
      const name = (await actions.getAttribute('aria-label'))!.replace('Actions: ', '');
      await actions.click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByLabel(/^Type/).fill(name);
    },
    submit: 'Delete',
    operation: 'delete_brand',
  },
};
