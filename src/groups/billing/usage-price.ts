import { Big } from 'big.js';
import type { PlanDays } from './plan-days.js';
import type { Plan } from '../../stores/plans.js';

/**
 * The price of a period: the plan's price, and the price of each contact beyond the included ones. Money is
 * exact decimal text in major units.
 */
export interface UsagePrice {
  base: string;
  includedContacts: number;
  contacts: number;
  overageContacts: number;
  overageUnitPrice: string;
  overage: string;
  total: string;
  currency: string;
}

export function priceUsage(plan: Plan, contacts: number): UsagePrice {
  const { price, includedContacts, overageUnitPrice, currency } = plan;
  const overageContacts = Math.max(0, contacts - includedContacts);
  const overage = new Big(overageUnitPrice).times(overageContacts);
  return {
    base: price,
    includedContacts,
    contacts,
    overageContacts,
    overageUnitPrice,
    overage: overage.toFixed(),
    total: overage.plus(price).toFixed(),
    currency,
  };
}

/**
 * The price of a period with several plans: what each costs, for the days on which it was in force, rounded
 * to cents. A period with one plan has exactly its price.
 */
export function pricePeriod(stretches: PlanDays[], contacts: number): { amount: string; currency: string } {
  const [{ plan }] = stretches;
  const { total, currency } = priceUsage(plan, contacts);
  if (stretches.length === 1) return { amount: total, currency };
  const all = stretches.reduce((sum, { days }) => sum + days, 0);
  const amount = stretches.reduce(
    (sum, stretch) => sum.plus(new Big(priceUsage(stretch.plan, contacts).total).times(stretch.days)),
    new Big(0),
  );
  return { amount: amount.div(all).round(2).toFixed(), currency };
}
