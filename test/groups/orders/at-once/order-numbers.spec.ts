import { OrderPlacing } from '../../../../src/groups/orders/placing/order-placing.service.js';
import type { PlaceOrderInput } from '../../../../src/groups/orders/placing/place-order.dto.js';
import { type TestStore, useShop } from '../../../support/test-app.js';

describe('order ids', () => {
  const app = useShop();
  const fresh = () => app.store({ isNumberedFromOne: true });
  const place = async (store: TestStore, productId: string): Promise<number> =>
    (await store.place({ items: [{ productId, quantity: 1 }] })).id;

  it('are counted from 1 in each store, and never used again', async () => {
    const [store, other] = [await fresh(), await fresh()];
    const { productId } = await store.product();
    const theirs = await other.product();
    expect([await place(store, productId), await place(other, theirs.productId)]).toEqual([1, 1]);
    expect([await place(store, productId), await place(store, productId)]).toEqual([2, 3]);
    for (const orderId of [2, 3]) await store.data('delete_order', { orderId, confirm: true });
    expect(await place(store, productId)).toBe(4);
    expect(await place(other, theirs.productId)).toBe(2);
    expect((await store.call('get_order', { orderId: 3 })).status).toBe(404);
  });

  it('have no holes, whatever is refused and however many shoppers order at once', async () => {
    const store = await fresh();
    const { productId } = await store.product({ itemAmount: 20 });
    const orders = Array.from({ length: 50 }, (_, i) =>
      store.place({ items: [{ productId, quantity: 1 }] }, { id: String(2_000 + i) }),
    );
    const placed = (await Promise.allSettled(orders)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value.id as number] : [],
    );
    expect(placed.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    await store.data('update_stock', { productId, absolute: 1 });
    // Its transaction is rolled back after the order was written.
    const input = { paymentMethod: 'cash', items: [{ productId, quantity: 1 }] } as PlaceOrderInput;
    await expect(
      store.inside(async (ctx) => {
        await app.nest.get(OrderPlacing).place(ctx, { id: '1001' }, input, false);
        throw new Error('too late');
      }),
    ).rejects.toThrow('too late');
    expect(await place(store, productId)).toBe(21);
  });
});
