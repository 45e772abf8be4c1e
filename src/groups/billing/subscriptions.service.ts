import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { statement } from '../../platform/database/statement.js';
import { invalidInput } from '../../platform/errors.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { findPlan, type Plan, PLANS } from '../../stores/plans.js';

export interface Subscription {
  plan: Plan;
  status: string;
  startedAt: Date;
  cancelAtPeriodEnd: boolean;
  /** The latest change of plan. */
  fromPlan: string | null;
  toPlan: string | null;
}

type SubscriptionRow = Omit<Subscription, 'plan'> & { plan: string };

/** A store that was never put on a plan by the operator has been on its own since it was made. */
const GET_SUBSCRIPTION = statement(
  'get_subscription',
  `select s.plan, coalesce(u.status, 'active') as status, coalesce(u.started_at, s.created_at) as "startedAt",
     coalesce(u.cancel_at_period_end, false) as "cancelAtPeriodEnd", c.from_plan as "fromPlan", c.to_plan as "toPlan"
   from stores s left join subscriptions u on u.store_id = s.id left join lateral (
     select from_plan, to_plan from plan_changes where store_id = $1 order by changed_at desc, id desc limit 1) c on true
   where s.id = $1`,
);

/** The plan at a moment that has passed is what the first change after it changed. */
const GET_PLAN_AT = statement(
  'get_plan_at',
  `select coalesce((select from_plan from plan_changes where store_id = $1 and changed_at >= $2 order by changed_at, id limit 1), s.plan)
     as plan from stores s where s.id = $1`,
);

const LOCK_STORE_PLAN = statement('lock_store_plan', `select plan from stores where id = $1 for update`);

/** $2 the plan, $3 the one before, $4 the change's id, $5 now. A subscription that was to end goes on. */
const CHANGE_PLAN = statement(
  'change_plan',
  `with store as (
     update stores set plan = $2, updated_at = $5 where id = $1 returning created_at
   ), change as (
     insert into plan_changes (store_id, id, from_plan, to_plan, changed_at) values ($1, $4, $3, $2, $5)
   ) insert into subscriptions (store_id, status, started_at, cancel_at_period_end, created_at, updated_at)
   select $1, 'active', store.created_at, false, $5, $5 from store
   on conflict (store_id) do update set status = 'active', cancel_at_period_end = false, updated_at = $5`,
);

/** The store's own subscription to the service. */
@Injectable()
export class Subscriptions {
  async get(ctx: StoreContext): Promise<Subscription> {
    const [row] = await ctx.session.read<SubscriptionRow>(GET_SUBSCRIPTION);
    return { ...row, plan: findPlan(row.plan)! };
  }

  /** The plan the store was on just before `at`. */
  async planAt(ctx: StoreContext, at: Date): Promise<Plan> {
    const [{ plan }] = await ctx.session.read<{ plan: string }>(GET_PLAN_AT, at);
    return findPlan(plan)!;
  }

  /**
   * Puts the store on a plan, at once. Its billing day stays. The plan it is on already changes nothing.
   * @throws OperationError invalid_input for a plan that does not exist
   */
  async change(ctx: StoreContext, code: string): Promise<{ plan: string; previousPlan: string }> {
    if (!findPlan(code)) throw invalidInput(`plan must be one of ${PLANS.map((plan) => plan.code).join(', ')}`);
    const [{ plan: previousPlan }] = await ctx.session.run<{ plan: string }>(LOCK_STORE_PLAN);
    if (previousPlan !== code) {
      await ctx.session.run(CHANGE_PLAN, code, previousPlan, uuidv7(), ctx.now());
      ctx.audit.changes = { plan: [previousPlan, code] };
    }
    return { plan: code, previousPlan };
  }
}
