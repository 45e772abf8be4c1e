import { Big } from 'big.js';
import { bonusDecimals, currencyExponent } from '../../platform/money.js';
import { EARNING_STATUSES, type OrderStatus } from '../order-status.js';
import { decimal, promotionsFor, type Rate, Rates, whole } from './cashback-rates.js';
import type {
  CashbackAward,
  CashbackBlock,
  CashbackCap,
  CashbackItem,
  CashbackPromotion,
  CashbackRule,
  CashbackTrigger,
} from './cashback.types.js';

/** The placing of an order in a status, or its change to another status. */
export interface StatusEntry {
  event: 'placed' | 'status';
  to: OrderStatus;
  /** Every status that the order has had before. */
  before: readonly OrderStatus[];
}

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
      return EARNING_STATUSES.includes(to) && !before.some((status) => EARNING_STATUSES.includes(status));
    case 'on_status':
      return to === triggerStatus && !before.includes(to);
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
