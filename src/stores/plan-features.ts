import { forbidden } from '../platform/errors.js';
import type { StoreContext } from '../platform/store/store-context.js';
import { findPlan, type PlanFeatures } from './plans.js';
import { GET_PLAN } from './stores.statements.js';

async function planFeatures(ctx: StoreContext): Promise<PlanFeatures> {
  const [{ plan }] = await ctx.session.read(GET_PLAN);
  return findPlan(plan)!.features;
}

/** @throws OperationError forbidden if the store's plan does not include the feature */
export async function requireFeature(ctx: StoreContext, feature: keyof PlanFeatures): Promise<void> {
  if (!(await planFeatures(ctx))[feature])
    throw forbidden(`The store's plan does not include ${feature}`).about('not_in_plan');
}
