import { Big } from 'big.js';
import type { CashbackBlock, CashbackItem, CashbackPromotion, CashbackRule } from './cashback.types.js';

/** The share of a line that one rule gives. */
export interface Rate {
  rule: CashbackRule['rule'];
  id: string | null;
  label: string | null;
  /** The percentage as an integer with `Rates.places` decimal places. */
  percentage: bigint;
  promotion?: CashbackPromotion;
}

/** The promotions that apply on the day of the order: the winning override, or else all adds. */
export function promotionsFor(placedAt: Date, promotions: CashbackPromotion[]): CashbackPromotion[] {
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
export class Rates {
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

/** The number of decimals in the shortest decimal form of a number. */
function decimalsOf(value: number): number {
  const { c, e } = new Big(value);
  return Math.max(0, c.length - 1 - e);
}

/** A number with at most `places` decimals, as an integer with that many decimal places. */
export const whole = (value: number, places: number) =>
  BigInt(new Big(value).times(`1e${places}`).toFixed(0));
export const decimal = (value: bigint, places: number) => new Big(value.toString()).times(`1e-${places}`);
