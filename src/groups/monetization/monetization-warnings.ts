import { bonusDecimals } from '../../platform/money.js';
import { finerWarning } from '../../platform/schema/warnings.js';
import type { Cashback, Referral } from './monetization.dto.js';

interface Rewarding {
  referral: Referral;
  cashback: Cashback;
}

/** Warns about parts of the configuration that make no sense, each with its path. */
export function monetizationWarnings({ referral, cashback }: Rewarding, currency: string): string[] {
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
    ...Object.entries({
      'referral.referralJoinBonus': referral.referralJoinBonus,
      'referral.referrerOrderBonus': referral.referrerOrderBonus,
      'cashback.maxCashbackPerOrder': cashback.maxCashbackPerOrder ?? 0,
    }).flatMap(([path, amount]) => finerWarning(path, amount, bonusDecimals(currency), currency)),
  ];
}
