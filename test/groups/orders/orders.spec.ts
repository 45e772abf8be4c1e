import { type TestStore, useShop } from '../../support/test-app.js';

describe('orders', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  it('are read back exactly as they were placed', async () => {
    const { productId } = await store.product({ price: '12.50', salePrice: '9.99' });
    const placed = await store.place({ items: [{ productId, quantity: 3 }] }, { id: '9223372036854775807' });
    const { status, body } = await store.call('get_order', { orderId: placed.id }, { scope: 'read' });
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, data: placed });
    expect(placed).toMatchObject({
      totalPrice: 2997,
      messengerUserId: '9223372036854775807',
      status: 'PENDING',
      currency: 'USD',
    });
  });

  it('lose the link of the old carrier or number with it, unless a new one is given', async () => {
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    const ship = async (tracking: object) => {
      const { order } = await store.data('ship_order', { orderId, ...tracking });
      return [order.carrier, order.trackingNumber, order.trackingUrl];
    };
    const link = 'https://dhl.example/1';
    await ship({ trackingUrl: link });
    expect(await ship({ carrier: 'DHL' })).toEqual(['DHL', null, link]);
    expect(await ship({ carrier: 'DHL', trackingNumber: '1' })).toEqual(['DHL', '1', link]);
    expect(await ship({ carrier: 'Post' })).toEqual(['Post', '1', null]);
    const { entries } = await store.data('get_order_timeline', { orderId });
    expect(entries.findLast((entry: any) => entry.kind === 'shipped').changes).toEqual({
      carrier: ['DHL', 'Post'],
      trackingUrl: [link, null],
    });
    await ship({ trackingUrl: link });
    expect(await ship({ trackingNumber: '2' })).toEqual(['Post', '2', null]);
    expect(await ship({ carrier: 'UPS', trackingUrl: link })).toEqual(['UPS', '2', link]);
  });

  it('are not shipped with blanks alone, which leave what is stored', async () => {
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    const refusal = /at least one of trackingUrl, carrier, trackingNumber is required/;
    for (const blanks of [
      { trackingNumber: '' },
      { carrier: ' ' },
      { carrier: '\u00a0', trackingNumber: '\t' },
    ]) {
      const { status, body } = await store.call('ship_order', { orderId, ...blanks });
      expect([status, body.error!.message]).toEqual([400, expect.stringMatching(refusal)]);
      const many = await store.data('ship_orders', { items: [{ orderId, ...blanks }] });
      expect(many).toMatchObject({
        failed: 1,
        items: [{ error: { message: expect.stringMatching(refusal) } }],
      });
    }
    expect(await store.call('ship_order', { orderId, carrier: 'UPS', trackingUrl: '' })).toMatchObject({
      status: 400,
    });
    expect(await store.data('get_order', { orderId })).toMatchObject({ status: 'PENDING', carrier: null });
    const trackingUrl = 'https://ups.example/1';
    await store.data('ship_order', { orderId, carrier: 'DHL', trackingNumber: '1', trackingUrl });
    const { order } = await store.data('ship_order', { orderId, carrier: 'DHL', trackingNumber: '' });
    expect(order).toMatchObject({ carrier: 'DHL', trackingNumber: '1', trackingUrl });
    await store.data('ship_orders', { items: [{ orderId, carrier: ' ', trackingNumber: '1' }] });
    expect(await store.data('get_order', { orderId })).toMatchObject({ carrier: 'DHL', trackingUrl });
  });

  it('leave nothing to deliver when they are deleted, whatever changes them meanwhile', async () => {
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
    const { productId } = await store.product();
    for (let round = 0; round < 20; round++) {
      const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
      const calls = await Promise.all([
        store.call('set_order_status', { orderId, status: 'SHIPPED' }),
        store.call('ship_order', { orderId, carrier: 'Post' }),
        store.call('delete_order', { orderId, confirm: true }),
      ]);
      expect(calls[2].status).toBe(200);
    }
    expect(await app.query('select id from webhook_deliveries where store_id = $1', [store.id])).toEqual([]);
    const left = await app.query(
      `select e.id from order_events e where e.store_id = $1 and e.body <> ''
         and not exists (select from orders o where o.store_id = e.store_id and o.id = e.order_id)`,
      [store.id],
    );
    expect(left).toEqual([]);
  });
});
