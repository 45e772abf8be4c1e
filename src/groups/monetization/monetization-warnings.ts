import { Big } from 'big.js';
import { bonusDecimals } from '../../platform/money.js';
import { type Sentence, warning } from '../../platform/problems.js';
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
): Sentence[] {
  const { cashbackTrigger, cashbackTriggerStatus, levels, promotions } = cashback;
  return [
    ...(cashbackTrigger === 'on_status' && !cashbackTriggerStatus
      ? [
          warning(
            'cashback.cashbackTriggerStatus is missing: with on_status nothing earns cashback without it',
            'no_trigger',
          ),
        ]
      : []),
    ...levels.flatMap(({ minOrders, maxOrders }, i) =>
      maxOrders !== null && minOrders > maxOrders
        ? [
            warning(
              `cashback.levels[${i}].minOrders is above maxOrders: nobody is on this level`,
              'no_level',
              { place: i + 1 },
            ),
          ]
        : [],
    ),
    ...promotions.flatMap(({ startsAt, endsAt }, i) =>
      endsAt !== null && endsAt < startsAt
        ? [
            warning(
              `cashback.promotions[${i}].endsAt is before startsAt: it is never in force`,
              'no_promotion',
              { place: i + 1 },
            ),
          ]
        : [],
    ),
    ...rateWarnings(cashback),
    ...(['referralJoinBonus', 'referrerOrderBonus'] as const).flatMap((name) =>
      averageOrder !== null && new Big(referral[name]).gt(averageOrder)
        ? [
            warning(
              `referral.${name} ${referral[name]} is above ${averageOrder}, the average paid order of the ` +
                'last 90 days',
              'above_average',
              { field: name, amount: referral[name], average: Number(averageOrder) },
            ),
          ]
        : [],
    ),
    ...Object.entries({
      'referral.referralJoinBonus': referral.referralJoinBonus,
      'referral.referrerOrderBonus': referral.referrerOrderBonus,
      'cashback.maxCashbackPerOrder': cashback.maxCashbackPerOrder ?? 0,
    }).flatMap(([path, amount]) =>
      finerWarning(path, amount, { decimals: bonusDecimals(currency), currency }),
    ),
  ];
}

/** Warns about rates that give back half of an order and more, without a cap. */
function rateWarnings({
  enabled,
  levels,
  categoryRates,
  promotions,
  maxCashbackPerOrder,
}: Cashback): Sentence[] {
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
  return rates
    .filter(({ rate }) => rate >= HALF)
    .map(({ path, rate }) =>
      warning(
        `cashback.${path}.cashbackPercentage is ${rate}, and no maxCashbackPerOrder caps what is given ` +
          'back',
        'uncapped',
        { rate },
      ),
    );
}
