import pg from 'pg';
import { StorePage } from '../../../doors/dashboard/browser.js';
import { waitsForLock } from '../../../support/database/waits-for-lock.js';
import { type TestStore, useShop } from '../../../support/test-app.js';

const sizes = (itemAmount: number | null) => [
  { optionTitle: 'Size', values: [{ variantValue: 'S', price: 1, itemAmount }] },
];
const TEE = { title: 'Tee', description: '', images: ['https://images.example/1'], price: 1 };

/** A change of an order locks the order and then its products (docs/behaviour.md §6.6). */
describe('changes of stock and of orders at once', () => {
  let store: TestStore;
  let owner: StorePage;
  let other: pg.Client;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
    owner = await StorePage.ofOwner(store);
  });
  beforeEach(async () => {
    other = new pg.Client({ connectionString: app.database.ownerUrl });
    await other.connect();
    await other.query('begin');
  });
  afterEach(() => other.end());

  let made = 0;
  /** An order of two of a product, or of a variant of it, of which there were five. */
  async function sale(stock: { itemAmount: number } | { variants: object[] }) {
    const productId = `tee-${made++}`;
    const { id, variants } = await store.data('create_product', { ...TEE, productId, ...stock });
    const variantId: string | undefined = variants[0]?.values[0].id;
    const { id: orderId } = await store.place({ items: [{ productId, variantId, quantity: 2 }] });
    return { id: id as string, productId, variantId, orderId };
  }
  type Sale = Awaited<ReturnType<typeof sale>>;

  async function amount({ productId }: Sale): Promise<number | null> {
    const { itemAmount, variants } = await store.data('get_product', { id: productId });
    return variants[0] ? variants[0].values[0].itemAmount : itemAmount;
  }

  it.each([
    ['update_variant', ({ variantId }: Sale) => ({ id: variantId, itemAmount: null })],
    [
      'create_products',
      ({ productId }: Sale) => ({ items: [{ ...TEE, productId, variants: sizes(null) }], upsert: true }),
    ],
  ])('%s does not wait for an order that somebody is changing', async (operation, input) => {
    const sold = await sale({ variants: sizes(5) });
    await other.query('select from orders where store_id = $1 and id = $2 for update', [
      store.id,
      sold.orderId,
    ]);
    await store.data(operation, input(sold));
    await other.query('commit');
    await store.data('set_order_status', { orderId: sold.orderId, status: 'CANCELLED' });
    expect(await amount(sold)).toBeNull();
  });

  it.each([
    ['cancelling', ({ orderId }: Sale) => store.data('set_order_status', { orderId, status: 'CANCELLED' })],
    [
      'a change of items',
      ({ orderId, productId }: Sale) =>
        owner.data('PUT', `orders/${orderId}/items`, { items: [{ productId, quantity: 1 }] }),
    ],
  ])('%s gives back nothing of a count that was ended while it waited', async (_, change) => {
    const sold = await sale({ itemAmount: 5 });
    await other.query('select from products where store_id = $1 for update', [store.id]);
    const changed = change(sold);
    await waitsForLock(other);
    // As update_product does, with null and then with a new count.
    await other.query('update order_items set stock_taken = 0 where store_id = $1 and order_id = $2', [
      store.id,
      sold.orderId,
    ]);
    await other.query('update products set item_amount = 7 where id = $1', [sold.id]);
    await other.query('commit');
    await changed;
    expect(await amount(sold)).toBe(7);
  });
});
