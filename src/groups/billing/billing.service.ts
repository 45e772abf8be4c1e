import { Injectable } from '@nestjs/common';
import { statement } from '../../platform/database/statement.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { billingPeriod } from './billing-period.js';
import type { BillingStatus } from './billing.dto.js';
import { Subscriptions } from './subscriptions.service.js';
import { priceUsage } from './usage-price.js';

interface ContactCounts extends Record<string, number> {
  total: number;
  active: number;
  banned: number;
  botBlocked: number;
}

/** Sums over a few rows that triggers keep: a store may have a million customers. */
const COUNT_CONTACTS = statement(
  'count_contacts',
  `select coalesce(sum(total), 0)::int as total, coalesce(sum(active), 0)::int as active, coalesce(sum(banned), 0)::int as banned,
     coalesce(sum(bot_blocked), 0)::int as "botBlocked"
   from contact_counts where store_id = $1`,
);

@Injectable()
export class BillingService {
  constructor(private readonly subscriptions: Subscriptions) {}

  async status(ctx: StoreContext): Promise<BillingStatus> {
    const now = ctx.now();
    const [{ plan, fromPlan, toPlan, ...subscription }, [contacts]] = await Promise.all([
      this.subscriptions.get(ctx),
      ctx.session.read<ContactCounts>(COUNT_CONTACTS),
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
