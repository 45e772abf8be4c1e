import { Big } from 'big.js';
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
