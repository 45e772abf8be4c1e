import { FirstContact } from '../../../src/groups/customers/first-contact.service.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { refusal, StorePage } from './browser.js';

describe('the search of the dashboard', () => {
  let store: TestStore;
  let owner: StorePage;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });

  const search = (q: string, page = owner) => page.data('GET', `search?q=${encodeURIComponent(q)}`);
  const place = async (
    productId: string,
    shopper: { id: string; firstName?: string; username?: string } = { id: '1001' },
  ) => (await store.place({ items: [{ productId, quantity: 1 }] }, shopper)).id as number;
  const ids = (records: { id: unknown }[]) => records.map(({ id }) => id);

  it('finds every kind of record by the same words as its own search', async () => {
    const { id, productId } = await store.product({ productId: 'olena-mug' });
    const orderId = await place(productId, { id: '42', firstName: 'Olena', username: 'olena_k' });
    await store.data('create_promocode', { code: 'Olena10', discountType: 'PERCENTAGE', discountValue: 10 });
    const found = await search('OLENA');
    expect(found).toEqual({
      orders: (await store.data('find_orders', { text: 'olena' })).items,
      customers: (await store.data('list_customers', { search: 'olena' })).items,
      products: (await store.data('find_products', { text: 'olena' })).items,
      promocodes: (await store.data('list_promocodes')).items,
    });
    expect([ids(found.orders), ids(found.customers), ids(found.products)]).toEqual([[orderId], ['42'], [id]]);
    expect(found.promocodes).toMatchObject([{ code: 'Olena10', discountValue: 10 }]);
  });

  it('finds nothing if no record matches', async () => {
    const nothing = { orders: [], customers: [], products: [], promocodes: [] };
    for (const q of ['zebra', '999999999999999', '#', '%', '_'])
      expect([q, await search(q)]).toEqual([q, nothing]);
  });

  it('puts the order with that number before newer orders that have the number in their texts', async () => {
    const { productId } = await store.product();
    const orderId = await place(productId);
    const { productId: named } = await store.product({ productId: `shirt ${orderId}` });
    const newer = [];
    for (let i = 0; i < 6; i++) newer.unshift(await place(named));
    for (const q of [String(orderId), `#${orderId}`, ` ${orderId} `]) {
      expect([q, ids((await search(q)).orders)[0]]).toEqual([q, orderId]);
    }
    expect(ids((await search(String(orderId))).orders)).toEqual([orderId, ...newer.slice(0, 4)]);
  });

  it('returns at most five records of each kind', async () => {
    const { productId } = await store.product({ productId: 'many-0' });
    for (let i = 1; i < 6; i++) {
      await store.product({ productId: `many-${i}` });
      await store.data('create_promocode', {
        code: `many${i}`,
        discountType: 'PERCENTAGE',
        discountValue: 10,
      });
      await store.inside((ctx) =>
        app.nest.get(FirstContact).touch(ctx, { id: String(i), firstName: 'Many' }),
      );
      await place(productId, { id: String(i) });
    }
    await store.data('create_promocode', { code: 'many', discountType: 'PERCENTAGE', discountValue: 10 });
    await place(productId, { id: '6', firstName: 'Many' });
    const { orders, customers, products, promocodes } = await search('many');
    expect([orders.length, customers.length, products.length]).toEqual([5, 5, 5]);
    expect(promocodes.map(({ code }: { code: string }) => code)).toEqual([
      'many',
      'many1',
      'many2',
      'many3',
      'many4',
    ]);
  });

  it('finds promocodes by their beginning, in every script', async () => {
    for (const code of ['ВЕСНА25', 'SPRING_10', 'xSPRING']) {
      await store.data('create_promocode', { code, discountType: 'PERCENTAGE', discountValue: 10 });
    }
    const codes = async (q: string) => (await search(q)).promocodes.map(({ code }: { code: string }) => code);
    expect(await codes('весна')).toEqual(['ВЕСНА25']);
    expect(await codes('spring_')).toEqual(['SPRING_10']);
    expect(await codes('spring%')).toEqual([]);
  });

  it('is limited to this store, and available to staff', async () => {
    const { productId } = await store.product({ productId: 'olena-mug' });
    const orderId = await place(productId, { id: '42', firstName: 'Olena' });
    const other = await StorePage.ofOwner(await app.store());
    const nothing = { orders: [], customers: [], products: [], promocodes: [] };
    for (const q of ['olena', String(orderId)]) expect(await search(q, other)).toEqual(nothing);
    expect(ids((await search('olena', await StorePage.ofStaff(store, owner))).orders)).toEqual([orderId]);
  });

  it.each([
    ['search', /^q is required/],
    ['search?q=', /^q must be a string of 1 to 200 characters/],
    [`search?q=${'x'.repeat(201)}`, /^q must be a string of 1 to 200 characters/],
    ['search?q=a&q=b', / must not repeat the parameter "q"$/],
    ['search?q=a&take=5', /^take is not a known property/],
  ])('refuses a query with %s', async (path, message) => {
    const answer = await owner.send('GET', path);
    expect(answer).toMatchObject(refusal(400, 'invalid_input'));
    expect(answer.body.error!.message).toMatch(message);
  });
});
