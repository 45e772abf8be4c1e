import { type TestStore, useShop } from '../../support/test-app.js';
import { leastProduct } from './product-inputs.js';

describe('create_variant and delete_variant', () => {
  let store: TestStore;

  const app = useShop();
  beforeAll(async () => {
    store = await app.store();
  });

  const values = { optionTitle: 'Size', variantValue: 'S', price: 9.5 };
  const variantsOf = async (id: string) => (await store.data('get_product', { id })).variants;

  it('adds a variant, by the internal id or the external one', async () => {
    const { id, productId } = await store.product();
    const first = await store.data('create_variant', { productId, ...values }, { scope: 'write' });
    expect(first).toEqual({
      ...{ id: expect.any(String), productId, optionTitle: 'Size', variantValue: 'S' },
      ...{ price: 9.5, salePrice: null, saleUntil: null, itemAmount: null, sortOrder: 0 },
      updatedAt: expect.any(String),
    });
    const rest = { salePrice: 8, itemAmount: 3, sortOrder: 2 };
    const second = await store.data('create_variant', {
      productId: id,
      ...values,
      variantValue: 'M',
      ...rest,
    });
    expect(second).toMatchObject({ variantValue: 'M', ...rest });
    const [{ optionTitle, values: made }] = await variantsOf(id);
    expect([optionTitle, made.map((value: any) => value.id)]).toEqual(['Size', [first.id, second.id]]);
  });

  it('refuses what the product or the currency cannot have', async () => {
    const { id } = await store.product();
    await store.data('create_variant', { productId: id, ...values });
    const refusal = async (input: object) =>
      (await store.call('create_variant', { productId: id, ...values, ...input })).body.error;
    expect(await refusal({})).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^variantValue is already/),
    });
    expect(await refusal({ variantValue: 'M', price: 0.001 })).toMatchObject({
      message: expect.stringMatching(/^price has more/),
    });
    expect(await refusal({ productId: 'nothing' })).toMatchObject({ code: 'not_found' });
    expect(await refusal({ productId: (await (await app.store()).product()).id })).toMatchObject({
      code: 'not_found',
    });
  });

  it('keeps to the bounds of create_product', async () => {
    const { id } = await store.product();
    await app.query(
      `insert into variants (store_id, id, product_id, option_title, variant_value, price, created_at,
        updated_at)
       select $1, gen_random_uuid(), $2, case when n <= 200 then 'Size' else 'Option ' || n
         end, 'v' || n, 1, now(), now()
       from generate_series(1, 219) n`,
      [store.id, id],
    );
    const make = (optionTitle: string) =>
      store.call('create_variant', { productId: id, ...values, optionTitle });
    expect((await make('Size')).body.error!.message).toMatch(
      /^variantValue: an option has at most 200 values/,
    );
    expect((await make('One more')).body.error!.message).toMatch(
      /^optionTitle: a product has at most 20 options/,
    );
    expect((await make('Option 201')).status).toBe(200);
  });

  it('keeps to them when a value is moved to another option, and when that is undone', async () => {
    const { id } = await store.product();
    await app.query(
      `insert into variants (store_id, id, product_id, option_title, variant_value, price, created_at,
        updated_at)
       select $1, gen_random_uuid(), $2, case when n <= 199 then 'Size' else 'Option ' || n % 19
         end, 'v' || n, 1, now(), now()
       from generate_series(1, 237) n`,
      [store.id, id],
    );
    const [sizes, ...others] = (await variantsOf(id)).sort((a: any) => (a.optionTitle === 'Size' ? -1 : 1));
    const move = ({ id: variantId }: { id: string }, optionTitle: string) =>
      store.call('update_variant', { id: variantId, optionTitle });
    const undo = async () => {
      const { items } = await store.data('list_activity', { take: 1 });
      return () => store.call('undo_change', { activityId: items[0].id });
    };
    const refused = async (call: Promise<{ body: any }>) => {
      const before = await variantsOf(id);
      const { error } = (await call).body;
      expect(await variantsOf(id)).toEqual(before);
      return error.message as string;
    };
    expect(await refused(move(others[0].values[0], 'New'))).toBe(
      'optionTitle: a product has at most 20 options',
    );
    expect((await move(others[0].values[0], 'Size')).status).toBe(200);
    expect(await refused(move(others[1].values[0], 'Size'))).toBe(
      'variantValue: an option has at most 200 values',
    );
    // What leaves its option empty makes room for another one; its undoing then has none.
    expect((await move(others[0].values[1], 'New')).status).toBe(200);
    const back = await undo();
    expect((await move(sizes.values[0], others[1].optionTitle)).status).toBe(200);
    const intoSize = await undo();
    expect((await store.call('create_variant', { productId: id, ...values })).status).toBe(200);
    expect(await refused(intoSize())).toMatch(/variantValue: an option has at most 200 values$/);
    const twin = { productId: id, ...values, optionTitle: 'New' };
    expect((await store.call('create_variant', twin)).status).toBe(200);
    expect(await refused(back())).toMatch(/optionTitle: a product has at most 20 options$/);
  });

  it('counts the values of an option that create_product names twice', async () => {
    const group = (from: number, to: number) => ({
      optionTitle: 'Size',
      values: Array.from({ length: to - from }, (_, i) => ({ variantValue: `v${from + i}`, price: 1 })),
    });
    const product = leastProduct({ variants: [group(0, 150), group(150, 201)] });
    const { body } = await store.call('create_product', product);
    expect(body.error!.message).toBe('variants: an option has at most 200 values');
  });

  it('makes one of several equal variants at once', async () => {
    const { id } = await store.product();
    const calls = await Promise.all(
      Array.from({ length: 6 }, () => store.call('create_variant', { productId: id, ...values })),
    );
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  it('deletes one variant and leaves the orders that have it', async () => {
    const { id, productId } = await store.product();
    const variant = await store.data('create_variant', { productId: id, ...values, itemAmount: 5 });
    const other = await store.data('create_variant', { productId: id, ...values, variantValue: 'M' });
    const order = await store.place({ items: [{ productId, variantId: variant.id, quantity: 1 }] });
    expect(
      (await store.call('delete_variant', { id: variant.id, confirm: true }, { scope: 'write' })).status,
    ).toBe(403);
    expect((await store.call('delete_variant', { id: variant.id })).status).toBe(400);
    expect(await store.data('delete_variant', { id: variant.id, confirm: true })).toEqual({
      id: variant.id,
      deleted: true,
    });
    expect((await variantsOf(id))[0].values.map((value: any) => value.id)).toEqual([other.id]);
    expect((await store.call('delete_variant', { id: variant.id, confirm: true })).body.error!.code).toBe(
      'not_found',
    );
    expect(await store.data('get_order', { orderId: order.id })).toEqual(order);
    expect(await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' })).toMatchObject({
      status: 'CANCELLED',
    });
  });
});
