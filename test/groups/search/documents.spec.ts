import { eraseCustomer } from '../../../src/groups/customers/erasing/erase-customer.js';
import { writeAllDocuments } from '../../../src/search/documents.js';
import { type TestStore, useShop } from '../../support/test-app.js';

/** How many documents of the second store a session of the first one gets. */
const OF_STORE = `
  select count(*)::integer as found
  from (select set_config('shop.store_id', $1::text, false) offset 0) s (store)
  cross join lateral search_ids(case when s.store <> '' then $2::uuid end,
    (select d.pieces from search_documents d where d.store_id = $2::uuid limit 1), '{%mug%}', '{}', null,
    null, null, null) f`;

interface Row {
  id: string;
}

describe('the documents by which records are found', () => {
  const app = useShop();
  let store: TestStore;

  beforeEach(async () => {
    store = await app.store();
  });

  const create = (title: string, values: object = {}) =>
    store.data('create_product', {
      ...{ productId: title, title, description: '', images: ['https://images.example/a.png'], price: 10 },
      ...values,
    });
  const place = (productId: string, firstName: string, id = '8101') =>
    store.place(
      { items: [{ productId, quantity: 1 }], shippingAddress: { city: 'Odesa' } },
      { id, firstName },
    );
  const found = async (operation: string, text: string) =>
    (await store.data(operation, { text, take: 100 })).items.map(({ id }: Row) => id);
  const documents = () =>
    app.query(
      `select order_id, product_id, customer_id, tracking_of, text, pieces from search_documents
       where store_id = $1 order by order_id, product_id, customer_id, tracking_of`,
      [store.id],
    );

  it('follow a product', async () => {
    const { id } = await create('Kettle', { tags: 'spring' });
    expect(await found('find_products', 'kettle spring')).toEqual([id]);
    await store.data('update_product', { id, title: 'Teapot', tags: null });
    expect([await found('find_products', 'kettle spring'), await found('find_products', 'teapot')]).toEqual([
      [],
      [id],
    ]);
    await store.data('create_products', {
      upsert: true,
      items: [
        {
          ...{ productId: 'Kettle', sku: 'SK-99', barcode: '4006381333931' },
          variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 9, sku: 'SK-S' }] }],
        },
      ],
    });
    for (const text of ['sk-99', '4006381333931', 'sk-s', '333931'])
      expect([text, await found('find_products', text)]).toEqual([text, [id]]);
    const { items } = await store.data('list_variants', { productId: id });
    await store.data('delete_variant', { id: items[0].id, confirm: true });
    expect(await found('find_products', 'sk-s')).toEqual([]);
    await store.data('delete_product', { id, confirm: true });
    expect(await documents()).toEqual([]);
  });

  it('of orders follow the name of their customer', async () => {
    const { id: productId } = await create('Mug');
    expect(productId).toBeTruthy();
    const orders = [(await place('Mug', 'Olena')).id, (await place('Mug', 'Olena')).id];
    await place('Mug', 'Other', '8102');
    await store.data('update_customer', { id: '8101', firstName: 'Odarka' });
    expect([await found('find_orders', 'olena'), await found('find_orders', 'odarka mug')]).toEqual([
      [],
      orders.reverse(),
    ]);
    // The messenger says it too.
    orders.unshift((await place('Mug', 'Oryna')).id);
    expect([await found('find_orders', 'odarka'), await found('find_orders', 'oryna')]).toEqual([[], orders]);
  });

  it('say nothing of a customer who is erased', async () => {
    await create('Mug');
    const { id } = await place('Mug', 'Olena');
    await store.data('set_customer_reference', { id: '8101', externalId: 'C-1' });
    await store.data('ship_order', { orderId: id, carrier: 'Post', trackingNumber: 'ABC-123' });
    await store.inside((ctx) => eraseCustomer(ctx, '8101'));
    for (const text of ['olena', 'odesa', 'C-1', 'abc']) {
      expect(await found('find_orders', text)).toEqual([]);
      expect(await found('find_customers', text)).toEqual([]);
    }
    expect(await found('find_orders', 'mug')).toEqual([id]);
  });

  it('of orders follow their lines and tracking, and go with the order', async () => {
    await create('Mug');
    await create('Plate');
    const { id: orderId } = await place('Mug', 'Olena');
    await store.data('ship_order', { orderId, carrier: 'Post', trackingNumber: 'ABC-123' });
    expect(await found('find_orders', 'abc123')).toEqual([orderId]);
    await store.data('delete_order', { orderId, confirm: true });
    expect((await documents()).filter((row) => row.product_id === null)).toMatchObject([
      { customer_id: '8101' },
    ]);
  });

  it('of orders begin with the first tracking number, and have no other than the last', async () => {
    await create('Mug');
    const orders: number[] = [];
    for (let n = 0; n < 3; n++) orders.push((await place('Mug', 'Olena')).id);
    const [orderId, second, third] = orders;
    const shipped = { orderId, carrier: 'Post' };
    await store.data('preview_change', {
      ...{ operation: 'ship_order', input: { ...shipped, trackingNumber: 'SEEN-1' } },
    });
    expect(await found('find_orders', 'seen1')).toEqual([]);
    await store.data('ship_order', { ...shipped, trackingNumber: '— —' });
    await store.data('ship_order', { ...shipped, trackingNumber: 'XY 77' });
    await store.data('ship_order', { ...shipped, trackingNumber: 'ZW-88' });
    for (const [text, ids] of [
      ['xy77', []],
      ['zw88 olena mug', [orderId]],
      ['zw-88', [orderId]],
    ] as const)
      expect([text, await found('find_orders', text)]).toEqual([text, ids]);
    const { items } = await store.data('ship_orders', {
      items: [third, 0, second].map((id) => ({ orderId: id || 9_999, trackingNumber: `M-${id}` })),
    });
    expect(items.map(({ error }: { error?: object }) => error === undefined)).toEqual([true, false, true]);
    expect(await found('find_orders', `m${second}`)).toEqual([second]);
    expect(await found('find_orders', 'm9999')).toEqual([]);
  });

  it('of orders are found once by a text that both the tracking number and the rest have', async () => {
    await create('Mug');
    const { id: orderId } = await place('Mug', 'Olena');
    await store.data('ship_order', { orderId, carrier: 'Post', trackingNumber: '777 12-3456' });
    await store.data('set_order_reference', { orderId, externalId: '7771-23456' });
    for (const text of ['777', '777123456', '777 12-3456', 'mug 777']) {
      const { items, total } = await store.data('find_orders', { text });
      expect([text, items.map(({ id }: Row) => id), total]).toEqual([text, [orderId], 1]);
    }
  });

  it('of orders have the tracking number and the name that come at once', async () => {
    await create('Mug');
    for (let n = 0; n < 8; n++) {
      const { id: orderId } = await place('Mug', 'Olena');
      await Promise.all([
        store.data('ship_order', { orderId, carrier: 'Post', trackingNumber: `AB-${orderId}` }),
        store.data('update_customer', { id: '8101', firstName: `Olena${n}` }),
      ]);
      expect(await found('find_orders', `ab${orderId} olena${n}`)).toEqual([orderId]);
    }
  });

  it('are written anew as they were', async () => {
    await create('Mug');
    const { id: orderId } = await place('Mug', 'Olena');
    await store.data('ship_order', { orderId, carrier: 'Post', trackingNumber: 'ABC-123' });
    const before = await documents();
    expect(before).toHaveLength(4);
    await app.query('delete from search_documents where store_id = $1', [store.id]);
    await store.inside((ctx) => writeAllDocuments(ctx.session));
    expect(await documents()).toEqual(before);
  });

  it('are those of the own store alone', async () => {
    await create('Mug');
    const other = await app.store();
    const [mine] = await app.query(OF_STORE, [store.id, store.id]);
    const [theirs] = await app.query(OF_STORE, [other.id, store.id]);
    expect([mine, theirs]).toEqual([{ found: 1 }, { found: 0 }]);
    expect((await other.data('find_products', { text: 'mug' })).items).toEqual([]);
  });

  it('neither repeat nor skip a record while others change', async () => {
    const kept = [];
    for (let n = 0; n < 12; n++) kept.push((await create(`Cup ${n}`)).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: Row[]; nextCursor: string | null } = await store.data('find_products', {
        ...{ text: 'cup', take: 5 },
        ...(cursor === null ? {} : { cursor }),
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      await create(`Cup new ${seen.length}`);
      await store.data('update_product', { id: seen[0], title: `Cup again ${seen.length}` });
    } while (cursor !== null);
    expect(seen).toEqual(kept.reverse());
  });
});
