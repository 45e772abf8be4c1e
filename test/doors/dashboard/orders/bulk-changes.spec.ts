import { v7 as uuidv7 } from 'uuid';
import { type TestStore, useShop } from '../../../support/test-app.js';
import { refusal, StorePage } from '../browser.js';

describe('changes of many records', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  describe('orders set to one status', () => {
    let productId: string;

    beforeEach(async () => {
      ({ productId } = await store.product({ itemAmount: 10 }));
    });

    const place = async (): Promise<number> =>
      (await store.place({ items: [{ productId, quantity: 1 }] })).id;
    const set = (orderIds: number[], status: string) =>
      owner.data('POST', 'orders/bulk-status', { orderIds, status });

    it('are changed independently, so that a refused one does not affect the others', async () => {
      const [a, b, c] = [await place(), await place(), await place()];
      await store.data('set_order_status', { orderId: c, status: 'CANCELLED' });
      const result = await set([b, 999_999_999, a, c], 'CANCELLED');
      const changed = { status: 'CANCELLED', updatedAt: expect.any(String) };
      const stock = [{ productId, variantId: null, quantity: 1 }];
      const givenBack = { stock, bonus: 0, promocode: null, cashback: 0, owed: 0 };
      expect(result).toEqual({
        updated: 2,
        unchanged: 1,
        failed: 1,
        items: [
          { index: 0, orderId: b, previousStatus: 'PENDING', ...changed, givenBack },
          {
            index: 1,
            error: {
              ...{ code: 'not_found', message: 'Order 999999999 was not found in this store' },
              ...{ problem: 'not_found', values: {} },
            },
          },
          { index: 2, orderId: a, previousStatus: 'PENDING', ...changed, givenBack },
          { index: 3, orderId: c, previousStatus: 'CANCELLED', ...changed },
        ],
      });
      for (const [index, orderId] of [
        [0, b],
        [2, a],
      ]) {
        const order = await store.data('get_order', { orderId });
        expect([order.status, order.updatedAt]).toEqual(['CANCELLED', result.items[index].updatedAt]);
      }
    });

    it('follow the rules of the store, so that sold stock is returned only once', async () => {
      const [a, b] = [await place(), await place()];
      expect(await set([a, b, a, 999_999_999, 999_999_999], 'CANCELLED')).toMatchObject({
        updated: 2,
        failed: 1,
        items: { length: 5 },
      });
      // Each is changed once, with one audit row.
      const { items } = await owner.data('GET', `audit?operation=set_order_status&target=order:${a}`);
      expect(items).toHaveLength(1);
      const stock = async () => (await store.data('find_products', { text: productId })).items[0].itemAmount;
      expect(await stock()).toBe(10);
      await set([b, a], 'PENDING');
      expect(await stock()).toBe(8);
    });

    it('are audited and sent one by one, like set_order_status', async () => {
      await owner.data('PUT', 'webhook', { url: 'http://127.0.0.1:1/hook' });
      const [a, b] = [await place(), await place()];
      await set([a, b], 'PROCESSING');
      await set([a], 'PROCESSING');
      const { items } = await owner.data('GET', 'audit?operation=set_order_status');
      expect(items.map(({ target, changes }: any) => [target, changes])).toEqual([
        [`order:${a}`, null],
        [`order:${b}`, { status: ['PENDING', 'PROCESSING'] }],
        [`order:${a}`, { status: ['PENDING', 'PROCESSING'] }],
      ]);
      expect(items[1]).toMatchObject({
        input: { orderId: b, status: 'PROCESSING' },
        actor: { kind: 'user', name: store.ownerEmail },
        transport: 'dashboard',
        outcome: 'ok',
      });
      const { items: calls } = await owner.data('GET', 'audit?operation=order.bulk_status');
      expect(calls.map(({ input }: any) => input.orderIds)).toEqual([[a], [a, b]]);
      const deliveries = (await owner.data('GET', 'webhook/deliveries')).items;
      const updates = deliveries.filter(({ event }: any) => event === 'order.updated');
      expect(updates.map(({ orderId }: any) => orderId)).toEqual([b, a]);
      const { entries } = await store.data('get_order_timeline', { orderId: a });
      expect(entries.filter(({ kind }: any) => kind === 'status')[0].text).toBe(
        'Status PENDING became PROCESSING',
      );
    });

    it('count as one write of the budget, also for staff', async () => {
      const staff = await StorePage.ofStaff(store, owner);
      const orderIds = [await place(), await place(), await place()];
      const before = await staff.send('POST', 'orders/bulk-status', { orderIds, status: 'SHIPPED' });
      expect([before.status, before.body.data.updated]).toEqual([200, 3]);
      const after = await staff.send('POST', 'orders/bulk-status', { orderIds, status: 'DELIVERED' });
      const left = (answer: typeof before) => Number(answer.headers.get('ratelimit-remaining'));
      expect(left(before) - left(after)).toBe(1);
    });

    it("do not exist in another person's store", async () => {
      const orderId = await place();
      const other = await StorePage.ofOwner(await app.store());
      const { items } = await other.data('POST', 'orders/bulk-status', {
        orderIds: [orderId],
        status: 'CANCELLED',
      });
      expect(items).toMatchObject([{ index: 0, error: { code: 'not_found' } }]);
      expect((await store.data('get_order', { orderId })).status).toBe('PENDING');
    });

    it.each([
      [{ status: 'SHIPPED' }, /^orderIds is required/],
      [{ orderIds: [], status: 'SHIPPED' }, /^orderIds must be an array of 1 to 200/],
      [
        { orderIds: Array.from({ length: 201 }, (_, i) => i + 1), status: 'SHIPPED' },
        /^orderIds must be an array of 1 to 200/,
      ],
      [{ orderIds: [1], status: 'LOST' }, /^status must be one of PENDING/],
      [{ orderIds: [1] }, /^status is required/],
    ])('refuse bad input (%#)', async (input, message) => {
      const answer = await owner.send('POST', 'orders/bulk-status', input);
      expect(answer).toMatchObject(refusal(400, 'invalid_input'));
      expect(answer.body.error!.message).toMatch(message);
    });
  });

  describe('categories in a new order', () => {
    const create = async (name: string, parentId?: string): Promise<string> =>
      (await store.data('create_category', { name, slug: name, parentId })).id;
    const names = async (parentId: string | null) =>
      (await store.data('list_categories', { parentId })).items.map(({ name }: { name: string }) => name);
    const reorder = (ids: string[]) => owner.data('POST', 'categories/reorder', { ids });

    it('are listed in that order, and the change is audited', async () => {
      const root = await create('root');
      const [a, b, c] = [await create('a', root), await create('b', root), await create('c', root)];
      const result = await reorder([b, c.toUpperCase(), a]);
      expect(result).toMatchObject({
        parentId: root,
        updated: 3,
        items: [
          { id: b, sortOrder: 10 },
          { id: c, sortOrder: 20 },
          { id: a, sortOrder: 30 },
        ],
      });
      expect(result.items[0]).toEqual(await store.data('get_category', { id: b }));
      expect(await names(root)).toEqual(['b', 'c', 'a']);
      const [{ target, changes }] = (await owner.data('GET', 'audit?operation=category.reorder')).items;
      expect([target, changes]).toEqual([
        `category:${root}`,
        {
          [`category:${b}.sortOrder`]: [0, 10],
          [`category:${c}.sortOrder`]: [0, 20],
          [`category:${a}.sortOrder`]: [0, 30],
        },
      ]);
      const again = await reorder([b, a, c]);
      expect(again.updated).toBe(2);
      expect(again.items[0].updatedAt).toBe(result.items[0].updatedAt);
      expect(again.items[1].updatedAt > result.items[2].updatedAt).toBe(true);
    });

    it('may be the roots', async () => {
      const [a, b] = [await create('a'), await create('b')];
      await create('below', a);
      expect(await reorder([a, b])).toMatchObject({ parentId: null, updated: 2 });
      expect(await names(null)).toEqual(['a', 'b']);
      expect((await owner.data('GET', 'audit?operation=category.reorder')).items[0].target).toBe(
        `store:${store.id}`,
      );
    });

    it('must all be named exactly once and have the same parent', async () => {
      const root = await create('root');
      const [a, b] = [await create('a', root), await create('b', root)];
      const other = await app.store();
      const foreign = (await other.data('create_category', { name: 'x', slug: 'x' })).id;
      for (const [ids, message] of [
        [[a], `ids must name all 2 categories under one parent: b (${b}) is missing`],
        [[a, b, a], 'ids[2] is the same category as ids[0]'],
        [[a, b, root], 'ids[2] is not a category of this store under the parent of ids[0]'],
        [[a, b, foreign], 'ids[2] is not a category of this store under the parent of ids[0]'],
        [[foreign], 'ids[0] is not a category of this store'],
        [[uuidv7()], 'ids[0] is not a category of this store'],
        [['root'], 'ids[0] is not a category of this store'],
        [[], 'ids must be an array of 1 to 1000 strings of at most 200 characters'],
      ] as [string[], string][]) {
        const answer = await owner.send('POST', 'categories/reorder', { ids });
        expect(answer).toMatchObject(refusal(400, 'invalid_input'));
        expect(answer.body.error!.message).toBe(message);
      }
      expect(await names(root)).toEqual(['b', 'a']);
      expect((await owner.data('GET', 'audit?operation=category.reorder')).items).toEqual([]);
    });
  });
});
