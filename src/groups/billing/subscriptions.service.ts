import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { newId } from '../../platform/ids.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import type { BillingPeriod } from './billing-period.js';
import { daysOfPlans, type PlanDays } from './plan-days.js';
import { CHANGE_PLAN, GET_SUBSCRIPTION, LIST_PLAN_CHANGES, LOCK_STORE_PLAN } from './billing.statements.js';
import { findPlan, type Plan, PLANS } from '../../stores/plans.js';

type Subscription = Omit<RowOf<typeof GET_SUBSCRIPTION>, 'plan'> & { plan: Plan };

/** The store's own subscription to the service. */
@Injectable()
export class Subscriptions {
  async get(ctx: StoreContext): Promise<Subscription> {
    const [row] = await ctx.session.read(GET_SUBSCRIPTION);
    return { ...row, plan: findPlan(row.plan)! };
  }

  /**
   * The plans of a period, each with the days on which it was in force. A day counts for the plan that it
   * ended with.
   */
  async planDays(ctx: StoreContext, { start, end }: BillingPeriod): Promise<PlanDays[]> {
    const [{ plan }, changes] = await Promise.all([
      this.get(ctx),
      ctx.session.read(LIST_PLAN_CHANGES, { since: start }),
    ]);
    return daysOfPlans({ start, end }, changes, plan.code).map(({ plan: code, days }) => ({
      plan: findPlan(code)!,
      days,
    }));
  }

  /**
   * Puts the store on a plan at once. Its billing day stays the same. If the store already has the plan,
   * nothing changes.
   * @throws OperationError invalid_input for a plan that does not exist
   */
  async change(ctx: StoreContext, code: string): Promise<{ plan: string; previousPlan: string }> {
    if (!findPlan(code))
      throw invalidInput(`plan must be one of ${PLANS.map((plan) => plan.code).join(', ')}`);
    const [{ plan: previousPlan }] = await ctx.session.query(LOCK_STORE_PLAN);
    if (previousPlan !== code) {
      await ctx.session.query(CHANGE_PLAN, { plan: code, previousPlan, changeId: newId(), now: ctx.now() });
      ctx.audit.changes = { plan: [previousPlan, code] };
    }
    return { plan: code, previousPlan };
  }
}
