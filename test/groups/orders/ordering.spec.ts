import { OrderPlacing } from '../../../src/groups/orders/placing/order-placing.service.js';
import { storeDump } from '../../support/database/store-dump.js';
import { type TestStore, useShop } from '../../support/test-app.js';

const field = {
  id: 'delivery',
  label: 'Delivery',
  type: 'select',
  options: 'pickup,courier',
  required: false,
  defaultVisible: true,
};
const row = (id: string, value: string) => ({ id, label: id, type: 'text', value });
const adjusts = (value: string, action: string, amount: number) => ({
  dependsOn: 'delivery',
  operator: 'equals',
  value,
  action,
  priceAdjustment: { operator: 'add', value: amount },
});
const FORM = [
  {
    ...field,
    conditions: [adjusts('courier', 'increase_price', 4.5), adjusts('pickup', 'decrease_price', 2)],
  },
  {
    ...field,
    id: 'phone',
    label: 'Phone',
    type: 'phone',
    conditions: [{ ...adjusts('courier', 'require', 0), priceAdjustment: undefined }],
  },
];
const COURIER = [row('delivery', 'courier'), row('phone', '+1 555 0100')];
const PICKUP = [row('delivery', 'pickup')];

interface Case {
  name: string;
  currency?: string;
  price?: string;
  salePrice?: string;
  quantity?: number;
  bonus?: { maxPercentage: number; mutualExclusivityWithPromocode?: boolean };
  balance?: number;
  form?: boolean;
  /** The largest tip the store takes; null takes none. */
  tips?: number | null;
  order?: Record<string, unknown>;
}

/**
 * One product, a promocode of 10 % (TEN) and one of 5 major units (FIVE), a form whose delivery changes the
 * price.
 */
describe('the price of an order', () => {
  const app = useShop();

  async function shop({
    currency = 'USD',
    price = '20',
    salePrice,
    bonus,
    balance,
    form,
    tips = 2_000_000_000,
  }: Case) {
    const store = await app.store({ currency });
    const { productId } = await store.product({ price, salePrice, itemAmount: 100 });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await store.data('create_promocode', {
      code: 'FIVE',
      discountType: 'FIXED_AMOUNT',
      discountValue: 5,
      maxUses: 1,
    });
    await store.data('update_invoice_field_config', { maxTipAmount: tips });
    if (bonus)
      await store.data('update_monetization', { bonus: { mutualExclusivityWithPromocode: false, ...bonus } });
    if (form) await store.data('update_checkout', { fields: FORM });
    // The customer is made by an order that costs nothing of what is looked at.
    if (balance !== undefined) {
      const free = await store.product({ price: '1' });
      await store.place(
        { items: [{ productId: free.productId, quantity: 1 }], checkoutData: form ? PICKUP : null },
        { id: '7' },
      );
      if (balance > 0) await store.data('adjust_bonus', { customerId: '7', delta: balance });
    }
    return { store, productId };
  }

  const place = (store: TestStore, productId: string, { quantity = 1, order = {} }: Case) =>
    store.place({ items: [{ productId, quantity }], ...order }, { id: '7' });

  const accepted: (Case & { total: number; spent?: string })[] = [
    { name: 'lines', quantity: 3, total: 6000 },
    { name: 'a sale', salePrice: '19.99', quantity: 2, total: 3998 },
    { name: 'a currency without decimals', currency: 'JPY', price: '250', quantity: 2, total: 500 },
    { name: 'a currency of three', currency: 'KWD', price: '1.255', total: 1255 },
    { name: 'stars', currency: 'XTR', price: '7', order: { tipAmount: 3 }, total: 10 },
    { name: 'a tip', order: { tipAmount: 150 }, total: 2150 },
    { name: 'no tip', order: { tipAmount: null }, total: 2000 },
    { name: 'the largest tip of a store', tips: 150, order: { tipAmount: 150 }, total: 2150 },
    { name: 'a tip of nothing in a store that takes none', tips: null, order: { tipAmount: 0 }, total: 2000 },
    { name: 'the largest tip', order: { tipAmount: 2_000_000_000 }, total: 2_000_002_000 },
    { name: 'a dearer delivery', form: true, order: { checkoutData: COURIER }, total: 2450 },
    { name: 'a cheaper delivery', form: true, order: { checkoutData: PICKUP }, total: 1800 },
    { name: 'a form left empty', form: true, total: 2000 },
    {
      name: 'a reduction beyond the price',
      form: true,
      price: '1',
      order: { checkoutData: PICKUP },
      total: 0,
    },
    { name: 'a percentage', order: { promocode: 'TEN' }, total: 1800 },
    { name: 'a code in another case', order: { promocode: 'ten' }, total: 1800 },
    {
      name: 'a percentage, rounded in favour of the shop',
      price: '0.99',
      order: { promocode: 'TEN' },
      total: 90,
    },
    { name: 'a fixed amount', order: { promocode: 'FIVE' }, total: 1500 },
    {
      name: 'a fixed amount beyond the price',
      price: '3',
      order: { promocode: 'FIVE', tipAmount: 10 },
      total: 10,
    },
    {
      name: 'a promocode on the adjusted price',
      form: true,
      order: { promocode: 'TEN', checkoutData: COURIER },
      total: 2205,
    },
    { name: 'a promocode but not on the tip', order: { promocode: 'TEN', tipAmount: 1000 }, total: 2800 },
    {
      name: 'bonus',
      bonus: { maxPercentage: 50 },
      balance: 100,
      order: { bonusToSpend: 7.25 },
      total: 1275,
      spent: '-7.25',
    },
    { name: 'no bonus', bonus: { maxPercentage: 50 }, balance: 100, order: { bonusToSpend: 0 }, total: 2000 },
    {
      name: 'bonus to the limit',
      bonus: { maxPercentage: 50 },
      balance: 100,
      order: { bonusToSpend: 10 },
      total: 1000,
      spent: '-10.00',
    },
    {
      name: 'bonus to the balance',
      bonus: { maxPercentage: 100 },
      balance: 3.33,
      order: { bonusToSpend: 3.33 },
      total: 1667,
      spent: '-3.33',
    },
    {
      name: 'bonus for everything',
      bonus: { maxPercentage: 100 },
      balance: 20,
      order: { bonusToSpend: 20, tipAmount: 5 },
      total: 5,
      spent: '-20.00',
    },
    {
      name: 'everything at once: (20 + 4.50) less 10 %, less 11.02 of bonus, and a tip',
      form: true,
      bonus: { maxPercentage: 50 },
      balance: 50,
      order: { checkoutData: COURIER, promocode: 'TEN', bonusToSpend: 11.02, tipAmount: 33 },
      total: 1136,
      spent: '-11.02',
    },
    {
      name: 'bonus of a currency of three decimals, in hundredths',
      currency: 'KWD',
      price: '1.255',
      bonus: { maxPercentage: 100 },
      balance: 9,
      order: { bonusToSpend: 1.25 },
      total: 5,
      spent: '-1.25',
    },
    {
      name: 'a promocode where the two exclude each other, without bonus',
      bonus: { maxPercentage: 50, mutualExclusivityWithPromocode: true },
      balance: 5,
      order: { promocode: 'TEN', bonusToSpend: 0 },
      total: 1800,
    },
  ];

  it.each(accepted)('$name', async ({ total, spent, ...given }) => {
    const { store, productId } = await shop(given);
    const order = await place(store, productId, given);
    const unit = Number(given.salePrice ?? given.price ?? '20');
    expect(order).toMatchObject({
      totalPrice: total,
      tipAmount: given.order?.tipAmount ?? null,
      currency: store.currency,
    });
    // Lines keep the price of a piece, whatever became of the total.
    const decimals = { JPY: 1, XTR: 1, KWD: 1000 }[store.currency] ?? 100;
    expect(order.items).toMatchObject([
      { quantity: given.quantity ?? 1, price: Math.round(unit * decimals) },
    ]);
    const entries = await app.query<any>(
      `select delta, kind, order_id from bonus_entries where store_id = $1 and kind = 'spend'`,
      [store.id],
    );
    expect(entries).toEqual(spent ? [{ delta: spent, kind: 'spend', order_id: String(order.id) }] : []);
    if (given.balance) {
      const left = given.balance * 100 + Math.round(Number(spent ?? 0) * 100);
      expect((await store.data('get_customer', { id: '7' })).bonusBalance).toBe(Math.round(left) / 100);
    }
    const used = await app.query<any>(
      `select sum(used_count)::int as n from promocodes where store_id = $1`,
      [store.id],
    );
    expect(used[0].n).toBe(given.order?.promocode ? 1 : 0);
  });

  const refused: (Case & { path: string; words: string })[] = [
    {
      name: 'an unknown promocode',
      order: { promocode: 'ELEVEN' },
      path: 'promocode',
      words: 'not one of this store',
    },
    {
      name: 'a form that lacks a value',
      form: true,
      order: { checkoutData: [row('delivery', 'courier')] },
      path: 'checkoutData',
      words: '"phone"',
    },
    {
      name: 'a form value that does not fit',
      form: true,
      order: { checkoutData: [row('note', 'x'), row('delivery', 'drone')] },
      path: 'checkoutData[1].value',
      words: 'pickup, courier',
    },
    {
      name: 'bonus while the store takes none',
      balance: 10,
      order: { bonusToSpend: 1 },
      path: 'bonusToSpend',
      words: 'at most 0.00',
    },
    {
      name: 'bonus a shopper does not have',
      bonus: { maxPercentage: 100 },
      order: { bonusToSpend: 1 },
      path: 'bonusToSpend',
      words: 'balance is 0',
    },
    {
      name: 'more than the balance',
      bonus: { maxPercentage: 100 },
      balance: 3.33,
      order: { bonusToSpend: 3.34 },
      path: 'bonusToSpend',
      words: 'at most 3.33',
    },
    {
      name: 'more than the share',
      bonus: { maxPercentage: 50 },
      balance: 99,
      order: { bonusToSpend: 10.01 },
      path: 'bonusToSpend',
      words: 'at most 10.00',
    },
    {
      name: 'a share of the tip',
      bonus: { maxPercentage: 100 },
      balance: 99,
      order: { bonusToSpend: 20.01, tipAmount: 1000 },
      path: 'bonusToSpend',
      words: 'at most 20.00',
    },
    {
      name: 'a share of what the promocode took off',
      bonus: { maxPercentage: 50 },
      balance: 99,
      order: { bonusToSpend: 9.01, promocode: 'TEN' },
      path: 'bonusToSpend',
      words: 'at most 9.00',
    },
    {
      name: 'bonus and a promocode where they exclude each other',
      bonus: { maxPercentage: 50, mutualExclusivityWithPromocode: true },
      balance: 99,
      order: { bonusToSpend: 1, promocode: 'TEN' },
      path: 'bonusToSpend',
      words: 'one or the other',
    },
    {
      name: 'a third of a cent',
      bonus: { maxPercentage: 50 },
      balance: 9,
      order: { bonusToSpend: 0.333 },
      path: 'bonusToSpend',
      words: '2 decimals',
    },
    {
      name: 'half a yen',
      currency: 'JPY',
      bonus: { maxPercentage: 50 },
      balance: 9,
      order: { bonusToSpend: 0.5 },
      path: 'bonusToSpend',
      words: '0 decimals',
    },
    {
      name: 'an absurd amount of bonus',
      bonus: { maxPercentage: 50 },
      balance: 9,
      order: { bonusToSpend: 1e300 },
      path: 'bonusToSpend',
      words: 'at most',
    },
    {
      name: 'a tip in a store that takes none',
      tips: null,
      order: { tipAmount: 1 },
      path: 'tipAmount',
      words: 'no tips',
    },
    {
      name: 'a tip beyond the largest',
      tips: 150,
      order: { tipAmount: 151 },
      path: 'tipAmount',
      words: 'at most 150',
    },
    {
      name: 'more than an order can hold',
      price: '90071992547409.91',
      quantity: 2,
      path: 'items',
      words: 'more than',
    },
    {
      name: 'a tip beyond that',
      price: '90071992547409.91',
      order: { tipAmount: 1 },
      path: 'items',
      words: 'more than',
    },
  ];

  it.each(refused)('refuses $name', async ({ path, words, ...given }) => {
    const { store, productId } = await shop(given);
    const before = await storeDump(app, store.id);
    const error: any = await place(store, productId, given).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid_input' });
    expect(error.message.startsWith(`${path} `)).toBe(true);
    expect(error.message).toContain(words);
    expect(await storeDump(app, store.id)).toEqual(before);
  });

  it('is the largest an order can hold', async () => {
    const { store, productId } = await shop({ name: '', price: '90071992547409.91' });
    expect((await place(store, productId, { name: '' })).totalPrice).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('refuses a promocode that is used up, expired or inactive', async () => {
    const { store, productId } = await shop({ name: '' });
    await place(store, productId, { name: '', order: { promocode: 'FIVE' } });
    await store.data('create_promocode', {
      code: 'OLD',
      discountType: 'PERCENTAGE',
      discountValue: 1,
      expiresAt: '2020-01-01T00:00:00Z',
    });
    await store.data('create_promocode', {
      code: 'OFF',
      discountType: 'PERCENTAGE',
      discountValue: 1,
      isActive: false,
    });
    for (const [promocode, words] of [
      ['FIVE', 'used up'],
      ['OLD', 'expired'],
      ['OFF', 'not active'],
    ]) {
      await expect(place(store, productId, { name: '', order: { promocode } })).rejects.toThrow(
        new RegExp(`^promocode .*${words}`),
      );
    }
  });

  describe('by orders of different products at once', () => {
    const AT_ONCE = 10;

    async function placeAtOnce(
      store: TestStore,
      order: (i: number) => Record<string, unknown>,
      shopper: (i: number) => string,
    ) {
      const products: { productId: string }[] = [];
      for (let i = 0; i < AT_ONCE; i++) products.push(await store.product({ price: '20' }));
      const place = (values: (i: number) => object) =>
        Promise.allSettled(
          products.map(({ productId }, i) =>
            store.place({ items: [{ productId, quantity: 1 }], ...values(i) }, { id: shopper(i) }),
          ),
        );
      // Once without: orders that first wait for a connection each would come one after the other.
      await place(() => ({}));
      return place(order);
    }

    it('uses a promocode no more often than it may be used', async () => {
      const { store } = await shop({ name: '' });
      const outcomes = await placeAtOnce(
        store,
        () => ({ promocode: 'FIVE' }),
        (i) => String(i + 1),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(
        await app.query(`select used_count from promocodes where store_id = $1 and code = 'FIVE'`, [
          store.id,
        ]),
      ).toEqual([{ used_count: '1' }]);
    });

    it('spends no more bonus than there is', async () => {
      const { store } = await shop({ name: '', bonus: { maxPercentage: 100 }, balance: 10 });
      const outcomes = await placeAtOnce(
        store,
        () => ({ bonusToSpend: 4 }),
        () => '7',
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect((await store.data('get_customer', { id: '7' })).bonusBalance).toBe(2);
    });
  });

  it('is explained in the audit log', async () => {
    const given = { name: '', form: true, bonus: { maxPercentage: 50 }, balance: 50 };
    const { store, productId } = await shop(given);
    const order = { checkoutData: COURIER, promocode: 'ten', bonusToSpend: 1, tipAmount: 33 };
    const changes = await store.inside(async (ctx) => {
      const input = { items: [{ productId, quantity: 1 }], paymentMethod: 'cash', ...order };
      await app.nest.get(OrderPlacing).place(ctx, { id: '7' }, input, false);
      return ctx.audit.changes;
    });
    expect(changes).toEqual({
      pieces: [null, 1],
      items: [null, 2000],
      checkoutAdjustment: [null, 450],
      promocode: [null, 'TEN'],
      promocodeDiscount: [null, 245],
      bonus: [null, 100],
      tip: [null, 33],
      total: [null, 2138],
    });
  });
});
