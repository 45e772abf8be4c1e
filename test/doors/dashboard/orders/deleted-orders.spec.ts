import { Receiver } from '../../../support/servers/receiver.js';
import { type TestStore, useShop } from '../../../support/test-app.js';
import { StorePage } from '../browser.js';

describe('the deliveries of a deleted order', () => {
  let receiver: Receiver;
  let store: TestStore;
  let owner: StorePage;
  let order: { id: number };

  const app = useShop();
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.stop();
  });
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
    await owner.data('PUT', 'webhook', { url: receiver.url });
    const { productId } = await store.product();
    const input = { items: [{ productId, quantity: 1 }], shippingAddress: { name: 'Olena Kovalenko' } };
    order = await store.place(input);
    await store.data('set_order_status', { orderId: order.id, status: 'PROCESSING' });
    const kept = await store.place(input);
    expect(kept.id).not.toBe(order.id);
    // The first has failed, the second is pending; the third is another order's.
    await app.query(
      `update webhook_deliveries d set status = 'failed', next_attempt_at = null from order_events e
       where d.store_id = $1 and e.store_id = d.store_id and e.id = d.id and e.event = 'order.created'`,
      [store.id],
    );
    await store.data('delete_order', { orderId: order.id, confirm: true });
  });

  const failed = async () => (await owner.data('GET', 'webhook/deliveries')).items as any[];

  it('stay listed without a body, except those that were pending', async () => {
    const items = await failed();
    expect(items.map(({ event, status }) => [event, status])).toEqual([
      ['order.created', 'failed'],
      ['order.created', 'failed'],
    ]);
    const details = await owner.data('GET', `webhook/deliveries/${items[1].id}`);
    expect(details).toMatchObject({ orderId: order.id, body: null });
    const bodies = await app.query<{ body: string }>(
      `select convert_from(body, 'UTF8') as body from order_events where store_id = $1 and order_id = $2`,
      [store.id, order.id],
    );
    expect(bodies).toEqual([{ body: '' }, { body: '' }]);
    expect((await owner.data('GET', `webhook/deliveries/${items[0].id}`)).body).toMatchObject({
      event: 'order.created',
    });
  });

  it('cannot be sent again, neither alone nor with all failed ones', async () => {
    const [other, emptied] = await failed();
    const answer = await owner.send('POST', `webhook/deliveries/${emptied.id}/redeliver`, {});
    expect([answer.status, answer.body.error!.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.error!.message).toMatch(/^id names a delivery whose order was deleted/);
    const since = '2020-01-01T00:00:00Z';
    expect(await owner.data('POST', 'webhook/deliveries/redeliver-failed', { since })).toEqual({
      redelivered: 1,
    });
    expect((await failed()).map(({ id, status }) => [id, status])).toEqual([
      [other.id, 'pending'],
      [emptied.id, 'failed'],
    ]);
  });
});
