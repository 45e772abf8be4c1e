import { randomBytes } from 'node:crypto';
import { StorePage } from '../dashboard/browser.js';
import { eventually } from '../../support/eventually.js';
import { botApi } from '../../support/servers/bot-api-server.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook } from './mini-app.js';

const OWNER = '9007199254740993';

describe('payments in the messenger', () => {
  let store: TestStore;
  let bot: BotWebhook;
  let order: any;

  const { app, messenger } = useShopWithMessenger();
  beforeEach(async () => {
    messenger.reset();
    store = await app.store();
    bot = await BotWebhook.connect(store, messenger);
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    const { productId } = await store.product({ price: '25' });
    order = await store.place({ items: [{ productId, quantity: 1 }], tipAmount: 50 }, { id: OWNER });
    // From here on a payment of more is of another amount, and no tip.
    await store.data('update_invoice_field_config', { maxTipAmount: null });
  });

  const terms = (values: object = {}) => ({
    currency: 'USD',
    total_amount: 2550,
    invoice_payload: `${order.id}:2500`,
    ...values,
  });
  const current = () => store.data('get_order', { orderId: order.id });
  const payments = () =>
    app.query<any>('select * from payments where store_id = $1 order by received_at', [store.id]);
  const audits = () =>
    app.query<any>(
      `select * from audit_log where store_id = $1 and operation = 'payment.receive' order by at`,
      [store.id],
    );

  describe('pre-checkout', () => {
    async function answerTo(values: object = {}, payer = OWNER): Promise<any> {
      const before = messenger.callsOf('answerPreCheckoutQuery').length;
      const query = JSON.stringify({ id: '4382bfdwdsb323b2d9', ...terms(values) }).slice(1);
      const answer = await bot.send(
        `{"update_id":3,"pre_checkout_query":{"from":{"id":${payer},"is_bot":false},${query}}`,
      );
      expect(answer).toEqual({ status: 200, body: {} });
      await eventually(
        'the query is answered',
        () => messenger.callsOf('answerPreCheckoutQuery').length > before,
      );
      const call = messenger.callsOf('answerPreCheckoutQuery')[before];
      expect(call).toMatchObject({
        token: store.botToken,
        body: { pre_checkout_query_id: '4382bfdwdsb323b2d9' },
      });
      return call.body;
    }

    it('is accepted for a PENDING order of the shopper, at its price', async () => {
      expect(await answerTo()).toMatchObject({ ok: true });
      expect(await current()).toEqual(order);
    });

    it.each<[string, () => object, string]>([
      ['another amount', () => ({ total_amount: 2549 }), 'price'],
      ['another currency', () => ({ currency: 'EUR' }), 'currency'],
      [
        'an order that does not exist',
        () => ({ invoice_payload: `${order.id + 1_000_000}:2500` }),
        'not exist',
      ],
      ['an invoice of another total', () => ({ invoice_payload: `${order.id}:2600` }), 'price'],
      ['an invoice that names no total', () => ({ invoice_payload: String(order.id) }), 'price'],
      ['a payload that is no order', () => ({ invoice_payload: 'abc' }), 'not exist'],
      ['a payload beyond any id', () => ({ invoice_payload: '99999999999999999999' }), 'not exist'],
      ['no payload', () => ({ invoice_payload: undefined }), 'not exist'],
    ])('is refused for %s', async (_, values, words) => {
      const body = await answerTo(values());
      expect(body.ok).toBe(false);
      expect(body.error_message).toContain(words);
    });

    it('is refused for somebody else, an order that is not PENDING, and a banned shopper', async () => {
      expect(await answerTo({}, '9007199254740992')).toMatchObject({
        ok: false,
        error_message: expect.stringContaining('somebody'),
      });
      for (const status of ['PROCESSING', 'CANCELLED']) {
        await store.data('set_order_status', { orderId: order.id, status });
        expect(await answerTo()).toMatchObject({
          ok: false,
          error_message: expect.stringContaining('paid already'),
        });
      }
      await store.data('set_order_status', { orderId: order.id, status: 'PENDING' });
      await store.data('update_customer', { id: OWNER, isBanned: true });
      expect(await answerTo()).toMatchObject({
        ok: false,
        error_message: expect.stringContaining('cannot order'),
      });
    });

    it("is refused for another store's order", async () => {
      const other = await app.store();
      const { productId } = await other.product({ price: '25.50' });
      const foreign = await other.place({ items: [{ productId, quantity: 1 }] }, { id: OWNER });
      expect(await answerTo({ invoice_payload: `${foreign.id}:2550` })).toMatchObject({ ok: false });
    });

    it('is retried when the messenger does not answer', async () => {
      messenger.next('answerPreCheckoutQuery', botApi.serverError());
      await answerTo();
      await eventually(
        'the query is answered again',
        () => messenger.callsOf('answerPreCheckoutQuery').length >= 2,
      );
      expect(messenger.callsOf('answerPreCheckoutQuery').map(({ body }) => body.ok)).toEqual([true, true]);
    });
  });

  describe('a successful payment', () => {
    const pay = (values: object = {}, payer = OWNER) =>
      bot.message(payer, {
        successful_payment: {
          ...terms(),
          telegram_payment_charge_id: 'charge-1',
          provider_payment_charge_id: 'provider-1',
          ...values,
        },
      });

    it('makes the order PROCESSING, with its event, its cashback and its audit row', async () => {
      await app.query(
        `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
          values ($1, 'https://hook.example/', '', now(), now())`,
        [store.id],
      );
      const level = { minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' };
      const lists = { levels: [level], categoryRates: [], promotions: [] };
      const cashback = { enabled: true, ...lists, maxCashbackPerOrder: null, cashbackTrigger: 'on_payment' };
      await store.data('update_monetization', { cashback });
      expect(await pay()).toEqual({ status: 200, body: {} });
      const paid = await current();
      expect(paid).toEqual({ ...order, status: 'PROCESSING', updatedAt: expect.any(String) });
      expect((await store.data('get_customer', { id: OWNER })).bonusBalance).toBe(2.5);
      const deliveries = await app.query<any>(
        `select event, convert_from(body, 'UTF8')::json as body from webhook_deliveries join order_events
          using (store_id, id) where store_id = $1`,
        [store.id],
      );
      expect(deliveries).toEqual([{ event: 'order.updated', body: expect.objectContaining({ data: paid }) }]);
      expect(await payments()).toMatchObject([
        {
          charge_id: 'charge-1',
          provider_charge_id: 'provider-1',
          payer_id: OWNER,
          amount: '2550',
          currency: 'USD',
          outcome: 'accepted',
        },
      ]);
      expect(await audits()).toMatchObject([
        {
          action: 'payment.accepted',
          actor_kind: 'shopper',
          actor_id: OWNER,
          target: `order:${order.id}`,
          changes: { status: ['PENDING', 'PROCESSING'] },
          input: { currency: 'USD', amount: 2550, chargeId: 'charge-1' },
        },
      ]);
    });

    it('adds the shipping details of the payment form to an order without any', async () => {
      const address = {
        country_code: 'DE',
        state: '',
        city: 'Berlin',
        street_line1: 'Weg 1',
        street_line2: 5,
        post_code: '10115',
      };
      await pay({
        order_info: {
          name: 'Jane',
          phone_number: '+155501',
          email: 'a\0b',
          shipping_address: address,
          more: 'x',
        },
      });
      const shippingAddress = {
        name: 'Jane',
        phone_number: '+155501',
        shipping_address: { country_code: 'DE', city: 'Berlin', street_line1: 'Weg 1', post_code: '10115' },
      };
      expect(await current()).toEqual({
        ...order,
        status: 'PROCESSING',
        shippingAddress,
        updatedAt: expect.any(String),
      });
    });

    const typed = {
      name: 'Ann Lee',
      phone_number: '491711234567',
      email: 'ann@example.com',
      shipping_address: { country_code: 'DE', city: 'Berlin', street_line1: 'Weg 1', post_code: '10115' },
    };
    const place = async (shippingAddress: object) => {
      const { productId } = await store.product({ price: '25' });
      order = await store.place({ items: [{ productId, quantity: 1 }], shippingAddress }, { id: OWNER });
      return pay({ invoice_payload: `${order.id}:2500`, total_amount: 2500, order_info: typed });
    };

    it.each<[object, object]>([
      [{ name: null, phone_number: null, email: null, shipping_address: null }, typed],
      [{ name: '', phone_number: ' ', email: '\u00a0', shipping_address: '' }, typed],
      [{ shipping_address: {} }, typed],
      [{ shipping_address: [] }, typed],
      [
        { shipping_address: { city: '', state: null }, gift: true },
        {
          ...typed,
          gift: true,
        },
      ],
      [
        { name: 'Bob', phone_number: '', shipping_address: { city: 'Bonn', post_code: ' ' } },
        {
          ...typed,
          name: 'Bob',
          shipping_address: { ...typed.shipping_address, city: 'Bonn' },
        },
      ],
      [{ shipping_address: 'Weg 2, Bonn' }, { ...typed, shipping_address: 'Weg 2, Bonn' }],
    ])('fills in what %j leaves empty, and nothing else', async (own, joined) => {
      await place(own);
      expect(await current()).toMatchObject({ status: 'PROCESSING' });
      expect((await current()).shippingAddress).toEqual(joined);
    });

    it('that does not fit keeps what the payer typed', async () => {
      await pay({ total_amount: 2551, order_info: { ...typed, more: 'x' } });
      const owner = await StorePage.ofOwner(store);
      const [kept] = (await owner.data('GET', 'payments')).items;
      expect(kept).toMatchObject({ outcome: 'other_amount', orderInfo: typed, refundedAt: null });
    });

    it.each([null, 'text', {}, { name: '' }, { shipping_address: [] }])(
      'treats %j as missing shipping details',
      async (info) => {
        await pay({ order_info: info });
        expect(await current()).toMatchObject({ status: 'PROCESSING', shippingAddress: null });
      },
    );

    it('counts once, whatever the messenger repeats and the owner does in the meantime', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => pay()));
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
      expect(await current()).toMatchObject({ status: 'PROCESSING' });
      await store.data('set_order_status', { orderId: order.id, status: 'PENDING' });
      expect((await pay()).status).toBe(200);
      expect(await current()).toMatchObject({ status: 'PENDING' });
      expect([(await payments()).length, (await audits()).length]).toEqual([1, 1]);
    });

    it('for an invoice that names no total counts if it is exactly the total of the order', async () => {
      await pay({ invoice_payload: String(order.id), total_amount: 2551 });
      expect(await current()).toEqual(order);
      await pay({ invoice_payload: String(order.id), telegram_payment_charge_id: 'charge-2' });
      expect(await current()).toMatchObject({ status: 'PROCESSING', totalPrice: 2550, tipAmount: 50 });
    });

    it('is kept apart by store', async () => {
      await pay();
      const other = await app.store();
      const otherBot = await BotWebhook.connect(other, messenger);
      const { productId } = await other.product({ price: '25.50' });
      const placed = await other.place({ items: [{ productId, quantity: 1 }] }, { id: OWNER });
      await otherBot.message(OWNER, {
        successful_payment: {
          ...terms({ invoice_payload: `${placed.id}:2550` }),
          telegram_payment_charge_id: 'charge-1',
        },
      });
      expect(await other.data('get_order', { orderId: placed.id })).toMatchObject({ status: 'PROCESSING' });
    });

    it.each<[string, object, string]>([
      ['other_amount', { total_amount: 2551 }, OWNER],
      ['other_currency', { currency: 'XTR' }, OWNER],
      ['other_shopper', {}, '9007199254740992'],
      ['unknown_order', { invoice_payload: 'none' }, OWNER],
      ['unknown_order', { invoice_payload: '4000000000000000' }, OWNER],
    ])(
      'is stored and audited with the outcome %s, and does not change the order',
      async (outcome, values, payer) => {
        expect((await pay(values, payer)).status).toBe(200);
        expect(await current()).toEqual(order);
        expect(await payments()).toMatchObject([{ outcome, payer_id: payer }]);
        expect(await audits()).toMatchObject([{ action: `payment.${outcome}`, changes: null }]);
      },
    );

    it('is shown in the timeline in minor units if its currency is unknown', async () => {
      await pay({ currency: 'ZZZ' });
      const { entries } = await store.data('get_order_timeline', { orderId: order.id });
      const told = entries.filter(({ kind }: any) => kind === 'payment').map(({ text }: any) => text);
      expect(told).toEqual([
        expect.stringMatching(
          /^A payment of 2550 minor units of ZZZ changed nothing: other_currency, charge /,
        ),
      ]);
      const owner = await StorePage.ofOwner(store);
      const history = (await owner.data('GET', `orders/${order.id}/timeline`)).entries;
      const facts = history
        .filter(({ kind }: any) => kind === 'payment')
        .map(({ facts: found }: any) => found);
      expect(facts).toEqual([{ currency: 'ZZZ', outcome: 'other_currency', charge: expect.any(String) }]);
    });

    it.each(['SHIPPED', 'CANCELLED', 'PROCESSING'])('does not change an order that is %s', async (status) => {
      await store.data('set_order_status', { orderId: order.id, status });
      const before = await current();
      await pay();
      expect(await current()).toEqual(before);
      expect(await payments()).toMatchObject([{ outcome: 'not_pending', order_id: String(order.id) }]);
    });

    it('is accepted once if several come for one order at the same time, and all are stored', async () => {
      const ids = Array.from({ length: 12 }, (_, i) => `charge-${i}`);
      // Payments that first wait for a connection each would come one after the other.
      await Promise.all(ids.map(() => bot.message(OWNER, { text: '/start' })));
      const answers = await Promise.all(ids.map((id) => pay({ telegram_payment_charge_id: id })));
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
      expect((await payments()).map(({ outcome }) => outcome).sort()).toEqual([
        'accepted',
        ...Array(11).fill('not_pending'),
      ]);
    });

    it('counts even if the shopper was banned in the meantime, because the money was paid', async () => {
      await store.data('update_customer', { id: OWNER, isBanned: true });
      await pay();
      expect(await current()).toMatchObject({ status: 'PROCESSING' });
    });

    it.each([
      { telegram_payment_charge_id: undefined },
      { telegram_payment_charge_id: '' },
      // It would not fit an index, and the messenger would send it again and again.
      { telegram_payment_charge_id: randomBytes(10_000).toString('hex') },
      { total_amount: '2550' },
      { total_amount: 1.5 },
      { currency: null },
      { invoice_payload: 5 },
    ])('is ignored if it cannot be understood: %j', async (values) => {
      expect((await pay(values)).status).toBe(200);
      expect(await current()).toEqual(order);
      expect(await payments()).toEqual([]);
    });

    describe('that the messenger gives back', () => {
      const giveBack = (chargeId: unknown) =>
        bot.message(OWNER, {
          refunded_payment: { ...terms(), telegram_payment_charge_id: chargeId },
        });
      const pricing = () => store.data('get_order_pricing', { orderId: order.id });

      it('is a refund of its order, once, whose status stays', async () => {
        await pay();
        const paid = await current();
        expect([(await giveBack('charge-1')).status, (await giveBack('charge-1')).status]).toEqual([
          200, 200,
        ]);
        expect(await current()).toEqual(paid);
        expect(await pricing()).toMatchObject({
          refunds: [{ amount: 2550, by: 'messenger', reason: null }],
          refunded: 2550,
        });
        const { entries } = await store.data('get_order_timeline', { orderId: order.id });
        expect(entries.at(-1)).toMatchObject({
          kind: 'refund',
          by: 'messenger',
          text: 'Refund of 25.50 USD recorded',
        });
        const owner = await StorePage.ofOwner(store);
        const [payment] = (await owner.data('GET', 'payments')).items;
        expect(payment).toMatchObject({ outcome: 'accepted', refundedAt: expect.any(String) });
        const again = await store.data('refund_order', { orderId: order.id });
        expect(again.warnings).toEqual([expect.stringContaining('refunded before')]);
      });

      it('is no refund of an order that it did not pay', async () => {
        await pay({ total_amount: 2551 });
        await giveBack('charge-1');
        expect(await pricing()).toMatchObject({ refunds: [] });
        expect(await payments()).toMatchObject([{ outcome: 'other_amount', refunded_at: expect.any(Date) }]);
      });

      it.each([undefined, 5, 'charge-of-nobody'])('is ignored if the charge %j is unknown', async (id) => {
        await pay();
        expect((await giveBack(id)).status).toBe(200);
        expect(await pricing()).toMatchObject({ refunds: [] });
      });

      it('is recorded for a suspended store too', async () => {
        await pay();
        await app.query('update stores set suspended_reason = $2, suspended_at = now() where id = $1', [
          store.id,
          'unpaid',
        ]);
        expect((await giveBack('charge-1')).status).toBe(200);
        expect(await payments()).toMatchObject([{ refunded_at: expect.any(Date) }]);
      });
    });

    describe('of an order that is cancelled', () => {
      const found = async () => (await store.data('find_orders', { text: `#${order.id}` })).items[0];
      const waiting = async () => (await store.data('get_store_overview')).counts.paidNotReturned;

      it('is owed back, until refunds name all of it', async () => {
        await pay();
        expect(await found()).toMatchObject({ paid: 2550, refunded: 0, owedBack: 0, isTest: false });
        await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
        expect([(await found()).owedBack, await waiting()]).toEqual([2550, 1]);
        const owner = await StorePage.ofOwner(store);
        expect(await owner.data('GET', `orders/${order.id}/payment`)).toEqual({
          ...{ paid: 2550, refunded: 0, owedBack: 2550, isTest: false },
        });
        expect((await owner.data('GET', 'orders/owed-back')).items).toEqual([
          { id: order.id, owedBack: 2550 },
        ]);
        await store.data('refund_order', { orderId: order.id, amount: 50 });
        expect(await found()).toMatchObject({ refunded: 50, owedBack: 2500 });
        await store.data('set_order_status', { orderId: order.id, status: 'PROCESSING' });
        expect([(await found()).owedBack, await waiting()]).toEqual([0, 0]);
        await store.data('refund_order', { orderId: order.id });
        expect(await found()).toMatchObject({ paid: 2550, refunded: 50, owedBack: 0 });
      });

      it('is not owed back if it was agreed on outside the messenger', async () => {
        await store.data('set_order_status', { orderId: order.id, status: 'PROCESSING' });
        await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
        expect(await found()).toMatchObject({ paid: 0, owedBack: 0 });
        expect(await waiting()).toBe(0);
      });

      it('is told as of a test if only a provider in test mode takes it', async () => {
        const provider = {
          ...{ providerName: 'cash', providerToken: '1:TEST:2', isActive: true },
          supportedCurrencies: ['USD'],
        };
        await store.data('create_payment_provider', { ...provider, isTestMode: true });
        await pay();
        expect(await found()).toMatchObject({ isTest: true });
        const { productId: another } = await store.product({ price: '5' });
        await store.data('create_payment_provider', { ...provider, isTestMode: false });
        order = await store.place({ items: [{ productId: another, quantity: 1 }] }, { id: OWNER });
        const invoiced = { invoice_payload: `${order.id}:500`, total_amount: 500 };
        await pay({ ...invoiced, telegram_payment_charge_id: 'charge-2' });
        expect(await found()).toMatchObject({ paid: 500, isTest: false });
      });
    });

    it('stays stored when its order is deleted', async () => {
      await pay();
      await store.data('delete_order', { orderId: order.id, confirm: true });
      expect(await payments()).toMatchObject([{ order_id: null, invoice_payload: `${order.id}:2500` }]);
    });
  });
});
