import { OrderChanges } from '../../../src/groups/orders/changing/order-changes.service.js';
import { type TestStore, useShop } from '../../support/test-app.js';
import { CASHBACK, ledger, setStatus } from '../customers/reward-shop.js';

describe('cancelling (docs/behaviour.md §6.11)', () => {
  const app = useShop();

  /**
   * A paid order of 2 mugs at 10.00 and a tee at 20.00, with 10 % off by a promocode, 6.00 of bonus spent and
   * 3.00 of cashback.
   */
  async function shop() {
    const store = await app.store();
    const mug = await store.product({ productId: 'mug', price: '10', itemAmount: 5 });
    const tee = await store.data('create_product', {
      productId: 'tee',
      title: 'Tee',
      description: '',
      images: ['https://images.example/a.png'],
      price: 20,
      variants: [{ optionTitle: 'Size', values: [{ variantValue: 'M', price: 20, itemAmount: 1 }] }],
    });
    const promocode = await store.data('create_promocode', {
      code: 'TEN',
      discountType: 'PERCENTAGE',
      discountValue: 10,
      maxUses: 1,
    });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      cashback: CASHBACK,
    });
    await store.place({ items: [{ productId: 'mug', quantity: 1 }] }, { id: '1' });
    await store.data('adjust_bonus', { customerId: '1', delta: 6 });
    const items = [
      { productId: 'mug', quantity: 2 },
      { productId: 'tee', quantity: 1, variantValue: 'M' },
    ];
    const order = await store.place({ items, promocode: 'TEN', bonusToSpend: 6 }, { id: '1' }, true);
    expect(order.totalPrice).toBe(3_000);
    return { store, mug, promocode, variantId: tee.variants[0].values[0].id as string, order };
  }

  const state = async (store: TestStore) => {
    const [mug, tee] = await Promise.all(['mug', 'tee'].map((id) => store.data('get_product', { id })));
    const [{ usedCount }] = (await store.data('list_promocodes')).items;
    const { bonusBalance } = await store.data('get_customer', { id: '1' });
    return { mug: mug.itemAmount, tee: tee.variants[0].values[0].itemAmount, usedCount, bonusBalance };
  };
  const TAKEN = { mug: 2, tee: 0, usedCount: 1, bonusBalance: 3 };
  const GIVEN_BACK = { mug: 4, tee: 1, usedCount: 0, bonusBalance: 6 };

  const lastChanges = async (store: TestStore) =>
    (
      await app.query<any>(`select changes from audit_log where store_id = $1 order by id desc limit 1`, [
        store.id,
      ])
    )[0].changes;
  const PIECES = {
    stock: [
      { productId: 'mug', quantity: 2 },
      { productId: 'tee', variantValue: 'M', quantity: 1 },
    ],
    promocode: 'TEN',
    bonus: '6.00',
  };

  it.each(['set_order_status', 'refund_order'])(
    'through %s gives everything back, and leaving CANCELLED takes it again',
    async (operation) => {
      const { store, order } = await shop();
      expect(await state(store)).toEqual(TAKEN);
      for (let i = 0; i < 2; i++) {
        const status = operation === 'set_order_status' ? { status: 'CANCELLED' } : {};
        await store.data(operation, { orderId: order.id, ...status });
        expect(await state(store)).toEqual(GIVEN_BACK);
        expect(await lastChanges(store)).toEqual({
          status: [i === 0 ? 'PROCESSING' : 'PENDING', 'CANCELLED'],
          givenBack: [null, PIECES],
          takenBack: [null, { cashback: '3.00' }],
        });
        await setStatus(store, order, 'PENDING');
        expect(await state(store)).toEqual(TAKEN);
        expect(await lastChanges(store)).toEqual({
          status: ['CANCELLED', 'PENDING'],
          givenBack: [PIECES, null],
          takenBack: [{ cashback: '3.00' }, null],
        });
      }
      const rows = (await ledger(store)).filter(({ order_id }) => order_id !== null);
      expect(rows.map(({ kind, delta, order_id }) => [kind, delta, Number(order_id)])).toEqual([
        ['spend', '-6.00', order.id],
        ['cashback', '3.00', order.id],
        ...[1, 2].flatMap(() => [
          ['refund', '6.00', order.id],
          ['cashback_reversal', '-3.00', order.id],
          ['cashback_return', '3.00', order.id],
          ['spend', '-6.00', order.id],
        ]),
      ]);
    },
  );

  it('returns no stock of goods that have left the shop', async () => {
    const { store, order } = await shop();
    await store.data('ship_order', { orderId: order.id, carrier: 'Post' });
    await setStatus(store, order, 'PENDING');
    await setStatus(store, order, 'CANCELLED');
    expect(await state(store)).toEqual({ ...GIVEN_BACK, mug: 2, tee: 0 });
    await setStatus(store, order, 'DELIVERED');
    expect(await state(store)).toEqual(TAKEN);
  });

  it('is undone, the bonus whole and stock as far as it lasts; the audit says what is short', async () => {
    const { store, order, variantId } = await shop();
    await setStatus(store, order, 'CANCELLED');
    // Sold meanwhile: all but one mug, the tee, the code's only use; and the balance is down to 1.00.
    await store.data('update_stock', { productId: 'mug', absolute: 1 });
    await store.data('update_stock', { productId: 'tee', variantId, absolute: 0 });
    await store.place({ items: [{ productId: 'mug', quantity: 1 }], promocode: 'TEN' }, { id: '2' });
    await store.data('update_stock', { productId: 'mug', absolute: 1 });
    await store.data('adjust_bonus', { customerId: '1', delta: -5 });
    await setStatus(store, order, 'PROCESSING');
    expect(await state(store)).toEqual({ mug: 0, tee: 0, usedCount: 1, bonusBalance: 0 });
    expect(await lastChanges(store)).toEqual({
      status: ['CANCELLED', 'PROCESSING'],
      givenBack: [{ stock: [{ productId: 'mug', quantity: 1 }], bonus: '6.00', owed: '2.00' }, null],
      takenBack: [{ cashback: '3.00' }, null],
      short: [
        null,
        {
          stock: [
            { productId: 'mug', quantity: 1 },
            { productId: 'tee', variantValue: 'M', quantity: 1 },
          ],
          promocode: 'TEN',
        },
      ],
    });
    expect(await store.data('get_customer', { id: '1' })).toMatchObject({ bonusBalance: 0, bonusOwed: 2 });
    // What was short is not given back by cancelling again.
    await setStatus(store, order, 'CANCELLED');
    expect(await state(store)).toEqual({ mug: 1, tee: 0, usedCount: 1, bonusBalance: 1 });
  });

  it('takes back the whole cashback: what the balance lacks is owed until the next credit', async () => {
    const { store, order } = await shop();
    await store.data('adjust_bonus', { customerId: '1', delta: -3 });
    const bought = await store.place({ items: [{ productId: 'mug', quantity: 1 }] }, { id: '1' }, true);
    await store.data('adjust_bonus', { customerId: '1', delta: -1 });
    await setStatus(store, bought, 'CANCELLED');
    expect(await lastChanges(store)).toEqual({
      status: ['PROCESSING', 'CANCELLED'],
      givenBack: [null, { stock: [{ productId: 'mug', quantity: 1 }] }],
      takenBack: [null, { cashback: '1.00', owed: '1.00' }],
    });
    expect(await store.data('get_customer', { id: '1' })).toMatchObject({ bonusBalance: 0, bonusOwed: 1 });
    await setStatus(store, order, 'CANCELLED');
    expect(await store.data('get_customer', { id: '1' })).toMatchObject({ bonusBalance: 2, bonusOwed: 0 });
  });

  it('gives nothing back to products and promocodes that are gone, and does not fail', async () => {
    const { store, order, mug, promocode } = await shop();
    await store.data('delete_product', { id: mug.id, confirm: true });
    await store.data('delete_promocode', { id: promocode.id, confirm: true });
    await setStatus(store, order, 'CANCELLED');
    expect(await lastChanges(store)).toMatchObject({
      givenBack: [null, { stock: [{ productId: 'tee', variantValue: 'M', quantity: 1 }], bonus: '6.00' }],
    });
    const { id } = await store.data('get_product', { id: 'tee' });
    await store.data('delete_product', { id, confirm: true });
    await setStatus(store, order, 'PENDING');
    expect(await lastChanges(store)).toMatchObject({
      short: [null, { stock: [{ productId: 'tee', variantValue: 'M', quantity: 1 }] }],
    });
  });

  it('gives back, for an order of an earlier version, only what the ledger has', async () => {
    const { store, order } = await shop();
    await app.query('update orders set entered = null, pricing = null where store_id = $1', [store.id]);
    await app.query(
      `update order_items set catalog_product_id = null, catalog_variant_id = null, stock_taken = null
        where store_id = $1`,
      [store.id],
    );
    await setStatus(store, order, 'CANCELLED');
    expect(await state(store)).toEqual({ ...TAKEN, bonusBalance: 6 });
    await setStatus(store, order, 'PROCESSING');
    expect(await state(store)).toEqual(TAKEN);
  });

  it('adds no statement to other changes of status', async () => {
    const { store, order } = await shop();
    const statements = await store.inside(async (ctx) => {
      const run = jest.spyOn(ctx.session, 'query');
      await app.nest.get(OrderChanges).changeStatus(ctx, order.id, 'SHIPPED');
      return run.mock.calls.map(([{ name }]) => name);
    });
    expect(statements).toEqual(['lock_order_row', 'change_order', 'get_reward_rules']);
  });
});
