import { Injectable } from '@nestjs/common';
import type { RowOf } from '../../platform/database/statement.js';
import { newId } from '../../platform/ids.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { CHANGE_PLAN, GET_PLAN_AT, GET_SUBSCRIPTION, LOCK_STORE_PLAN } from './billing.statements.js';
import { findPlan, type Plan, PLANS } from '../../stores/plans.js';

type Subscription = Omit<RowOf<typeof GET_SUBSCRIPTION>, 'plan'> & { plan: Plan };

/** The store's own subscription to the service. */
@Injectable()
export class Subscriptions {
  async get(ctx: StoreContext): Promise<Subscription> {
    const [row] = await ctx.session.read(GET_SUBSCRIPTION);
    return { ...row, plan: findPlan(row.plan)! };
  }

  /** The plan that the store had just before `at`. */
  async planAt(ctx: StoreContext, at: Date): Promise<Plan> {
    const [{ plan }] = await ctx.session.read(GET_PLAN_AT, { at });
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
    const [{ plan: previousPlan }] = await ctx.session.run(LOCK_STORE_PLAN);
    if (previousPlan !== code) {
      await ctx.session.run(CHANGE_PLAN, { plan: code, previousPlan, changeId: newId(), now: ctx.now() });
      ctx.audit.changes = { plan: [previousPlan, code] };
    }
    return { plan: code, previousPlan };
  }
}
