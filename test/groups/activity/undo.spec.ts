import { OTHER_WAYS, UNDO_KINDS } from '../../../src/groups/activity/undo-kinds.js';
import { BOUNDS } from '../../../src/platform/database/kept-bounds.service.js';
import { OperationRegistry } from '../../../src/platform/call/operation.registry.js';
import { OrderItems } from '../../../src/groups/orders/changing/order-items.service.js';
import { TokenRegistry } from '../../../src/platform/auth/token-registry.js';
import { refusal, StorePage } from '../../doors/dashboard/browser.js';
import { storeDump } from '../../support/database/store-dump.js';
import { CHANGES, EXAMPLES } from '../../support/examples.js';
import { TestClock, type TestStore, useShopWithMessenger } from '../../support/test-app.js';

const DAY_MS = 24 * 3_600_000;
const IMAGE = 'https://images.example/a.jpg';
/** The tables that may hold something else after a change and its undoing. */
const HISTORY = [
  'audit_log',
  'kept_changes',
  'idempotency_keys',
  'order_events',
  'bonus_entries',
  'product_marks',
  'record_changes',
];

/** docs/behaviour.md §13.11 */
describe('undo_change', () => {
  const clock = new TestClock();
  let store: TestStore;

  const { app } = useShopWithMessenger({ clock });
  beforeEach(async () => {
    store = await app.store();
  });

  const last = async () => (await store.data('list_activity', { take: 1 })).items[0].id as string;
  const undo = (activityId: string, options = {}) => store.call('undo_change', { activityId }, options);
  const code = async (answer: ReturnType<TestStore['call']>) => (await answer).body.error?.code;
  /** The rows of the store without versions, and without what history may hold. */
  const state = async () => {
    const dump = await storeDump(app, store.id);
    return Object.fromEntries(
      Object.entries(dump)
        .filter(([table]) => !HISTORY.includes(table))
        .map(([table, rows]) => [
          table,
          rows.map((row) => {
            const { updated_at: _u, moved_at: _m, edited_at: _e, ...others } = JSON.parse(row);
            return JSON.stringify(others);
          }),
        ]),
    );
  };

  it.each(Object.keys(UNDO_KINDS).filter((name) => name !== 'update_payment_provider'))(
    'puts back what %s changed',
    async (operation) => {
      const input = await EXAMPLES[operation](store);
      // What is stored once for a store has a row only from the first change on.
      if (/general|invoice|monetization|checkout|welcome/.test(operation)) {
        await store.data(operation, input);
        const other = operation === 'update_checkout' ? { fields: [], filters: [] } : {};
        const [first] = Object.keys(input);
        const given =
          operation === 'update_monetization'
            ? { bonus: { maxPercentage: 3, mutualExclusivityWithPromocode: false } }
            : { [first]: typeof input[first] === 'boolean' ? !input[first] : 'changed' };
        const before = await state();
        await store.data(operation, operation === 'update_checkout' ? other : given);
        const { status, body } = await undo(await last());
        expect([status, body.error]).toEqual([200, undefined]);
        if (operation !== 'update_checkout') expect(await state()).toEqual(before);
        return;
      }
      // What existed is not put back by it.
      const given = operation === 'create_products' ? { items: input.items.slice(0, 1) } : input;
      const before = await state();
      await store.data(operation, given);
      const { status, body } = await undo(await last());
      expect([operation, status, body.error]).toEqual([operation, 200, undefined]);
      expect(body.data.undone).toBe(operation);
      const leavesMore = ['update_customer', 'set_order_status', 'set_order_statuses', 'ship_orders'];
      if (!leavesMore.includes(operation)) expect(await state()).toEqual(before);
    },
  );

  it('refuses every other operation, by name', async () => {
    for (const operation of CHANGES.filter((name) => !(name in UNDO_KINDS))) {
      await store.data(operation, await EXAMPLES[operation](store));
      const { status } = await undo(await last());
      expect([operation, status]).toEqual([operation, 400]);
    }
  });

  it('names another way where there is one, and each that it names exists', async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'a' });
    const { body } = await undo(await last());
    expect(body.error!.message).toBe(
      'activityId names a call of create_brand, which cannot be undone: delete_brand removes what it made',
    );
    await store.data('delete_brand', { id, confirm: true });
    const operations = app.nest.get(OperationRegistry);
    for (const [operation, way] of Object.entries(OTHER_WAYS)) {
      expect([operation, way.split(' ')[0]].filter((name) => !operations.find(name))).toEqual([]);
      expect(Object.keys(UNDO_KINDS)).not.toContain(operation);
    }
  });

  const orders = async (count: number) => {
    const { productId, id } = await store.product({ itemAmount: 100 });
    const placed = [];
    for (let i = 0; i < count; i++)
      placed.push((await store.place({ items: [{ productId, quantity: 3 }] }, undefined, i === 0)).id);
    return { orderIds: placed as number[], productId: id as string };
  };
  const statusOf = (orderIds: number[]) =>
    Promise.all(orderIds.map(async (orderId) => (await store.data('get_order', { orderId })).status));
  /** The call itself; the rows of its orders were written before it. */
  const callOf = async (operation: string) =>
    (await store.data('list_activity', { operation, take: 1 })).items[0].id as string;

  it('puts back the statuses that one call changed, by the rules of each, all or none', async () => {
    const { orderIds, productId } = await orders(3);
    const stock = async () => (await store.data('get_product', { id: productId })).itemAmount;
    const before = await statusOf(orderIds);
    expect([new Set(before).size, await stock()]).toEqual([2, 91]);
    await store.data('set_order_statuses', { orderIds: [...orderIds, 999_999], status: 'CANCELLED' });
    expect(await stock()).toBe(100);
    const activity = await callOf('set_order_statuses');
    await store.data('set_order_status', { orderId: orderIds[1], status: 'SHIPPED' });
    expect(await code(undo(activity))).toBe('precondition_failed');
    expect(await statusOf(orderIds)).toEqual(['CANCELLED', 'SHIPPED', 'CANCELLED']);
    await store.data('set_order_status', { orderId: orderIds[1], status: 'CANCELLED' });
    const { body } = await undo(activity);
    expect(body.data.changes).toHaveLength(3);
    expect([await statusOf(orderIds), await stock()]).toEqual([before, 91]);
    expect(await code(undo(activity))).toBe('precondition_failed');
  });

  it('puts back the statuses of orders that one call shipped; what was written on them stays', async () => {
    const { orderIds } = await orders(2);
    const before = await statusOf(orderIds);
    const items = orderIds.map((orderId) => ({ orderId, trackingNumber: `N${orderId}` }));
    await store.data('ship_orders', { items });
    expect(await code(undo(await callOf('ship_orders')))).toBeUndefined();
    expect(await statusOf(orderIds)).toEqual(before);
    const [orderId] = orderIds;
    expect(await store.data('get_order', { orderId })).toMatchObject({ trackingNumber: `N${orderId}` });
  });

  const newProduct = (productId: string, fields: object = {}) => ({
    ...{ productId, title: 'Mug', description: '', images: [IMAGE], price: 5 },
    ...fields,
  });
  const value = (variantValue: string) => ({ variantValue, price: 5 });

  it('removes the products that one call made, until one of them is changed or ordered', async () => {
    const before = await state();
    const items = ['undo-1', 'undo-2'].map((id) => newProduct(id, { itemAmount: 3 }));
    const create = async () =>
      (await store.data('create_products', { items })).items.map(({ id }: any) => id);
    await create();
    expect(await code(undo(await last()))).toBeUndefined();
    expect(await state()).toEqual(before);
    for (const touch of [
      (id: string) => store.data('update_product', { id, title: 'Cup' }),
      (id: string) => store.data('update_stock', { productId: id, delta: 1 }),
      (id: string) =>
        store.data('create_variant', { productId: id, optionTitle: 'Size', variantValue: 'S', price: 1 }),
      () => store.place({ items: [{ productId: 'undo-2', quantity: 1 }] }),
    ]) {
      const ids = await create();
      const activity = await last();
      await touch(ids[1]);
      const { status, body } = await undo(activity);
      expect([status, body.error!.message]).toEqual([412, expect.stringContaining(`product ${ids[1]} was`)]);
      expect((await store.data('get_product', { id: ids[0] })).title).toBe('Mug');
      for (const id of ids) await store.data('delete_product', { id, confirm: true });
    }
  });

  it('removes variants that one call added, and names the way where it changed what existed', async () => {
    const { productId, id } = await store.product();
    const size = (...values: object[]) => ({ productId, variants: [{ optionTitle: 'Size', values }] });
    const upsert = (item: object) => store.data('create_products', { items: [item], upsert: true });
    await upsert(size(value('S')));
    expect(await code(undo(await last()))).toBeUndefined();
    expect((await store.data('get_product', { id })).variants).toEqual([]);
    await upsert({ ...size(value('M')), title: 'Other' });
    const { status, body } = await undo(await last());
    expect([status, body.error!.message]).toEqual([
      400,
      expect.stringMatching(/update_products .*delete_product/),
    ]);
  });

  it('removes the codes that one call made, until an order has named one', async () => {
    const { productId } = await store.product();
    const items = ['A1', 'A2'].map((name) => ({ code: name, discountType: 'PERCENTAGE', discountValue: 5 }));
    const before = await state();
    await store.data('create_promocodes', { items });
    expect(await code(undo(await last()))).toBeUndefined();
    expect(await state()).toEqual(before);
    await store.data('create_promocodes', { items });
    const activity = await last();
    const order = await store.place({ items: [{ productId, quantity: 1 }], promocode: 'a2' });
    await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
    expect(await code(undo(activity))).toBe('precondition_failed');
  });

  it('is refused once something else has changed the fields, and for the second time', async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'a' });
    await store.data('update_brand', { id, name: 'B' });
    const first = await last();
    await store.data('update_brand', { id, slug: 'b' });
    const slug = await last();
    await store.data('update_brand', { id, name: 'C' });
    expect(await code(undo(first))).toBe('precondition_failed');
    expect(await code(undo(slug))).toBeUndefined();
    expect(await store.data('get_brand', { id })).toMatchObject({ name: 'C', slug: 'a' });
    expect(await code(undo(slug))).toBe('precondition_failed');
  });

  it('does not put a category back above its own parent', async () => {
    const category = (slug: string, parentId?: string) =>
      store.data('create_category', { name: slug, slug, parentId });
    const top = await category('top');
    const middle = await category('middle', top.id);
    const bottom = await category('bottom', middle.id);
    await store.data('delete_category', { id: middle.id, confirm: true });
    const activity = await last();
    await store.data('update_category', { id: top.id, parentId: bottom.id });
    const before = await state();
    expect(await code(undo(activity))).toBe('precondition_failed');
    expect(await state()).toEqual(before);
    await store.data('update_category', { id: top.id, parentId: null });
    expect(await code(undo(activity))).toBeUndefined();
    expect(await store.data('get_category', { id: bottom.id })).toMatchObject({ parentId: middle.id });
  });

  it('moves stock by the opposite amount, whatever was sold meanwhile', async () => {
    const { id, productId } = await store.product({ itemAmount: 10 });
    await store.data('update_stock', { productId: id, delta: 20 });
    const activity = await last();
    await store.place({ items: [{ productId, quantity: 4 }] });
    await undo(activity);
    expect((await store.data('get_product', { id })).itemAmount).toBe(6);
    await store.data('update_stock', { productId: id, delta: 3 });
    const second = await last();
    await store.place({ items: [{ productId, quantity: 8 }] });
    expect(await code(undo(second))).toBe('precondition_failed');
    expect((await store.data('get_product', { id })).itemAmount).toBe(1);
  });

  it.each([
    ['update_product', (id: string) => ({ id, itemAmount: 60, title: 'Cup' }), 10],
    ['update_products', (id: string) => ({ items: [{ id, itemAmount: 60, title: 'Cup' }] }), 10],
    ['update_product', (id: string) => ({ id, itemAmount: 52 }), 2],
    ['update_product', (id: string) => ({ id, itemAmount: 10 }), -40],
  ])('takes back by the opposite amount the stock that %s set', async (operation, inputOf, moved) => {
    const { id, productId } = await store.product({ itemAmount: 50 });
    await store.data(operation, inputOf(id));
    const activity = await last();
    await store.place({ items: [{ productId, quantity: 1 }] });
    const { status, body } = await undo(activity);
    expect([status, body.error]).toEqual([200, undefined]);
    const [{ changes }] = body.data.changes;
    const path = operation === 'update_products' ? `product:${id}.itemAmount` : 'itemAmount';
    expect(changes[path]).toEqual([49 + moved, 49]);
    expect(await store.data('get_product', { id })).toMatchObject({ itemAmount: 49, title: productId });
  });

  describe('of stock that is no longer tracked', () => {
    const sale = async (clear: 'update_product' | 'update_products' | 'update_variant') => {
      const isVariant = clear === 'update_variant';
      const { id, productId } = await store.product({ itemAmount: 10 });
      const variant = { productId, optionTitle: 'Size', variantValue: 'S', price: 10, itemAmount: 10 };
      const variantId = isVariant ? ((await store.data('create_variant', variant)).id as string) : undefined;
      const place = (quantity: number) => store.place({ items: [{ productId, variantId, quantity }] });
      const order = await place(3);
      const cleared = { id: variantId ?? id, itemAmount: null };
      await store.data(clear, clear === 'update_products' ? { items: [cleared] } : cleared);
      const activity = await last();
      const stock = async () => {
        const product = await store.data('get_product', { id });
        return (isVariant ? product.variants[0].values[0] : product).itemAmount as number;
      };
      const setStatus = (status: string) => store.data('set_order_status', { orderId: order.id, status });
      return { order, activity, stock, place, setStatus };
    };

    it.each(['update_product', 'update_products', 'update_variant'] as const)(
      'lets orders hold again what they held before %s',
      async (clear) => {
        const { activity, stock, setStatus } = await sale(clear);
        expect(await code(undo(activity))).toBeUndefined();
        expect(await stock()).toBe(7);
        await setStatus('CANCELLED');
        expect(await stock()).toBe(10);
        await setStatus('PENDING');
        expect(await stock()).toBe(7);
      },
    );

    it('counts what orders have given back since', async () => {
      const { activity, stock, setStatus } = await sale('update_product');
      await setStatus('CANCELLED');
      const { body } = await undo(activity);
      expect(body.data.changes[0].changes).toEqual({ itemAmount: [null, 10] });
      expect(await stock()).toBe(10);
      await setStatus('PENDING');
      expect(await stock()).toBe(10);
    });

    it('lets an order hold again what it held, though its lines have changed since', async () => {
      const mug = await store.product({ itemAmount: 10 });
      const tee = await store.product({ itemAmount: 10 });
      const [lid, cup] = [mug, tee].map(({ productId }) => ({ productId, quantity: 3 }));
      const order = await store.place({ items: [lid, cup] });
      await store.data('update_product', { id: tee.id, itemAmount: null });
      const activity = await last();
      await store.inside((ctx) => app.nest.get(OrderItems).change(ctx, order.id, [{ ...cup, quantity: 2 }]));
      expect(await code(undo(activity))).toBeUndefined();
      const stock = async () => (await store.data('get_product', { id: tee.id })).itemAmount;
      expect(await stock()).toBe(8);
      await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
      expect(await stock()).toBe(10);
    });

    it('is refused once it was sold uncounted, and then nothing is changed', async () => {
      const { activity, stock, place } = await sale('update_products');
      await place(2);
      const before = await state();
      const { body } = await undo(activity);
      expect(body.error).toMatchObject({
        code: 'precondition_failed',
        message: expect.stringMatching(/it was sold while its stock was not tracked/),
      });
      expect(await stock()).toBeNull();
      expect(await state()).toEqual(before);
    });
  });

  it('takes back by the opposite amount the stock of a variant, and never more than is there', async () => {
    const values = [{ variantValue: 'S', price: 10, itemAmount: 5 }];
    const { id, productId } = await store.data('create_product', {
      ...{ productId: 'tee', title: 'Tee', description: '', images: [IMAGE], price: 10 },
      variants: [{ optionTitle: 'Size', values }],
    });
    const stock = async () => (await store.data('get_product', { id })).variants[0].values[0];
    const variantId = (await stock()).id as string;
    const sell = (quantity: number) =>
      store.place({ items: [{ productId, quantity, optionTitle: 'Size', variantValue: 'S' }] });
    await store.data('update_variant', { id: variantId, itemAmount: 8, price: 12 });
    const first = await last();
    await sell(2);
    expect(await code(undo(first))).toBeUndefined();
    expect(await stock()).toMatchObject({ itemAmount: 3, price: 10 });
    await store.data('update_variant', { id: variantId, itemAmount: 8, price: 12 });
    const second = await last();
    await sell(4);
    const { body } = await undo(second);
    expect(body.error).toMatchObject({
      code: 'precondition_failed',
      message: expect.stringMatching(/nothing was changed: itemAmount would become -1, from 4;/),
    });
    expect(await stock()).toMatchObject({ itemAmount: 4, price: 12 });
    await store.data('update_variant', { id: variantId, itemAmount: 6 });
    const third = await last();
    await store.data('update_variant', { id: variantId, itemAmount: null });
    expect(await code(undo(third))).toBe('precondition_failed');
    expect((await stock()).itemAmount).toBeNull();
    expect(await code(undo(await last()))).toBeUndefined();
    expect((await stock()).itemAmount).toBe(6);
  });

  it('says why stock that a sku named stays once its product is gone, and changes nothing', async () => {
    const product = async (productId: string, more: object) =>
      (
        await store.data('create_products', {
          items: [{ productId, title: productId, description: '', images: [IMAGE], price: 10, ...more }],
        })
      ).items[0].id as string;
    const kept = await product('mug', { sku: 'MUG', itemAmount: 5 });
    const values = [{ variantValue: 'S', price: 10, itemAmount: 5, sku: 'TEE-S' }];
    const variants = [{ optionTitle: 'Size', values }];
    const gone = [await product('cap', { sku: 'CAP', itemAmount: 5 }), await product('tee', { variants })];
    for (const [index, sku] of ['CAP', 'TEE-S'].entries()) {
      const items = ['MUG', sku].map((code) => ({ sku: code, absolute: 9 }));
      expect(await store.data('update_stocks', { items })).toMatchObject({ updated: 2, failed: 0 });
      const activity = await last();
      await store.data('delete_product', { id: gone[index], confirm: true });
      const before = await state();
      const { status, body } = await undo(activity);
      expect([status, body.error]).toEqual([
        412,
        {
          code: 'precondition_failed',
          message: expect.stringMatching(
            /^It cannot be undone any more, and nothing was changed: .*(Product|Variant).* not found/i,
          ),
        },
      ]);
      expect(await state()).toEqual(before);
      expect((await store.data('get_product', { id: kept })).itemAmount).toBe(9);
      // Nothing is left half done, so that a later call may still be undone.
      await store.data('update_stocks', { items: [{ sku: 'MUG', absolute: 5 }] });
      expect((await undo(await last())).status).toBe(200);
    }
  });

  it('puts back many products with the codes of their variants, or none of it', async () => {
    const mug = {
      productId: 'mug',
      title: 'Mug',
      description: 'é'.repeat(3_000),
      images: [IMAGE],
      price: 10,
    };
    const values = [{ variantValue: 'S', price: 10, itemAmount: 5, sku: 'TEE-S' }];
    const tee = { ...mug, productId: 'tee', variants: [{ optionTitle: 'Size', values }] };
    const { items } = await store.data('create_products', { items: [mug, tee] });
    const { variants } = await store.data('get_product', { id: items[1].id });
    const change = () =>
      store.data('update_products', {
        items: [
          { id: 'mug', description: 'short', images: [IMAGE, `${IMAGE}?2`], tags: 'new', isHidden: true },
          { id: 'tee', title: 'Tee', variants: [{ id: variants[0].values[0].id, sku: 'S', barcode: '1' }] },
        ],
      });
    const before = await state();
    expect(await change()).toMatchObject({ updated: 2 });
    expect((await undo(await last())).status).toBe(200);
    expect(await state()).toEqual(before);
    await change();
    const activity = await last();
    await store.data('update_product', { id: items[1].id, title: 'Other' });
    const since = await state();
    expect(await code(undo(activity))).toBe('precondition_failed');
    expect(await state()).toEqual(since);
  });

  it('brings a long text back whole', async () => {
    const { id } = await store.product();
    const text = 'é'.repeat(5_000);
    await store.data('update_product', { id, description: text });
    await store.data('update_product', { id, description: 'short' });
    await undo(await last());
    expect((await store.data('get_product', { id })).description).toBe(text);
    const kept = await app.query('select sealed_values from kept_changes where store_id = $1', [store.id]);
    expect(JSON.stringify(kept)).not.toContain('ééé');
  });

  it('keeps a hash of a long text that a change gave, and knows by it whether it is there', async () => {
    const { id } = await store.product();
    await store.data('update_product', { id, description: 'short' });
    const text = Array.from({ length: 5_000 }, () => Math.random().toString(36)[2]).join('');
    await store.data('update_product', { id, description: text });
    const given = await last();
    const [{ bytes }] = await app.query<any>(
      'select bytes, length(sealed_values) from kept_changes where store_id = $1',
      [store.id],
    );
    expect(bytes).toBeLessThan(1_000);
    await store.data('update_product', { id, description: `${text.slice(0, -1)}!` });
    const other = await last();
    expect(await code(undo(given))).toBe('precondition_failed');
    await undo(other);
    await undo(given);
    expect((await store.data('get_product', { id })).description).toBe('short');
  });

  it('keeps so much of a store, and first gives up the oldest of the caller who has most', async () => {
    jest.replaceProperty(BOUNDS.kept_changes, 'rows', 3);
    const { id } = await store.product();
    const describe = async (text: string, scope: 'write' | 'admin') => {
      await store.data('update_product', { id, description: text.repeat(3_000) }, { scope });
      return last();
    };
    const theirs = await describe('a', 'admin');
    const mine = [];
    for (const text of 'bcd') mine.push(await describe(text, 'write'));
    jest.restoreAllMocks();
    const refused = await store.call('undo_change', { activityId: mine[0] }, { scope: 'admin' });
    expect(refused).toMatchObject(refusal(400, 'invalid_input'));
    expect(refused.body.error!.message).toMatch(
      /^activityId names a change of which what undoing needs is not kept any more/,
    );
    await undo(mine[2]);
    await undo(mine[1]);
    await store.data('update_product', { id, description: 'a'.repeat(3_000) });
    await undo(theirs);
  });

  it('gives a deleted brand its links that are still empty', async () => {
    const brand = await store.data('create_brand', { name: 'A', slug: 'a' });
    const [one, two] = [await store.product(), await store.product()];
    for (const { id } of [one, two]) await store.data('update_product', { id, brandId: brand.id });
    await store.data('delete_brand', { id: brand.id, confirm: true });
    const activity = await last();
    const other = await store.data('create_brand', { name: 'B', slug: 'b' });
    await store.data('update_product', { id: two.id, brandId: other.id });
    await undo(activity);
    const brandOf = async (id: string) => (await store.data('get_product', { id })).brandId;
    expect([await brandOf(one.id), await brandOf(two.id)]).toEqual([brand.id, other.id]);
  });

  it.each([
    ['set_order_status', { status: 'CANCELLED' }],
    ['refund_order', {}],
    ['delete_order', { confirm: true }],
  ])('brings a promocode back with the uses that orders still have after %s', async (operation, input) => {
    const { productId } = await store.product();
    const order = { items: [{ productId, quantity: 1 }], promocode: 'ONE' };
    const { id: promocodeId } = await store.data('create_promocode', {
      ...{ code: 'ONE', discountType: 'FIXED_AMOUNT', discountValue: 5, maxUses: 1 },
    });
    const { id: orderId } = await store.place(order);
    await store.data('delete_promocode', { id: promocodeId, confirm: true });
    const deletion = await last();
    expect((await store.data(operation, { orderId, ...input })).givenBack).toBeUndefined();
    expect((await undo(deletion)).body.data.changes).toMatchObject([{ changes: { usedCount: [null, 0] } }]);
    await store.place(order);
  });

  it('counts the use of an order that was cancelled and resumed while its promocode was gone', async () => {
    const { productId } = await store.product();
    const { id: promocodeId } = await store.data('create_promocode', {
      ...{ code: 'ONE', discountType: 'FIXED_AMOUNT', discountValue: 5 },
    });
    const { id: orderId } = await store.place({ items: [{ productId, quantity: 1 }], promocode: 'ONE' });
    const set = (status: string) => store.data('set_order_status', { orderId, status });
    const remove = async () => {
      await store.data('delete_promocode', { id: promocodeId, confirm: true });
      return last();
    };
    const uses = async () => (await store.data('list_promocodes')).items[0].usedCount;
    const first = await remove();
    await set('CANCELLED');
    await set('PENDING');
    await undo(first);
    expect(await uses()).toBe(1);
    const second = await remove();
    await set('CANCELLED');
    await undo(second);
    expect(await uses()).toBe(0);
    await set('PENDING');
    expect(await uses()).toBe(1);
    await set('CANCELLED');
    expect(await uses()).toBe(0);
  });

  describe('of a checkout that was saved on the dashboard', () => {
    const button = (id: string, settings: object) => ({
      ...{ id, label: id, type: 'payment_button', required: false, defaultVisible: true },
      content: JSON.stringify(settings),
    });
    let save: (fields: object[]) => Promise<unknown>;
    beforeEach(async () => {
      const owner = await StorePage.ofOwner(store);
      save = (fields) => owner.data('POST', 'operations/update_checkout', { fields });
    });
    /** The form and its providers; a provider that comes back is another row. */
    const shop = async () => {
      const { items } = await store.data('list_payment_providers');
      const rows = items.map(({ id: _i, createdAt: _c, updatedAt: _u, ...row }: any) => row);
      rows.sort((a: any, b: any) => (a.metadata.fieldId < b.metadata.fieldId ? -1 : 1));
      return { fields: (await store.data('get_checkout')).fields, rows };
    };
    const narrowed = (groups: string[]) =>
      store.inside(async (ctx) => {
        const values = { name: 'narrow', scope: 'admin', groups, expiresAt: null } as const;
        return (await app.nest.get(TokenRegistry).create(ctx, values)).token;
      });

    it('puts the inline providers back too, and so does the undoing of that', async () => {
      await save([
        button('a', { providerToken: 'token-1111' }),
        button('b', { providerToken: 'token-2222' }),
      ]);
      const before = await shop();
      await save([button('b', { providerToken: 'token-3333' }), button('c', {})]);
      const after = await shop();
      const [undone] = (await undo(await last())).body.data.changes;
      expect(undone.changes).toMatchObject({ inlineProviders: expect.anything() });
      expect(await shop()).toEqual(before);
      await undo(undone.id);
      expect(await shop()).toEqual(after);
      await save([button('b', { providerToken: 'token-4444' }), button('c', {})]);
      await undo(await last());
      expect(await shop()).toEqual(after);
    });

    it('is refused to a token that may not change providers, unless they stayed as they were', async () => {
      const token = await narrowed(['checkout']);
      await save([button('a', {})]);
      await save([]);
      const [before, activity] = [await shop(), await last()];
      const { body } = await undo(activity, { token });
      expect(body.error).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('create_payment_provider'),
      });
      expect(await shop()).toEqual(before);
      expect((await undo(activity)).status).toBe(200);
      const note = { id: 'note', label: 'Note', type: 'text', required: false, defaultVisible: true };
      const restored = await shop();
      await save([note, button('a', {})]);
      expect((await undo(await last(), { token: await narrowed(['checkout']) })).status).toBe(200);
      expect(await shop()).toEqual(restored);
    });
  });

  it('keeps to what the caller may see and do, and to 30 days', async () => {
    const { id } = await store.data('create_brand', { name: 'A', slug: 'a' });
    await store.data('update_brand', { id, name: 'B' });
    const activity = await last();
    expect(await code(undo(activity, { scope: 'write' }))).toBe('not_found');
    expect(await code(undo(activity, { scope: 'read' }))).toBe('forbidden');
    expect(await code((await app.store()).call('undo_change', { activityId: activity }))).toBe('not_found');
    expect(await code(undo('nothing'))).toBe('not_found');
    clock.advance(30 * DAY_MS + 1);
    expect(await code(undo(activity))).toBe('invalid_input');
    expect((await store.data('get_brand', { id })).name).toBe('B');
  });

  it('takes ids in either case, and audits them as they are stored', async () => {
    const { id: brandId } = await store.data('create_brand', { name: 'Cups', slug: 'cups' });
    const product = await EXAMPLES.update_product(store);
    const named = { id: product.id, brandId: brandId.toUpperCase() };
    await store.data('update_product', named);
    const linked = await last();
    await store.data('update_product', named);
    expect((await store.data('list_activity', { take: 1 })).items[0].changes).toEqual({});
    expect((await undo(linked.toUpperCase())).body).toMatchObject({ data: { activityId: linked } });
    await store.data('delete_brand', { id: brandId, confirm: true });
    expect((await undo((await last()).toUpperCase())).status).toBe(200);
  });

  it('does not take another order of keys for a change', async () => {
    const referral = { referrerBonusFrequency: 'every_order', referrerOrderBonus: 3, referralJoinBonus: 1 };
    await store.data('update_monetization', { referral });
    const changed = await last();
    const { referral: answered } = await store.data('get_monetization', {});
    await store.data('update_monetization', { referral: answered });
    expect((await store.data('list_activity', { take: 1 })).items[0].changes).toEqual({});
    expect((await undo(changed)).status).toBe(200);
  });
});
