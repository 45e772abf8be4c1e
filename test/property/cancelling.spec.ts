import fc from 'fast-check';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { OperationError } from '../../src/platform/errors.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { runs, SEED } from '../support/slow.js';
import { type Action, CODE_DISCOUNTS, Paper, PRICES, STATUSES } from './cancelling-model.js';

const SHOPPERS = ['1', '2'];
const CODES = ['PERCENT', 'FIXED'];

const stock = fc.option(fc.integer({ min: 0, max: 8 }), { freq: 4 });
const world = fc.record({
  stock: fc.tuple(stock, stock, stock),
  most: fc.tuple(fc.option(fc.integer({ min: 1, max: 2 })), fc.option(fc.integer({ min: 1, max: 2 }))),
  balances: fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_000 })),
});
const line = fc.record({ article: fc.nat(PRICES.length - 1), quantity: fc.integer({ min: 1, max: 3 }) });
const place = fc
  .record({
    shopper: fc.nat(1),
    lines: fc.array(line, { minLength: 1, maxLength: 3 }),
    code: fc.option(fc.nat(CODE_DISCOUNTS.length - 1)),
    bonus: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_500 })),
    paid: fc.boolean(),
  })
  .map((order): Action => ({ do: 'place', ...order }));
const move = fc
  .record({
    order: fc.nat(20),
    to: fc.oneof(fc.constant('CANCELLED' as const), fc.constantFrom(...STATUSES)),
  })
  .map((change): Action => ({ do: 'move', ...change }));
const other: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('stock' as const),
    article: fc.nat(2),
    delta: fc.integer({ min: -3, max: 3 }),
  }),
  fc.record({ do: fc.constant('track' as const), article: fc.nat(2), stock }),
  fc.record({
    do: fc.constant('bonus' as const),
    shopper: fc.nat(1),
    delta: fc.integer({ min: -2_000, max: 500 }),
  }),
);
const action = fc.oneof(
  { weight: 8, arbitrary: place },
  { weight: 18, arbitrary: move },
  { weight: 8, arbitrary: other },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'delete' }) },
);

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}

describe('cancelling orders (docs/behaviour.md §6.11)', () => {
  const app = useShop();

  async function open(paper: Paper) {
    const store = await app.store();
    const product = { title: 'x', description: '', images: ['https://images.example/a.jpg'] };
    const sold = (i: number) => ({
      price: PRICES[i] / 100,
      itemAmount: (paper.stock[i] ?? undefined) as number | undefined,
    });
    const plain = await store.data('create_product', { ...product, productId: 'plain', ...sold(0) });
    const sized = await store.data('create_product', {
      ...product,
      productId: 'sized',
      price: 1,
      variants: [
        {
          optionTitle: 'Size',
          values: ['S', 'M'].map((variantValue, i) => ({ variantValue, ...sold(i + 1) })),
        },
      ],
    });
    const variants: string[] = sized.variants[0].values.map(({ id }: { id: string }) => id);
    await store.data('create_promocode', {
      code: CODES[0],
      discountType: 'PERCENTAGE',
      discountValue: 10,
      maxUses: paper.most[0],
    });
    await store.data('create_promocode', {
      code: CODES[1],
      discountType: 'FIXED_AMOUNT',
      discountValue: 5,
      maxUses: paper.most[1],
    });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      cashback: {
        enabled: true,
        levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 10, levelName: 'All' }],
        categoryRates: [],
        promotions: [],
        maxCashbackPerOrder: null,
        cashbackTrigger: 'on_payment',
      },
    });
    for (const [i, id] of SHOPPERS.entries()) {
      await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }));
      if (paper.balances[i] > 0)
        await store.data('adjust_bonus', { customerId: id, delta: paper.balances[i] / 100 });
    }
    return { store, plain: plain.id as string, variants };
  }
  type Shop = Awaited<ReturnType<typeof open>>;

  /** @returns whether the shop took it; anything but a plain refusal is thrown */
  async function perform(
    { store, plain, variants }: Shop,
    orders: number[],
    action: Action,
  ): Promise<boolean> {
    if (action.do === 'place') return order(store, action);
    const { operation, input } = callOf(action, orders, plain, variants);
    const { status, body } = await store.call(operation, input);
    if (![200, 400, 404].includes(status))
      throw new Error(`${operation} answered ${status}: ${body.error?.message}`);
    return body.ok;
  }

  async function order(
    store: TestStore,
    { shopper, lines, code, bonus, paid }: Extract<Action, { do: 'place' }>,
  ): Promise<boolean> {
    const items = lines.map(({ article, quantity }) =>
      article === 0
        ? { productId: 'plain', quantity }
        : { productId: 'sized', quantity, variantValue: ['S', 'M'][article - 1] },
    );
    const given = { items, promocode: code === null ? null : CODES[code], bonusToSpend: bonus / 100 };
    return store.place(given, { id: SHOPPERS[shopper] }, paid).then(
      () => true,
      (error: unknown) => {
        if (error instanceof OperationError) return false;
        throw error;
      },
    );
  }

  function callOf(
    action: Exclude<Action, { do: 'place' }>,
    orders: number[],
    plain: string,
    variants: string[],
  ) {
    switch (action.do) {
      case 'move':
        return { operation: 'set_order_status', input: { orderId: orders[action.order], status: action.to } };
      case 'stock': {
        const variant = action.article > 0 ? { variantId: variants[action.article - 1] } : {};
        const productId = action.article > 0 ? 'sized' : 'plain';
        return { operation: 'update_stock', input: { productId, ...variant, delta: action.delta } };
      }
      case 'track':
        return action.article === 0
          ? { operation: 'update_product', input: { id: plain, itemAmount: action.stock } }
          : {
              operation: 'update_variant',
              input: { id: variants[action.article - 1], itemAmount: action.stock },
            };
      case 'bonus':
        return {
          operation: 'adjust_bonus',
          input: { customerId: SHOPPERS[action.shopper], delta: action.delta / 100 },
        };
      case 'delete':
        return { operation: 'delete_product', input: { id: plain, confirm: true } };
    }
  }

  /** What the database shows, in the words of Paper. */
  async function look({ store, variants }: Shop): Promise<{ seen: string; orders: number[] }> {
    const [row] = await app.query<any>(
      `select (select coalesce(json_agg(coalesce(item_amount, -1)), '[]') from products where store_id = $1
        and product_id = 'plain') as plain,
         (select json_object_agg(id, coalesce(item_amount, -1)) from variants
         where store_id = $1) as variants,
         (select json_object_agg(code, used_count) from promocodes where store_id = $1) as used,
         (select json_agg((bonus_balance * 100)::int order by id) from customers
         where store_id = $1) as balances,
         (select json_agg((bonus_owed * 100)::int order by id) from customers where store_id = $1) as owed,
         (select json_agg((select coalesce(sum(delta * 100), 0)::int from bonus_entries e
         where e.store_id = c.store_id and e.customer_id = c.id)
            order by id) from customers c where store_id = $1) as ledger,
         (select coalesce(json_agg(json_build_array(o.id, o.status,
            (select coalesce(-sum(delta * 100) filter (where kind in ('spend', 'refund')), 0)::int
            from bonus_entries e
              where e.store_id = o.store_id and e.order_id = o.id),
            (select coalesce(sum(delta * 100) filter (where kind like 'cashback%'), 0)::int
            from bonus_entries e
              where e.store_id = o.store_id and e.order_id = o.id)) order by o.id), '[]') from orders o
              where store_id = $1) as orders`,
      [store.id],
    );
    expect(row.ledger).toEqual(row.balances);
    const pieces = (amount: number | undefined) =>
      amount === undefined ? 'gone' : amount === -1 ? null : amount;
    const seen = {
      stock: [pieces(row.plain[0]), ...variants.map((id) => pieces(row.variants[id]))],
      used: CODES.map((code) => row.used[code]),
      balances: row.balances,
      owed: row.owed,
      orders: row.orders.map(([, ...rest]: unknown[]) => rest),
    };
    return { seen: JSON.stringify(seen), orders: row.orders.map(([id]: [number]) => id) };
  }

  it('adds up to what a shop on paper has, whatever comes at once, and is never refused', async () => {
    const counts = { placed: 0, cancelled: 0, resumed: 0 };
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), {
          minLength: 8,
          maxLength: 20,
          size: 'max',
        }),
        async (given, batches) => {
          const first = new Paper([...given.stock], given.most, [...given.balances]);
          const shop = await open(first);
          // At once, actions come in some order: every paper that one of the orders explains is kept.
          let papers = [first];
          let orders: number[] = [];
          for (const batch of batches) {
            const actions = batch
              .filter((action) => action.do !== 'move' || orders.length > 0)
              .map((action) =>
                action.do === 'move' ? { ...action, order: action.order % orders.length } : action,
              );
            const before = papers[0].orders.map(({ status }) => status);
            const outcomes = await Promise.all(actions.map((action) => perform(shop, orders, action)));
            const now = await look(shop);
            const explained = new Map<string, Paper>();
            for (const paper of papers) {
              for (const order of permutations(actions.map((_, i) => i))) {
                const next = paper.copy();
                const taken: boolean[] = [];
                for (const i of order) taken[i] = next.take(actions[i]);
                if (next.seen() === now.seen && outcomes.every((outcome, i) => outcome === taken[i])) {
                  explained.set(JSON.stringify(next), next);
                }
              }
            }
            if (explained.size === 0) {
              const [paper] = papers;
              const told = paper.seen();
              const taken = actions.map((action) => paper.take(action));
              expect({ ...now, actions, outcomes, was: told }).toEqual({
                seen: paper.seen(),
                actions,
                outcomes: taken,
              });
            }
            papers = [...explained.values()].slice(0, 50);
            orders = now.orders;
            const after = papers[0].orders.map(({ status }) => status);
            counts.placed += after.length - before.length;
            counts.cancelled += after.filter(
              (status, i) => status === 'CANCELLED' && before[i] !== 'CANCELLED',
            ).length;
            counts.resumed += before.filter(
              (status, i) => status === 'CANCELLED' && after[i] !== 'CANCELLED',
            ).length;
          }
        },
      ),
      { numRuns: runs(60), seed: SEED },
    );
    expect(counts.placed).toBeGreaterThan(runs(50));
    expect(counts.cancelled).toBeGreaterThan(runs(30));
    expect(counts.resumed).toBeGreaterThan(runs(10));
  }, 300_000);
});
