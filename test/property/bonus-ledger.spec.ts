import fc from 'fast-check';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { ownerQuery, type TestStore, useShop } from '../support/test-app.js';
import { runs, SEED } from '../support/slow.js';

const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'];
const CUSTOMERS = ['1', '9007199254740993', '9223372036854775807'];

type Step =
  | { do: 'place'; customer: number; quantity: number; paid: boolean }
  | { do: 'status'; order: number; status: string }
  | { do: 'delete'; order: number }
  | { do: 'adjust'; customer: number; cents: number }
  | { do: 'configure'; trigger: string; status: string; percentage: number; frequency: string };

const customer = fc.nat(CUSTOMERS.length - 1);
const order = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      customer,
      quantity: fc.integer({ min: 1, max: 3 }),
      paid: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('status' as const), order, status: fc.constantFrom(...STATUSES) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), order }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      customer,
      cents: fc.integer({ min: -500, max: 500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('configure' as const),
      trigger: fc.constantFrom('on_order_place', 'on_payment', 'on_status'),
      status: fc.constantFrom(...STATUSES),
      percentage: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
      frequency: fc.constantFrom('once', 'every_order'),
    }),
  },
);

describe('the bonus ledger', () => {
  const app = useShop();

  async function newStore(): Promise<TestStore> {
    const store = await app.store();
    await store.product({ productId: 'p', price: '7.77' });
    await configure(store, {
      trigger: 'on_payment',
      status: 'DELIVERED',
      percentage: 12.5,
      frequency: 'every_order',
    });
    for (const [i, id] of CUSTOMERS.entries()) {
      await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id }, CUSTOMERS[i - 1]));
    }
    return store;
  }

  function configure(
    store: TestStore,
    { trigger, status, percentage, frequency }: Omit<Step & { do: 'configure' }, 'do'>,
  ) {
    return store.data('update_monetization', {
      referral: { referralJoinBonus: 1.11, referrerOrderBonus: 0.37, referrerBonusFrequency: frequency },
      cashback: {
        enabled: true,
        levels: [{ minOrders: 0, maxOrders: null, cashbackPercentage: percentage, levelName: 'All' }],
        categoryRates: [],
        promotions: [],
        maxCashbackPerOrder: null,
        cashbackTrigger: trigger,
        cashbackTriggerStatus: status,
      },
    });
  }

  /** Steps may be refused: a debit too large, an order that is gone. Nothing else may go wrong. */
  async function take(store: TestStore, orders: number[], step: Step): Promise<void> {
    const orderId = 'order' in step ? (orders[step.order] ?? 1) : 0;
    if (step.do === 'place') {
      const placed = await store.place(
        { items: [{ productId: 'p', quantity: step.quantity }] },
        { id: CUSTOMERS[step.customer] },
        step.paid,
      );
      orders.push(placed.id);
    } else if (step.do === 'configure') await configure(store, step);
    else {
      const { status } =
        step.do === 'adjust'
          ? await store.call('adjust_bonus', {
              customerId: CUSTOMERS[step.customer],
              delta: step.cents / 100,
            })
          : step.do === 'delete'
            ? await store.call('delete_order', { orderId, confirm: true })
            : await store.call('set_order_status', { orderId, status: step.status });
      expect([200, 400, 404]).toContain(status);
    }
  }

  it('adds up to every balance, after any history of orders, statuses and adjustments at once', async () => {
    let awards = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (history) => {
          const store = await newStore();
          const orders: number[] = [];
          for (const together of history)
            await Promise.all(together.map((step) => take(store, orders, step)));
          const rows = await ownerQuery<any>(
            `select c.id, c.bonus_balance, coalesce(sum(e.delta), 0)::numeric(20, 2) as total,
              count(e.order_id) as awards
           from customers c left join bonus_entries e on e.store_id = c.store_id and e.customer_id = c.id
           where c.store_id = $1 group by c.store_id, c.id`,
            [store.id],
          );
          expect(rows).toHaveLength(CUSTOMERS.length);
          for (const { bonus_balance, total } of rows) expect(bonus_balance).toBe(total);
          awards += rows.reduce((sum, row) => sum + Number(row.awards), 0);
          const twice = await ownerQuery(
            `select 1 from bonus_entries where store_id = $1 and order_id is not null group by order_id, kind
              having count(*) > 1`,
            [store.id],
          );
          expect(twice).toEqual([]);
        },
      ),
      { numRuns: runs(30), seed: SEED },
    );
    expect(awards).toBeGreaterThan(0);
  });
});
