import { EXAMPLES } from '../../support/examples.js';
import { type TestStore, useShopWithMessenger } from '../../support/test-app.js';
import { envelopeOf, RawClient } from '../../doors/mcp/raw-client.js';

const NOTHING = '—';

/** docs/behaviour.md §13.10: what a person reads of a change before agreeing to it. */
describe('a change in words', () => {
  let store: TestStore;

  const { app } = useShopWithMessenger();
  beforeEach(async () => {
    store = await app.store({ currency: 'USD' });
  });

  const rows = async (operation: string, input: object) =>
    (await store.data('preview_change', { operation, input })).rows as Record<string, string>[];
  const shirt = () =>
    store.data('create_product', {
      ...{ productId: 'tee-logo', title: 'Logo T-shirt', description: 'Cotton', price: 20 },
      images: ['https://cdn.shop.example/t.jpg'],
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'S', price: 20, salePrice: 19.9 }] }],
    });

  it('names variants by their product, and money with its currency', async () => {
    const { id, variants } = await shirt();
    const variantId = variants[0].values[0].id as string;
    const input = { items: [{ productId: 'tee-logo', variantId, salePrice: 18 }] };
    expect(await rows('update_prices', input)).toEqual([
      { record: 'Logo T-shirt, Size S', field: 'sale price', before: '19.90 USD', after: '18.00 USD' },
    ]);
    expect(await rows('update_product', { id, title: 'Tee', isHidden: true })).toEqual([
      { record: 'Logo T-shirt', field: 'title', before: 'Logo T-shirt', after: 'Tee' },
      { record: 'Logo T-shirt', field: 'hidden', before: 'no', after: 'yes' },
    ]);
  });

  it('says of a form which fields go, come and change', async () => {
    const field = (id: string, label: string, required = false) => ({
      ...{ id, label, type: 'text', required, defaultVisible: true },
    });
    await store.data('update_checkout', { fields: [field('a', 'Phone'), field('b', 'Note')] });
    expect(
      await rows('update_checkout', { fields: [field('a', 'Phone', true), field('c', 'Delivery date')] }),
    ).toEqual([
      { record: 'Checkout form', field: 'field "Note"', before: 'there', after: 'removed' },
      { record: 'Checkout form', field: 'field "Delivery date"', before: NOTHING, after: 'added' },
      { record: 'Checkout form', field: 'field "Phone", required', before: 'no', after: 'yes' },
    ]);
  });

  it('has one row for a deletion, with what loses its link', async () => {
    const { id } = await store.data('create_brand', { name: 'Nord', slug: 'nord' });
    const product = await store.product();
    await store.data('update_product', { id: product.id, brandId: id });
    expect(await rows('delete_brand', { id, confirm: true })).toEqual([
      { record: 'Nord', field: 'the whole record', before: 'there', after: 'deleted' },
      { record: 'Nord', field: 'products that lose their link', before: '1', after: '0' },
    ]);
  });

  it('has the message itself, its button, and how many get it', async () => {
    const { audience } = (await EXAMPLES.send_campaign(store)) as { audience: object };
    const input = {
      ...{ name: 'Sale', text: 'Come by!', audience },
      ...{ buttonText: 'Shop', buttonUrl: 'https://shop.example/' },
    };
    const row = (field: string, after: string) => ({
      ...{ record: 'Message "Sale"', field, before: NOTHING, after },
    });
    expect(await rows('send_campaign', input)).toEqual([
      row('sent to', '2 customers'),
      row('text', 'Come by!'),
      row('button', 'Shop → https://shop.example/'),
    ]);
  });

  it('labels records in the log, and what an undo changed, as people know them', async () => {
    const { productId } = await store.product({ price: '12.25' });
    const order = await store.place(
      { items: [{ productId, quantity: 2 }] },
      { id: '77', firstName: 'Emily', lastName: 'Clark' },
    );
    await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
    const label = `Order ${order.id}, 24.50 USD, Emily Clark`;
    const { items } = await store.data('list_activity', { take: 1 });
    expect(items[0]).toMatchObject({ operation: 'set_order_status', target: `order:${order.id}`, label });
    const { changes } = await store.data('undo_change', { activityId: items[0].id });
    expect(changes[0].label).toBe(label);
    const { id } = await store.data('create_brand', { name: 'Nord', slug: 'nord' });
    await store.data('delete_brand', { id, confirm: true });
    const [gone] = (await store.data('list_activity', { take: 1 })).items;
    expect(gone.label).toBe('brand Nord');
  });

  it('is what a model gets instead of the raw changes', async () => {
    const { id } = await store.data('create_brand', { name: 'Nord', slug: 'nord' });
    const client = new RawClient(app, store.tokens.admin);
    const { data } = envelopeOf(
      await client.call('preview_change', { operation: 'update_brand', input: { id, name: 'Süd' } }),
    );
    expect(data.rows).toEqual([{ record: 'Nord', field: 'name', before: 'Nord', after: 'Süd' }]);
    expect(data).not.toHaveProperty('changes');
  });
});
