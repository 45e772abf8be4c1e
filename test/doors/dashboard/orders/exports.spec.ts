import { Exports } from '../../../../src/doors/dashboard/shop/exports.service.js';
import { Drain } from '../../../../src/platform/http/drain.js';
import { eventually } from '../../../support/eventually.js';
import { TestApp, type TestStore, useShop } from '../../../support/test-app.js';
import { Browser, refusal, StorePage } from '../browser.js';

/** A CSV file as its rows, by the reader's own small grammar of RFC 4180. */
function parse(text: string): Record<string, string>[] {
  expect(text.startsWith('\uFEFF')).toBe(true);
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n"]*))(,|\r\n)/gy;
  cell.lastIndex = 1;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`no cell at ${at}: ${text.slice(at, at + 50)}`);
    rows.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (match[3] === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  const [header, ...lines] = rows;
  for (const line of lines) expect(line).toHaveLength(header.length);
  return lines.map((line) => Object.fromEntries(line.map((value, i) => [header[i], value])));
}

describe('exports', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store({ name: 'Žerty & Co.' });
    owner = await StorePage.ofOwner(store);
  });

  const open = (page: StorePage, path: string, init?: RequestInit) =>
    page.browser.open(`stores/${page.storeId}/${path}`, init);
  /** The file as it was sent: fetch's own decoding would take the mark away. */
  const textOf = async (response: Response) =>
    new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(await response.arrayBuffer());
  const rowsOf = async (path: string, page = owner) => parse(await textOf(await open(page, path)));
  const audited = async (operation: string) =>
    (await owner.data('GET', `audit?operation=${operation}`)).items;

  /** Straight into the table. */
  const manyOrders = async (count: number, nameLength = 300) => {
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] });
    await app.query(
      `insert into customers (store_id, id, first_name, created_at, updated_at)
       select $1, 2000 + n, 'n', now(), now() from generate_series(0, 499) n on conflict do nothing`,
      [store.id],
    );
    // In short transactions: a long one holds back the event feed of all stores of the server.
    for (let from = 1; from < count; from += 2_000)
      await app.query(
        `insert into orders (store_id, id, status, payment_method, total_price, currency, messenger_user_id,
          shipping_address, created_at, updated_at)
         select $1, next_order_id($1), 'PENDING', 'cash', n, 'USD', 2000 + n % 500,
           json_build_object('name', repeat('n', $4::integer)), now() - n * interval '1 second', now()
         from generate_series($2::integer, least($2 + 1999, $3::integer)) n`,
        [store.id, from, count - 1, nameLength],
      );
  };
  it('are CSV files that spreadsheets can read', async () => {
    const { productId } = await store.product({ price: '19.5' });
    const shopper = {
      id: '9007199254740993',
      firstName: '=HYPERLINK("http://evil.example")',
      lastName: 'O"Neil, Jr',
      username: 'neil',
    };
    const order = await store.place(
      {
        items: [{ productId, quantity: 2 }],
        shippingAddress: {
          name: '@SUM(1)',
          phone_number: '+15550123',
          shipping_address: { city: 'Kyiv', street: 'Main\r\n1' },
        },
        checkoutData: undefined,
      },
      shopper,
    );
    const response = await open(owner, 'orders/export.csv');
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('cache-control'),
    ]).toEqual([200, 'text/csv; charset=utf-8', 'no-store']);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-zerty-co-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const text = await textOf(response);
    expect(parse(text)).toEqual([
      {
        id: String(order.id),
        status: 'PENDING',
        goods: '39.00',
        adjustments: '0.00',
        promocode: '',
        promocodeDiscount: '0.00',
        bonus: '0.00',
        refunded: '0.00',
        createdAt: order.createdAt,
        updatedAt: order.updatedAt,
        customerId: '9007199254740993',
        customerName: `'=HYPERLINK("http://evil.example") O"Neil, Jr`,
        username: 'neil',
        items: `2x ${productId}`,
        itemCount: '2',
        totalPrice: '39.00',
        tipAmount: '',
        currency: 'USD',
        paymentMethod: 'cash',
        carrier: '',
        trackingNumber: '',
        trackingUrl: '',
        recipient: "'@SUM(1)",
        phone: "'+15550123",
        email: '',
        address: 'Kyiv, Main\r\n1',
        checkout: '',
      },
    ]);
    expect(text.split('\r\n')[0]).toBe(
      '\uFEFFid,status,createdAt,updatedAt,customerId,customerName,username,items,itemCount,goods,' +
        'adjustments,promocode,promocodeDiscount,bonus,totalPrice,tipAmount,refunded,currency,' +
        'paymentMethod,carrier,trackingNumber,trackingUrl,' +
        'recipient,phone,email,address,checkout',
    );
  });

  it("have the store's times, with their distance from UTC", async () => {
    await owner.data('PUT', 'profile', { timeZone: 'Pacific/Kiritimati' });
    const { productId } = await store.product();
    const { createdAt } = await store.place({ items: [{ productId, quantity: 1 }] });
    const response = await open(owner, 'orders/export.csv');
    const [order] = parse(await textOf(response));
    const local = new Date(Date.parse(createdAt) + 14 * 3_600_000).toISOString();
    expect(order.createdAt).toBe(local.replace('Z', '+14:00'));
    expect(response.headers.get('content-disposition')).toContain(local.slice(0, 10));
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['\n=x', "\n'=x"],
    ['a;=1+2;b', "a;'=1+2;b"],
  ])('neutralize the formula %j', async (firstName, neutral) => {
    await store.place(
      { items: [{ productId: (await store.product()).productId, quantity: 1 }] },
      { id: '1001', firstName },
    );
    const [customer] = await rowsOf('customers/export.csv');
    expect(customer.firstName).toBe(neutral);
  });

  it('have negative amounts as numbers, which a spreadsheet adds up', async () => {
    const adjusted = { action: 'decrease_price', priceAdjustment: { operator: 'subtract', value: 2 } };
    const field = { type: 'text', label: 'Delivery', required: false, defaultVisible: true };
    const conditions = [{ dependsOn: 'delivery', operator: 'equals', value: 'pickup', ...adjusted }];
    await store.data('update_checkout', { fields: [{ ...field, id: 'delivery', conditions }] });
    const { productId } = await store.product({ price: '10' });
    const checkoutData = [{ id: 'delivery', label: '', type: 'text', value: 'pickup' }];
    await store.place({ items: [{ productId, quantity: 1 }], checkoutData });
    expect(await rowsOf('orders/export.csv')).toMatchObject([
      { goods: '10.00', adjustments: '-2.00', totalPrice: '8.00' },
    ]);
  });

  it.each([
    ['XTR', '250', '250'],
    ['KWD', '1.5', '1.500'],
  ])('have amounts in %s with its own decimals', async (currency, price, told) => {
    store = await app.store({ currency });
    owner = await StorePage.ofOwner(store);
    const { productId } = await store.product({ price });
    await store.place({ items: [{ productId, quantity: 1 }] }, undefined, true);
    expect(await rowsOf('orders/export.csv')).toMatchObject([{ totalPrice: told, currency }]);
    expect(await rowsOf('products/export.csv')).toMatchObject([{ price: told, currency }]);
    expect(await rowsOf('customers/export.csv')).toMatchObject([
      { totalSpent: told, bonusBalance: '0.00', currency },
    ]);
  });

  it('have semicolons and decimal commas when that is asked', async () => {
    const productId = 'one';
    const texts = { productId, title: 'One;Two', description: '', images: ['https://images.example/a.jpg'] };
    await store.data('create_product', { ...texts, price: 19.5 });
    await store.place({ items: [{ productId, quantity: 1 }] }, { id: '1', firstName: 'O,N', lastName: '=1' });
    const textFrom = async (path: string) => textOf(await open(owner, path));
    const orders = await textFrom('orders/export.csv?decimalComma=true');
    expect(orders.split('\r\n')[0]).toContain('id;status;createdAt');
    expect(orders).toMatch(/;O,N =1;;"?1?x? ?One;Two"?;1;19,50;0,00;/);
    expect(await textFrom('products/export.csv?decimalComma=true')).toContain(';"One;Two";;;;;;19,50;;;USD;');
    expect(await textFrom('customers/export.csv?search=O&decimalComma=true')).toMatch(/;\d+,\d\d;/);
    const wrong = await owner.send('GET', 'orders/export.csv?decimalComma=maybe');
    expect(wrong).toMatchObject(refusal(400, 'invalid_input'));
  });

  it("have an order's phone from its form where its address has none", async () => {
    const field = { type: 'phone', label: 'Phone', required: false, defaultVisible: true };
    await store.data('update_checkout', { fields: [{ ...field, id: 'phone' }] });
    const { productId } = await store.product();
    const checkoutData = [{ id: 'phone', label: 'Phone', type: 'phone', value: '+380 50 123 4567' }];
    const order = (shippingAddress?: object) =>
      store.place({ items: [{ productId, quantity: 1 }], checkoutData, shippingAddress });
    await order();
    await order({ name: 'Ann', phone_number: '+15550123' });
    const phones = (await rowsOf('orders/export.csv?sort=oldest')).map(({ phone }) => phone);
    expect(phones).toEqual(["'+380 50 123 4567", "'+15550123"]);
  });

  it('accept the filters of the searches', async () => {
    const { productId } = await store.product();
    const place = (id: string, firstName: string) =>
      store.place({ items: [{ productId, quantity: 1 }] }, { id, firstName });
    const [first, second, third] = [
      await place('1', 'Olena'),
      await place('2', 'Ivan'),
      await place('3', 'Petro'),
    ];
    await store.data('set_order_status', { orderId: second.id, status: 'SHIPPED' });
    await store.data('set_order_status', { orderId: third.id, status: 'CANCELLED' });
    const ids = async (query: string) =>
      (await rowsOf(`orders/export.csv?${query}`)).map(({ id }) => Number(id));
    expect(await ids('')).toEqual([third.id, second.id, first.id]);
    expect(await ids('sort=oldest')).toEqual([first.id, second.id, third.id]);
    expect(await ids('statuses=PENDING,SHIPPED')).toEqual([second.id, first.id]);
    expect(await ids('statuses=PENDING,CANCELLED')).toEqual([third.id, first.id]);
    expect(await ids('statuses=DELIVERED')).toEqual([]);
    expect(await ids('text=olena')).toEqual([first.id]);
    expect(await ids(`customerId=2&productId=${productId}`)).toEqual([second.id]);
    expect(await ids(`createdFrom=${first.createdAt}&createdTo=${first.createdAt}`)).toContain(first.id);
    expect(await ids('createdFrom=2100-01-01T00:00:00Z')).toEqual([]);
    const customers = async (query: string) =>
      (await rowsOf(`customers/export.csv?${query}`)).map(({ id }) => id);
    expect(await customers('search=iva')).toEqual(['2']);
    expect(await customers(`boughtProductId=${productId}&minSpent=1`)).toEqual(['2']);
    expect(await customers('minOrders=1&sort=oldest')).toEqual(['1', '2']);
    expect(await customers(`lastOrderFrom=${second.createdAt}&minOrders=1`)).toEqual(['2']);
    const [ivan] = await rowsOf('customers/export.csv?text=iva');
    expect(ivan).toMatchObject({ orderCount: '1', lastOrderAt: second.createdAt, phone: '' });
    const both = await owner.send('GET', 'customers/export.csv?search=iva&minOrders=1');
    expect(both).toMatchObject(refusal(400, 'invalid_input'));
    for (const [query, status] of [
      ['statuses=LOST', 400],
      ['createdFrom=today', 400],
      ['take=5', 400],
      ['statuses=PENDING&statuses=CANCELLED', 400],
      ['customerId=77', 404],
    ] as const) {
      const refused = await owner.send('GET', `orders/export.csv?${query}`);
      expect([refused.status, refused.body.ok]).toEqual([status, false]);
    }
  });

  it('contain products with their variants', async () => {
    const { id } = await store.data('create_product', {
      productId: 'tee',
      title: 'Tee, "logo"',
      description: '- soft',
      images: ['https://images.example/a.jpg'],
      price: 24.5,
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 25, itemAmount: 3 }] }],
    });
    await store.product({ productId: 'hidden-one' });
    await store.data('update_product', { id, isHidden: true });
    expect(await rowsOf('products/export.csv?isHidden=true')).toMatchObject([
      {
        id,
        productId: 'tee',
        title: 'Tee, "logo"',
        variant: '',
        option: '',
        price: '24.50',
        description: "'- soft",
        isHidden: 'true',
      },
      {
        id,
        productId: 'tee',
        title: 'Tee, "logo"',
        variant: 'Size: M',
        option: 'Size',
        value: 'M',
        price: '25.00',
        itemAmount: '3',
        description: '',
      },
    ]);
    expect((await rowsOf('products/export.csv?isHidden=false')).map(({ productId }) => productId)).toEqual([
      'hidden-one',
    ]);
    expect(await rowsOf('products/export.csv?maxStock=3')).toHaveLength(2);
  });

  it('contain every order once, however many pages there are, and their number is audited', async () => {
    await manyOrders(1_203);
    const rows = await rowsOf('orders/export.csv?statuses=PENDING');
    expect([rows.length, new Set(rows.map(({ id }) => id)).size]).toEqual([1_203, 1_203]);
    expect(await audited('orders.export')).toMatchObject([
      {
        actor: { kind: 'user', name: store.ownerEmail },
        transport: 'dashboard',
        target: `store:${store.id}`,
        input: { statuses: ['PENDING'] },
        changes: { rows: [null, 1_203], isComplete: [null, true] },
      },
    ]);
  });

  /** Waits until so many exports have sent what the connections hold, and nothing more for many looks. */
  async function standStill(many: number): Promise<void> {
    const responses = () => [...app.nest.get(Exports)['responses']];
    let [last, looks] = ['', 0];
    await eventually(`${many} exports stand still`, () => {
      const sent = responses().map(({ socket }) => socket!.bytesWritten);
      const areFull =
        responses().length === many && responses().every(({ writableNeedDrain }) => writableNeedDrain);
      looks = areFull && sent.join() === last ? looks + 1 : 0;
      last = sent.join();
      return looks === 30;
    });
  }

  it('wait for a slow reader, two at a time, and stop when it goes away', async () => {
    await manyOrders(2_000, 12_000);
    const readers = [new AbortController(), new AbortController()];
    const answers = await Promise.all(
      readers.map(({ signal }) => open(owner, 'orders/export.csv', { signal })),
    );
    // Nobody reads: what the connections hold is sent, and no more is read from the database.
    await standStill(2);
    const refused = await owner.send('GET', 'customers/export.csv');
    expect(refused).toMatchObject(refusal(429, 'rate_limited'));
    expect(refused.headers.get('retry-after')).toBe('15');
    for (const reader of readers) reader.abort();
    await eventually(
      'both exports are in the audit log',
      async () => (await audited('orders.export')).length === 2,
    );
    for (const { changes } of await audited('orders.export')) {
      expect(changes.isComplete).toEqual([null, false]);
      expect(changes.rows[1]).toBeLessThan(1_900);
    }
    expect(answers).toHaveLength(2);
    expect(await rowsOf('customers/export.csv')).toHaveLength(501);
  });

  it("contain only the member's own store, also for staff", async () => {
    await manyOrders(2);
    const stranger = await StorePage.ofOwner(await app.store());
    expect(await rowsOf('orders/export.csv', stranger)).toEqual([]);
    const staff = await StorePage.ofStaff(store, owner);
    expect(await rowsOf('orders/export.csv', staff)).toHaveLength(2);
    expect(await new StorePage(new Browser(app), store.id).send('GET', 'orders/export.csv')).toMatchObject(
      refusal(401, 'invalid_token'),
    );
  });

  it('end as failed downloads if the process stops', async () => {
    await manyOrders(2_000, 12_000);
    const stopping = await TestApp.start();
    const there = new StorePage(await Browser.signedIn(stopping, store.ownerEmail), store.id);
    const response = await open(there, 'orders/export.csv');
    stopping.nest.get(Drain).begin();
    await expect(response.text()).rejects.toThrow();
    await eventually(
      'the export is in the audit log',
      async () => (await audited('orders.export')).length === 1,
    );
    await stopping.stop();
  });

  it('answer a HEAD request with the headers, and do not count against the limit of exports', async () => {
    for (let i = 0; i < 3; i++) {
      const response = await open(owner, 'orders/export.csv', { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
    expect(await audited('orders.export')).toEqual([]);
  });
});
