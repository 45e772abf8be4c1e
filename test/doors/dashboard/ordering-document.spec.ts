import { readFileSync } from 'node:fs';
import { OrderPlacing } from '../../../src/groups/orders/placing/order-placing.service.js';
import { useShop } from '../../support/test-app.js';
import { StorePage } from './browser.js';

/** The rows of the tables of a section of docs/ordering.md, headings left out. */
function tableRows(heading: string): [string, string][] {
  const text = readFileSync('docs/ordering.md', 'utf8');
  const section = text.slice(text.indexOf(`## ${heading}`)).split('\n## ')[0];
  const lines = section.split('\n');
  return lines.flatMap((line, i) => {
    const isRow = line.startsWith('|') && !line.startsWith('| -') && !lines[i + 1]?.startsWith('| -');
    const [, what, amount] = line.split('|').map((cell) => cell.trim());
    return isRow ? [[what, amount] as [string, string]] : [];
  });
}

describe('docs/ordering.md', () => {
  const app = useShop();

  const FORM = {
    fields: [
      { id: 'delivery', label: 'Delivery', type: 'text', required: false, defaultVisible: true },
      {
        id: 'courier',
        label: 'Courier',
        type: 'info',
        required: false,
        defaultVisible: true,
        conditions: [
          {
            dependsOn: 'delivery',
            operator: 'equals',
            value: 'courier',
            action: 'increase_price',
            priceAdjustment: { operator: 'add', value: 5 },
          },
        ],
      },
    ],
  };
  const CASHBACK = {
    enabled: true,
    levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 5, levelName: 'All' }],
    categoryRates: [{ categoryKey: 'tees', cashbackPercentage: 10 }],
    promotions: [
      {
        id: 'more',
        label: 'More',
        startsAt: '2020-01-01',
        endsAt: null,
        mode: 'add',
        cashbackPercentage: 2,
        maxCashbackPerOrder: 0.5,
      },
    ],
    maxCashbackPerOrder: null,
    cashbackTrigger: 'on_payment',
  };

  async function open() {
    const store = await app.store();
    await store.product({ productId: 'mug', price: '10', itemAmount: 10 });
    const tee = await store.product({ productId: 'tee', price: '20' });
    const { id: categoryId } = await store.data('create_category', { name: 'Tees', slug: 'tees' });
    await store.data('update_product', { id: tee.id, categoryId });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await store.data('update_checkout', FORM);
    await store.data('update_invoice_field_config', { maxTipAmount: 200 });
    await store.place({ items: [{ productId: 'tee', quantity: 1 }] }, { id: '1' });
    await store.data('adjust_bonus', { customerId: '1', delta: 10 });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      cashback: CASHBACK,
    });
    return store;
  }

  const items = (mugs: number) => [
    { productId: 'mug', quantity: mugs },
    { productId: 'tee', quantity: 1 },
  ];
  const major = (minor: number) => (minor / 100).toFixed(2);

  it('describes an order exactly as the service processes it', async () => {
    const store = await open();
    const owner = await StorePage.ofOwner(store);
    const balance = async () => (await store.data('get_customer', { id: '1' })).bonusBalance.toFixed(2);
    const mugs = async () => String((await store.data('get_product', { id: 'mug' })).itemAmount);
    const deltas = async () => {
      const rows = await app.query<any>(
        'select kind, delta from bonus_entries where store_id = $1 order by id desc limit 3',
        [store.id],
      );
      return Object.fromEntries(rows.reverse().map(({ kind, delta }) => [kind, delta.replace('-', '')]));
    };
    const audited = async () =>
      (
        await app.query<any>('select changes from audit_log where store_id = $1 order by id desc limit 1', [
          store.id,
        ])
      )[0].changes;

    const { order, steps } = await store.inside(async (ctx) => {
      const input = {
        items: items(3),
        paymentMethod: 'cash',
        checkoutData: [{ id: 'delivery', label: 'Delivery', type: 'text', value: 'courier' }],
        promocode: 'TEN',
        bonusToSpend: 6,
        tipAmount: 200,
      };
      const placed = await app.nest.get(OrderPlacing).place(ctx, { id: '1' }, input, true);
      const steps = Object.fromEntries(
        Object.entries(ctx.audit.changes!).map(([name, [, after]]) => [name, after as number]),
      );
      return { order: JSON.parse(placed.json.text), steps };
    });
    const computed: [string, string][] = [
      ['lines', major(steps.items)],
      ['courier', major(steps.checkoutAdjustment)],
      [
        `promocode, 10 % of ${major(steps.items + steps.checkoutAdjustment)}`,
        major(-steps.promocodeDiscount),
      ],
      ['bonus', major(-steps.bonus)],
      ['tip', major(order.tipAmount)],
      ['`totalPrice`', major(order.totalPrice)],
    ];

    const [award] = await app.query<any>(
      `select delta, rules from bonus_entries where store_id = $1 and kind = 'cashback'`,
      [store.id],
    );
    const [mugRate, mugPromotion, teeRate, teePromotion] = award.rules.rules;
    const share = (line: number, { paid }: { paid: string }) => {
      const { price, quantity } = order.items[line];
      return `${major(price * quantity)} - ${major(price * quantity - Math.round(Number(paid) * 100))}`;
    };
    const uncapped = Number(mugPromotion.amount) + Number(teePromotion.amount);
    computed.push(
      [`paid for the mugs, ${share(0, mugRate)}`, Number(mugRate.paid).toFixed(2)],
      [`paid for the tee, ${share(1, teeRate)}`, Number(teeRate.paid).toFixed(2)],
      [`${mugRate.percentage} % of the mugs`, mugRate.amount],
      [`${teeRate.percentage} % of the tee`, teeRate.amount],
      [`the promotion, ${uncapped.toFixed(2)} before its cap`, Number(award.rules.caps[0].limit).toFixed(2)],
      ['cashback, rounded down', award.delta],
      ['balance', await balance()],
    );

    const put = (count: number) => owner.data('PUT', `orders/${order.id}/items`, { items: items(count) });
    const fewer = await put(2);
    const sum = fewer.items.reduce((total: number, { price, quantity }: any) => total + price * quantity, 0);
    const [{ pricing }] = await app.query<any>('select pricing from orders where store_id = $1 and id = $2', [
      store.id,
      order.id,
    ]);
    computed.push(
      ['lines', major(sum)],
      [`promocode, 10 % of ${major(sum + Number(pricing.adjustment))}`, major(-pricing.promocode.discount)],
      ['`totalPrice`', major(fewer.totalPrice)],
      ['`totalPrice`, back again', major((await put(3)).totalPrice)],
    );

    await store.data('set_order_status', { orderId: order.id, status: 'CANCELLED' });
    const given = await deltas();
    computed.push(
      ['bonus given back', given.refund],
      ['cashback taken back', given.cashback_reversal],
      ['balance', await balance()],
      ['mugs in stock', await mugs()],
    );
    await store.data('update_stock', { productId: 'mug', absolute: 2 });
    await store.data('adjust_bonus', { customerId: '1', delta: -9 });
    await store.data('set_order_status', { orderId: order.id, status: 'PROCESSING' });
    const { short } = await audited();
    const taken = await deltas();
    computed.push(
      ['cashback given back', taken.cashback_return],
      ['bonus taken again', taken.spend],
      ['bonus owed', taken.debt],
      ['balance after taking up again', await balance()],
      ['mugs in stock', await mugs()],
      ['mugs short', String(short[1].stock[0].quantity)],
    );
    expect(tableRows('One order, worked through')).toEqual(computed);
  });
});
