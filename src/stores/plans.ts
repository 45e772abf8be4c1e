/** The features that a plan includes, under the names in the features of get_billing_status. */
export interface PlanFeatures {
  messages: boolean;
  contests: boolean;
  cashback: boolean;
  webhooks: boolean;
  mcp: boolean;
}

/** A plan that a store can have. Prices are decimal text in major units of `currency`. */
export interface Plan {
  code: string;
  name: string;
  price: string;
  currency: string;
  interval: 'month';
  includedContacts: number;
  /** The price of each contact beyond the included ones, per interval. */
  overageUnitPrice: string;
  features: PlanFeatures;
}

export const PLANS: readonly Plan[] = [
  {
    code: 'free',
    name: 'Free',
    price: '0',
    currency: 'USD',
    interval: 'month',
    includedContacts: 100,
    overageUnitPrice: '0.02',
    features: { messages: false, contests: true, cashback: true, webhooks: true, mcp: true },
  },
  {
    code: 'growth',
    name: 'Growth',
    price: '29',
    currency: 'USD',
    interval: 'month',
    includedContacts: 5_000,
    overageUnitPrice: '0.01',
    features: { messages: true, contests: true, cashback: true, webhooks: true, mcp: true },
  },
  {
    code: 'pro',
    name: 'Pro',
    price: '99',
    currency: 'USD',
    interval: 'month',
    includedContacts: 50_000,
    overageUnitPrice: '0.005',
    features: { messages: true, contests: true, cashback: true, webhooks: true, mcp: true },
  },
];

export function findPlan(code: string): Plan | undefined {
  return PLANS.find((plan) => plan.code === code);
}
