import { writeFileSync } from 'node:fs';
import type { ElementHandle } from 'puppeteer-core';
import { expect, ordersIn, OWNER, run, SERVICE, STORE } from '../support.js';
import { named, Person, test } from './firefox.js';

// The ten flows that are used most, in the browser that owners have who do not use Chromium.

interface Orders {
  items: { id: number; status: string }[];
}

const orderThatIs = async (request: Parameters<typeof run>[0], status: string, take = 1) =>
  (await ordersIn(request, status, take, 'oldest')).map(({ id }) => id);
const stamp = () => Date.now().toString(36);

test('signing in leads to the figures', async ({ firefox }) => {
  const context = await firefox.createBrowserContext();
  const person = new Person(await context.newPage());
  await person.signIn(OWNER());
  await person.sees('heading', 'Orders by status');
  await person.page.locator('.plot-bar').wait();
  await context.close();
});

test('an order is found by its number', async ({ person, request }) => {
  const { items } = await run<Orders>(request, 'find_orders', { statuses: ['DELIVERED'], take: 1 });
  const [{ id }] = items;
  await person.open('orders', 'Orders');
  await person.types('Number, name, @username, tracking, product', String(id));
  await person.page.waitForFunction(`location.search.includes('text=${id}')`);
  await person.presses(`Order ${id}`, 'link');
  await person.sees('heading', `Order ${id} Delivered`);
});

test('an order gets another status, and has the old one back', async ({ person, request }) => {
  const [id] = await orderThatIs(request, 'PENDING');
  await person.open(`orders/${id}`, `Order ${id} Pending`);
  await person.presses('Set status');
  await person.presses('Processing', 'menuitem');
  await person.sees('heading', `Order ${id} Processing`);
  await person.presses('Undo');
  await person.sees('heading', `Order ${id} Pending`);
  expect(await run(request, 'get_order', { orderId: id })).toMatchObject({ status: 'PENDING' });
});

test('an order is noted on', async ({ person, request }) => {
  const [id] = await orderThatIs(request, 'PENDING');
  const note = `Gift wrap ${stamp()}`;
  await person.open(`orders/${id}`, `Order ${id} Pending`);
  await person.types('New note', note);
  await person.presses('Add the note');
  await person.page.locator(`.note ::-p-text(${note})`).wait();
});

test('an order is shipped', async ({ person, request }) => {
  const [orderId] = await orderThatIs(request, 'PROCESSING');
  await person.open(`orders/${orderId}`, `Order ${orderId} Processing`);
  await person.presses('Ship');
  await person.types('Carrier', 'Nova Poshta');
  await person.types('Tracking number', `FF-${orderId}`);
  await person.page.locator(`[role=dialog] ${named('button', 'Ship')}`).click();
  await person.sees('heading', `Order ${orderId} Shipped`);
  expect(await run(request, 'get_order', { orderId })).toMatchObject({
    ...{ status: 'SHIPPED', carrier: 'Nova Poshta', trackingNumber: `FF-${orderId}` },
  });
});

test('several parcels are shipped with a scanner', async ({ person, request }) => {
  const ids = await orderThatIs(request, 'PENDING', 3);
  await person.open(`orders/ship?ids=${ids.join(',')}`, 'Ship several');
  await person.presses(`Tracking number: Order ${ids[0]}`, 'textbox');
  for (const id of ids) {
    await person.page.keyboard.type(`SCAN-${id}`);
    await person.page.keyboard.press('Enter');
  }
  await person.presses('Ship 3 orders');
  const shipped = "[...document.querySelectorAll('.badge')].filter((one) => one.textContent === 'Shipped')";
  await person.page.waitForFunction(`${shipped}.length === 3`);
  for (const orderId of ids)
    expect(await run(request, 'get_order', { orderId })).toMatchObject({ trackingNumber: `SCAN-${orderId}` });
});

test('a product is made with a picture from a file', async ({ person, request }, info) => {
  const title = `Kettle ${stamp()}`;
  const file = info.outputPath('kettle.png');
  await person.open('products/new', 'Add a product');
  const drawn = (await person.page.evaluate(
    `Object.assign(document.createElement('canvas'), { width: 40, height: 40 }).toDataURL('image/png')`,
  )) as string;
  writeFileSync(file, Buffer.from(drawn.split(',')[1], 'base64'));
  await person.types('Title', title);
  await person.types('Description', 'Boils water.');
  await person.types('Price', '19.99');
  const input = await person.page.waitForSelector('input[type=file][multiple]');
  await (input as ElementHandle<never>).uploadFile(file);
  await person.sees('textbox', 'Pictures 1');
  await person.page.waitForFunction(
    `[...document.querySelectorAll('input')].some(({ value }) => /\\.png$/.test(value))`,
  );
  await person.presses('Create');
  await person.sees('heading', title);
  const id = person.page.url().split('/').at(-1)!;
  expect(await run(request, 'get_product', { id })).toMatchObject({ title, price: 19.99 });
});

test('the price and the stock of a product are typed in the sheet', async ({ person, request }) => {
  const productId = `sheet-${stamp()}`;
  await run(request, 'create_product', {
    ...{ productId, title: productId, description: 'x', price: 5, itemAmount: 3 },
    images: [`${SERVICE()}/dashboard/favicon.svg`],
  });
  await person.open(`products/prices?text=${productId}`, 'Prices and stock');
  await person.types(`Price: ${productId}`, '6.5');
  await person.types(`Stock: ${productId}`, '12');
  await person.presses('Review the changes');
  await person.presses('Save 2 changes');
  await person.page.waitForSelector('[role=dialog]', { hidden: true });
  await expect
    .poll(() => run(request, 'get_product', { id: productId }))
    .toMatchObject({ price: 6.5, itemAmount: 12 });
});

test('a customer gets a bonus', async ({ person, request }) => {
  const { items } = await run<{ items: { id: string; bonusBalance: number }[] }>(request, 'list_customers', {
    take: 1,
  });
  const [{ id, bonusBalance }] = items;
  await person.page.goto(`${SERVICE()}/dashboard/${STORE()}/customers/${id}`);
  await person.presses('Adjust bonus');
  await person.types('Change, USD', '5.5');
  await person.types('Reason', 'Late delivery');
  await person.presses('Save');
  await person.page.waitForSelector('[role=dialog]', { hidden: true });
  await expect
    .poll(() => run(request, 'get_customer', { id }))
    .toMatchObject({ bonusBalance: Math.round((bonusBalance + 5.5) * 100) / 100 });
});

test('a promocode is made and switched off', async ({ person, request }) => {
  const code = `FF${stamp().toUpperCase()}`;
  await person.open('promocodes?new=1', 'Promocodes');
  await person.types('Code', code);
  await person.presses('Discount type', 'combobox');
  await person.presses('Percentage', 'option');
  await person.types('Discount value', '10');
  await person.presses('Create');
  await person.presses(`${code} is active`, 'switch');
  await expect
    .poll(async () => {
      const { items } = await run<{ items: { code: string; isActive: boolean }[] }>(
        request,
        'list_promocodes',
        {},
      );
      return items.find((one) => one.code === code)?.isActive;
    })
    .toBe(false);
});
