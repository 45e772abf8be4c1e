import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { BotWebhook, MiniApp, refusal } from './mini-app.js';

describe('orders of the storefront', () => {
  const clock = new TestClock();
  let store: TestStore;
  let productId: string;
  let shopper: MiniApp;

  const { app, messenger } = useShopWithMessenger({ clock });
  beforeEach(async () => {
    clock.set(new Date());
    store = await app.store();
    await BotWebhook.connect(store, messenger);
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    ({ productId } = await store.product({ price: '10.50', itemAmount: 5 }));
    shopper = new MiniApp(store, { id: '9007199254740993', first_name: 'Ann', username: 'ann' });
  });

  const cart = (quantity = 1) => ({ items: [{ productId, quantity }] });
  const orders = () =>
    app.query<any>('select id, status from orders where store_id = $1 order by id', [store.id]);
  const stock = async () => (await store.data('get_product', { id: productId })).itemAmount;

  it('accept answers to fields with ids and labels of any allowed length', async () => {
    for (const id of ['', 'x'.repeat(200)]) {
      const field = { id, label: 'y'.repeat(500), type: 'text', required: true, defaultVisible: true };
      await store.data('update_checkout', { fields: [field] });
      const checkoutData = [{ id, label: field.label, type: 'text', value: 'Hi' }];
      expect((await shopper.order(cart(1))).status).toBe(400);
      expect(await shopper.order({ ...cart(1), checkoutData })).toMatchObject({
        status: 200,
        body: { data: { checkoutData } },
      });
    }
    await store.data('update_checkout', { fields: [] });
  });

  it('are paid through a provider with a name of any allowed length', async () => {
    const paymentMethod = 'п'.repeat(500);
    await store.data('create_payment_provider', {
      ...{ providerName: paymentMethod, providerToken: '', isTestMode: true, isActive: true },
      supportedCurrencies: ['USD'],
    });
    await store.data('update_checkout', { mode: 'crypto' });
    expect(await shopper.send('POST', 'orders/quote', { ...cart(), paymentMethod })).toMatchObject({
      status: 200,
    });
    const { body } = await shopper.order({ ...cart(), paymentMethod });
    expect(body.data).toMatchObject({ paymentMethod });
    expect((await shopper.order({ ...cart(), paymentMethod: `${paymentMethod}п` })).body.error).toMatchObject(
      { message: expect.stringMatching(/^paymentMethod must be a string of 1 to 500 characters/) },
    );
  });

  it('are placed like those of the operator, with webhook and audit row', async () => {
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
    const { status, body } = await shopper.order({
      ...cart(2),
      tipAmount: 100,
      shippingAddress: { name: 'Ann' },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: 'PENDING',
      totalPrice: 2200,
      tipAmount: 100,
      messengerUserId: '9007199254740993',
      shippingAddress: { name: 'Ann' },
      items: [{ productId, quantity: 2, price: 1050 }],
    });
    expect(await store.data('get_order', { orderId: body.data.id })).toEqual(body.data);
    const [delivery] = await app.query<any>(
      `select event, convert_from(body, 'UTF8')::json as body from webhook_deliveries join order_events
        using (store_id, id) where store_id = $1`,
      [store.id],
    );
    expect(delivery).toMatchObject({ event: 'order.created', body: { data: body.data } });
    const [row] = await app.query<any>(
      `select * from audit_log where store_id = $1 and operation = 'order.place'`,
      [store.id],
    );
    expect(row).toMatchObject({
      actor_kind: 'shopper',
      actor_id: '9007199254740993',
      actor_name: 'ann',
      target: `order:${body.data.id}`,
      changes: { pieces: [null, 2], items: [null, 2100], tip: [null, 100], total: [null, 2200] },
    });
    expect(await stock()).toBe(3);
  });

  it('are refused naming what cannot be ordered, and take no price or payment from a shopper', async () => {
    const cases: [object, string][] = [
      [{}, 'items '],
      [{ ...cart(), paid: true }, 'paid '],
      [{ ...cart(), messengerUserId: '5' }, 'messengerUserId '],
      [{ items: [{ productId, quantity: 1, price: 1 }] }, 'items[0].price '],
      [cart(6), 'items[0].quantity '],
      [{ ...cart(), promocode: 'NONE' }, 'promocode '],
      [{ ...cart(), bonusToSpend: 1 }, 'bonusToSpend '],
    ];
    for (const [order, path] of cases) {
      const answer = await shopper.order(order as Record<string, unknown>);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message.startsWith(path)).toBe(true);
    }
    expect(await orders()).toEqual([]);
    expect(await app.query('select 1 from customers where store_id = $1', [store.id])).toEqual([]);
  });

  it('are listed to their shopper only, newest first, and never with a note', async () => {
    const mine: number[] = [];
    for (let i = 0; i < 3; i++) mine.unshift((await shopper.order(cart())).body.data.id);
    await new MiniApp(store, { id: '2' }).order(cart());
    await store.data('add_order_note', { orderId: mine[0], note: 'A secret of the shop' });
    const first = await shopper.get('orders?take=2');
    expect(first.body.data.items.map(({ id }: any) => id)).toEqual(mine.slice(0, 2));
    expect(first.body.data.items[0]).toEqual(await store.data('get_order', { orderId: mine[0] }));
    expect(JSON.stringify(first.body)).not.toContain('secret');
    const rest = await shopper.data('GET', `orders?take=2&cursor=${first.body.data.nextCursor}`);
    expect([rest.items.map(({ id }: any) => id), rest.nextCursor]).toEqual([mine.slice(2), null]);
    expect(await shopper.get('orders?cursor=x')).toMatchObject(refusal(400, 'invalid_input'));
    expect((await new MiniApp(store, { id: '3' }).data('GET', 'orders')).items).toEqual([]);
  });

  it('never sell the last piece twice', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => new MiniApp(store, { id: String(i + 1) }).order(cart())),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    }
    expect([await stock(), (await orders()).length]).toEqual([0, 5]);
  });

  describe('with an Idempotency-Key', () => {
    it('are placed once, however often the shopper asks, in whatever order the properties come', async () => {
      const first = await shopper.order({ ...cart(), tipAmount: 5 }, 'key 1');
      const again = await shopper.send(
        'POST',
        'orders',
        { tipAmount: 5, ...cart(), paymentMethod: 'cash' },
        { 'Idempotency-Key': 'key 1' },
      );
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.body).toEqual(first.body);
      expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ]);
      expect([await stock(), (await orders()).length]).toEqual([4, 1]);
    });

    it('are placed once by concurrent requests, also by a new shopper', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => shopper.order(cart(), 'k')));
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
      expect([await stock(), (await orders()).length]).toEqual([4, 1]);
    });

    it('are returned in their current state', async () => {
      const { body } = await shopper.order(cart(), 'k');
      await store.data('set_order_status', { orderId: body.data.id, status: 'PROCESSING' });
      const again = await shopper.order(cart(), 'k');
      expect(again.body.data).toEqual(await store.data('get_order', { orderId: body.data.id }));
      await store.data('delete_order', { orderId: body.data.id, confirm: true });
      expect(await shopper.order(cart(), 'k')).toMatchObject(refusal(404, 'not_found'));
      expect(await orders()).toEqual([]);
    });

    it('are refused if another order had the same key', async () => {
      await shopper.order(cart(1), 'k');
      const other = await shopper.order(cart(2), 'k');
      expect(other).toMatchObject(refusal(400, 'invalid_input'));
      expect(other.body.error!.message).toMatch(/^Idempotency-Key /);
      expect((await orders()).length).toBe(1);
    });

    it('do not share keys between shoppers', async () => {
      const ids = [
        await shopper.order(cart(), 'k'),
        await new MiniApp(store, { id: '2' }).order(cart(2), 'k'),
      ];
      expect(ids.map(({ status }) => status)).toEqual([200, 200]);
      expect((await orders()).length).toBe(2);
    });

    it('do not store the key of a refused order', async () => {
      expect((await shopper.order(cart(6), 'k')).status).toBe(400);
      await store.data('update_stock', { productId, absolute: 6 });
      expect((await shopper.order(cart(6), 'k')).status).toBe(200);
      expect(await stock()).toBe(0);
    });

    it('forget a key after 24 hours, and delete it', async () => {
      await shopper.order(cart(), 'k');
      await shopper.order(cart(), 'other');
      clock.advance(86_400_000 - 1);
      const replayed = await new MiniApp(store, shopper.user, { at: clock.now() }).order(cart(), 'k');
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      clock.advance(1);
      const later = await new MiniApp(store, shopper.user, { at: clock.now() }).order(cart(), 'k');
      expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect((await orders()).length).toBe(3);
      expect(await app.query('select key from order_keys where store_id = $1', [store.id])).toEqual([
        { key: 'k' },
      ]);
    });

    it.each(['', 'x'.repeat(256), 'ä', 'a\tb'])('refuse the key %j', async (key) => {
      const answer = await shopper.order(cart(), key);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(/^Idempotency-Key /);
      expect(await orders()).toEqual([]);
    });

    it.each(['x', 'x'.repeat(255), '~!'])('take the key %j', async (key) => {
      expect((await shopper.order(cart(), key)).status).toBe(200);
    });
  });
});
