import { Injectable } from '@nestjs/common';
import type { StoreContext } from '../../platform/store/store-context.js';
import { billingPeriod } from './billing-period.js';
import { COUNT_CONTACTS } from './billing.statements.js';
import type { BillingStatus } from './billing.dto.js';
import { Subscriptions } from './subscriptions.service.js';
import { priceUsage } from './usage-price.js';

@Injectable()
export class BillingService {
  constructor(private readonly subscriptions: Subscriptions) {}

  async status(ctx: StoreContext): Promise<BillingStatus> {
    const now = ctx.now();
    const [{ plan, fromPlan, toPlan, ...subscription }, [contacts]] = await Promise.all([
      this.subscriptions.get(ctx),
      ctx.session.read(COUNT_CONTACTS),
    ]);
    return {
      subscription,
      plan,
      window: billingPeriod(subscription.startedAt, now),
      features: plan.features,
      usage: priceUsage(plan, contacts.total),
      contacts: { ...contacts, asOf: now },
      migration: { status: toPlan === null ? 'none' : 'completed', fromPlan, toPlan },
    };
  }
}
