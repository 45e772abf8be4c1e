import { TestClock, type TestStore, useShop } from '../support/test-app.js';

/** A list that can be sorted by change, of three records; the change of one that lies in the middle. */
interface List {
  operation: string;
  make(store: TestStore): Promise<string | number>;
  change(store: TestStore, id: string | number): Promise<unknown>;
}

const LISTS: List[] = [
  {
    operation: 'find_orders',
    make: async (store) => {
      const { productId } = await store.product();
      return (await store.place({ items: [{ productId, quantity: 1 }] })).id;
    },
    change: (store, orderId) => store.data('ship_order', { orderId, carrier: `Carrier ${Math.random()}` }),
  },
  {
    operation: 'find_products',
    make: async (store) => {
      const productId = Math.random().toString(36);
      const texts = { title: 'New', description: '', images: ['https://images.example/a.jpg'] };
      return (await store.data('create_product', { productId, price: 10, ...texts })).id;
    },
    change: (store, id) => store.data('update_product', { id, title: `Changed ${Math.random()}` }),
  },
];

describe.each(LISTS)(
  '$operation, read page by page while a record changes',
  ({ operation, make, change }) => {
    const clock = new TestClock();
    let store: TestStore;
    let ids: (string | number)[];

    const app = useShop({ clock });
    beforeEach(async () => {
      store = await app.store();
      ids = [];
      for (let i = 0; i < 3; i++) {
        clock.advance(1_000);
        ids.push(await make(store));
      }
    });

    /** Walks through the list; the record is changed after the first page. */
    async function walk(sort: string, changed: string | number) {
      const found: { id: string | number; updatedAt: string }[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const input = { sort, updatedFrom: '2020-01-01T00:00:00Z', take: 1, ...(cursor ? { cursor } : {}) };
        const page = await store.data(operation, input);
        if (found.length === 0) {
          clock.advance(1_000);
          await change(store, changed);
        }
        found.push(...page.items);
        cursor = page.nextCursor;
      }
      return found;
    }

    it('skips none by least_recently_updated, and has what changed again, as it is then', async () => {
      const [first, second, third] = ids;
      const found = await walk('least_recently_updated', first);
      expect(found.map(({ id }) => id)).toEqual([first, second, third, first]);
      expect(found[3].updatedAt > found[0].updatedAt).toBe(true);
      // One that was still to come moves to the end.
      expect((await walk('least_recently_updated', third)).map(({ id }) => id)).toEqual([
        second,
        first,
        third,
      ]);
    });

    it('repeats none by recently_updated, and misses one that changes before its page', async () => {
      const [first, second, third] = ids;
      expect((await walk('recently_updated', third)).map(({ id }) => id)).toEqual([third, second, first]);
      expect((await walk('recently_updated', first)).map(({ id }) => id)).toEqual([third, second]);
      expect((await walk('recently_updated', first)).map(({ id }) => id)).toEqual([first, third, second]);
    });
  },
);
