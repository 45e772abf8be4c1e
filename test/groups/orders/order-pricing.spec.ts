import { StorePage } from '../../doors/dashboard/browser.js';
import { type TestStore, useShop } from '../../support/test-app.js';

type Pricing = any;

/** Both sums of an order: by what everything costs, and by what is paid of it. */
function sumsOf({ lines, adjustments, promocode, bonus, tip }: Pricing) {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const goods = sum(lines.map(({ price, quantity }: any) => price * quantity));
  const form = sum(adjustments.map(({ amount }: any) => amount));
  return {
    byCost: goods + form - (promocode?.amount ?? 0) - bonus + tip,
    byPaid: sum([...lines, ...adjustments].map(({ paid }: any) => paid)) + tip,
    bonus: sum([...lines, ...adjustments].map((part: any) => part.bonus)),
    discount: sum([...lines, ...adjustments].map(({ discount }: any) => discount)),
    decreases: -sum(adjustments.map(({ amount }: any) => Math.min(amount, 0))),
  };
}

const condition = (action: string, value: number, is: string) => ({
  dependsOn: 'delivery',
  operator: 'contains',
  value: is,
  action,
  priceAdjustment: { operator: 'add', value },
});
const text = (id: string, conditions: object[] = []) => ({
  id,
  label: `The ${id}`,
  type: 'text',
  required: false,
  defaultVisible: true,
  conditions,
});
const form = (...fields: object[]) => ({
  mode: 'manual',
  fields: [text('delivery'), ...fields],
  filters: [],
});
const answer = (value: string) => [{ id: 'delivery', label: 'Delivery', type: 'text', value }];
const CASHBACK = {
  enabled: true,
  levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' }],
  categoryRates: [],
  promotions: [],
  maxCashbackPerOrder: null,
  cashbackTrigger: 'on_order_place',
};

describe('what an order is made of', () => {
  let store: TestStore;

  const app = useShop();
  beforeEach(async () => {
    store = await app.store();
  });

  const pricing = (orderId: number): Promise<Pricing> =>
    store.data('get_order_pricing', { orderId }, { scope: 'read' });
  const balance = async (id: string) => (await store.data('get_customer', { id })).bonusBalance;
  const monetize = (cashback: object = {}) =>
    store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      cashback: { ...CASHBACK, ...cashback },
    });

  it('is kept with the order, to the minor unit', async () => {
    const { id: catalogId, productId } = await store.product({ productId: 'mug', price: '9.99' });
    const variant = await store.data('create_variant', {
      productId: catalogId,
      optionTitle: 'Size',
      variantValue: 'M',
      price: 9.99,
    });
    await store.data('update_checkout', form(text('courier', [condition('increase_price', 5, 'courier')])));
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    const order = await store.place({
      items: [{ productId, quantity: 3, variantId: variant.id }],
      checkoutData: answer('courier'),
      promocode: 'TEN',
      tipAmount: 150,
    });
    await store.data('refund_order', { orderId: order.id, amount: 500, reason: 'one broken' });
    await store.data('refund_order', { orderId: order.id });
    expect(await pricing(order.id)).toEqual({
      orderId: order.id,
      currency: 'USD',
      lines: [
        {
          productId,
          variantId: variant.id,
          title: 'mug',
          quantity: 3,
          price: 999,
          discount: 299,
          bonus: 0,
          paid: 2698,
        },
      ],
      adjustments: [
        { fieldId: 'courier', label: 'The courier', amount: 500, discount: 50, bonus: 0, paid: 450 },
      ],
      promocode: { code: 'TEN', amount: 349 },
      bonus: 0,
      tip: 150,
      total: 3298,
      refunds: [
        { at: expect.any(String), amount: 500, reason: 'one broken', by: 'test admin' },
        { at: expect.any(String), amount: null, reason: null, by: 'test admin' },
      ],
      refunded: 500,
      cashback: 0,
    });
  });

  it('counts a decrease as what it took, in the order of the form', async () => {
    const { productId } = await store.product({ price: '10' });
    await store.data(
      'update_checkout',
      form(
        text('cup', [condition('decrease_price', 8, 'self')]),
        text('friend', [condition('decrease_price', 50, 'self')]),
        text('late', [condition('decrease_price', 1, 'self')]),
      ),
    );
    const order = await store.place({ items: [{ productId, quantity: 1 }], checkoutData: answer('self') });
    const parts = await pricing(order.id);
    expect(parts.adjustments.map(({ fieldId, amount }: any) => [fieldId, amount])).toEqual([
      ['cup', -800],
      ['friend', -200],
    ]);
    expect(parts).toMatchObject({ total: 0, lines: [{ discount: 1000, paid: 0 }] });
    const owner = await StorePage.ofOwner(store);
    const items = [{ productId, quantity: 10 }];
    expect((await owner.data('PUT', `orders/${order.id}/items`, { items })).totalPrice).toBe(4100);
    expect((await pricing(order.id)).adjustments.map(({ amount }: any) => amount)).toEqual([
      -800, -5000, -100,
    ]);
  });

  it.each(['USD', 'JPY', 'KWD', 'XTR'])(
    'adds up for random orders and changes of items in %s',
    async (currency) => {
      store = await app.store({ currency });
      const owner = await StorePage.ofOwner(store);
      const decimals = { USD: 2, JPY: 0, KWD: 3, XTR: 0 }[currency]!;
      const random = seeded(currency.charCodeAt(0));
      const price = () => random(5_000) / 10 ** decimals;
      const products = await Promise.all(
        Array.from({ length: 4 }, () => store.product({ price: String(price() + 1 / 10 ** decimals) })),
      );
      await store.data('update_invoice_field_config', { maxTipAmount: 500 });
      await monetize();
      for (const [code, discountType, discountValue] of [
        ['PART', 'PERCENTAGE', 33],
        ['FIXED', 'FIXED_AMOUNT', 1 + price()],
      ]) {
        await store.data('create_promocode', { code, discountType, discountValue });
      }
      const anyItems = () =>
        products
          .filter((_, i) => i === 0 || random(2) === 0)
          .map(({ productId }) => ({ productId, quantity: 1 + random(7) }));
      let sales = 0;
      for (let round = 0; round < 12; round++) {
        await store.data(
          'update_checkout',
          form(
            ...['a', 'b', 'c'].map((id) => {
              const action = random(2) === 0 ? 'increase_price' : 'decrease_price';
              return text(id, [condition(action, price(), 'x'), condition('increase_price', price(), 'y')]);
            }),
          ),
        );
        const asked = {
          items: anyItems(),
          checkoutData: answer(['', 'x', 'y', 'xy'][random(4)]),
          promocode: [undefined, 'PART', 'FIXED'][random(3)],
          tipAmount: random(2) * random(500),
        };
        const balanceNow = sales === 0 ? 0 : await balance('7');
        const bonusToSpend = random(2) * Math.min(balanceNow, 1);
        const placed = await store.place({ ...asked, bonusToSpend }, { id: '7' }).catch(() => null);
        if (!placed) continue;
        sales++;
        const check = async () => {
          const parts = await pricing(placed.id);
          const { totalPrice } = await store.data('get_order', { orderId: placed.id });
          const sums = sumsOf(parts);
          const promocode = parts.promocode?.amount ?? 0;
          expect(sums).toEqual({
            byCost: totalPrice,
            byPaid: totalPrice,
            bonus: parts.bonus,
            discount: promocode + sums.decreases,
            decreases: sums.decreases,
          });
          expect(parts.total).toBe(totalPrice);
          const [kept] = await app.query<any>(
            `select json_agg(json_build_array(discount, bonus) order by position) as shares from order_items
           where store_id = $1 and order_id = $2`,
            [store.id, placed.id],
          );
          expect(parts.lines.map(({ discount, bonus }: any) => [discount, bonus])).toEqual(kept.shares);
        };
        await check();
        await owner.send('PUT', `orders/${placed.id}/items`, { items: anyItems() });
        await check();
      }
      const listed = await store.data('list_sales', { take: 100 });
      expect(listed.items).toHaveLength(sales);
    },
  );

  it('is listed oldest first, between times, page by page', async () => {
    const { productId } = await store.product({ price: '10' });
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push((await store.place({ items: [{ productId, quantity: 1 }] })).id);
    const list = (input: object) => store.data('list_sales', input, { scope: 'read' });
    const { items } = await list({});
    expect(items.map(({ orderId }: any) => orderId)).toEqual(ids);
    expect(items[0]).toMatchObject({ status: 'PENDING', paymentMethod: 'cash', total: 1000 });
    const [first, second] = [await list({ take: 2 }), await list({ take: 3 })];
    expect(first.items).toHaveLength(2);
    const rest = await list({ take: 5, cursor: first.nextCursor });
    expect(rest.items.map(({ orderId }: any) => orderId)).toEqual(ids.slice(2));
    expect(rest.nextCursor).toBeNull();
    expect(second.nextCursor).not.toBeNull();
    await app.query(
      `update orders set created_at = '2026-01-01T00:00:00Z'::timestamptz + id * interval '1 s'
       where store_id = $1`,
      [store.id],
    );
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + ids[n] * 1000).toISOString();
    const some = await list({ from: at(1), to: at(3) });
    expect(some.items.map(({ orderId }: any) => orderId)).toEqual(ids.slice(1, 3));
    expect((await store.call('list_sales', { cursor: 'nonsense' })).body.error!.code).toBe('invalid_input');
  });

  describe('decides what cashback counts with', () => {
    const OF_FORM = form(
      text('less', [condition('decrease_price', 100, 'all')]),
      text('half', [condition('decrease_price', 50, 'half')]),
      text('more', [condition('increase_price', 100, 'courier')]),
    );
    let productId: string;
    beforeEach(async () => {
      ({ productId } = await store.product({ price: '100' }));
      await store.data('update_checkout', OF_FORM);
      await store.data('create_promocode', { code: 'HALF', discountType: 'PERCENTAGE', discountValue: 50 });
      await monetize();
    });

    it.each<[string, string | undefined, number, number]>([
      ['all', undefined, 0, 0],
      ['half', undefined, 5000, 5],
      ['courier', 'HALF', 10_000, 5],
      ['', 'HALF', 5000, 5],
    ])(
      'a form answered %p with the code %p comes to %p and earns %p',
      async (value, promocode, total, earned) => {
        const order = await store.place(
          { items: [{ productId, quantity: 1 }], checkoutData: answer(value), promocode },
          { id: '8' },
        );
        expect([order.totalPrice, await balance('8')]).toEqual([total, earned]);
        expect((await pricing(order.id)).cashback).toBe(earned * 100);
      },
    );
  });
});

/** Whole numbers below `most`, the same in every run. */
function seeded(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}
