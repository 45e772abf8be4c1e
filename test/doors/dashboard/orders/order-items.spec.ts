import pg from 'pg';
import { storeDump } from '../../../support/database/store-dump.js';
import { waitsForLock } from '../../../support/database/waits-for-lock.js';
import { type TestStore, useShop } from '../../../support/test-app.js';
import { refusal, StorePage } from '../browser.js';

const FORM = [
  { id: 'delivery', label: 'Delivery', type: 'text', required: false, defaultVisible: true },
  {
    id: 'note',
    label: 'Note',
    type: 'text',
    required: false,
    defaultVisible: true,
    conditions: [
      {
        dependsOn: 'delivery',
        operator: 'equals',
        value: 'courier',
        action: 'increase_price',
        priceAdjustment: { operator: 'add', value: 5 },
      },
    ],
  },
];
const COURIER = [{ id: 'delivery', label: 'Delivery', type: 'text', value: 'courier' }];

describe('changing the items of an order (docs/behaviour.md §6.12)', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();

  /**
   * Mugs at 10.00 and tees of two sizes at 20.00, five of each; promocodes of 10 % and 3.00; 5.00 for the
   * courier.
   */
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    await store.product({ productId: 'mug', price: '10', itemAmount: 5 });
    const values = ['S', 'M'].map((variantValue) => ({ variantValue, price: 20, itemAmount: 5 }));
    const tee = {
      productId: 'tee',
      title: 'Tee',
      description: '',
      images: ['https://images.example/a.png'],
      price: 20,
    };
    await store.data('create_product', { ...tee, variants: [{ optionTitle: 'Size', values }] });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await store.data('create_promocode', { code: 'THREE', discountType: 'FIXED_AMOUNT', discountValue: 3 });
    await store.data('update_checkout', { fields: FORM });
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
    });
    await store.place({ items: [{ productId: 'mug', quantity: 1 }] }, { id: '1' });
    await store.data('update_stock', { productId: 'mug', absolute: 5 });
    await store.data('adjust_bonus', { customerId: '1', delta: 20 });
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
  });

  const mug = (quantity: number) => ({ productId: 'mug', quantity });
  const tee = (variantValue: string, quantity: number) => ({ productId: 'tee', quantity, variantValue });
  const place = (items: object[], values: object = {}, paid = false) =>
    store.place({ items, ...values }, { id: '1' }, paid);
  const put = (order: { id: number }, items: object[]) =>
    owner.data('PUT', `orders/${order.id}/items`, { items });
  const stock = async () => {
    const [mugs, tees] = await Promise.all(['mug', 'tee'].map((id) => store.data('get_product', { id })));
    return [mugs.itemAmount, ...tees.variants[0].values.map((value: any) => value.itemAmount)];
  };
  const deliveries = () =>
    app.query<any>(
      `select event, convert_from(body, 'UTF8') as body from webhook_deliveries join order_events
        using (store_id, id)
       where store_id = $1 order by id`,
      [store.id],
    );

  it('keeps the price of a renamed variant, whether its old or its new name is given', async () => {
    const order = await place([tee('S', 1)]);
    const [{ id: variantId }] = (await store.data('get_product', { id: 'tee' })).variants[0].values;
    await store.data('update_variant', { id: variantId, variantValue: 'Small', price: 99 });
    for (const name of [{ variantValue: 'Small' }, { variantValue: 'S' }, { variantId }]) {
      const changed = await put(order, [{ productId: 'tee', quantity: 2, ...name }]);
      expect(changed).toMatchObject({ totalPrice: 4000, items: [{ price: 2000, quantity: 2 }] });
      await put(order, [{ productId: 'tee', quantity: 1, ...name }]);
    }
  });

  it('moves stock by the difference, sends order.updated, and is audited with before and after', async () => {
    const order = await place([mug(3), tee('S', 1)]);
    expect(await stock()).toEqual([2, 4, 5]);
    const changed = await put(order, [mug(1), tee('M', 2)]);
    expect(changed).toEqual({
      ...order,
      totalPrice: 5000,
      items: [
        { ...order.items[0], quantity: 1 },
        { ...order.items[1], quantity: 2, variantValue: 'M' },
      ],
      updatedAt: expect.any(String),
    });
    expect(Date.parse(changed.updatedAt)).toBeGreaterThan(Date.parse(order.updatedAt));
    expect(await stock()).toEqual([4, 5, 3]);
    expect(await store.data('get_order', { orderId: order.id })).toEqual(changed);
    const sent = (await deliveries()).at(-1);
    expect(sent.event).toBe('order.updated');
    expect(JSON.parse(sent.body).data).toEqual(changed);
    const [audit] = await app.query<any>(
      `select operation, transport, target, changes from audit_log where store_id = $1 order by id desc
        limit 1`,
      [store.id],
    );
    const line = (productId: string, quantity: number, price: number) =>
      expect.objectContaining({ productId, quantity, price });
    expect(audit).toEqual({
      operation: 'order.change_items',
      transport: 'dashboard',
      target: `order:${order.id}`,
      changes: {
        items: [
          [line('mug', 3, 1000), line('tee', 1, 2000)],
          [line('mug', 1, 1000), line('tee', 2, 2000)],
        ],
      },
    });
  });

  it.each<[string, object, object[], number, object[], number]>([
    ['a percentage is taken anew', { promocode: 'TEN' }, [mug(2)], 1800, [mug(1), tee('S', 1)], 2700],
    ['a fixed discount stays', { promocode: 'THREE' }, [mug(2)], 1700, [mug(1)], 700],
    [
      'a fixed discount is whole again on more',
      { promocode: 'THREE' },
      [tee('S', 1)],
      1700,
      [tee('S', 2)],
      3700,
    ],
    ['the courier stays', { checkoutData: COURIER }, [mug(2)], 2500, [mug(1)], 1500],
    ['bonus and tip stay', { bonusToSpend: 4, tipAmount: 200 }, [mug(2)], 1800, [mug(3)], 2800],
    [
      'all at once: (30.00 + 5.00) less 10 %, less 4.00, and a tip of 2.00',
      { promocode: 'TEN', checkoutData: COURIER, bonusToSpend: 4, tipAmount: 200 },
      [mug(2)],
      2050,
      [mug(1), tee('M', 1)],
      2950,
    ],
  ])('%s', async (_, values, items, total, changed, newTotal) => {
    const order = await place(items, values);
    expect(order.totalPrice).toBe(total);
    expect((await put(order, changed)).totalPrice).toBe(newTotal);
    // Back again, it costs what it did.
    expect((await put(order, items)).totalPrice).toBe(total);
    expect((await store.data('get_customer', { id: '1' })).bonusBalance).toBe(
      'bonusToSpend' in values ? 16 : 20,
    );
  });

  it('keeps the price of an existing line for any quantity, and prices a new line like a cart', async () => {
    const order = await place([mug(1), tee('S', 1)]);
    const { id } = await store.data('get_product', { id: 'mug' });
    await store.data('update_product', { id, price: 12, salePrice: 11 });
    const { items, totalPrice } = await put(order, [mug(2), tee('S', 1), { ...mug(1), size: 'large' }]);
    expect(items.map(({ price, quantity, size }: any) => [price, quantity, size])).toEqual([
      [1000, 2, null],
      [2000, 1, null],
      [1100, 1, 'large'],
    ]);
    expect(totalPrice).toBe(5100);
  });

  it('keeps or reduces a line whose product is gone, and does not increase it', async () => {
    const order = await place([mug(2), tee('S', 1)]);
    const { id } = await store.data('get_product', { id: 'mug' });
    await store.data('delete_product', { id, confirm: true });
    expect((await put(order, [mug(1), tee('S', 2)])).totalPrice).toBe(5000);
    expect(await owner.send('PUT', `orders/${order.id}/items`, { items: [mug(2)] })).toMatchObject(
      refusal(400, 'invalid_input'),
    );
  });

  it('returns the current lines when the order is cancelled', async () => {
    const order = await place([mug(3)], { promocode: 'TEN' }, true);
    await put(order, [mug(1), tee('S', 2)]);
    await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
    expect(await stock()).toEqual([5, 5, 5]);
  });

  it('keeps analytics correct', async () => {
    const order = await place([mug(3)], {}, true);
    await put(order, [mug(1), tee('S', 2)]);
    const { revenue, topProducts } = await store.data('get_analytics');
    expect(revenue).toBe(5000);
    expect(
      topProducts.map(({ productId, quantity, revenue }: any) => [productId, quantity, revenue]),
    ).toEqual([
      ['tee', 2, 4000],
      ['mug', 1, 1000],
    ]);
  });

  it('keeps the difference between lines and total of an order from an older version', async () => {
    const order = await place([mug(2)], { promocode: 'THREE', tipAmount: 100 });
    await app.query('update orders set pricing = null, entered = null where store_id = $1', [store.id]);
    await app.query(
      `update order_items set catalog_product_id = null, catalog_variant_id = null, category_keys = null,
        stock_taken = null
       where store_id = $1`,
      [store.id],
    );
    expect(await stock()).toEqual([3, 5, 5]);
    expect((await put(order, [mug(3)])).totalPrice).toBe(2800);
    expect(await stock()).toEqual([2, 5, 5]);
    expect((await put(order, [mug(1)])).totalPrice).toBe(800);
    // One piece is known to have come from the stock, that which was added; the order still needs one.
    expect(await stock()).toEqual([2, 5, 5]);
  });

  it('changes and sends nothing if the lines are the same', async () => {
    const order = await place([mug(3), tee('S', 1)]);
    const before = await deliveries();
    expect(await put(order, [mug(3), tee('S', 1)])).toEqual(order);
    expect(await deliveries()).toEqual(before);
  });

  it.each<[string, object, object[], string]>([
    ['no line', {}, [], 'items '],
    ['a line of nothing', {}, [mug(0)], 'items[0].quantity '],
    ['more than the stock', {}, [mug(6)], 'items[0].quantity '],
    ['more than the stock in two lines', {}, [mug(2), { ...mug(4), size: 'large' }], 'items[1].quantity '],
    ['an unknown product', {}, [mug(1), { productId: 'cup', quantity: 1 }], 'items[1].productId '],
    ['a product without its variant', {}, [{ productId: 'tee', quantity: 1 }], 'items[0].variantId '],
    ['items below the bonus spent', { bonusToSpend: 15 }, [mug(1)], 'items must come to at least the 15.00 '],
  ])('refuses %s', async (_, values, items, message) => {
    const order = await place([mug(2)], values);
    const before = await storeDump(app, store.id);
    const { status, body } = await owner.send('PUT', `orders/${order.id}/items`, { items });
    expect(status).toBe(400);
    expect(body.error!.message.startsWith(message)).toBe(true);
    expect(await storeDump(app, store.id)).toEqual(before);
  });

  it('refuses to guess which of two lines is meant', async () => {
    const order = await place([tee('S', 1), tee('M', 1)]);
    const { body } = await owner.send('PUT', `orders/${order.id}/items`, {
      items: [{ productId: 'tee', quantity: 1 }],
    });
    expect(body.error!.message).toMatch(/^items\[0\]\.variantId must say which line/);
  });

  it.each(['SHIPPED', 'DELIVERED', 'CANCELLED'])('refuses an order that is %s', async (status) => {
    const order = await place([mug(2)]);
    await store.data('set_order_status', { orderId: order.id, status });
    const { body } = await owner.send('PUT', `orders/${order.id}/items`, { items: [mug(1)] });
    expect(body.error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`this one is ${status}`),
    });
  });

  it('supports If-Match', async () => {
    const order = await place([mug(2)]);
    const change = (updatedAt: string, quantity: number) =>
      owner.send(
        'PUT',
        `orders/${order.id}/items`,
        { items: [mug(quantity)] },
        { 'If-Match': `"${updatedAt}"` },
      );
    expect((await change(order.updatedAt, 3)).status).toBe(200);
    expect(await change(order.updatedAt, 4)).toMatchObject(refusal(412, 'precondition_failed'));
    expect(await change('yesterday', 4)).toMatchObject(refusal(400, 'invalid_input'));
    expect(await stock()).toEqual([2, 5, 5]);
  });

  it('answers 404 for an order of another store or an invalid id', async () => {
    const order = await place([mug(2)]);
    const other = await StorePage.ofOwner(await app.store());
    for (const id of [order.id, 'x', 0]) {
      expect(await other.send('PUT', `orders/${id}/items`, { items: [mug(1)] })).toMatchObject(
        refusal(404, 'not_found'),
      );
    }
  });

  describe('while its items are being changed', () => {
    let other: pg.Client;

    beforeEach(async () => {
      other = new pg.Client({ connectionString: app.database.ownerUrl });
      await other.connect();
    });
    afterEach(() => other.end());

    /**
     * Calls the operation while another transaction holds the order, which gives its line five pieces and
     * ends.
     */
    const callMeanwhile = async (operation: string, input: { orderId: number; [name: string]: unknown }) => {
      const order = [store.id, input.orderId];
      await other.query('begin');
      await other.query('update orders set total_price = 5000 where store_id = $1 and id = $2', order);
      await other.query('delete from order_items where store_id = $1 and order_id = $2', order);
      await other.query(
        `insert into order_items (store_id, order_id, position, product_id, title, quantity, price)
          values ($1, $2, 1, 'mug', 'mug', 5, 1000)`,
        order,
      );
      const answer = store.data(operation, input);
      await waitsForLock(other);
      await other.query('commit');
      return answer;
    };

    it.each([
      ['set_order_status', { status: 'PROCESSING' }],
      ['ship_order', { carrier: 'DHL' }],
      ['refund_order', {}],
    ])('%s answers and sends the items as they are when it ends', async (operation, input) => {
      const { id } = await place([mug(1)]);
      const { order } = await callMeanwhile(operation, { orderId: id, ...input });
      expect(order).toMatchObject({ totalPrice: 5000, items: [{ quantity: 5 }] });
      expect(await store.data('get_order', { orderId: id })).toEqual(order);
      expect(JSON.parse((await deliveries()).at(-1).body).data).toEqual(order);
    });

    it('a deletion keeps them in the audit log', async () => {
      const { id } = await place([mug(1)]);
      await callMeanwhile('delete_order', { orderId: id, confirm: true });
      const [{ changes }] = await app.query<any>(
        `select changes from audit_log where store_id = $1 and operation = 'delete_order'`,
        [store.id],
      );
      expect(changes).toMatchObject({ totalPrice: [5000, null], items: [[{ quantity: 5 }], null] });
    });
  });

  it('never sells the last piece twice when changes and orders run at the same time', async () => {
    const orders = [];
    for (let i = 0; i < 4; i++) orders.push(await place([mug(1)]));
    const outcomes = await Promise.allSettled([
      ...orders.map((order) => put(order, [mug(2), tee('S', 2)])),
      ...orders.map((order) => store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' })),
      place([tee('S', 1), mug(1)]),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(String(outcome.reason)).toMatch(/invalid_input|in stock|while an order/);
    }
    const [{ taken }] = await app.query<any>(
      `select sum(quantity) filter (where i.product_id = 'mug')::int as taken from order_items i join orders o
         on o.store_id = i.store_id and o.id = i.order_id where i.store_id = $1 and o.status <> 'CANCELLED'
         and o.id >= $2`,
      [store.id, orders[0].id],
    );
    expect((await stock())[0]).toBe(5 - (taken ?? 0));
  });
});
