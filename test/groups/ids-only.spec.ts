import { type TestStore, useShop } from '../support/test-app.js';

/** docs/behaviour.md §3: a search can return the ids of its records alone. */
describe('a search with idsOnly', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    for (let i = 0; i < 5; i++) {
      const { productId } = await store.product();
      const shopper = { id: String(9_007_199_254_740_993n + BigInt(i)), firstName: `Shopper ${i}` };
      await store.place({ items: [{ productId, quantity: 1 }] }, shopper);
    }
  });

  it.each(['find_orders', 'find_products', 'find_customers'])(
    '%s returns ids, page by page',
    async (search) => {
      const { items, nextCursor, ...others } = await store.data(search, { take: 3 });
      const first = await store.data(search, { take: 3, idsOnly: true });
      const ids = items.map(({ id }: { id: unknown }) => id);
      expect(first).toEqual({ ...others, items: [], ids, nextCursor });
      expect(Object.keys(await store.data(search, { idsOnly: false }))).not.toContain('ids');
      const rest = { take: 3, cursor: nextCursor };
      const second = await store.data(search, { ...rest, idsOnly: true });
      expect(second.ids).toEqual((await store.data(search, rest)).items.map(({ id }: { id: unknown }) => id));
      expect([ids.length, second.ids.length, second.nextCursor]).toEqual([3, 2, null]);
    },
  );

  it('is refused where it is no yes or no', async () => {
    const { status, body } = await store.call('find_orders', { idsOnly: 'true' });
    expect([status, body.error!.message]).toEqual([400, 'idsOnly must be true or false']);
  });
});
