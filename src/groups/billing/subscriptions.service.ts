import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/ids.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { CHANGE_PLAN, GET_PLAN_AT, GET_SUBSCRIPTION, LOCK_STORE_PLAN } from './billing.statements.js';
import { findPlan, type Plan, PLANS } from '../../stores/plans.js';

export interface Subscription {
  plan: Plan;
  status: string;
  startedAt: Date;
  cancelAtPeriodEnd: boolean;
  /** The plans before and after the latest change; null if the plan has never changed. */
  fromPlan: string | null;
  toPlan: string | null;
}

type SubscriptionRow = Omit<Subscription, 'plan'> & { plan: string };

/** The store's own subscription to the service. */
@Injectable()
export class Subscriptions {
  async get(ctx: StoreContext): Promise<Subscription> {
    const [row] = await ctx.session.read<SubscriptionRow>(GET_SUBSCRIPTION);
    return { ...row, plan: findPlan(row.plan)! };
  }

  /** The plan that the store had just before `at`. */
  async planAt(ctx: StoreContext, at: Date): Promise<Plan> {
    const [{ plan }] = await ctx.session.read<{ plan: string }>(GET_PLAN_AT, at);
    return findPlan(plan)!;
  }

  /**
   * Puts the store on a plan at once. Its billing day stays the same. If the store already has the plan,
   * nothing changes.
   * @throws OperationError invalid_input for a plan that does not exist
   */
  async change(ctx: StoreContext, code: string): Promise<{ plan: string; previousPlan: string }> {
    if (!findPlan(code))
      throw invalidInput(`plan must be one of ${PLANS.map((plan) => plan.code).join(', ')}`);
    const [{ plan: previousPlan }] = await ctx.session.run<{ plan: string }>(LOCK_STORE_PLAN);
    if (previousPlan !== code) {
      await ctx.session.run(CHANGE_PLAN, code, previousPlan, newId(), ctx.now());
      ctx.audit.changes = { plan: [previousPlan, code] };
    }
    return { plan: code, previousPlan };
  }
}
