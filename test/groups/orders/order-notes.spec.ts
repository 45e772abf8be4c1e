import { type TestStore, useShop } from '../../support/test-app.js';

describe('list_order_notes', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const order = async (of = store) => {
    const { productId } = await of.product();
    return (await of.place({ items: [{ productId, quantity: 1 }] })).id as number;
  };

  it('pages through the notes of one order, newest first', async () => {
    const [orderId, other] = [await order(), await order()];
    const notes = [];
    for (const note of ['first', 'second', 'third'])
      notes.push((await store.data('add_order_note', { orderId, note })).note);
    await store.data('add_order_note', { orderId: other, note: 'elsewhere' });
    const first = await store.data('list_order_notes', { orderId, take: 2 }, { scope: 'read' });
    expect(first.items).toEqual([notes[2], notes[1]]);
    expect(first.items[0]).toMatchObject({ text: 'third', author: 'test admin' });
    const second = await store.data('list_order_notes', { orderId, take: 2, cursor: first.nextCursor });
    expect(second).toEqual({ items: [notes[0]], nextCursor: null });
  });

  it('distinguishes an order without notes from a missing order', async () => {
    expect(await store.data('list_order_notes', { orderId: await order() })).toEqual({
      items: [],
      nextCursor: null,
    });
    const theirs = await order(await app.store());
    for (const orderId of [theirs, 999_999_999]) {
      expect((await store.call('list_order_notes', { orderId })).body.error!.code).toBe('not_found');
    }
    expect(
      (await store.call('list_order_notes', { orderId: theirs, cursor: 'x' })).body.error!.message,
    ).toMatch(/^cursor/);
  });
});
