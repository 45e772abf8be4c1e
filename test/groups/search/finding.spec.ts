import { type TestStore, useShop } from '../../support/test-app.js';

/** What people type, and what others wrote that it finds. */
const SAME: [typed: string, written: string][] = [
  ["М'ята", 'М’ята перцева'],
  ['здоров’я', "Здоров'я чай"],
  ['м`ята', 'МʼЯТА'],
  ['ΕΛΛΗΝΙΚΟΣ ΚΑΦΕΣ', 'Ελληνικός Καφές'],
  ['creme brulee', 'Crème Brûlée'],
  ['Crème Brûlée', 'creme brulee'],
  ['jose', 'José'],
  ['senor nino', 'Señor Niño'],
  ['konigstrasse', 'Königstraße'],
  ['STRASSE', 'Straße'],
  ['İSTANBUL', 'istanbul'],
  ['smorrebrod', 'Smørrebrød'],
  ['nguyen van dat', 'Nguyễn Văn Đạt'],
  ['احمد', 'أحمد'],
  ['على', 'علی'],
  ['שלום', 'שָׁלוֹם'],
  ['らーめん', 'ﾗｰﾒﾝ'],
  ['елка', 'Ёлка'],
  ['замок', 'за\u0301мок'],
  ['茶', '绿茶'],
  ['ตั๋ว', 'ซื้อตั๋ว'],
  ['ａｂｃ', 'abcdef'],
  ['coop', 'co\u00adoperate'],
  ['schuh', 'Laufschuhe'],
  ['la', 'Laufschuhe'],
  ['٤٢', 'Size 42'],
  ['342', 'Size 000342'],
  ['34', 'Size 342'],
  ['345678', 'AB-0012345678'],
  ['8', 'Size 008'],
  ['12', '№ 0012'],
  ['12', 'AB-0012'],
  ['1', 'AB-12/7'],
  ['00', 'Agent 007'],
  ['07', 'Agent 007'],
  ['9', '第9章'],
];
const DIFFERENT: [typed: string, written: string][] = [
  ['йод', 'иод'],
  ['їжак', 'іжак'],
  ['か', 'が'],
  ['hu', 'Laufschuhe'],
  ['5', 'Size 15'],
  ['8', 'Size 0018'],
  ['12', 'AB-3412'],
  ['678', 'AB-0012345678'],
  ['shoe blue', 'Shoe red'],
  ['\u0301', 'é'],
];

describe('what people type finds what people wrote', () => {
  const app = useShop();
  let store: TestStore;

  beforeAll(async () => {
    store = await app.store();
  });

  let last = 7_000;
  /** A product, a customer and an order with the text. */
  async function written(text: string, address?: object) {
    const customerId = String(++last);
    const productId = `p${last}`;
    const { id } = await store.data('create_product', {
      ...{ productId, title: text, description: '', images: ['https://images.example/a.png'], price: 10 },
    });
    const order = await store.place(
      { items: [{ productId, quantity: 1 }], ...(address && { shippingAddress: address }) },
      { id: customerId, firstName: text },
    );
    return { productId: id, customerId, orderId: order.id as number };
  }
  const ids = async (operation: string, text: string) =>
    (await store.data(operation, { text, take: 100 })).items.map(({ id }: { id: unknown }) => id);

  it.each(SAME)('%j finds %j', async (typed, text) => {
    const { productId, customerId, orderId } = await written(text);
    expect(await ids('find_products', typed)).toContain(productId);
    expect(await ids('find_customers', typed)).toContain(customerId);
    expect(await ids('find_orders', typed)).toContain(orderId);
    const { items } = await store.data('list_customers', { search: typed, take: 100 });
    expect(items.map(({ id }: { id: string }) => id)).toContain(customerId);
  });

  it.each(DIFFERENT)('%j does not find %j', async (typed, text) => {
    const { productId, customerId, orderId } = await written(text);
    expect(await ids('find_products', typed)).not.toContain(productId);
    expect(await ids('find_customers', typed)).not.toContain(customerId);
    expect(await ids('find_orders', typed)).not.toContain(orderId);
  });

  it('finds an order by its number, however it is typed', async () => {
    const { orderId } = await written('numbered');
    const signed = [`#${orderId}`, `№${orderId}`, `№ ${orderId}\u200b`, `№ 00${orderId}`];
    for (const text of [...signed, ` ${orderId} `]) expect(await ids('find_orders', text)).toContain(orderId);
  });

  it('finds an order by the e-mail addresses of its address and its form', async () => {
    const { productId, orderId } = await written('mailed', { email: 'Anna.Berg@example.com' });
    expect(await ids('find_orders', 'anna.berg@EXAMPLE.com')).toEqual([orderId]);
    expect(productId).toBeTruthy();
    const { orderId: other } = await written('formed');
    await app.query(
      `update orders set checkout_data = '[{"type":"email","value":"form@example.com"}]'
       where store_id = $1 and id = $2`,
      [store.id, other],
    );
    await store.data('set_order_reference', { orderId: other, externalId: 'R-1' });
    expect(await ids('find_orders', 'form@example.com')).toEqual([other]);
  });

  it.each([
    ['20450012345678', '20 4500 1234 5678'],
    ['30 4500 1234 5678', '30450012345678'],
    ['RR123456789DE', 'rr 123 456 789 de'],
    ['1Z 999 AA1 01 2345 6784', '1z999aa10123456784'],
    ['JD-0146-0000-6', 'JD014600006'],
  ])('finds the tracking number %j by %j', async (trackingNumber, typed) => {
    const { orderId } = await written('shipped');
    await store.data('ship_order', { orderId, carrier: 'Post', trackingNumber });
    expect(await ids('find_orders', typed)).toEqual([orderId]);
  });

  it('finds customers and their orders by each thing that is known of them', async () => {
    const phone = { phone_number: '+49 171 1234567' };
    const { customerId, orderId } = await written('Hedwig', phone);
    await store.data('update_customer', { id: customerId, username: 'hed_wig' });
    await store.data('set_customer_reference', { id: customerId, externalId: 'C-4711' });
    for (const typed of [customerId, '@hed_wig', '@hed', 'hed_wig', 'C-4711', '0171 1234567', '4567'])
      expect([typed, await ids('find_customers', typed)]).toEqual([typed, [customerId]]);
    for (const typed of ['@hed_wig', '0171/1234567', '+49 (0)171 1234567', '234567'])
      expect([typed, await ids('find_orders', typed)]).toEqual([typed, [orderId]]);
    const { customers } = (await store.data('list_customers', { search: '4711' })).items;
    expect(customers).toBeUndefined();
  });

  it.each(['', ' ', '\u200b', '\u3164 \ufeff'])('refuses a text of %j', async (text) => {
    for (const operation of ['find_orders', 'find_products', 'find_customers']) {
      const { status, body } = await store.call(operation, { text });
      expect([status, body.error!.message]).toEqual([
        400,
        expect.stringMatching(/^text must be a string of 1 to/),
      ]);
    }
    expect(await store.data('list_customers', { search: ` ${text}` })).toEqual({
      items: [],
      nextCursor: null,
    });
  });

  it('finds words of an address, of a name and of a product together', async () => {
    const { orderId } = await written('Quetzal', { street: 'Hauptstr. 5', city: 'Halle (Saale)' });
    for (const text of ['quetzal halle', 'saale hauptstr', 'quetzal 5 halle'])
      expect(await ids('find_orders', text)).toEqual([orderId]);
    expect(await ids('find_orders', 'quetzal berlin')).toEqual([]);
  });
});
