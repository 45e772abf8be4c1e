import fc from 'fast-check';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { OperationError } from '../../src/platform/errors.js';
import { storeDump } from '../support/database/store-dump.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { runs, SEED } from '../support/slow.js';

/** Everything in cents and hundredths of a percent: whole numbers, as a person with paper would reckon. */
interface Article {
  productId: string;
  variantValue?: string;
  price: number;
  salePrice: number | null;
  /** Null: not tracked. */
  stock: number | null;
}

interface World {
  articles: Article[];
  codes: { code: string; percent?: number; fixed?: number; left: number | null }[];
  balances: Map<string, number>;
  maxShare: number;
  isExclusive: boolean;
}

interface Order {
  shopper: number;
  lines: { article: number; quantity: number }[];
  delivery: 'none' | 'courier' | 'courier without phone' | 'pickup';
  code: number | null;
  bonus: number;
  tip: number | null;
  paid: boolean;
}

/** The last one is not known to the store before their first order. */
const SHOPPERS = ['1', '9007199254740993', '9223372036854775807'];
const COURIER = 450;
const PICKUP = 321;

const cents = (max: number) => fc.integer({ min: 1, max });
const article = fc.record({
  price: cents(9_999),
  salePrice: fc.option(cents(9_999)),
  stock: fc.option(fc.integer({ min: 0, max: 6 })),
});
const world = fc.record({
  articles: fc.tuple(article, article, article),
  codes: fc.record({
    percent: fc.integer({ min: 1, max: 10_000 }),
    fixed: cents(5_000),
    left: fc.tuple(fc.option(fc.integer({ min: 1, max: 3 })), fc.option(fc.integer({ min: 1, max: 3 }))),
  }),
  balances: fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_000 })),
  maxShare: fc.integer({ min: 0, max: 10_000 }),
  isExclusive: fc.boolean(),
});
const order: fc.Arbitrary<Order> = fc.record({
  shopper: fc.nat(SHOPPERS.length - 1),
  lines: fc.array(fc.record({ article: fc.nat(2), quantity: fc.integer({ min: 1, max: 3 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  delivery: fc.constantFrom('none', 'courier', 'courier without phone', 'pickup'),
  code: fc.option(fc.nat(1)),
  bonus: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2_000 })),
  tip: fc.option(fc.nat(500)),
  paid: fc.boolean(),
});

const major = (minor: number) => (minor / 100).toFixed(2);
const floorShare = (amount: number, hundredths: number) => Math.floor((amount * hundredths) / 10_000);

function makeWorld(given: typeof world extends fc.Arbitrary<infer Given> ? Given : never): World {
  const places = [
    { productId: 'plain' },
    { productId: 'sized', variantValue: 'S' },
    { productId: 'sized', variantValue: 'M' },
  ];
  return {
    articles: places.map((place, i) => ({ ...place, ...given.articles[i] })),
    codes: [
      { code: 'Percent', percent: given.codes.percent, left: given.codes.left[0] },
      { code: 'Fixed', fixed: given.codes.fixed, left: given.codes.left[1] },
    ],
    balances: new Map(SHOPPERS.map((id, i) => [id, given.balances[i] ?? 0])),
    maxShare: given.maxShare,
    isExclusive: given.isExclusive,
  };
}

/** What the shopper pays and what bonus may pay at most, before the tip. */
function reckon(world: World, order: Order): { total: number; mostBonus: number } {
  let total = 0;
  for (const { article, quantity } of order.lines) {
    const { price, salePrice } = world.articles[article];
    total += (salePrice ?? price) * quantity;
  }
  if (order.delivery === 'pickup') total = Math.max(0, total - PICKUP);
  if (order.delivery === 'courier') total += COURIER;
  if (order.code !== null) {
    const { percent, fixed } = world.codes[order.code];
    total -= Math.min(total, percent === undefined ? fixed! : floorShare(total, percent));
  }
  const mostBonus = order.code !== null && world.isExclusive ? 0 : floorShare(total, world.maxShare);
  return { total: total - order.bonus + (order.tip ?? 0), mostBonus };
}

const wanted = (order: Order, article: number) =>
  order.lines.reduce((sum, line) => sum + (line.article === article ? line.quantity : 0), 0);

function isPossible(world: World, order: Order): boolean {
  const enough = world.articles.every(({ stock }, i) => stock === null || wanted(order, i) <= stock);
  const usable = order.code === null || world.codes[order.code].left !== 0;
  const { mostBonus } = reckon(world, order);
  const payable = order.bonus <= Math.min(mostBonus, world.balances.get(SHOPPERS[order.shopper])!);
  return enough && usable && payable && order.delivery !== 'courier without phone';
}

function take(world: World, order: Order): void {
  world.articles.forEach((article, i) => {
    if (article.stock !== null) article.stock -= wanted(order, i);
  });
  if (order.code !== null && world.codes[order.code].left !== null) world.codes[order.code].left!--;
  const id = SHOPPERS[order.shopper];
  world.balances.set(id, world.balances.get(id)! - order.bonus);
}

describe('placing orders', () => {
  const app = useShop();

  const condition = (value: string, action: string, amount?: number) => ({
    dependsOn: 'delivery',
    operator: 'equals',
    value,
    action,
    ...(amount === undefined ? {} : { priceAdjustment: { operator: 'add', value: amount / 100 } }),
  });
  const field = { label: 'x', type: 'text', required: false, defaultVisible: true };
  const FORM = [
    {
      ...field,
      id: 'delivery',
      conditions: [
        condition('courier', 'increase_price', COURIER),
        condition('pickup', 'decrease_price', PICKUP),
      ],
    },
    { ...field, id: 'phone', type: 'phone', conditions: [condition('courier', 'require')] },
  ];

  async function open({ articles, codes, balances, maxShare, isExclusive }: World): Promise<TestStore> {
    const store = await app.store();
    await app.query(
      `insert into webhook_endpoints (store_id, url, sealed_secret, created_at, updated_at)
        values ($1, 'https://hook.example/', '', now(), now())`,
      [store.id],
    );
    const product = { title: 'x', description: '', images: ['https://images.example/a.jpg'] };
    const priced = ({ price, salePrice, stock }: Article) => ({
      price: price / 100,
      ...(salePrice === null ? {} : { salePrice: salePrice / 100 }),
      ...(stock === null ? {} : { itemAmount: stock }),
    });
    await store.data('create_product', { ...product, productId: 'plain', ...priced(articles[0]) });
    const values = articles
      .slice(1)
      .map((article) => ({ variantValue: article.variantValue, ...priced(article) }));
    await store.data('create_product', {
      ...product,
      productId: 'sized',
      price: 1,
      variants: [{ optionTitle: 'Size', values }],
    });
    for (const { code, percent, fixed, left } of codes) {
      const discount =
        percent === undefined
          ? { discountType: 'FIXED_AMOUNT', discountValue: fixed! / 100 }
          : { discountType: 'PERCENTAGE', discountValue: percent / 100 };
      await store.data('create_promocode', { code, ...discount, maxUses: left });
    }
    await store.data('update_monetization', {
      bonus: { maxPercentage: maxShare / 100, mutualExclusivityWithPromocode: isExclusive },
    });
    await store.data('update_checkout', { fields: FORM });
    await store.data('update_invoice_field_config', { maxTipAmount: 500 });
    for (const id of SHOPPERS.slice(0, 2)) {
      await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }));
      const balance = balances.get(id)!;
      if (balance > 0) await store.data('adjust_bonus', { customerId: id, delta: balance / 100 });
    }
    return store;
  }

  function place(store: TestStore, world: World, order: Order): Promise<any> {
    const row = (id: string, value: string) => ({ id, label: id, type: 'text', value });
    const [delivery] = order.delivery.split(' ');
    const phone = order.delivery === 'courier' ? [row('phone', '+1 555 0100')] : [];
    const items = order.lines.map(({ article, quantity }) => {
      const { productId, variantValue } = world.articles[article];
      return { productId, quantity, ...(variantValue ? { optionTitle: 'Size', variantValue } : {}) };
    });
    return store.place(
      {
        items,
        checkoutData: order.delivery === 'none' ? null : [row('delivery', delivery), ...phone],
        promocode: order.code === null ? null : world.codes[order.code].code.toLowerCase(),
        bonusToSpend: order.bonus / 100,
        tipAmount: order.tip,
      },
      { id: SHOPPERS[order.shopper] },
      order.paid,
    );
  }

  /** What the store's rows must add up to after the accepted orders. */
  async function expectRows(
    store: TestStore,
    world: World,
    placed: { order: Order; total: number }[],
  ): Promise<void> {
    const [row] = await app.query<any>(
      `select (select count(*)::int from orders where store_id = $1) as orders,
         (select count(*)::int from order_items where store_id = $1) as lines,
         (select count(*)::int from webhook_deliveries join order_events using (store_id, id)
         where store_id = $1 and event = 'order.created') as deliveries,
         (select count(*)::int from bonus_entries where store_id = $1 and kind = 'spend') as spends,
         (select array_agg(id::text order by id) from customers where store_id = $1) as customers,
         (select array_agg(coalesce(item_amount, -1)::int order by product_id) from products
         where store_id = $1 and product_id = 'plain') as plain,
         (select array_agg(coalesce(item_amount, -1)::int order by variant_value desc) from variants
         where store_id = $1) as sized,
         (select array_agg(used_count::int order by code desc) from promocodes where store_id = $1) as used`,
      [store.id],
    );
    const isKnown = (id: string, i: number) =>
      i < 2 || placed.some(({ order }) => SHOPPERS[order.shopper] === id);
    expect(row).toEqual({
      orders: placed.length,
      lines: placed.reduce((sum, { order }) => sum + order.lines.length, 0),
      deliveries: placed.length,
      spends: placed.filter(({ order }) => order.bonus > 0).length,
      customers: SHOPPERS.filter(isKnown),
      plain: [world.articles[0].stock ?? -1],
      sized: world.articles.slice(1).map(({ stock }) => stock ?? -1),
      used: [0, 1].map((code) => placed.filter(({ order }) => order.code === code).length),
    });
    const balances = await app.query<any>(
      `select c.id::text as id, c.bonus_balance as kept, coalesce(sum(e.delta), 0)::numeric(20,
        2)::text as total
       from customers c left join bonus_entries e on e.store_id = c.store_id and e.customer_id = c.id
       where c.store_id = $1 group by c.store_id, c.id`,
      [store.id],
    );
    for (const { id, kept, total } of balances)
      expect([id, kept, total]).toEqual([id, major(world.balances.get(id)!), total]);
    expect(balances.every(({ kept, total }) => kept === total)).toBe(true);
  }

  it('gives exact totals, sells nothing twice, and leaves no trace of what it refuses', async () => {
    const seen = { placed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.array(order, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (given, batches) => {
          const now = makeWorld(given);
          const store = await open(now);
          const placed: { order: Order; total: number }[] = [];
          for (const batch of batches) {
            const before = await storeDump(app, store.id);
            const possible = batch.map((order) => isPossible(now, order));
            const outcomes = await Promise.allSettled(batch.map((order) => place(store, now, order)));
            const refused: Order[] = [];
            for (const [i, outcome] of outcomes.entries()) {
              if (outcome.status === 'fulfilled') {
                expect(possible[i]).toBe(true);
                expect(outcome.value.totalPrice).toBe(reckon(now, batch[i]).total);
                placed.push({ order: batch[i], total: outcome.value.totalPrice });
                take(now, batch[i]);
              } else {
                expect(outcome.reason).toBeInstanceOf(OperationError);
                expect(outcome.reason.code).toBe('invalid_input');
                refused.push(batch[i]);
              }
            }
            // What is left only shrinks: an order that could still be had now could be had when it was
            // refused.
            expect(refused.filter((order) => isPossible(now, order))).toEqual([]);
            await expectRows(store, now, placed);
            if (refused.length === batch.length) expect(await storeDump(app, store.id)).toEqual(before);
            seen.refused += refused.length;
          }
          seen.placed += placed.length;
        },
      ),
      { numRuns: runs(40), seed: SEED },
    );
    expect(seen.placed).toBeGreaterThan(runs(20));
    expect(seen.refused).toBeGreaterThan(runs(20));
  }, 180_000);
});
