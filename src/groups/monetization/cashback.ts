import { Big } from 'big.js';
import { currencyExponent } from '../../platform/money.js';
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
  /** The sum of all rules' amounts, before caps and rounding. */
  earned: string;
  /** The first of them: 200 lines by 100 promotions would be a megabyte of each award. */
  rules: CashbackRule[];
  /** How many more there were; absent where that is none. */
  moreRules?: number;
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
  /** A whole number of the block's places. */
  percentage: bigint;
  promotion?: CashbackPromotion;
}

const PAID_STATUSES: readonly OrderStatus[] = ['PROCESSING', 'SHIPPED', 'DELIVERED'];
const KEPT_RULES = 50;

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
  const exponent = currencyExponent(currency);
  const rates = new Rates(block, promotions, customer.earlierOrders, exponent);
  /** A share is paid minor units by a percentage, so a whole number of so many places of the major unit. */
  const places = rates.places + 2 + exponent;
  const shares = new Map<CashbackPromotion | undefined, bigint>();
  const rules: CashbackRule[] = [];
  let moreRules = 0;
  for (const item of order.items) {
    for (const rate of rates.of(item)) {
      const share = item.paidMinor * rate.percentage;
      shares.set(rate.promotion, (shares.get(rate.promotion) ?? 0n) + share);
      if (rules.length < KEPT_RULES) rules.push(ruleOf(item, rate, share, { places, exponent }));
      else moreRules++;
    }
  }
  const { capped, caps } = applyCaps(shares, promotions, block.maxCashbackPerOrder, places);
  const amount = decimal(capped, places).round(bonusDecimals(currency), Big.roundDown);
  if (amount.lte(0)) return null;
  const earned = [...shares.values()].reduce((sum, share) => sum + share, 0n);
  return {
    amount: amount.toFixed(bonusDecimals(currency)),
    earned: decimal(earned, places).toFixed(),
    rules,
    ...(moreRules > 0 ? { moreRules } : {}),
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

/**
 * The rates of a block for one order, as whole numbers of as many places as any of them or of the limits has: of two hundred lines and a
 * hundred promotions there are twenty thousand shares, which decimals of their own would take seconds to add up.
 */
class Rates {
  /** Of a percentage. */
  readonly places: number;
  private readonly promoted: Rate[];
  private readonly full: bigint;
  private readonly isOverridden: boolean;

  constructor(
    private readonly block: CashbackBlock,
    promotions: CashbackPromotion[],
    private readonly earlierOrders: number,
    exponent: number,
  ) {
    const percentages = [...block.levels, ...block.categoryRates, ...promotions].map((rate) =>
      decimalsOf(rate.cashbackPercentage),
    );
    const limits = [block, ...promotions].map(({ maxCashbackPerOrder }) => decimalsOf(maxCashbackPerOrder ?? 0) - 2 - exponent);
    this.places = Math.max(0, ...percentages, ...limits);
    this.full = whole(100, this.places);
    this.isOverridden = promotions.some(({ mode }) => mode === 'override');
    this.promoted = promotions.map((promotion) => {
      const { id, label, cashbackPercentage } = promotion;
      return { ...this.rate('promotion', id, label, cashbackPercentage), promotion };
    });
  }

  /** What makes up an item's own rate, together at most 100; the later ones give way. */
  of(item: CashbackItem): Rate[] {
    const base = this.isOverridden ? null : (this.ofCategory(item) ?? this.ofLevel());
    const rates = base ? [base, ...this.promoted] : this.promoted;
    if (rates.length === 0) return [this.rate('none', null, null, 0)];
    let room = this.full;
    return rates.map((rate) => {
      const percentage = rate.percentage < room ? rate.percentage : room;
      room -= percentage;
      return { ...rate, percentage };
    });
  }

  private ofCategory(item: CashbackItem): Rate | null {
    for (const key of item.categoryKeys) {
      const found = this.block.categoryRates.find(({ categoryKey }) => categoryKey === key);
      if (found) return this.rate('category', key, key, found.cashbackPercentage);
    }
    return null;
  }

  private ofLevel(): Rate | null {
    const reached = this.block.levels.filter(
      ({ minOrders, maxOrders }) => minOrders <= this.earlierOrders && (maxOrders === null || this.earlierOrders <= maxOrders),
    );
    if (reached.length === 0) return null;
    const level = reached.reduce((best, next) => (next.minOrders > best.minOrders ? next : best));
    return this.rate('level', null, level.levelName, level.cashbackPercentage);
  }

  private rate(rule: Rate['rule'], id: string | null, label: string | null, percentage: number): Rate {
    return { rule, id, label, percentage: whole(percentage, this.places) };
  }
}

/** What one rate gave for one item, for people. @param places of the share; those of the percentage are two and the exponent fewer */
function ruleOf(
  { productId, paidMinor }: CashbackItem,
  { rule, id, label, percentage }: Rate,
  share: bigint,
  { places, exponent }: { places: number; exponent: number },
): CashbackRule {
  return {
    productId,
    rule,
    id,
    label,
    paid: decimal(paidMinor, exponent).toFixed(),
    percentage: decimal(percentage, places - 2 - exponent).toNumber(),
    amount: decimal(share, places).toFixed(),
  };
}

/** A promotion's cap lowers what that promotion gives, the block's own the sum of all. Shares and the sum have so many places. */
function applyCaps(
  shares: ReadonlyMap<CashbackPromotion | undefined, bigint>,
  promotions: CashbackPromotion[],
  orderLimit: number | null,
  places: number,
) {
  const caps: CashbackCap[] = [];
  let capped = shares.get(undefined) ?? 0n;
  for (const promotion of promotions) {
    const part = shares.get(promotion) ?? 0n;
    const { id, label, maxCashbackPerOrder: limit } = promotion;
    const isCapped = limit !== null && limit !== undefined && part > whole(limit, places);
    if (isCapped) caps.push({ by: 'promotion', id, label, limit: new Big(limit).toFixed() });
    capped += isCapped ? whole(limit, places) : part;
  }
  if (orderLimit !== null && capped > whole(orderLimit, places)) {
    caps.push({ by: 'order', id: null, label: null, limit: new Big(orderLimit).toFixed() });
    capped = whole(orderLimit, places);
  }
  return { capped, caps };
}

/** How many decimals the shortest decimal form of a number has. */
function decimalsOf(value: number): number {
  const { c, e } = new Big(value);
  return Math.max(0, c.length - 1 - e);
}

/** A number of at most so many decimals, as a whole number of them. */
const whole = (value: number, places: number) => BigInt(new Big(value).times(`1e${places}`).toFixed(0));
const decimal = (value: bigint, places: number) => new Big(value.toString()).times(`1e-${places}`);
