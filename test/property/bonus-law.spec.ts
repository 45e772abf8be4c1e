import fc from 'fast-check';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { OrderItems } from '../../src/groups/orders/changing/order-items.service.js';
import { OperationError } from '../../src/platform/errors.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { SEED } from '../support/slow.js';

const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
/** The second came by the first one's link. */
const SHOPPERS = ['1', '2'];

const shopper = fc.nat(1);
const order = fc.nat(9);
const quantity = fc.integer({ min: 1, max: 4 });
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('place' as const), shopper, quantity, paid: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('status' as const), order, status: fc.constantFrom(...STATUSES) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refund' as const), order }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), order }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('items' as const), order, quantity }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      shopper,
      cents: fc.integer({ min: -900, max: 400 }).filter((cents) => cents !== 0),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What this test knows about an order. Amounts in cents. */
interface Known {
  id: number;
  shopper: number;
  spent: number;
  status: string;
  wasShipped: boolean;
  isDeleted: boolean;
  /** What it was awarded, and its shopper's referrer for it, as it was last seen. */
  award: number;
  reward: number;
}

describe('the law of bonus (docs/behaviour.md §6.5)', () => {
  const app = useShop();

  async function open(): Promise<TestStore> {
    const store = await app.store();
    await store.product({ productId: 'p', price: '7.77' });
    await store.data('update_monetization', {
      bonus: { maxPercentage: 100, mutualExclusivityWithPromocode: false },
      referral: { referralJoinBonus: 1.11, referrerOrderBonus: 0.37, referrerBonusFrequency: 'every_order' },
      cashback: {
        enabled: true,
        levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: 30, levelName: 'All' }],
        categoryRates: [],
        promotions: [],
        maxCashbackPerOrder: null,
        cashbackTrigger: 'on_payment',
      },
    });
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: '1' }));
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: '2' }, '1'));
    return store;
  }

  /** Performs a step; one that is refused changes nothing. @returns what the shop itself gave by it */
  async function take(store: TestStore, orders: Known[], step: Step): Promise<number> {
    const known = 'order' in step ? orders[step.order % Math.max(orders.length, 1)] : undefined;
    if ('order' in step && (!known || known.isDeleted)) return 0;
    if (step.do === 'place') {
      const id = SHOPPERS[step.shopper];
      const { bonusBalance } = await store.data('get_customer', { id });
      const bonusToSpend = Math.min(bonusBalance, 7.77);
      const items = [{ productId: 'p', quantity: step.quantity }];
      const placed = await store.place({ items, bonusToSpend }, { id }, step.paid);
      orders.push({
        ...{ id: placed.id, shopper: step.shopper, spent: Math.round(bonusToSpend * 100) },
        ...{ status: placed.status, wasShipped: false, isDeleted: false, award: 0, reward: 0 },
      });
    } else if (step.do === 'adjust') {
      const input = { customerId: SHOPPERS[step.shopper], delta: step.cents / 100 };
      return (await store.call('adjust_bonus', input)).status === 200 ? step.cents : 0;
    } else if (step.do === 'items') {
      const items = [{ productId: 'p', quantity: step.quantity }];
      await store
        .inside((ctx) => app.nest.get(OrderItems).change(ctx, known!.id, items))
        .catch((error: unknown) => {
          if (!(error instanceof OperationError)) throw error;
        });
    } else if (step.do === 'delete') {
      await store.data('delete_order', { orderId: known!.id, confirm: true });
      known!.isDeleted = true;
    } else {
      const status = step.do === 'refund' ? 'CANCELLED' : step.status;
      if (step.do === 'refund') await store.data('refund_order', { orderId: known!.id });
      else await store.data('set_order_status', { orderId: known!.id, status });
      known!.status = status;
      known!.wasShipped ||= status === 'SHIPPED' || status === 'DELIVERED';
    }
    return 0;
  }

  /** An order that was deleted stands if it was shipped and not cancelled then. */
  const stands = ({ status, isDeleted, wasShipped }: Known) =>
    status !== 'CANCELLED' && (!isDeleted || wasShipped);

  async function check(store: TestStore, orders: Known[], given: number[]): Promise<boolean> {
    const awards = await app.query<any>(
      `select order_id, coalesce(sum(delta * 100) filter (where
           kind in ('cashback', 'cashback_correction')), 0)::int as award,
         coalesce(sum(delta * 100) filter (where kind = 'referral_order'), 0)::int as reward
       from bonus_entries where store_id = $1 and order_id is not null group by order_id`,
      [store.id],
    );
    for (const { order_id, award, reward } of awards) {
      const known = orders.find(({ id }) => id === Number(order_id));
      if (known) Object.assign(known, { award, reward });
    }
    const customers = await app.query<any>(
      `select (c.bonus_balance * 100)::int as balance, (c.bonus_owed * 100)::int as owed,
         (select coalesce(sum(e.delta * 100), 0)::int from bonus_entries e where e.store_id = c.store_id
            and e.customer_id = c.id) as ledger
       from customers c where c.store_id = $1 order by c.id`,
      [store.id],
    );
    const standing = orders.filter(stands);
    const expected = SHOPPERS.map((_, i) => {
      const own = standing.filter(({ shopper }) => shopper === i);
      const earned = own.reduce((sum, { award, spent }) => sum + award - spent, 0);
      const brought = i === 0 ? standing.filter(({ shopper }) => shopper === 1) : [];
      return given[i] + earned + brought.reduce((sum, { reward }) => sum + reward, 0);
    });
    expect(customers.map(({ ledger, owed }) => ledger - owed)).toEqual(expected);
    expect(customers.map(({ balance }) => balance)).toEqual(customers.map(({ ledger }) => ledger));
    expect(customers.filter(({ balance, owed }) => balance > 0 && owed > 0)).toEqual([]);
    return customers.some(({ owed }) => owed > 0);
  }

  it('holds after every step, and while everything is cancelled in any order', async () => {
    let debts = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 12, maxLength: 30, size: 'max' }),
        fc.infiniteStream(fc.nat(1_000)),
        async (steps, choices) => {
          const store = await open();
          const orders: Known[] = [];
          const given = [0, 111];
          for (const step of steps) {
            const amount = await take(store, orders, step);
            if ('shopper' in step) given[step.shopper] += amount;
            if (await check(store, orders, given)) debts++;
          }
          const uncancelled = orders.flatMap(({ isDeleted }, i) => (isDeleted ? [] : [i]));
          while (uncancelled.length > 0) {
            const [i] = uncancelled.splice(choices.next().value! % uncancelled.length, 1);
            await take(store, orders, { do: 'refund', order: i });
            await check(store, orders, given);
          }
        },
      ),
      { numRuns: 12, seed: SEED },
    );
    expect(debts).toBeGreaterThan(10);
  }, 180_000);
});
