import { Big } from 'big.js';
import { bonusDecimals } from '../../platform/money.js';
import { finerWarning } from '../../platform/schema/warnings.js';
import type { Cashback, Referral } from './monetization.dto.js';

interface Rewarding {
  referral: Referral;
  cashback: Cashback;
}

/** A rate from which on a rule gives away more than most shops earn, in percent. */
const HALF = 50;

/**
 * Warns about parts of the configuration that make no sense, or give everything away, each with its path.
 * @param averageOrder the average paid order of the last 90 days, in major units; null if there was none
 */
export function monetizationWarnings(
  { referral, cashback }: Rewarding,
  currency: string,
  averageOrder: string | null,
): string[] {
  const { cashbackTrigger, cashbackTriggerStatus, levels, promotions } = cashback;
  return [
    ...(cashbackTrigger === 'on_status' && !cashbackTriggerStatus
      ? ['cashback.cashbackTriggerStatus is missing: with on_status nothing earns cashback without it']
      : []),
    ...levels.flatMap(({ minOrders, maxOrders }, i) =>
      maxOrders !== null && minOrders > maxOrders
        ? [`cashback.levels[${i}].minOrders is above maxOrders: nobody is on this level`]
        : [],
    ),
    ...promotions.flatMap(({ startsAt, endsAt }, i) =>
      endsAt !== null && endsAt < startsAt
        ? [`cashback.promotions[${i}].endsAt is before startsAt: it is never in force`]
        : [],
    ),
    ...rateWarnings(cashback),
    ...(['referralJoinBonus', 'referrerOrderBonus'] as const).flatMap((name) =>
      averageOrder !== null && new Big(referral[name]).gt(averageOrder)
        ? [
            `referral.${name} ${referral[name]} is above ${averageOrder}, the average paid order of the ` +
              'last 90 days',
          ]
        : [],
    ),
    ...Object.entries({
      'referral.referralJoinBonus': referral.referralJoinBonus,
      'referral.referrerOrderBonus': referral.referrerOrderBonus,
      'cashback.maxCashbackPerOrder': cashback.maxCashbackPerOrder ?? 0,
    }).flatMap(([path, amount]) => finerWarning(path, amount, bonusDecimals(currency), currency)),
  ];
}

/** Warns about rates that give back half of an order and more, without a cap. */
function rateWarnings({
  enabled,
  levels,
  categoryRates,
  promotions,
  maxCashbackPerOrder,
}: Cashback): string[] {
  if (!enabled || maxCashbackPerOrder !== null) return [];
  const rates = [
    ...levels.map(({ cashbackPercentage: rate }, i) => ({ path: `levels[${i}]`, rate })),
    ...categoryRates.map(({ cashbackPercentage: rate }, i) => ({ path: `categoryRates[${i}]`, rate })),
    ...promotions.flatMap((one, i) =>
      one.enabled !== false && (one.maxCashbackPerOrder ?? null) === null
        ? [{ path: `promotions[${i}]`, rate: one.cashbackPercentage }]
        : [],
    ),
  ];
  return rates.flatMap(({ path, rate }) =>
    rate >= HALF
      ? [`cashback.${path}.cashbackPercentage is ${rate}, and no maxCashbackPerOrder caps what is given back`]
      : [],
  );
}
