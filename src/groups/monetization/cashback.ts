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
  /**
   * The first and the last UTC day as YYYY-MM-DD, both inclusive; null means that the promotion does not end.
   */
  startsAt: string;
  endsAt: string | null;
  mode: 'add' | 'override';
  cashbackPercentage: number;
  /** In major units; null means no cap. */
  maxCashbackPerOrder?: number | null;
  /** The default is true. */
  enabled?: boolean;
}

/** The spec's `cashback` block of update_monetization. */
export interface CashbackBlock {
  enabled: boolean;
  description?: string | null;
  levels: CashbackLevel[];
  categoryRates: CategoryRate[];
  promotions: CashbackPromotion[];
  /** In major units; null means no cap. */
  maxCashbackPerOrder: number | null;
  cashbackTrigger: CashbackTrigger;
  cashbackTriggerStatus?: OrderStatus | null;
}

export interface CashbackItem {
  productId: string;
  /** The id, slug and name of the product's category. The first one that has a rate is used. */
  categoryKeys: string[];
  /**
   * The amount paid for the whole line, in minor units: its price minus its share of the promocode and the
   * bonus (paidForLines).
   */
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
  /** The amount paid for the item, in major units. */
  paid: string;
  /** The percentage that the rule gave, after the total rate of the item was limited to 100. */
  percentage: number;
  /** In major units, unrounded: the amounts of all rules add up to `earned`. */
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

/** The cashback of an order, and its explanation. Amounts are decimal strings in major units. */
export interface CashbackAward {
  /**
   * The credited amount: `earned` after the caps, rounded down to the minor unit and to at most 2 decimals.
   */
  amount: string;
  /** The sum of the amounts of all rules, before caps and rounding. */
  earned: string;
  /** Only the first rules, because 200 lines with 100 promotions would take a megabyte in each award. */
  rules: CashbackRule[];
  /** The number of further rules; absent if there are none. */
  moreRules?: number;
  /** The caps that lowered the award, in the order in which they were applied. */
  caps: CashbackCap[];
}

/** The placing of an order in a status, or its change to another status. */
export interface StatusEntry {
  event: 'placed' | 'status';
  to: OrderStatus;
  /** Every status that the order has had before. */
  before: readonly OrderStatus[];
}

interface Rate {
  rule: CashbackRule['rule'];
  id: string | null;
  label: string | null;
  /** The percentage as an integer with `Rates.places` decimal places. */
  percentage: bigint;
  promotion?: CashbackPromotion;
}

const PAID_STATUSES: readonly OrderStatus[] = ['PROCESSING', 'SHIPPED', 'DELIVERED'];
const KEPT_RULES = 50;

/**
 * The cashback of an order (docs/behaviour.md §6.3), or null if the block is off or the award is zero.
 *
 * The contract leaves these choices to us:
 * - the day is the UTC day on which the order was placed, whenever the award is made;
 * - an override in force replaces all adds and the rate of the category or level; of several overrides the
 *   one with the highest percentage is used (of equal ones, the first listed); without an override, all adds
 *   are added to the rate of the category or level;
 * - of several category rates, the one of the item's earliest category key is used; of several levels, the
 *   one with the highest minOrders;
 * - the cap of a promotion limits what that promotion gives for all items together, and nothing else;
 * - the amount is rounded once, at the end, so that no cap is exceeded and no fractions are lost item by
 *   item. Throws UnknownCurrency.
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
  /**
   * A share is minor units times a percentage, so it is an integer with this many decimal places of the major
   * unit.
   */
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
 * Whether the block's trigger has happened: the order was placed, is paid for the first time, or enters the
 * status for the first time (docs/behaviour.md §6.3). Earlier statuses count, whatever the configuration was
 * then. `on_status` without a status never awards.
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
 * The amount paid for each line, in minor units: its price minus its share of the reduction by promocode and
 * bonus. Shares are proportional to the prices of the lines and add up exactly to the reduction. Each is
 * rounded down, and the remaining minor units go, one each, to the lines that lost most by rounding (of equal
 * ones, to the first). If the reduction exceeds the sum of the lines, every line is 0.
 */
export function paidForLines(prices: readonly bigint[], reduction: bigint): bigint[] {
  const total = prices.reduce((sum, price) => sum + price, 0n);
  if (reduction <= 0n) return [...prices];
  if (reduction >= total) return prices.map(() => 0n);
  const shares = prices.map((price, line) => ({
    line,
    share: (reduction * price) / total,
    cut: (reduction * price) % total,
  }));
  let left = Number(reduction - shares.reduce((sum, { share }) => sum + share, 0n));
  const byCut = [...shares].sort((a, b) => (a.cut === b.cut ? a.line - b.line : a.cut < b.cut ? 1 : -1));
  for (const share of byCut) if (left-- > 0) share.share += 1n;
  return prices.map((price, line) => price - shares[line].share);
}

/** The promotions that apply on the day of the order: the winning override, or else all adds. */
function promotionsFor(placedAt: Date, promotions: CashbackPromotion[]): CashbackPromotion[] {
  const day = placedAt.toISOString().slice(0, 10);
  const inForce = promotions.filter(
    ({ enabled, startsAt, endsAt }) =>
      enabled !== false && startsAt <= day && (endsAt === null || day <= endsAt),
  );
  const overrides = inForce.filter(({ mode }) => mode === 'override');
  if (overrides.length === 0) return inForce;
  return [
    overrides.reduce((best, next) => (next.cashbackPercentage > best.cashbackPercentage ? next : best)),
  ];
}

/**
 * The rates of a block for one order, as integers with enough decimal places for every rate and limit. With
 * 200 lines and 100 promotions there are 20,000 shares, which would take seconds to add up as decimals.
 */
class Rates {
  /** The number of decimal places of a percentage. */
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
    const limits = [block, ...promotions].map(
      ({ maxCashbackPerOrder }) => decimalsOf(maxCashbackPerOrder ?? 0) - 2 - exponent,
    );
    this.places = Math.max(0, ...percentages, ...limits);
    this.full = whole(100, this.places);
    this.isOverridden = promotions.some(({ mode }) => mode === 'override');
    this.promoted = promotions.map((promotion) => {
      const { id, label, cashbackPercentage } = promotion;
      return { ...this.rate('promotion', id, label, cashbackPercentage), promotion };
    });
  }

  /** The rates of an item, together at most 100. The later ones are reduced. */
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
      ({ minOrders, maxOrders }) =>
        minOrders <= this.earlierOrders && (maxOrders === null || this.earlierOrders <= maxOrders),
    );
    if (reached.length === 0) return null;
    const level = reached.reduce((best, next) => (next.minOrders > best.minOrders ? next : best));
    return this.rate('level', null, level.levelName, level.cashbackPercentage);
  }

  private rate(rule: Rate['rule'], id: string | null, label: string | null, percentage: number): Rate {
    return { rule, id, label, percentage: whole(percentage, this.places) };
  }
}

/**
 * What one rate gave for one item, as people read it.
 * @param places the places of the share; the percentage has two and the exponent fewer
 */
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

/**
 * Applies the cap of each promotion to what that promotion gives, and the block's own cap to the sum. Shares
 * and the sum are integers with `places` decimal places.
 */
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

/** The number of decimals in the shortest decimal form of a number. */
function decimalsOf(value: number): number {
  const { c, e } = new Big(value);
  return Math.max(0, c.length - 1 - e);
}

/** A number with at most `places` decimals, as an integer with that many decimal places. */
const whole = (value: number, places: number) => BigInt(new Big(value).times(`1e${places}`).toFixed(0));
const decimal = (value: bigint, places: number) => new Big(value.toString()).times(`1e-${places}`);
