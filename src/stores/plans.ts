/** What a plan lets a store do. Keys are the names of get_billing_status' features. */
export interface PlanFeatures {
  messages: boolean;
  contests: boolean;
  cashback: boolean;
  webhooks: boolean;
  mcp: boolean;
}

/** A plan a store can be on. Money in major units of `currency`, as decimal text. */
export interface Plan {
  code: string;
  name: string;
  price: string;
  currency: string;
  interval: 'month';
  includedContacts: number;
  /** Of each contact beyond the included ones, per interval. */
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
