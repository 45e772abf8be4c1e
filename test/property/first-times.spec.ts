import fc from 'fast-check';
import { FirstContact } from '../../src/groups/customers/first-contact.service.js';
import { type TestStore, useShop } from '../support/test-app.js';
import { runs, SEED } from '../support/slow.js';

const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];
const PAID: readonly Status[] = ['PROCESSING', 'SHIPPED', 'DELIVERED'];

/** The price of every order in cents, and what is left of it for the shopper with the promocode of 10 %. */
const PRICE = 2_000;
const PRICE_WITH_CODE = 1_800;

interface Cashback {
  enabled: boolean;
  trigger: 'on_order_place' | 'on_payment' | 'on_status';
  status: Status;
  /** Whole percent. */
  rate: number;
}
interface Referral {
  /** Whole major units. */
  reward: number;
  every: boolean;
}
type Step =
  | { do: 'cashback'; cashback: Cashback }
  | { do: 'referral'; referral: Referral }
  | { do: 'place'; shopper: 0 | 1; paid: boolean; code: boolean }
  | { do: 'move'; order: number; to: Status; how: 'set' | 'ship' | 'refund' };

const status = fc.constantFrom(...STATUSES);
const cashback: fc.Arbitrary<Cashback> = fc.record({
  enabled: fc.boolean(),
  trigger: fc.constantFrom('on_order_place', 'on_payment', 'on_status'),
  status,
  rate: fc.constantFrom(0, 5, 10),
});
const referral = fc.record({ reward: fc.constantFrom(0, 1, 3), every: fc.boolean() });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: cashback.map((cashback): Step => ({ do: 'cashback', cashback })) },
  { weight: 1, arbitrary: referral.map((referral): Step => ({ do: 'referral', referral })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ shopper: fc.constantFrom(0 as const, 1 as const), paid: fc.boolean(), code: fc.boolean() })
      .map((order): Step => ({ do: 'place', ...order })),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({
        order: fc.nat(3),
        to: status,
        how: fc.constantFrom('set' as const, 'set' as const, 'ship' as const, 'refund' as const),
      })
      .map((move): Step => ({ do: 'move', ...move })),
  },
);

/** A shop kept on paper: what each order has been through, and which rewards that must have brought. */
class Paper {
  cashback: Cashback = { enabled: false, trigger: 'on_payment', status: 'PENDING', rate: 0 };
  referral: Referral = { reward: 0, every: false };
  readonly orders: {
    id: number;
    shopper: number;
    cents: number;
    been: Status[];
    hasCashback: boolean;
    /** The referrer's reward; away while the order is cancelled, gone if another has it by then. */
    reward?: { every: boolean; isAway: boolean };
  }[] = [];
  readonly rewards: string[] = [];

  place(id: number, shopper: number, paid: boolean, code: boolean): void {
    const cents = code ? PRICE_WITH_CODE : PRICE;
    const order = { id, shopper, cents, been: [] as Status[], hasCashback: false };
    this.orders.push(order);
    this.enter(order, paid ? 'PROCESSING' : 'PENDING');
  }

  enter(order: (typeof this.orders)[number], to: Status): void {
    const isNew = order.been.length === 0;
    const isFirstTime = !order.been.includes(to);
    const isFirstPaid = PAID.includes(to) && order.been.every((status) => !PAID.includes(status));
    const isResumed = order.been.at(-1) === 'CANCELLED' && to !== 'CANCELLED';
    order.been.push(to);
    const isRewarded = this.orders.some(({ reward }) => reward && !reward.isAway);
    if (to === 'CANCELLED' && order.reward) order.reward.isAway = true;
    if (isResumed && order.reward?.isAway) {
      if (order.reward.every || !isRewarded) order.reward.isAway = false;
      else delete order.reward;
    }
    const { enabled, trigger, status, rate } = this.cashback;
    const due = { on_order_place: isNew, on_payment: isFirstPaid, on_status: isFirstTime && to === status }[
      trigger
    ];
    const cents = Math.floor((order.cents * rate) / 100);
    if (enabled && due && !order.hasCashback && cents > 0) {
      order.hasCashback = true;
      this.rewards.push(`cashback ${(cents / 100).toFixed(2)} to ${order.shopper} for ${order.id}`);
    }
    const { reward, every } = this.referral;
    if (isFirstPaid && order.shopper === 1 && reward > 0 && (every || !isRewarded)) {
      order.reward = { every, isAway: false };
      this.rewards.push(`referral_order ${reward.toFixed(2)} to 0 for ${order.id}`);
    }
  }
}

/** Shopper 1 came by a link of shopper 0. */
const SHOPPERS = ['500', '501'];

describe('what is the first time (docs/behaviour.md §6.3, §6.4)', () => {
  const app = useShop();

  async function open(): Promise<TestStore> {
    const store = await app.store();
    await store.product({ productId: 'thing', price: String(PRICE / 100) });
    await store.data('create_promocode', { code: 'TEN', discountType: 'PERCENTAGE', discountValue: 10 });
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: SHOPPERS[0] }));
    await store.inside((ctx) => app.nest.get(FirstContact).touch(ctx, { id: SHOPPERS[1] }, SHOPPERS[0]));
    return store;
  }

  async function take(store: TestStore, paper: Paper, step: Step): Promise<void> {
    if (step.do === 'cashback') {
      const { enabled, trigger, status, rate } = (paper.cashback = step.cashback);
      const levels = [{ minOrders: 0, maxOrders: null, cashbackPercentage: rate, levelName: 'All' }];
      const rest = { categoryRates: [], promotions: [], maxCashbackPerOrder: null };
      await store.data('update_monetization', {
        cashback: { enabled, levels, ...rest, cashbackTrigger: trigger, cashbackTriggerStatus: status },
      });
    } else if (step.do === 'referral') {
      const { reward, every } = (paper.referral = step.referral);
      const frequency = every ? 'every_order' : 'once';
      await store.data('update_monetization', {
        referral: { referralJoinBonus: 0, referrerOrderBonus: reward, referrerBonusFrequency: frequency },
      });
    } else if (step.do === 'place') {
      const { shopper, paid, code } = step;
      const order = { items: [{ productId: 'thing', quantity: 1 }], promocode: code ? 'TEN' : null };
      const { id } = await store.place(order, { id: SHOPPERS[shopper] }, paid);
      paper.place(id, shopper, paid, code);
    } else if (paper.orders.length > 0) {
      const order = paper.orders[step.order % paper.orders.length];
      const to = { set: step.to, ship: 'SHIPPED' as const, refund: 'CANCELLED' as const }[step.how];
      if (step.how === 'set') await store.data('set_order_status', { orderId: order.id, status: to });
      if (step.how === 'ship') await store.data('ship_order', { orderId: order.id, carrier: 'Post' });
      if (step.how === 'refund') await store.data('refund_order', { orderId: order.id });
      if (order.been[order.been.length - 1] !== to) paper.enter(order, to);
    }
  }

  it('rewards what the rules give at that moment: nothing else, nothing missed, each once', async () => {
    const seen = { cashback: 0, referral_order: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }), async (steps) => {
        const store = await open();
        const paper = new Paper();
        for (const step of steps) await take(store, paper, step);
        const rows = await app.query<any>(
          `select kind, delta, customer_id::text as customer, order_id from bonus_entries
           where store_id = $1 and kind in ('cashback', 'referral_order')`,
          [store.id],
        );
        const given = rows.map(
          ({ kind, delta, customer, order_id }) =>
            `${kind} ${delta} to ${SHOPPERS.indexOf(customer)} for ${order_id}`,
        );
        expect(given.sort()).toEqual(paper.rewards.sort());
        for (const { kind } of rows) seen[kind as keyof typeof seen]++;
      }),
      { numRuns: runs(40), seed: SEED },
    );
    expect(seen.cashback).toBeGreaterThan(runs(20));
    expect(seen.referral_order).toBeGreaterThan(runs(5));
  }, 180_000);
});
