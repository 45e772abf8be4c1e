import { Big } from 'big.js';
import { toMajor, toMinor } from '../../platform/money.js';
import type { Actor } from '../../platform/store/principal.js';
import { adjustmentSum, applyAdjustments, evaluateCheckout } from '../../groups/checkout/checkout-rules.js';
import { cashbackFor, paidForLines, shouldAward } from '../../groups/monetization/cashback.js';
import { maxSpendable } from '../../groups/monetization/bonus-spending.js';
import type { OrderStatus } from '../../groups/order-status.js';
import { type Cancellation, pricingOf } from '../../groups/orders/placing/stored-pricing.js';
import { type OrderPrice, priceSteps } from '../../groups/orders/placing/order-pricing.service.js';
import { discountMinor, unusableReason } from '../../groups/promocodes/discount.js';
import type { AppliedPromocode } from '../../groups/promocodes/promocode-use.service.js';
import type { Configuration } from './configuration.js';
import { Ledger } from './ledger.js';
import { HOUR, type Past } from './past.js';
import type { DemoCustomer } from './people.js';
import type { PlannedOrder, Step } from './shopping.js';

/** The actors in the demo store. */
export interface Actors {
  owner: Actor;
  warehouse: Actor;
  messenger: Actor;
}

/** The present state of an order. Its number is known only after it has been written. */
export interface PastOrder extends PlannedOrder {
  price: OrderPrice;
  status: OrderStatus;
  entered: OrderStatus[];
  cancellation: Cancellation | null;
  tracking: NonNullable<Step['tracking']>;
  updatedAt: number;
}

/** An event of the webhook, with the state of the order at that moment. */
interface PastEvent {
  order: number;
  event: 'order.created' | 'order.updated';
  at: number;
  status: OrderStatus;
  hasTracking: boolean;
}

const BEFORE_SHIPPING: readonly OrderStatus[] = ['PENDING', 'PROCESSING'];
const LEAST_SPENT = 100n;
/** Adjustments of bonus: place in the list of customers, hours ago, amount, reason. */
const ADJUSTMENTS: readonly (readonly [number, number, string, string])[] = [
  [1, 70 * 24, '10', 'For the photo of the month'],
  [4, 41 * 24, '5', 'Parcel was late'],
  [1, 30 * 24, '-3', 'Entered twice by mistake'],
  [9, 12 * 24, '7.5', 'Birthday'],
  [0, 30, '15', 'Thank you for five years'],
];

/**
 * Simulates the history of the shop, in the order of time and with the rules of the service for prices,
 * promocodes, bonus, cashback, referrals and cancelling. The result is then written as rows.
 */
export class History {
  readonly orders: PastOrder[] = [];
  readonly events: PastEvent[] = [];
  readonly ledger = new Ledger();
  /** The number of uses of each promocode, by its id. */
  readonly uses = new Map<string, number>();

  constructor(
    private readonly past: Past,
    private readonly rules: Configuration,
    private readonly actors: Actors,
  ) {}

  play(planned: PlannedOrder[], customers: DemoCustomer[]): void {
    const actions = [
      ...customers.map((customer) => ({ at: customer.joinedAt, run: () => this.join(customer) })),
      ...ADJUSTMENTS.map(([place, hours, delta, reason]) => {
        const at = this.past.ago(hours * HOUR);
        return { at, run: () => this.adjust(at, customers[place], new Big(delta), reason) };
      }),
      ...planned.map((order, i) => ({ at: order.placedAt, run: () => this.place(order, i) })),
      ...planned.flatMap((order, i) =>
        order.steps.map((step) => ({ at: step.at, run: () => this.step(i, step) })),
      ),
    ];
    actions.sort((a, b) => a.at - b.at);
    for (const { run } of actions) run();
  }

  private join({ id, joinedAt, referrer, firstName }: DemoCustomer): void {
    if (!referrer) return;
    const { referralJoinBonus } = this.rules.monetization.referral;
    const rules = { referrerId: referrer.id, referralJoinBonus };
    this.ledger.post(joinedAt, new Big(referralJoinBonus), {
      customerId: id,
      kind: 'referral_join',
      rules,
      by: firstName,
    });
  }

  private adjust(at: number, { id }: DemoCustomer, wanted: Big, reason: string): void {
    const before = this.ledger.balance(id);
    const delta = before.plus(wanted).lt(0) ? before.times(-1) : wanted;
    const { owner } = this.actors;
    this.ledger.post(at, delta, { customerId: id, kind: 'adjustment', reason, by: owner.name });
    const changes: Record<string, [unknown, unknown]> = {
      bonusBalance: [before.toFixed(2), before.plus(delta).toFixed(2)],
    };
    const input = { customerId: id, delta: delta.toNumber(), reason };
    this.past.note({
      at,
      operation: 'adjust_bonus',
      transport: 'dashboard',
      actor: owner,
      target: `customer:${id}`,
      input,
      changes,
    });
  }

  private place(planned: PlannedOrder, i: number): void {
    const { customer, placedAt: at } = planned;
    const price = this.priceOf(planned);
    const { currency } = this.past.ctx;
    this.orders[i] = {
      ...planned,
      price,
      status: 'PENDING',
      entered: ['PENDING'],
      cancellation: null,
      tracking: {},
      updatedAt: at,
    };
    if (price.promocode) this.use(price.promocode.promocodeId, 1);
    const spent = new Big(toMajor(price.bonus, currency)).times(-1);
    this.ledger.post(at, spent, { customerId: customer.id, kind: 'spend', order: i, by: customer.firstName });
    this.events.push({ order: i, event: 'order.created', at, status: 'PENDING', hasTracking: false });
    const actor: Actor = { kind: 'shopper', id: customer.id, name: customer.firstName };
    const changes = priceSteps(price);
    this.past.note({
      at,
      operation: 'order.place',
      transport: 'http',
      actor,
      target: { order: i },
      input: {},
      changes,
    });
  }

  private priceOf({
    customer,
    placedAt,
    lines,
    answers,
    promocode: code,
    spendsBonus,
    tip,
  }: PlannedOrder): OrderPrice {
    const { currency } = this.past.ctx;
    const { fields } = this.rules.checkout;
    const { bonus: block } = this.rules.monetization;
    const subtotal = sum(
      lines.map(({ goods, quantity }) => toMinor(goods.price, currency) * BigInt(quantity)),
    );
    const adjustment = adjustmentSum(evaluateCheckout(fields, answers).adjustments, currency);
    const adjusted = applyAdjustments(subtotal, adjustment);
    const promocode = code === null ? null : this.apply(code, placedAt, adjusted);
    const discounted = adjusted - (promocode?.discountMinor ?? 0n);
    const balance = this.ledger.balance(customer.id).toFixed(2);
    const most = spendsBonus ? maxSpendable(discounted, balance, block, promocode !== null, currency) : 0n;
    const bonus = most < LEAST_SPENT ? 0n : most;
    return {
      subtotal,
      adjustment,
      adjusted,
      promocode,
      bonus,
      tip: BigInt(tip ?? 0),
      total: discounted - bonus + BigInt(tip ?? 0),
    };
  }

  /** Applies a promocode; null if it can no longer be used, so that the order is placed without it. */
  private apply(code: string, at: number, adjusted: bigint): AppliedPromocode | null {
    const promocode = this.rules.promocodes.find((known) => known.code === code)!;
    const usedCount = this.uses.get(promocode.id) ?? 0;
    const { isActive, expiresAt, discountType, discountValue, id: promocodeId } = promocode;
    const maxUses =
      promocode.maxUses === null || promocode.maxUses === undefined ? null : Number(promocode.maxUses);
    if (unusableReason({ isActive, expiresAt: expiresAt ?? null, maxUses, usedCount }, new Date(at)) !== null)
      return null;
    const off = discountMinor({ discountType, discountValue }, adjusted, this.past.ctx.currency);
    return { discountMinor: off, promocodeId, code, discountType, discountValue };
  }

  private use(promocodeId: string, by: number): void {
    this.uses.set(promocodeId, (this.uses.get(promocodeId) ?? 0) + by);
  }

  private step(i: number, step: Step): void {
    const order = this.orders[i];
    const actor = this.actors[step.by];
    const before = order.status;
    const tracked = Object.entries(step.tracking ?? {}).map(([name, value]) => [name, [null, value]]);
    const changes: Record<string, [unknown, unknown]> = {
      status: [before, step.status],
      ...Object.fromEntries(tracked),
    };
    order.status = step.status;
    order.updatedAt = step.at;
    order.tracking = { ...order.tracking, ...step.tracking };
    if (step.status === 'CANCELLED') Object.assign(changes, this.cancel(i, step.at, actor));
    this.reward(i, step, actor);
    order.entered = order.entered.includes(step.status) ? order.entered : [...order.entered, step.status];
    const hasTracking = Object.keys(order.tracking).length > 0;
    this.events.push({ order: i, event: 'order.updated', at: step.at, status: step.status, hasTracking });
    this.past.note({ at: step.at, actor, target: { order: i }, changes, ...callOf(step, order) });
  }

  private cancel(i: number, at: number, { name: by }: Actor): Record<string, [unknown, unknown]> {
    const order = this.orders[i];
    const { id: customerId } = order.customer;
    const reason = 'the order was cancelled';
    const bonus = this.ledger.sumOf(i, ['spend', 'refund']).times(-1);
    this.ledger.post(at, bonus, { customerId, kind: 'refund', order: i, reason, by });
    const earned = this.ledger.sumOf(i, ['cashback', 'cashback_reversal']);
    const balance = this.ledger.balance(customerId);
    const cashback = earned.lt(balance) ? earned : balance;
    this.ledger.post(at, cashback.times(-1), { customerId, kind: 'cashback_reversal', order: i, reason, by });
    const isHere = order.entered.every((status) => BEFORE_SHIPPING.includes(status));
    const stock = order.lines.flatMap(({ goods, quantity }, line): [number, number][] =>
      isHere && goods.isTracked ? [[line + 1, quantity]] : [],
    );
    const { promocode } = order.price;
    if (promocode) this.use(promocode.promocodeId, -1);
    const isEmpty = stock.length === 0 && !promocode && bonus.eq(0) && cashback.eq(0);
    const returned = {
      stock,
      promocodeUse: promocode !== null,
      bonus: bonus.toFixed(2),
      cashback: cashback.toFixed(2),
    };
    order.cancellation = isEmpty ? null : returned;
    const pieces = stock.map(([line, quantity]) => ({
      productId: order.lines[line - 1].goods.product.productId,
      quantity,
    }));
    const givenBack = {
      ...(pieces.length > 0 ? { stock: pieces } : {}),
      ...(promocode ? { promocode: promocode.code } : {}),
      ...(bonus.gt(0) ? { bonus: bonus.toFixed(2) } : {}),
    };
    return {
      ...(Object.keys(givenBack).length > 0 ? { givenBack: [null, givenBack] } : {}),
      ...(cashback.gt(0) ? { takenBack: [null, { cashback: cashback.toFixed(2) }] } : {}),
    };
  }

  private reward(i: number, { at, status: to }: Step, { name: by }: Actor): void {
    const { cashback, referral } = this.rules.monetization;
    const { customer, entered: before } = this.orders[i];
    const change = { event: 'status', before, to } as const;
    if (shouldAward(cashback.cashbackTrigger, cashback.cashbackTriggerStatus, change))
      this.awardCashback(i, at, by);
    if (!customer.referrer || !shouldAward('on_payment', null, change)) return;
    const isRewarded = this.ledger.entries.some(
      ({ kind, referredId }) => kind === 'referral_order' && referredId === customer.id,
    );
    if (isRewarded) return;
    const rules = { referredId: customer.id, ...referral };
    const delta = new Big(referral.referrerOrderBonus);
    const posting = {
      customerId: customer.referrer.id,
      kind: 'referral_order',
      order: i,
      referredId: customer.id,
      rules,
      by,
    } as const;
    this.ledger.post(at, delta, posting);
  }

  private awardCashback(i: number, at: number, by: string): void {
    const { customer, lines, price, placedAt } = this.orders[i];
    const { currency } = this.past.ctx;
    const block = { ...this.rules.monetization.cashback };
    const prices = lines.map(({ goods, quantity }) => toMinor(goods.price, currency) * BigInt(quantity));
    const paid = paidForLines(prices, (price.promocode?.discountMinor ?? 0n) + price.bonus);
    const items = lines.map(({ goods }, line) => ({
      productId: goods.product.productId,
      paidMinor: paid[line],
      categoryKeys: categoryKeysOf(goods),
    }));
    const earlierOrders = this.orders
      .slice(0, i)
      .filter((order) => order.customer === customer && order.status !== 'CANCELLED').length;
    const earned = cashbackFor({ items, placedAt: new Date(placedAt) }, { earlierOrders }, block, currency);
    if (!earned) return;
    const { amount, ...why } = earned;
    const rules = {
      trigger: block.cashbackTrigger,
      triggerStatus: block.cashbackTriggerStatus,
      earlierOrders,
      ...why,
    };
    this.ledger.post(at, new Big(amount), { customerId: customer.id, kind: 'cashback', order: i, rules, by });
  }
}

/** The keys by which a category rate of the cashback can match the product. */
export const categoryKeysOf = ({ category: { id, slug, name } }: PlannedOrder['lines'][number]['goods']) => [
  id,
  slug,
  name,
  name,
];

export const pricingText = ({ price }: PastOrder) => JSON.stringify(pricingOf(price));

/** The operation of a step, for the audit log. */
function callOf({ by, status, tracking, refundReason: reason }: Step, { price }: PastOrder) {
  const amount = Number(price.total);
  if (by === 'messenger')
    return { operation: 'payment.receive', transport: 'http', input: { currency: 'USD', amount } };
  const transport = by === 'warehouse' ? 'http' : 'dashboard';
  if (reason) return { operation: 'refund_order', transport, input: { amount, reason } };
  if (tracking) return { operation: 'ship_order', transport, input: tracking };
  return { operation: 'set_order_status', transport, input: { status } };
}

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
