import { Big } from 'big.js';
import { currencyExponent, percentOf } from '../../platform/money.js';
import { bonusDecimals } from './bonus-spending.js';
import type { OrderStatus } from '../order-status.js';

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
  /** What was paid for the whole line, in minor units: its price less its share of what promocode and bonus paid (paidForLines). */
  paidMinor: bigint;
}

/** One rule's share of the award for one item. */
export interface CashbackRule {
  productId: string;
  rule: 'promotion' | 'category' | 'level' | 'none';
  /** The promotion's id or the category key. */
  id: string | null;
  /** The promotion's label, the category key or the level's name. */
  label: string | null;
  /** What was paid for the item, in major units. */
  paid: string;
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

/** An order that was placed in a status, or goes into another one. */
export interface StatusEntry {
  event: 'placed' | 'status';
  to: OrderStatus;
  /** Every status the order has had until then. */
  before: readonly OrderStatus[];
}

interface Rate {
  rule: CashbackRule['rule'];
  id: string | null;
  label: string | null;
  percentage: Big;
  promotion?: CashbackPromotion;
}

const PAID_STATUSES: readonly OrderStatus[] = ['PROCESSING', 'SHIPPED', 'DELIVERED'];
const FULL_RATE = new Big(100);

/**
 * The cashback of an order (docs/behaviour.md §6.3), or null when the block is off or the award comes to nothing.
 *
 * Where the contract leaves a choice:
 * - the day is the UTC day the order was placed, whenever the award is made;
 * - an override in force beats every add; of several overrides the highest percentage counts (the first listed of
 *   equals); adds all add to the category's or level's rate;
 * - of several category rates, the one of the item's earliest category key; of several levels, the highest minOrders;
 * - a promotion's cap limits what that promotion gives over all items, and nothing else;
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
  const shares = order.items.flatMap((item) =>
    ratesFor(item, customer.earlierOrders, block, promotions).map((rate) => shareOf(item, rate, minorUnit)),
  );
  const earned = shares.reduce((sum, { share }) => sum.plus(share), new Big(0));
  const { capped, caps } = applyCaps(shares, promotions, block.maxCashbackPerOrder);
  const amount = capped.round(bonusDecimals(currency), Big.roundDown);
  if (amount.lte(0)) return null;
  return {
    amount: amount.toFixed(bonusDecimals(currency)),
    earned: earned.toFixed(),
    rules: shares.map(({ rule }) => rule),
    caps,
  };
}

/**
 * Whether this is what the block's trigger waits for: the order was placed, is paid for the first time, or enters the status for the
 * first time (docs/behaviour.md §6.3). What it was before counts, whatever the configuration was then. `on_status` without a status
 * awards nothing.
 */
export function shouldAward(
  trigger: CashbackTrigger,
  triggerStatus: OrderStatus | null | undefined,
  { event, to, before }: StatusEntry,
): boolean {
  switch (trigger) {
    case 'on_order_place':
      return event === 'placed';
    case 'on_payment':
      return PAID_STATUSES.includes(to) && !before.some((status) => PAID_STATUSES.includes(status));
    case 'on_status':
      return to === triggerStatus && !before.includes(to);
  }
}

/**
 * What was paid for each line, in minor units: its price less its share of the reduction, which promocode and bonus paid. Shares go
 * by the lines' prices and add up to the reduction exactly: each is rounded down, and the minor units left over go, one each, to the
 * lines whose shares were cut most, of equals to the first. A reduction beyond the lines' sum leaves nothing of any.
 */
export function paidForLines(prices: readonly bigint[], reduction: bigint): bigint[] {
  const total = prices.reduce((sum, price) => sum + price, 0n);
  if (reduction <= 0n) return [...prices];
  if (reduction >= total) return prices.map(() => 0n);
  const shares = prices.map((price, line) => ({ line, share: (reduction * price) / total, cut: (reduction * price) % total }));
  let left = Number(reduction - shares.reduce((sum, { share }) => sum + share, 0n));
  const byCut = [...shares].sort((a, b) => (a.cut === b.cut ? a.line - b.line : a.cut < b.cut ? 1 : -1));
  for (const share of byCut) if (left-- > 0) share.share += 1n;
  return prices.map((price, line) => price - shares[line].share);
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
  const promoted = promotions.map((promotion): Rate => {
    const { id, label, cashbackPercentage } = promotion;
    return { rule: 'promotion', id, label, percentage: new Big(cashbackPercentage), promotion };
  });
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

interface Share {
  rule: CashbackRule;
  /** Major units, unrounded. */
  share: Big;
  promotion?: CashbackPromotion;
}

function shareOf(item: CashbackItem, { rule, id, label, percentage, promotion }: Rate, minorUnit: Big): Share {
  const share = percentOf(item.paidMinor, percentage.toFixed()).times(minorUnit);
  const paid = new Big(item.paidMinor.toString()).times(minorUnit).toFixed();
  const explained = {
    productId: item.productId,
    rule,
    id,
    label,
    paid,
    percentage: percentage.toNumber(),
    amount: share.toFixed(),
  };
  return { rule: explained, share, promotion };
}

/** A promotion's cap lowers what that promotion gives, the block's own the sum of all. */
function applyCaps(shares: Share[], promotions: CashbackPromotion[], orderLimit: number | null) {
  const sum = (given: Share[]) => given.reduce((total, { share }) => total.plus(share), new Big(0));
  const caps: CashbackCap[] = [];
  let capped = sum(shares.filter(({ promotion }) => !promotion));
  for (const promotion of promotions) {
    const part = sum(shares.filter((share) => share.promotion === promotion));
    const { id, label, maxCashbackPerOrder: limit } = promotion;
    const isCapped = limit !== null && limit !== undefined && part.gt(limit);
    if (isCapped) caps.push({ by: 'promotion', id, label, limit: new Big(limit).toFixed() });
    capped = capped.plus(isCapped ? limit : part);
  }
  if (orderLimit !== null && capped.gt(orderLimit)) {
    caps.push({ by: 'order', id: null, label: null, limit: new Big(orderLimit).toFixed() });
    capped = new Big(orderLimit);
  }
  return { capped, caps };
}
