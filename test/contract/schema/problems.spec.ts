import { StorePage } from '../../doors/dashboard/browser.js';
import { type TestStore, useShop } from '../../support/test-app.js';

/** What pages are told of a refusal, by which they word it (docs/behaviour.md §11). */
describe('a refusal', () => {
  const app = useShop();
  let store: TestStore;
  let owner: StorePage;
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  /** The error of the operation on the dashboard; at /v1 it has the same code and message, and no more. */
  async function refused(operation: string, input: object) {
    const { error } = (await owner.send('POST', `operations/${operation}`, input)).body as { error: any };
    const { problem, values, ...others } = error;
    expect((await store.call(operation, input)).body.error).toEqual(others);
    return { problem, values };
  }

  it('of a field says which, and what bounds it', async () => {
    const brand = { name: 'Nordwind', slug: 'nordwind' };
    expect(await refused('create_brand', { name: 'Nordwind' })).toEqual({
      problem: 'required',
      values: { path: 'slug' },
    });
    await store.data('create_brand', brand);
    expect(await refused('create_brand', brand)).toEqual({ problem: 'used', values: { path: 'slug' } });
    expect(await refused('list_brands', { take: 0 })).toEqual({
      problem: 'integer',
      values: { path: 'take', min: 1, max: 100 },
    });
  });

  it('of several fields tells of each', async () => {
    const { problem, values } = await refused('create_brand', { name: 'x'.repeat(5_000), slug: 'No Slug' });
    expect(problem).toBe('several');
    expect(values.problems).toEqual([
      { problem: 'length', values: { path: 'name', min: 1, max: 200 } },
      { problem: 'slug', values: { path: 'slug' } },
    ]);
  });

  it('of a rule has the values that its words name', async () => {
    const { id } = await store.product({ price: '25', itemAmount: 5 });
    expect(await refused('update_stock', { productId: id, delta: -7 })).toEqual({
      problem: 'stock_beyond',
      values: { path: 'delta', stock: -2 },
    });
    expect(await refused('get_product', { id: 'nothing' })).toEqual({ problem: 'not_found', values: {} });
  });

  it('of an item of many is told to pages alone', async () => {
    const { productId } = await store.product({ price: '25', itemAmount: 5 });
    const items = [
      { productId, price: -1 },
      { productId: 'nothing', price: 1 },
    ];
    const message = (await store.data('update_prices', { items })).items.map(({ error }: any) => error);
    expect(message.map((error: object) => Object.keys(error))).toEqual([
      ['code', 'message'],
      ['code', 'message'],
    ]);
    const answer = await owner.data('POST', 'operations/update_prices', { items });
    expect(answer.items.map(({ error }: any) => error)).toEqual([
      { ...message[0], problem: 'number', values: { path: 'items[0].price', min: 0 } },
      { ...message[1], problem: 'not_found', values: {} },
    ]);
  });
});
