import { OrderItems } from '../../../src/groups/orders/changing/order-items.service.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { setStatus } from '../customers/reward-shop.js';

describe('the stock that an order holds (docs/behaviour.md §6.6)', () => {
  const app = useShop();

  async function shop(itemAmount: number, quantity: number) {
    const store = await app.store();
    const product = await store.product({ productId: 'mug', price: '10', itemAmount });
    const order = await store.place({ items: [{ productId: 'mug', quantity }] });
    const stock = async () => (await store.data('get_product', { id: 'mug' })).itemAmount;
    const track = (count: number | null) =>
      store.data('update_product', { id: product.id, itemAmount: count });
    return { store, order, stock, track };
  }

  const reduce = (store: TestStore, { id }: { id: number }, quantity: number) =>
    store.inside((ctx) => app.nest.get(OrderItems).change(ctx, id, [{ productId: 'mug', quantity }]));

  it('is at most what it still needs: a reduced order keeps the piece that it needs', async () => {
    const { store, order, stock } = await shop(10, 4);
    await setStatus(store, order, 'CANCELLED');
    await store.data('update_stock', { productId: 'mug', absolute: 1 });
    await setStatus(store, order, 'PENDING');
    expect(await stock()).toBe(0);
    await reduce(store, order, 2);
    expect(await stock()).toBe(0);
    await setStatus(store, order, 'CANCELLED');
    expect(await stock()).toBe(1);
  });

  it('ends when stock is no longer tracked, and is not given back twice', async () => {
    const { store, order, stock, track } = await shop(10, 2);
    await track(null);
    await setStatus(store, order, 'CANCELLED');
    await track(7);
    for (let i = 0; i < 2; i++) {
      await setStatus(store, order, 'PENDING');
      expect(await stock()).toBe(7);
      await setStatus(store, order, 'CANCELLED');
      expect(await stock()).toBe(7);
    }
  });

  it('ends though the order is cancelled only after stock is tracked again', async () => {
    const { store, order, stock, track } = await shop(10, 2);
    await track(null);
    await track(7);
    await reduce(store, order, 1);
    expect(await stock()).toBe(7);
    await setStatus(store, order, 'CANCELLED');
    expect(await stock()).toBe(7);
  });

  it('ends of a shipped order too, though it is opened again', async () => {
    const { store, order, stock, track } = await shop(10, 2);
    await setStatus(store, order, 'SHIPPED');
    await track(null);
    await track(7);
    await setStatus(store, order, 'PROCESSING');
    await reduce(store, order, 1);
    expect(await stock()).toBe(7);
  });

  it('ends for one variant without the others', async () => {
    const store = await app.store();
    const { id, variants } = await store.data('create_product', {
      ...{
        productId: 'tee',
        title: 'Tee',
        description: '',
        images: ['https://images.example/a.png'],
        price: 20,
      },
      itemAmount: 5,
      variants: [
        {
          optionTitle: 'Size',
          values: ['S', 'M'].map((variantValue) => ({ variantValue, price: 20, itemAmount: 5 })),
        },
      ],
    });
    const [s] = variants[0].values;
    const items = ['S', 'M'].map((variantValue) => ({ productId: 'tee', quantity: 1, variantValue }));
    const order = await store.place({ items });
    await store.data('update_variant', { id: s.id, itemAmount: null });
    await store.data('update_variant', { id: s.id, itemAmount: 5 });
    await store.data('update_product', { id, itemAmount: null });
    await setStatus(store, order, 'CANCELLED');
    const { items: after } = await store.data('list_variants', { productId: 'tee' });
    expect(after.map((value: any) => [value.variantValue, value.itemAmount]).sort()).toEqual([
      ['M', 5],
      ['S', 5],
    ]);
  });
});
