import { type TestStore, useShop } from '../../../support/test-app.js';
import { refusal, StorePage } from '../browser.js';

interface Found {
  items: { id: number; items: string }[];
  total: number;
  nextCursor: string | null;
}

describe('the list of orders', () => {
  let store: TestStore;
  let owner: StorePage;
  let productId: string;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    ({ productId } = await store.product({ price: '25' }));
  });

  const place = async (more: object = {}, paid = false): Promise<number> =>
    (await store.place({ items: [{ productId, quantity: 1 }], ...more }, undefined, paid)).id;
  const find = (query: string, page = owner) => page.data('GET', `orders?${query}`) as Promise<Found>;
  const ids = async (query: string) => (await find(query)).items.map(({ id }) => id);
  const answered = (value: string) => ({
    checkoutData: [{ id: 'delivery', label: 'Delivery', type: 'select', value }],
  });
  const set = (orderId: number, status: string) => store.data('set_order_status', { orderId, status });

  it('is narrowed by payment, with totals, on pages, with other filters, and in the file', async () => {
    await store.data('create_payment_provider', {
      ...{ providerName: 'cod', providerToken: '', isTestMode: false, isActive: true },
      ...{ supportedCurrencies: ['USD'], metadata: { kind: 'agreement' } },
    });
    const open = await place();
    const agreed = await place({ paymentMethod: 'cod' });
    const paid = await place({}, true);
    const [owed, returned] = [await place({}, true), await place({}, true)];
    await set(owed, 'CANCELLED');
    await store.data('refund_order', { orderId: returned });
    await set(await place(), 'CANCELLED');

    expect(await ids('payment=paid')).toEqual([paid]);
    expect(await ids('payment=not_paid')).toEqual([agreed, open]);
    expect(await ids('payment=by_agreement')).toEqual([agreed]);
    expect(await ids('payment=owed_back')).toEqual([owed]);
    expect(await ids('payment=owed_back&statuses=PENDING')).toEqual([]);
    expect(await ids(`payment=not_paid&text=${open}`)).toEqual([open]);
    expect((await find('')).total).toBe(6);
    const first = await find('payment=not_paid&take=1');
    expect(first).toMatchObject({ items: [{ id: agreed }], total: 2 });
    const second = await find(`payment=not_paid&take=1&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ items: [{ id: open }], nextCursor: null });
    for (const payment of ['paid', 'by_agreement', 'owed_back'])
      expect(await find(`payment=${payment}&take=1`)).toMatchObject({ total: 1 });
    const file = await owner.browser.open(`stores/${owner.storeId}/orders/export.csv?payment=owed_back`);
    const [, ...rows] = (await file.text()).trim().split('\r\n');
    expect(rows.map((row) => parseInt(row, 10))).toEqual([owed]);
    expect(await owner.send('GET', 'orders?payment=perhaps')).toMatchObject(refusal(400, 'invalid_input'));
    expect(await find('', await StorePage.ofOwner(await app.store()))).toMatchObject({ items: [], total: 0 });
  });

  it('is narrowed by the ways of delivery that the form offers', async () => {
    const fields = [
      { id: 'size', label: 'Box', type: 'select', required: false, defaultVisible: true, options: 'S,L' },
      {
        ...{ id: 'way', label: 'How?', type: 'select', required: false, defaultVisible: true },
        options: 'Courier, Kyiv\nPickup',
        conditions: [
          {
            ...{ dependsOn: 'way', operator: 'equals', value: 'Pickup', action: 'increase_price' },
            priceAdjustment: { operator: 'add', value: 1 },
          },
        ],
      },
    ];
    expect(await owner.data('GET', 'orders/deliveries')).toEqual({ ways: [] });
    await store.data('update_checkout', { fields });
    expect(await owner.data('GET', 'orders/deliveries')).toEqual({ ways: ['Courier, Kyiv', 'Pickup'] });
    const [courier, pickup] = [await place(answered('Courier, Kyiv')), await place(answered(' Pickup '))];
    await place(answered('7'));
    await place({ checkoutData: null });
    expect(await ids(`delivery=${encodeURIComponent('Courier, Kyiv')}`)).toEqual([courier]);
    expect(await ids('delivery=Pickup&payment=not_paid')).toEqual([pickup]);
    expect(await ids('delivery=Pickup&payment=paid')).toEqual([]);
    expect((await find('delivery=Pickup&take=1')).total).toBe(1);
  });

  it('has the codes of the lines: the variant’s, or else the product’s, of the own store only', async () => {
    const of = (name: string, sku: string) => ({
      ...{ productId: name, title: name, description: '', price: 9, sku },
      images: ['https://images.example/a.png'],
    });
    const values = [{ variantValue: 'S', price: 9, sku: 'TEE-S' }];
    await store.data('create_products', {
      items: [{ ...of('tee', 'TEE'), variants: [{ optionTitle: 'Size', values }] }, of('mug', 'MUG')],
    });
    const tee = { productId: 'tee', quantity: 1, optionTitle: 'Size', variantValue: 'S' };
    const lines = [{ productId, quantity: 1 }, tee, { productId: 'mug', quantity: 2 }];
    const orderId = await place({ items: lines });
    const codes = `orders/codes?orderIds=${orderId}`;
    expect((await owner.data('GET', codes)).items).toEqual([
      { orderId, line: 1, sku: 'TEE-S' },
      { orderId, line: 2, sku: 'MUG' },
    ]);
    const stranger = await StorePage.ofOwner(await app.store());
    expect((await stranger.data('GET', codes)).items).toEqual([]);
  });
});
