import { TestApp, type TestStore } from '../support/test-app.js';

describe('orders', () => {
  let app: TestApp;
  let store: TestStore;

  beforeAll(async () => {
    app = await TestApp.start();
    store = await app.store();
  });
  afterAll(() => app.stop());

  it('reads a placed order back, exactly', async () => {
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
});
