import { TokenRegistry } from '../../../src/platform/auth/token-registry.js';
import { StorePage } from '../../doors/dashboard/browser.js';
import { type TestStore, useShop } from '../../support/test-app.js';

/** docs/behaviour.md §13.9 */
describe('list_activity', () => {
  let store: TestStore;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
  });

  const told = async (input: object = {}, options: object = {}): Promise<[string, string][]> => {
    const { body } = await store.call('list_activity', input, options);
    return body.data.items.map(({ actor, operation }: any) => [actor.name, operation]);
  };
  const narrowed = (groups: string[], scope: 'write' | 'admin' = 'admin') =>
    store.inside(
      async (ctx) =>
        (await app.nest.get(TokenRegistry).create(ctx, { name: 'narrow', scope, groups, expiresAt: null }))
          .token,
    );

  it('tells what changed, before and after, newest first, page by page', async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'a' });
    await store.data('update_brand', { id, name: 'B' });
    const first = await store.data('list_activity', { take: 1 });
    expect(first.items).toMatchObject([
      {
        actor: { kind: 'token', id: store.tokenIds.admin, name: 'test admin' },
        operation: 'update_brand',
        transport: 'http',
        target: `brand:${id}`,
        input: { id, name: 'B' },
        changes: { name: ['A', 'B'] },
        outcome: 'ok',
      },
    ]);
    const { items } = await store.data('list_activity', { take: 1, cursor: first.nextCursor });
    expect(items).toMatchObject([{ operation: 'create_brand', changes: { slug: [null, 'a'] } }]);
  });

  it("shows a token its own rows, and admin everybody's, unless it asks for its own", async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'a' }, { scope: 'write' });
    await store.data('update_brand', { id, name: 'B' });
    const [mine, theirs] = [
      ['test admin', 'update_brand'],
      ['test write', 'create_brand'],
    ];
    expect(await told({}, { scope: 'write' })).toEqual([theirs]);
    expect(await told({ mine: false }, { scope: 'write' })).toEqual([theirs]);
    expect(await told({}, { scope: 'read' })).toEqual([]);
    expect((await told()).filter(([, operation]) => operation.endsWith('brand'))).toEqual([mine, theirs]);
    expect(await told({ mine: true })).toEqual([mine]);
  });

  it('filters by record and operation', async () => {
    const [a, b] = await Promise.all(
      ['a', 'b'].map((slug) => store.data('create_brand', { name: slug, slug })),
    );
    await store.data('update_brand', { id: a.id, name: 'C' });
    const operations = async (input: object) => (await told(input)).map(([, operation]) => operation);
    expect(await operations({ target: `brand:${a.id}` })).toEqual(['update_brand', 'create_brand']);
    expect(await operations({ target: `brand:${b.id}` })).toEqual(['create_brand']);
    expect(await operations({ operation: 'update_brand' })).toEqual(['update_brand']);
    expect(await operations({ operation: 'update_brand', target: `brand:${b.id}` })).toEqual([]);
  });

  it('shows only what the groups of the caller include', async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'a' });
    const product = await store.product();
    await store.data('update_stock', { productId: product.id, absolute: 3 });
    expect(await told({}, { token: await narrowed(['products']) })).toEqual([['test admin', 'update_stock']]);
    expect(await told({}, { token: await narrowed(['update_brand']) })).toEqual([]);
    const brands = await narrowed(['brands'], 'write');
    await store.call('update_brand', { id, name: 'B' }, { token: brands });
    await store.call('delete_brand', { id, confirm: true }, { token: brands });
    // Its own refused deletion is beyond its scope.
    expect(await told({}, { token: brands })).toEqual([['narrow', 'update_brand']]);
  });

  it('shows a record that was brought back only to whom its group is open', async () => {
    const { id } = await store.data('create_promocode', {
      ...{ code: 'BACK', discountType: 'PERCENTAGE', discountValue: 10 },
    });
    await store.data('delete_promocode', { id, confirm: true });
    const { items } = await store.data('list_activity', { take: 1 });
    await store.data('undo_change', { activityId: items[0].id });
    const target = `promocode:${id}`;
    expect(await told({ target }, { token: await narrowed(['products'], 'admin') })).toEqual([]);
    const back = ['test admin', 'undo_change'];
    expect(await told({ target }, { token: await narrowed(['promocodes'], 'admin') })).toContainEqual(back);
    expect(await told({ target })).toContainEqual(back);
  });

  it('shows staff their own changes, and an owner all, also those that are no operations', async () => {
    const owner = await StorePage.ofOwner(store);
    await store.data('create_brand', { name: 'A', slug: 'a' }, { scope: 'write' });
    await owner.data('PUT', 'webhook', { url: 'https://hook.example/' });
    await owner.data('POST', 'operations/create_brand', { name: 'B', slug: 'b' });
    const { items } = await owner.data('POST', 'operations/list_activity', {});
    const operations = items.map(({ actor, operation }: any) => `${actor.kind} ${operation}`);
    expect(operations).toEqual(
      expect.arrayContaining(['user create_brand', 'token create_brand', 'user webhook.save']),
    );
  });
});
