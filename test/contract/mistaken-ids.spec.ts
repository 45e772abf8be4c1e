import { type TestStore, useShop } from '../support/test-app.js';

/** docs/behaviour.md §1.3: whoever gives a record's other name for its id is given the id. */
describe('the other name of a record', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const DATES = { startDate: '2026-01-01T00:00:00Z', endDate: '2026-02-01T00:00:00Z' };

  it.each([
    ['brand', 'slug', { name: 'A' }, ['get_brand', 'update_brand', 'delete_brand']],
    ['category', 'slug', { name: 'A' }, ['get_category', 'update_category', 'delete_category']],
    ['contest', 'slug', { title: 'A', ...DATES }, ['get_contest', 'update_contest', 'delete_contest']],
    [
      'promocode',
      'code',
      { discountType: 'PERCENTAGE', discountValue: 5 },
      ['toggle_promocode', 'delete_promocode'],
    ],
    [
      'product',
      'productId',
      { title: 'A', description: '', images: ['https://a.example/1'], price: 5 },
      ['update_product', 'delete_product'],
    ],
  ])('is refused for a %s (its %s), naming the id', async (kind, field, input, operations) => {
    const name = `mistaken-${kind}`;
    const { id } = await store.data(`create_${kind}`, { ...input, [field]: name });
    for (const operation of operations) {
      const confirm = operation.startsWith('delete_')
        ? { confirm: true }
        : operation === 'toggle_promocode'
          ? { active: true }
          : {};
      const { status, body } = await store.call(operation, { id: name, ...confirm });
      const label = kind[0].toUpperCase() + kind.slice(1);
      const message = `${label} ${name} was not found in this store: this is its ${field}, its id is ${id}`;
      expect([operation, status, body.error]).toEqual([operation, 404, { code: 'not_found', message }]);
    }
    const other = await app.store();
    const foreign = await other.call(operations[0], {
      id: name,
      ...(operations[0] === 'toggle_promocode' ? { active: true } : {}),
    });
    expect([foreign.status, foreign.body.error!.message]).toEqual([404, expect.not.stringContaining(id)]);
  });

  it('is refused for a customer, saying what the id is', async () => {
    const { productId } = await store.product();
    await store.place({ items: [{ productId, quantity: 1 }] }, { id: '7012345678' });
    await store.data('set_customer_reference', { id: '7012345678', externalId: 'C-20815' });
    for (const [operation, input] of [
      ['get_customer', { id: 'C-20815' }],
      ['update_customer', { id: 'C-20815', isBanned: true }],
      ['adjust_bonus', { customerId: 'C-20815', delta: 5 }],
      ['list_bonus_history', { customerId: '@olena' }],
      ['find_orders', { customerId: 'C-20815' }],
      ['set_customer_reference', { id: 'C-20815', externalId: 'C-1' }],
    ] as const) {
      const { status, body } = await store.call(operation, input);
      expect([operation, status, body.error]).toEqual([
        operation,
        404,
        {
          code: 'not_found',
          message: expect.stringMatching(
            /: its id is the messenger user id, digits, which find_customers has$/,
          ),
        },
      ]);
    }
    const { body } = await store.call('get_customer', { id: '7012345679' });
    expect(body.error!.message).toBe('Customer 7012345679 was not found in this store');
  });

  it('is refused as the parent of a category, naming the id', async () => {
    const { id } = await store.data('create_category', { name: 'Shoes', slug: 'shoes' });
    const { id: child } = await store.data('create_category', { name: 'Boots', slug: 'boots' });
    for (const [operation, input] of [
      ['list_categories', {}],
      ['create_category', { name: 'Sandals', slug: 'sandals' }],
      ['update_category', { id: child }],
    ] as const) {
      const { status, body } = await store.call(operation, { ...input, parentId: 'shoes' });
      const message = `parentId is not a category of this store: this is its slug, its id is ${id}`;
      expect([operation, status, body.error]).toEqual([operation, 400, { code: 'invalid_input', message }]);
    }
  });
});
