import { BotWebhook } from '../../storefront/mini-app.js';
import { eventually } from '../../../support/eventually.js';
import { type TestStore, useShopWithMessenger } from '../../../support/test-app.js';
import { refusal, StorePage } from '../browser.js';

const CUSTOMER = '9007199254740993';
const OWN_CHAT = '9007199254740995';

describe('an order by hand', () => {
  let store: TestStore;
  let owner: StorePage;
  let bot: BotWebhook;
  let productId: string;

  const { app, messenger } = useShopWithMessenger({ env: { BASE_URL: 'https://shop.example' } });
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    bot = await BotWebhook.connect(store, messenger);
    ({ productId } = await store.product({ price: '25', itemAmount: 5 }));
    await store.place({ items: [{ productId, quantity: 1 }] }, { id: CUSTOMER, firstName: 'Ann' });
  });

  const order = (more: object = {}) => ({
    ...{ customerId: CUSTOMER, items: [{ productId, quantity: 2 }], paymentMethod: 'cash' },
    ...more,
  });
  const count = async () => (await store.data('list_orders')).items.length;
  const link = async () => {
    const { link: address } = await owner.data('POST', 'notices/chat', { language: 'en' });
    await bot.message(OWN_CHAT, { text: `/start ${new URL(address).searchParams.get('start')}` });
    await eventually(
      'the chat is linked',
      async () => (await owner.data('GET', 'notices')).chat.state === 'on',
    );
  };

  it('is quoted and placed for a customer, whose name stays, and takes stock', async () => {
    const shippingAddress = { name: 'Ann', phone_number: '+380671234501' };
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    const input = order({ shippingAddress, promocode: 'ten', tipAmount: 100 });
    expect(await owner.data('POST', 'orders/quote', input)).toMatchObject({
      ...{ total: 4600, tip: 100, promocode: { code: 'TEN', amount: 500 } },
    });
    expect(await count()).toBe(1);
    const placed = await owner.data('POST', 'orders', { ...input, expectedTotal: 4600 });
    expect(placed).toEqual(await store.data('get_order', { orderId: placed.id }));
    expect(placed).toMatchObject({
      ...{ messengerUserId: CUSTOMER, totalPrice: 4600, status: 'PENDING', shippingAddress },
    });
    expect(await store.data('get_customer', { id: CUSTOMER })).toMatchObject({ firstName: 'Ann' });
    expect((await store.data('get_product', { id: productId })).itemAmount).toBe(2);
    expect((await owner.data('GET', 'audit?take=1')).items[0]).toMatchObject({
      ...{ operation: 'order.place', target: `order:${placed.id}`, transport: 'dashboard' },
      actor: { kind: 'user' },
    });
  });

  it('is placed once for an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'order-1' };
    const first = await owner.send('POST', 'orders', order(), key);
    const again = await owner.send('POST', 'orders', order(), key);
    expect(again.body.data.id).toBe(first.body.data!.id);
    expect(await count()).toBe(2);
  });

  it('is placed for the member by their linked chat, and refused without one', async () => {
    expect(await owner.data('GET', 'orders/form')).toMatchObject({ canOrderAsMyself: false });
    const input = order({ customerId: undefined, asMyself: true });
    const refused = await owner.send('POST', 'orders', input);
    expect(refused).toMatchObject(refusal(400, 'invalid_input'));
    expect(refused.body.error).toMatchObject({ problem: 'chat_not_linked' });
    await link();
    expect(await owner.data('GET', 'orders/form')).toMatchObject({ canOrderAsMyself: true });
    expect(await owner.data('POST', 'orders', input)).toMatchObject({ messengerUserId: OWN_CHAT });
    const staff = await StorePage.ofStaff(store, owner);
    expect(await staff.send('POST', 'orders', input)).toMatchObject(refusal(400, 'invalid_input'));
  });

  it.each([
    ['nobody', { customerId: undefined }],
    ['both', { asMyself: true }],
    ['a stranger', { customerId: '77' }],
    ['no id', { customerId: 'Ann' }],
    ['another total', { expectedTotal: 1 }],
    ['more than there is', { items: [{ productId: 'x', quantity: 1 }] }],
  ])('is refused for %s, and changes nothing', async (_, more) => {
    for (const path of 'expectedTotal' in more ? ['orders'] : ['orders', 'orders/quote'])
      expect(await owner.send('POST', path, order(more))).toMatchObject(refusal(400, 'invalid_input'));
    expect(await count()).toBe(1);
  });

  it('is refused for the banned, for other stores, and members without the group orders', async () => {
    await store.data('update_customer', { id: CUSTOMER, isBanned: true });
    expect(await owner.send('POST', 'orders', order())).toMatchObject(refusal(403, 'forbidden'));
    const other = await app.store();
    const stranger = await StorePage.ofOwner(other);
    const { productId: theirs } = await other.product();
    const answer = await stranger.send(
      'POST',
      'orders',
      order({ items: [{ productId: theirs, quantity: 1 }] }),
    );
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    const staff = await StorePage.ofStaff(store, owner);
    await owner.data('PUT', `members/${staff.userId}`, { role: 'staff', groups: ['products'] });
    for (const path of ['orders', 'orders/quote'])
      expect(await staff.send('POST', path, order())).toMatchObject(refusal(403, 'forbidden'));
    expect(await count()).toBe(1);
  });

  it('asks the form, offers the ways to pay, and answers the invoice of a native payment', async () => {
    const field = { id: 'phone', label: 'Phone', type: 'phone', required: true, defaultVisible: true };
    await store.data('create_payment_provider', {
      ...{ providerName: 'card', providerToken: '1:TEST:x', isTestMode: false, isActive: true },
      supportedCurrencies: [store.currency],
    });
    await store.data('update_checkout', { mode: 'native_payments', fields: [field] });
    expect(await owner.data('GET', 'orders/form')).toMatchObject({
      ...{ currency: 'USD', digits: 2, checkout: { mode: 'native_payments', fields: [field] } },
      paymentMethods: [{ name: 'card', label: 'card', kind: 'invoice' }],
    });
    expect(await owner.send('POST', 'orders', order({ paymentMethod: 'card' }))).toMatchObject(
      refusal(400, 'invalid_input'),
    );
    expect(await owner.data('POST', 'orders/quote', order({ paymentMethod: 'card' }))).toMatchObject({
      total: 5000,
    });
    const checkoutData = [{ id: 'phone', label: 'Phone', type: 'phone', value: '+380671234501' }];
    const placed = await owner.data('POST', 'orders', order({ paymentMethod: 'card', checkoutData }));
    expect(placed.invoiceUrl).toMatch(/^https:\/\/t\.me\//);
    expect(placed.checkoutData).toEqual(checkoutData);
  });
});
