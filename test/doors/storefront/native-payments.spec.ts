import { StorePage } from '../dashboard/browser.js';
import { eventually } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp, refusal } from './mini-app.js';

const SHOPPER = '9007199254740993';
const PROVIDER_TOKEN = '284685063:TEST:NjQ3YzhkZWU';

describe('orders that are paid in the messenger', () => {
  let store: TestStore;
  let bot: BotWebhook;
  let shopper: MiniApp;
  let productId: string;

  const { app, messenger } = useShopWithMessenger();

  const provider = (values: object = {}) =>
    store.data('create_payment_provider', {
      providerName: 'card',
      providerToken: PROVIDER_TOKEN,
      isTestMode: false,
      isActive: true,
      supportedCurrencies: [store.currency],
      ...values,
    });

  /** A store whose orders are paid in the messenger. */
  async function nativeStore(currency = 'USD', price = '25'): Promise<void> {
    messenger.reset();
    store = await app.store({ currency });
    bot = await BotWebhook.connect(store, messenger);
    shopper = new MiniApp(store, { id: SHOPPER, first_name: 'Ann' });
    ({ productId } = await store.product({ price }));
    await store.data('update_checkout', { mode: 'native_payments' });
  }

  const order = (values: object = {}, key?: string) =>
    shopper.order({ paymentMethod: 'card', items: [{ productId, quantity: 2 }], ...values }, key);
  const invoices = () => messenger.callsOf('createInvoiceLink');
  const current = (id: number) => store.data('get_order', { orderId: id });

  describe('the invoice', () => {
    beforeEach(async () => {
      await nativeStore();
      await provider();
    });

    it('is created for the order, with its lines as prices and the token of its provider', async () => {
      const { status, body } = await order();
      expect(status).toBe(200);
      const { invoiceUrl, ...placed } = body.data;
      expect(invoiceUrl).toMatch(/^https:\/\/t\.me\/\$/);
      expect(placed).toEqual(await current(placed.id));
      const [call] = invoices();
      const [product] = placed.items;
      expect(call.token).toBe(store.botToken);
      expect(call.body).toEqual({
        title: `Order ${placed.id}`,
        description: `2 × ${product.title}`,
        payload: `${placed.id}:5000`,
        provider_token: PROVIDER_TOKEN,
        currency: 'USD',
        prices: [{ label: `2 × ${product.title}`, amount: 5000 }],
        max_tip_amount: 0,
        suggested_tip_amounts: [],
        need_name: false,
        need_phone_number: false,
        need_email: false,
        need_shipping_address: false,
        is_flexible: false,
      });
    });

    it('asks for the configured invoice fields, with at most four rising tips', async () => {
      await store.data('update_invoice_field_config', {
        needName: true,
        needPhoneNumber: true,
        needEmail: true,
        needShippingAddress: true,
        isFlexible: true,
        maxTipAmount: 900,
        suggestedTipAmounts: [500, 100, 100, 5000, 300, 700, 800],
      });
      expect((await order()).body.data.invoiceUrl).toMatch(/^https:/);
      expect(invoices()[0].body).toMatchObject({
        max_tip_amount: 900,
        suggested_tip_amounts: [100, 300, 500, 700],
        need_name: true,
        need_phone_number: true,
        need_email: true,
        need_shipping_address: true,
        is_flexible: true,
      });
    });

    it('adds up to the total with discounts, surcharges and a tip', async () => {
      await store.data('update_invoice_field_config', { maxTipAmount: 500 });
      await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
      const { data } = (await order({ promocode: 'TEN', tipAmount: 300 })).body;
      expect(data.totalPrice).toBe(4800);
      const { prices } = invoices()[0].body;
      expect(prices.map(({ label, amount }: any) => [label, amount])).toEqual([
        [expect.stringContaining('2 × '), 5000],
        ['Promocode TEN', -500],
        ['Tip', 300],
      ]);
    });

    it('names what the form, the promocode and the bonus change, in the language of the store', async () => {
      await store.data('update_monetization', {
        bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      });
      await shopper.send('POST', 'visits');
      await store.data('adjust_bonus', { customerId: SHOPPER, delta: 4, reason: 'gift' });
      const costs = (id: string, label: string, operator: string, value: number) => ({
        ...{ id, label, type: 'text', required: false, defaultVisible: true },
        conditions: [
          {
            ...{ dependsOn: 'where', operator: 'equals', value: 'home' },
            action: operator === 'add' ? 'increase_price' : 'decrease_price',
            priceAdjustment: { operator, value },
          },
        ],
      });
      const where = { id: 'where', label: 'Where', type: 'text', required: false, defaultVisible: true };
      await store.data('update_checkout', {
        fields: [where, costs('courier', 'Courier in Lviv', 'add', 3.5), costs('plain', ' ', 'subtract', 1)],
      });
      await store.data('create_promocode', { code: 'FIVE', discountType: 'FIXED_AMOUNT', discountValue: 5 });
      await StorePage.ofOwner(store).then((owner) => owner.data('PUT', 'profile', { language: 'uk' }));
      const { data } = (
        await order({
          ...{ promocode: 'FIVE', bonusToSpend: 4 },
          checkoutData: [{ id: 'where', label: 'Where', type: 'text', value: 'home' }],
        })
      ).body;
      const { title, prices } = invoices().at(-1)!.body;
      expect(title).toBe(`Замовлення ${data.id}`);
      expect(prices.slice(1).map(({ label, amount }: any) => [label, amount])).toEqual([
        ['Courier in Lviv', 350],
        ['Знижка', -100],
        ['Промокод FIVE', -500],
        ['Бонуси', -400],
      ]);
      const sum = prices.reduce((total: number, { amount }: any) => total + amount, 0);
      expect(sum).toBe(data.totalPrice);
    });

    it('is cut to the limits of the messenger', async () => {
      const title = '🧢'.repeat(200);
      await app.query('update products set title = $2 where store_id = $1', [store.id, title]);
      const unfound = 'delete from search_documents where store_id = $1 and product_id is not null';
      await app.query(unfound, [store.id]);
      const { data } = (await order()).body;
      expect(data.invoiceUrl).toMatch(/^https:/);
      const { description, prices } = invoices()[0].body;
      expect(description.length).toBeLessThanOrEqual(255);
      expect(description.isWellFormed()).toBe(true);
      expect(prices[0].label.isWellFormed()).toBe(true);
    });

    it('is null if the messenger does not create it, and the order is still placed', async () => {
      messenger.always('createInvoiceLink', botApi.error(400, 'Bad Request: PAYMENT_PROVIDER_INVALID'));
      const { status, body } = await order();
      expect(status).toBe(200);
      expect(body.data.invoiceUrl).toBeNull();
      expect(await current(body.data.id)).toMatchObject({ status: 'PENDING' });
    });

    it('is created again for a repeat with the same Idempotency-Key, for the same order', async () => {
      messenger.next('createInvoiceLink', botApi.error(400, 'Bad Request: nothing today'));
      const first = await order({}, 'key-1');
      expect(first.body.data.invoiceUrl).toBeNull();
      const second = await order({}, 'key-1');
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.body.data).toEqual({ ...first.body.data, invoiceUrl: expect.stringMatching(/^https:/) });
    });
  });

  describe('no invoice is created', () => {
    const expectNone = async (values: object = {}) => {
      const { status, body } = await order(values);
      expect(status).toBe(200);
      expect(body.data).not.toHaveProperty('invoiceUrl');
      expect(invoices()).toEqual([]);
    };

    it('if the checkout has another mode', async () => {
      await nativeStore();
      await provider();
      await store.data('update_checkout', { mode: 'manual' });
      await expectNone();
    });

    it('if the order costs nothing, which is paid at once', async () => {
      await nativeStore();
      await provider();
      await store.data('create_promocode', { code: 'ALL', discountType: 'PERCENTAGE', discountValue: 100 });
      await expectNone({ promocode: 'ALL' });
      const [free] = (await store.data('list_orders')).items;
      expect(free).toMatchObject({ totalPrice: 0, status: 'PROCESSING' });
      await store.data('update_checkout', { mode: 'manual' });
      expect((await order({ promocode: 'ALL' })).body.data).toMatchObject({ status: 'PENDING' });
    });

    it('if payment is agreed on outside the messenger', async () => {
      await nativeStore();
      await provider({ metadata: { kind: 'agreement' } });
      await expectNone();
      const [agreed] = (await store.data('list_orders')).items;
      expect(agreed).toMatchObject({ status: 'PENDING' });
    });
  });

  it('prefer the live provider of a name, then the newest', async () => {
    await nativeStore();
    await provider({ providerToken: '1:LIVE:older' });
    await provider({ providerToken: '1:LIVE:newer' });
    await provider({ providerToken: '1:TEST:newest', isTestMode: true });
    await provider({ providerToken: '1:LIVE:off', isActive: false });
    await order();
    expect(invoices()[0].body.provider_token).toBe('1:LIVE:newer');
  });

  it('have one price and no token if they are paid in stars', async () => {
    await nativeStore('XTR', '250');
    await provider({ providerName: 'stars', providerToken: '', supportedCurrencies: ['XTR'] });
    await store.data('update_invoice_field_config', {
      needName: true,
      maxTipAmount: 10,
      suggestedTipAmounts: [5],
    });
    const { data } = (await order({ paymentMethod: 'stars' })).body;
    expect(data.invoiceUrl).toMatch(/^https:/);
    expect(invoices()[0].body).toEqual({
      title: `Order ${data.id}`,
      description: expect.any(String),
      payload: `${data.id}:500`,
      provider_token: '',
      currency: 'XTR',
      prices: [{ label: `Order ${data.id}`, amount: 500 }],
    });
  });

  it('have a bot that receives shipping queries, even if connected before they were requested', async () => {
    await nativeStore();
    await provider();
    await store.data('update_invoice_field_config', { isFlexible: true, needShippingAddress: true });
    expect(messenger.callsOf('setWebhook')[0].body.allowed_updates).toContain('shipping_query');
    await app.query('update bots set takes_shipping_queries = false where store_id = $1', [store.id]);
    await order();
    await order();
    const calls = messenger.callsOf('setWebhook');
    expect(calls).toHaveLength(2);
    expect(calls[1].body).toEqual(calls[0].body);
  });

  describe('another invoice', () => {
    let id: number;
    beforeEach(async () => {
      await nativeStore();
      await provider();
      id = (await order()).body.data.id;
    });
    const another = (orderId: unknown = id, who = shopper) =>
      who.send('POST', `orders/${String(orderId)}/invoice`);

    it('is created for an unpaid order', async () => {
      const { status, body } = await another();
      expect([status, body.data]).toEqual([
        200,
        { orderId: id, invoiceUrl: expect.stringMatching(/^https:/) },
      ]);
      expect(invoices()[1].body).toEqual(invoices()[0].body);
    });

    it('is refused with the reason once the order is paid or cancelled', async () => {
      await store.data('set_order_status', { orderId: id, status: 'PROCESSING' });
      const answer = await another();
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toContain('PROCESSING');
    });

    it('is refused for an order not paid in the messenger, or if the messenger creates none', async () => {
      messenger.next('createInvoiceLink', botApi.error(400, 'Bad Request: CURRENCY_TOTAL_AMOUNT_INVALID'));
      expect((await another()).body.error!.message).toContain('CURRENCY_TOTAL_AMOUNT_INVALID');
      await store.data('update_checkout', { mode: 'manual' });
      expect((await another()).body.error!.message).toContain('not paid in the messenger');
    });

    it('is answered with 404 for an order of another shopper or store, and for an invalid id', async () => {
      const stranger = new MiniApp(store, { id: '77', first_name: 'Eve' });
      for (const answer of [
        await another(id, stranger),
        await another(id + 1_000_000),
        await another('abc'),
        await another('0'),
      ]) {
        expect(answer).toMatchObject(refusal(404, 'not_found'));
      }
      expect(invoices()).toHaveLength(1);
    });
  });

  describe('what the messenger asks and reports', () => {
    let placed: any;
    beforeEach(async () => {
      await nativeStore();
      await provider();
      await store.data('update_invoice_field_config', {
        maxTipAmount: 900,
        isFlexible: true,
        needShippingAddress: true,
      });
      const { invoiceUrl: _, ...rest } = (
        await order({ shippingAddress: { city: 'Lviv', name: 'A. Shopper' } })
      ).body.data;
      placed = rest;
    });
    const terms = (amount: number) => ({
      currency: 'USD',
      total_amount: amount,
      invoice_payload: `${placed.id}:5000`,
    });

    async function answerTo(
      kind: 'pre_checkout_query' | 'shipping_query',
      values: object,
      payer = SHOPPER,
    ): Promise<any> {
      const method = kind === 'shipping_query' ? 'answerShippingQuery' : 'answerPreCheckoutQuery';
      const before = messenger.callsOf(method).length;
      const query = JSON.stringify({ id: 'q1', ...values }).slice(1);
      expect(
        await bot.send(`{"update_id":3,"${kind}":{"from":{"id":${payer},"is_bot":false},${query}}`),
      ).toEqual({
        status: 200,
        body: {},
      });
      await eventually('the query is answered', () => messenger.callsOf(method).length > before);
      return messenger.callsOf(method)[before].body;
    }
    const pay = (amount: number, more: object = {}) =>
      bot.message(SHOPPER, {
        successful_payment: { ...terms(amount), telegram_payment_charge_id: `charge-${amount}`, ...more },
      });

    it('a shipping query is answered with one free option', async () => {
      const body = await answerTo('shipping_query', {
        invoice_payload: `${placed.id}:5000`,
        shipping_address: { city: 'Lviv' },
      });
      expect(body).toMatchObject({
        shipping_query_id: 'q1',
        ok: true,
        shipping_options: [{ prices: [expect.objectContaining({ amount: 0 })] }],
      });
    });

    it('a shipping query for an order that cannot be paid is refused with the reason', async () => {
      expect(await answerTo('shipping_query', { invoice_payload: 'x' })).toMatchObject({ ok: false });
      expect(await answerTo('shipping_query', { invoice_payload: `${placed.id}:5000` }, '77')).toMatchObject({
        ok: false,
        error_message: expect.stringContaining('somebody'),
      });
      await store.data('set_order_status', { orderId: placed.id, status: 'CANCELLED' });
      expect(await answerTo('shipping_query', { invoice_payload: `${placed.id}:5000` })).toMatchObject({
        ok: false,
      });
    });

    it.each([
      [5000, true],
      [5001, true],
      [5900, true],
      [4999, false],
      [5901, false],
    ])('a pre-checkout query of %d is answered %s', async (amount, ok) => {
      expect(await answerTo('pre_checkout_query', terms(amount))).toMatchObject({ ok });
    });

    it('a payment with a tip makes the order PROCESSING with tip, total and shipping details', async () => {
      await pay(5900, {
        order_info: {
          name: 'Ann Payer',
          phone_number: '+155501',
          shipping_address: { city: 'Kyiv', post_code: '01001' },
        },
      });
      expect(await current(placed.id)).toEqual({
        ...placed,
        status: 'PROCESSING',
        totalPrice: 5900,
        tipAmount: 900,
        shippingAddress: {
          city: 'Lviv',
          name: 'A. Shopper',
          phone_number: '+155501',
          shipping_address: { city: 'Kyiv', post_code: '01001' },
        },
        updatedAt: expect.any(String),
      });
      const { revenue } = await store.data('get_analytics');
      expect(revenue).toBe(5900);
    });

    it('the timeline keeps the order as placed, and shows the changes by a tip and new items', async () => {
      const second = (await order({ tipAmount: 100 })).body.data;
      const owner = await StorePage.ofOwner(store);
      await owner.data('PUT', `orders/${second.id}/items`, { items: [{ productId, quantity: 3 }] });
      const payment = {
        currency: 'USD',
        invoice_payload: `${second.id}:7500`,
        telegram_payment_charge_id: 'charge-told',
      };
      await bot.message(SHOPPER, { successful_payment: { ...payment, total_amount: 7600 + 50 } });
      await bot.message(SHOPPER, {
        successful_payment: { ...payment, total_amount: 1, telegram_payment_charge_id: 'charge-again' },
      });
      const { entries } = await store.data('get_order_timeline', { orderId: second.id });
      expect(entries.map(({ text }: any) => text)).toEqual([
        'Placed: 2 pieces for 51.00 USD, payment by card',
        'Items changed; totalPrice is 76.00 USD',
        expect.stringMatching(
          /^(Paid 76.50 USD|Status PENDING became PROCESSING; totalPrice is 76.50 .+ is 1.50 USD$)/,
        ),
        expect.stringMatching(
          /^(Paid 76.50 USD|Status PENDING became PROCESSING; totalPrice is 76.50 .+ is 1.50 USD$)/,
        ),
        'A payment of 0.01 USD changed nothing: other_amount, charge charge-again',
      ]);
      const [, { changes }] = entries.filter(({ changes: found }: any) => found !== null);
      expect(changes).toEqual({
        status: ['PENDING', 'PROCESSING'],
        totalPrice: [7600, 7650],
        tipAmount: [100, 150],
      });
    });

    it('a tip is added to the one given with the order', async () => {
      const second = (await order({ tipAmount: 100 })).body.data;
      await bot.message(SHOPPER, {
        successful_payment: {
          currency: 'USD',
          total_amount: 5100 + 50,
          invoice_payload: `${second.id}:5000`,
          telegram_payment_charge_id: 'charge-tips',
        },
      });
      expect(await current(second.id)).toMatchObject({
        status: 'PROCESSING',
        tipAmount: 150,
        totalPrice: 5150,
      });
    });

    it('an invoice of another total is refused, although a tip could make up the difference', async () => {
      const owner = await StorePage.ofOwner(store);
      await owner.data('PUT', `orders/${placed.id}/items`, { items: [{ productId, quantity: 2 }] });
      await store.data('update_invoice_field_config', { maxTipAmount: 5000 });
      await owner.data('PUT', `orders/${placed.id}/items`, { items: [{ productId, quantity: 1 }] });
      const refused = { ok: false, error_message: expect.stringContaining('price') };
      expect(await answerTo('pre_checkout_query', terms(5000))).toMatchObject(refused);
      await pay(5000);
      expect(await current(placed.id)).toMatchObject({
        status: 'PENDING',
        totalPrice: 2500,
        tipAmount: null,
      });
      await owner.data('PUT', `orders/${placed.id}/items`, { items: [{ productId, quantity: 3 }] });
      expect(await answerTo('pre_checkout_query', terms(7500))).toMatchObject(refused);
      const [stale, named] = [`${placed.id}`, `${placed.id}:7500`];
      const wanted = { ...terms(7500), invoice_payload: stale };
      expect(await answerTo('pre_checkout_query', wanted)).toMatchObject(refused);
      expect(await answerTo('pre_checkout_query', { ...wanted, invoice_payload: named })).toMatchObject({
        ok: true,
      });
    });

    it('the tip of the order and that of the invoice are together at most maxTipAmount', async () => {
      const tipped = (await order({ tipAmount: 500 })).body.data;
      expect(invoices().at(-1)!.body).toMatchObject({ max_tip_amount: 400, payload: `${tipped.id}:5000` });
      const asked = (amount: number) =>
        answerTo('pre_checkout_query', { ...terms(amount), invoice_payload: `${tipped.id}:5000` });
      expect([(await asked(5900)).ok, (await asked(5901)).ok, (await asked(5499)).ok]).toEqual([
        true,
        false,
        false,
      ]);
      // A tip that was allowed when it was given stays payable.
      await store.data('update_invoice_field_config', { maxTipAmount: 100 });
      expect([(await asked(5500)).ok, (await asked(5501)).ok]).toEqual([true, false]);
    });

    it('a payment above total and maximal tip changes nothing, and is shown on the dashboard', async () => {
      await pay(5901);
      await pay(5000);
      expect(await current(placed.id)).toMatchObject({
        status: 'PROCESSING',
        totalPrice: 5000,
        tipAmount: null,
      });
      const owner = await StorePage.ofOwner(store);
      const list = (query = '') => owner.data('GET', `payments${query}`);
      const all = await list();
      expect(all.items).toEqual([
        {
          id: expect.any(String),
          chargeId: 'charge-5000',
          providerChargeId: null,
          orderId: placed.id,
          invoicePayload: `${placed.id}:5000`,
          customerId: SHOPPER,
          currency: 'USD',
          amount: 5000,
          outcome: 'accepted',
          ...{ orderInfo: null, refundedAt: null },
          receivedAt: expect.any(String),
        },
        expect.objectContaining({ chargeId: 'charge-5901', outcome: 'other_amount', orderId: placed.id }),
      ]);
      const first = await list('?take=1');
      const second = await list(`?take=1&cursor=${first.nextCursor}`);
      expect([...first.items, ...second.items]).toEqual(all.items);
      expect(second.nextCursor).toBeNull();
      expect((await list('?outcome=other_amount')).items).toEqual([all.items[1]]);
      expect((await list(`?orderId=${placed.id + 1}`)).items).toEqual([]);
      const other = await app.store();
      const stranger = await StorePage.ofOwner(other);
      expect((await stranger.browser.get(`stores/${store.id}/payments`)).status).toBe(404);
    });
  });
});
