import type { Plan } from '../../stores/plans.js';
import type { BillingPeriod } from './billing-period.js';
import { DAY_MS } from '../../platform/clock.js';

export interface PlanDays {
  plan: Plan;
  days: number;
}

/**
 * The plans of a period in the order of their first days, each with its number of days. A day counts for the
 * plan that it ended with.
 * @param changes the changes of plan since the period's start, oldest first
 * @param present the plan after all of them
 */
export function daysOfPlans(
  { start, end }: BillingPeriod,
  changes: { fromPlan: string; changedAt: Date }[],
  present: string,
): { plan: string; days: number }[] {
  const days = new Map<string, number>();
  for (let dayEnd = start.getTime() + DAY_MS; dayEnd <= end.getTime(); dayEnd += DAY_MS) {
    const plan = changes.find(({ changedAt }) => changedAt.getTime() >= dayEnd)?.fromPlan ?? present;
    days.set(plan, (days.get(plan) ?? 0) + 1);
  }
  return [...days].map(([plan, count]) => ({ plan, days: count }));
}
