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
   * The amount paid for the whole line, in minor units: its price minus its share of what reduces the order.
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
