import { Big } from 'big.js';
import { currencyExponent, percentOf } from '../../platform/money.js';
import { bonusDecimals } from './bonus-spending.js';

export type OrderStatus = 'PENDING' | 'PROCESSING' | 'SHIPPED' | 'DELIVERED' | 'CANCELLED';
export type CashbackTrigger = 'on_order_place' | 'on_payment' | 'on_status';

export interface CashbackLevel {
  minOrders: number;
  maxOrders: number | null;
  cashbackPercentage: number;
  levelName: string;
}

export interface CategoryRate {
  /** A category's id, slug or name. */
  categoryKey: string;
  cashbackPercentage: number;
}

export interface CashbackPromotion {
  id: string;
  label: string;
  /** First and last UTC day, YYYY-MM-DD, both inclusive; a null end is open. */
  startsAt: string;
  endsAt: string | null;
  mode: 'add' | 'override';
  cashbackPercentage: number;
  /** Major units; null is no cap. */
  maxCashbackPerOrder?: number | null;
  /** Default true. */
  enabled?: boolean;
}

/** The spec's `cashback` block of update_monetization. */
export interface CashbackBlock {
  enabled: boolean;
  description?: string | null;
  levels: CashbackLevel[];
  categoryRates: CategoryRate[];
  promotions: CashbackPromotion[];
  /** Major units; null is no cap. */
  maxCashbackPerOrder: number | null;
  cashbackTrigger: CashbackTrigger;
  cashbackTriggerStatus?: OrderStatus | null;
}

export interface CashbackItem {
  productId: string;
  /** Id, slug and name of the product's category, the one that counts first in front. */
  categoryKeys: string[];
  priceMinor: bigint;
  quantity: number;
}

/** One rule's share of the award for one item. */
export interface CashbackRule {
  productId: string;
  rule: 'promotion' | 'category' | 'level' | 'none';
  /** The promotion's id or the category key. */
  id: string | null;
  /** The promotion's label, the category key or the level's name. */
  label: string | null;
  /** What the rule gave, after the cut of an item's whole rate at 100. */
  percentage: number;
  /** Major units, unrounded: the rules' amounts add up to `earned`. */
  amount: string;
}

/** A limit that lowered the award. */
export interface CashbackCap {
  by: 'promotion' | 'order';
  /** The promotion's id; null for the block's own limit. */
  id: string | null;
  label: string | null;
  /** Major units. */
  limit: string;
}

/** What an order earns, and why. Amounts are decimal strings in major units. */
export interface CashbackAward {
  /** What is credited: `earned` after the caps, rounded down to the minor unit and to at most 2 decimals. */
  amount: string;
  /** The sum of the rules' amounts, before caps and rounding. */
  earned: string;
  rules: CashbackRule[];
  /** The caps that lowered the award, in the order they did. */
  caps: CashbackCap[];
}

export interface StatusTransition {
  event: 'placed' | 'status';
  from: OrderStatus | null;
  to: OrderStatus;
  /** Whether the order was paid at creation. */
  paid: boolean;
}

interface Rate {
  rule: CashbackRule['rule'];
  id: string | null;
  label: string | null;
  percentage: Big;
}

const PAID_STATUSES: readonly (OrderStatus | null)[] = ['PROCESSING', 'SHIPPED', 'DELIVERED'];
const FULL_RATE = new Big(100);

/**
 * The cashback of an order (docs/behaviour.md §6.3), or null when the block is off or the award comes to nothing.
 *
 * Where the contract leaves a choice:
 * - the day is the UTC day the order was placed, whenever the award is made;
 * - an override in force beats every add; of several overrides the highest percentage counts (the first listed of
 *   equals); adds all add to the category's or level's rate;
 * - of several category rates, the one of the item's earliest category key; of several levels, the highest minOrders;
 * - a promotion touches every item, so its cap limits the whole award; of several adds each one's cap does;
 * - rounding is done once, last, so that no cap is passed and no item loses a fraction of its own.
 * Throws UnknownCurrency.
 */
export function cashbackFor(
  order: { items: CashbackItem[]; placedAt: Date },
  customer: { earlierOrders: number },
  block: CashbackBlock,
  currency: string,
): CashbackAward | null {
  if (!block.enabled) return null;
  const promotions = promotionsFor(order.placedAt, block.promotions);
  const minorUnit = new Big(`1e-${currencyExponent(currency)}`);
  const rules = order.items.flatMap((item) =>
    ratesFor(item, customer.earlierOrders, block, promotions).map((rate) => ruleOf(item, rate, minorUnit)),
  );
  const earned = rules.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
  const { capped, caps } = applyCaps(earned, promotions, block.maxCashbackPerOrder);
  const amount = capped.round(bonusDecimals(currency), Big.roundDown);
  if (amount.lte(0)) return null;
  return { amount: amount.toFixed(bonusDecimals(currency)), earned: earned.toFixed(), rules, caps };
}

/**
 * Whether this change of the order is the one that the block's trigger waits for (docs/behaviour.md §6.3). An order that
 * leaves a status and comes back answers true again: that it is awarded once is for the ledger's unique key to keep.
 * `on_status` without a status awards nothing.
 */
export function shouldAward(
  trigger: CashbackTrigger,
  triggerStatus: OrderStatus | null | undefined,
  transition: StatusTransition,
): boolean {
  const placed = transition.event === 'placed';
  switch (trigger) {
    case 'on_order_place':
      return placed;
    case 'on_payment':
      if (placed) return transition.paid || PAID_STATUSES.includes(transition.to);
      return PAID_STATUSES.includes(transition.to) && !PAID_STATUSES.includes(transition.from);
    case 'on_status':
      return transition.to === triggerStatus && (placed || transition.from !== transition.to);
  }
}

/** The promotions that count on the order's day: the one override that wins, else all adds. */
function promotionsFor(placedAt: Date, promotions: CashbackPromotion[]): CashbackPromotion[] {
  const day = placedAt.toISOString().slice(0, 10);
  const inForce = promotions.filter(
    ({ enabled, startsAt, endsAt }) => enabled !== false && startsAt <= day && (endsAt === null || day <= endsAt),
  );
  const overrides = inForce.filter(({ mode }) => mode === 'override');
  if (overrides.length === 0) return inForce;
  return [overrides.reduce((best, next) => (next.cashbackPercentage > best.cashbackPercentage ? next : best))];
}

/** The rates that make up an item's own, together at most 100; the later ones give way. */
function ratesFor(item: CashbackItem, earlierOrders: number, block: CashbackBlock, promotions: CashbackPromotion[]): Rate[] {
  const promoted = promotions.map(({ id, label, cashbackPercentage }): Rate => ({
    rule: 'promotion',
    id,
    label,
    percentage: new Big(cashbackPercentage),
  }));
  const overridden = promotions.some(({ mode }) => mode === 'override');
  const base = overridden ? null : (categoryRate(item, block) ?? levelRate(earlierOrders, block));
  const rates = base ? [base, ...promoted] : promoted;
  if (rates.length === 0) return [{ rule: 'none', id: null, label: null, percentage: new Big(0) }];
  let room = FULL_RATE;
  return rates.map((rate) => {
    const percentage = rate.percentage.lt(room) ? rate.percentage : room;
    room = room.minus(percentage);
    return { ...rate, percentage };
  });
}

function categoryRate(item: CashbackItem, block: CashbackBlock): Rate | null {
  for (const key of item.categoryKeys) {
    const found = block.categoryRates.find(({ categoryKey }) => categoryKey === key);
    if (found) return { rule: 'category', id: key, label: key, percentage: new Big(found.cashbackPercentage) };
  }
  return null;
}

function levelRate(earlierOrders: number, block: CashbackBlock): Rate | null {
  const reached = block.levels.filter(
    ({ minOrders, maxOrders }) => minOrders <= earlierOrders && (maxOrders === null || earlierOrders <= maxOrders),
  );
  if (reached.length === 0) return null;
  const level = reached.reduce((best, next) => (next.minOrders > best.minOrders ? next : best));
  return { rule: 'level', id: null, label: level.levelName, percentage: new Big(level.cashbackPercentage) };
}

function ruleOf(item: CashbackItem, { rule, id, label, percentage }: Rate, minorUnit: Big): CashbackRule {
  const minor = percentOf(item.priceMinor * BigInt(item.quantity), percentage.toFixed());
  return {
    productId: item.productId,
    rule,
    id,
    label,
    percentage: percentage.toNumber(),
    amount: minor.times(minorUnit).toFixed(),
  };
}

function applyCaps(earned: Big, promotions: CashbackPromotion[], orderLimit: number | null) {
  const limits = [
    ...promotions.map(({ id, label, maxCashbackPerOrder }) => ({
      by: 'promotion' as const,
      id,
      label,
      limit: maxCashbackPerOrder,
    })),
    { by: 'order' as const, id: null, label: null, limit: orderLimit },
  ];
  const caps: CashbackCap[] = [];
  let capped = earned;
  for (const { limit, ...source } of limits) {
    if (limit === null || limit === undefined || capped.lte(limit)) continue;
    capped = new Big(limit);
    caps.push({ ...source, limit: capped.toFixed() });
  }
  return { capped, caps };
}
