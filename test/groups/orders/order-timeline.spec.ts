import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { refusal, StorePage } from '../../doors/dashboard/browser.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';

describe('get_order_timeline', () => {
  let store: TestStore;

  const { app } = useShopWithMessenger();
  beforeAll(async () => {
    store = await app.store();
  });

  it('lists what happened to an order, and by whom, oldest first', async () => {
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
    await store.inside((ctx) =>
      app.nest.get(FirstContact).touch(ctx, { id: '5', firstName: 'Olena', lastName: 'K' }),
    );
    const { productId } = await store.product({ price: '10', itemAmount: 9 });
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 2 }] }, { id: '5' });
    await store.data('set_order_status', { orderId, status: 'PROCESSING' });
    await store.data('add_order_note', { orderId, note: 'Call first' }, { scope: 'write' });
    await store.data('ship_order', { orderId, carrier: 'DHL', notify: true });
    await store.data('connect_bot', { token: store.botToken });
    await store.data('ship_order', { orderId, trackingNumber: 'JD1', notify: true });
    await store.data('refund_order', { orderId, amount: 500, reason: 'broken' });
    const { entries } = await store.data('get_order_timeline', { orderId }, { scope: 'read' });
    const times = entries.map(({ at }: any) => at);
    expect([...times].sort()).toEqual(times);
    const told = entries.map(({ kind, by, text }: any) => [kind, by, text]);
    const by = 'test admin';
    expect(told[0]).toEqual(['placed', 'Olena K', 'Placed: 2 pieces for 20.00 USD, payment by cash']);
    expect(told.filter(([kind]: string[]) => !['placed', 'delivery'].includes(kind))).toEqual([
      ['status', by, 'Status PENDING became PROCESSING'],
      ['note', 'test write', 'Call first'],
      ['shipped', by, 'Status PROCESSING became SHIPPED; carrier is "DHL"'],
      ['message', by, 'The shopper could not be told that it was shipped: bot_not_configured'],
      ['shipped', by, 'trackingNumber is "JD1"'],
      ['message', by, 'The shopper was told that it was shipped'],
      [
        'refund',
        by,
        expect.stringMatching(/^Refund of 5.00 USD recorded: broken; Status SHIPPED became CANCELLED/),
      ],
    ]);
    expect(
      told
        .filter(([kind]: string[]) => kind === 'delivery')
        .map(([, , text]: string[]) => text)
        .sort(),
    ).toEqual([
      'order.created pending after 0 attempts',
      ...Array(4).fill('order.updated pending after 0 attempts'),
    ]);
    expect(entries.find(({ kind }: any) => kind === 'status').changes).toEqual({
      status: ['PENDING', 'PROCESSING'],
    });
    // The dashboard reads the same, with what the texts speak of.
    const owner = await StorePage.ofOwner(store);
    const history = (await owner.data('GET', `orders/${orderId}/timeline`)).entries;
    expect(history.map(({ facts: _, ...entry }: any) => entry)).toEqual(entries);
    const factsOf = (wanted: string) =>
      history.filter(({ kind }: any) => kind === wanted).map(({ facts }: any) => facts);
    expect(factsOf('placed')).toEqual([
      { pieces: 2, amount: '20.00', currency: 'USD', paymentMethod: 'cash' },
    ]);
    expect(factsOf('message')).toEqual([
      { message: 'shipped', outcome: 'bot_not_configured' },
      { message: 'shipped', outcome: 'sent' },
    ]);
    expect(factsOf('refund')).toEqual([{ amount: '5.00', currency: 'USD', reason: 'broken' }]);
    expect(factsOf('delivery')[0]).toEqual({ event: 'order.created', outcome: 'pending', attempts: 0 });
    expect(factsOf('note')).toEqual([{}]);
  });

  it('keeps the order of entries of the same millisecond', async () => {
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    for (const status of ['PROCESSING', 'SHIPPED', 'DELIVERED'])
      await store.data('set_order_status', { orderId, status });
    for (const note of ['one', 'two']) await store.data('add_order_note', { orderId, note });
    await app.query(`update audit_log set at = '2026-01-01' where store_id = $1 and target = $2`, [
      store.id,
      `order:${orderId}`,
    ]);
    await app.query(
      `update order_notes set created_at = '2026-01-01' where store_id = $1 and order_id = $2`,
      [store.id, orderId],
    );
    const { entries } = await store.data('get_order_timeline', { orderId });
    const told = entries
      .filter(({ kind }: any) => kind === 'status' || kind === 'note')
      .map(({ text }: any) => text);
    expect(told).toEqual([
      'Status PENDING became PROCESSING',
      'Status PROCESSING became SHIPPED',
      'Status SHIPPED became DELIVERED',
      'one',
      'two',
    ]);
  });

  it("shows only the store's own orders, and its messages are deleted with the order", async () => {
    const { productId } = await store.product();
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }] });
    await store.data('ship_order', { orderId, carrier: 'DHL', notify: true });
    const other = await app.store();
    expect((await other.call('get_order_timeline', { orderId })).body.error!.code).toBe('not_found');
    const theirs = await StorePage.ofOwner(other);
    expect(await theirs.send('GET', `orders/${orderId}/timeline`)).toMatchObject(refusal(404, 'not_found'));
    await store.data('delete_order', { orderId, confirm: true });
    expect((await store.call('get_order_timeline', { orderId })).body.error!.code).toBe('not_found');
    expect(
      await app.query('select * from order_messages where store_id = $1 and order_id = $2', [
        store.id,
        orderId,
      ]),
    ).toEqual([]);
  });
});
