import type { APIRequestContext, Page, Request } from '@playwright/test';
import { expect, open, run, SERVICE, STORE, test } from '../support.js';

interface Form {
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
  `orders/${await first(request, 'find_orders', { statuses: [status] })}`;
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

const FORMS: Record<string, Form> = {
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

const isChange = (request: Request) =>
  request.method() !== 'GET' &&
  request.url().includes('/dashboard/api/') &&
  !/operations\/(get|list|find)_/.test(request.url());

/** How many effects the operation has had since then. */
async function effects(request: APIRequestContext, operation: string, since: string): Promise<number> {
  const query = new URLSearchParams({ operation, from: since });
  const response = await request.get(`/dashboard/api/stores/${STORE()}/audit?${query.toString()}`);
  return ((await response.json()) as { data: { items: unknown[] } }).data.items.length;
}

const submitOf = (page: Page, submit: string | RegExp) => {
  const buttons = page.getByRole('button', { name: submit, exact: true });
  return page.getByRole('dialog').getByRole('button', { name: submit, exact: true }).or(buttons).last();
};

async function fill(page: Page, { at, fill: type }: Form) {
  await open(page, typeof at === 'string' ? at : await at(page.request));
  await type(page);
}

for (const [name, form] of Object.entries(FORMS)) {
  test(`${name} is saved once by two clicks, and once although its answer was lost`, async ({
    page,
    problems,
    isMobile,
  }) => {
    test.skip(isMobile, 'the guard is the same');
    // Two clicks while the first one's request is under way.
    await fill(page, form);
    const button = submitOf(page, form.submit);
    await expect(button).toBeEnabled();
    let since = new Date().toISOString();
    const sent: Request[] = [];
    page.on('request', (request) => isChange(request) && sent.push(request));
    await Promise.all([page.waitForResponse((response) => isChange(response.request())), button.dblclick()]);
    expect(sent.map((request) => typeof request.headers()['idempotency-key'])).toEqual(['string']);
    expect(await effects(page.request, form.operation, since)).toBe(1);

    // The service carries it out, and its answer never arrives.
    await fill(page, form);
    since = new Date().toISOString();
    sent.length = 0;
    await page.route('**/dashboard/api/**', async (route) => {
      if (!isChange(route.request()) || sent.length > 1) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    const failed = page.waitForEvent('requestfailed', { predicate: isChange });
    await button.click();
    await failed;
    await expect(page.getByRole('alert').filter({ hasText: 'could not be reached' }).first()).toBeVisible();
    // The browser itself reports the answer that was taken away.
    expect(problems.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED']);
    await Promise.all([page.waitForResponse((response) => isChange(response.request())), button.click()]);
    const keys = sent.map((request) => request.headers()['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await effects(page.request, form.operation, since)).toBe(1);
  });
}
